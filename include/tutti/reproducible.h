/**
 * @file reproducible.h
 * @ingroup catalogue
 * Reproducibility of reductions: what the bits of a result depend on. An operation that rounds, as a sum of
 * floating-point numbers, gives other bits in another order of its operands. The order is the tree of operands of each
 * element: which partial results are combined. Schedules say it, so classes are proven on them: every element holds the
 * hash of its tree, and two elements have the same bits for all numbers iff their trees are equal.
 *
 * The **aligned tree** of P ranks combines neighboring blocks of a power of two: at each node the left part has the
 * largest power of two of ranks that is less than all of them. 6 ranks: ((0 1) (2 3)) (4 5). It does not change where
 * ranks are added at its end, and two ranks that become one, which has combined their numbers, leave it as it was. It
 * is the tree that fixes the order of ReproRed, apart from the tree of its messages (Stelz, Huebner, Stamatakis 2026,
 * Bit-reproducible parallel phylogenetic tree inference, Bioinformatics, doi 10.1093/bioinformatics/btag044).
 */
#ifndef TUTTI_REPRODUCIBLE_H
#define TUTTI_REPRODUCIBLE_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Classes: bits. */
enum {
  TUTTI_REPRODUCIBLE_RANKS = 1u << 0,   /**< all ranks that get an element get the same bits */
  TUTTI_REPRODUCIBLE_ARRIVAL = 1u << 1, /**< the same in any order in which messages arrive */
  TUTTI_REPRODUCIBLE_NODES = 1u << 2,   /**< however ranks are placed on nodes, levels or a torus */
  TUTTI_REPRODUCIBLE_SIZE = 1u << 3,    /**< the same for all elements of a message and any length of it. What each rank
                                             has for itself, by scan and reduce_scatter, may differ from rank to rank */
  TUTTI_REPRODUCIBLE_ALIGNED = 1u << 4, /**< every element has the aligned tree, in a scan of the ranks up to the own
                                             one; so it hinges neither on the root nor on the choice between methods of
                                             this class, and P ranks that each combined 2^k numbers so get the bits of
                                             2^k P ranks */
  TUTTI_REPRODUCIBLE_DISTRIBUTION = 1u << 5, /**< numbers in a row, which ranks hold in any contiguous parts, are
                                                combined in the aligned tree of the numbers: the same bits on any number
                                                of ranks (tutti_call.leaves) */
  TUTTI_REPRODUCIBLE_ALL = (1u << 6) - 1
};

/** Number of classes. */
#define TUTTI_REPRODUCIBLE_CLASSES 6

/** Name of class number @p index: "ranks", "arrival", "nodes", "size", "aligned", "distribution". NULL past the last.
 */
const char *tutti_reproducible_name(int index);

/** "ranks, nodes, size", or "none"; @p text has TUTTI_REPRODUCIBLE_LENGTH bytes. Returns @p text. */
#define TUTTI_REPRODUCIBLE_LENGTH 64
char *tutti_reproducible_format(unsigned classes, char *text);

/** The classes of a list "nodes,size". TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_reproducible_parse(const char *text, unsigned *classes, tutti_error *error);

/**
 * The classes that methods need so that a choice among them has these classes: where the method is chosen by the size
 * of the message, results are independent of the size only if all methods have the same tree.
 */
unsigned tutti_reproducible_of_choice(unsigned classes);

/**
 * The classes of a method, as the catalogue says them; tests prove that for each algorithm. All for a collective that
 * does not reduce. Of a method of a library: those of the algorithm of that name, less what measurements refute
 * (docs/reference/reproducibility.md); of one that the library chooses itself (native): none. Of a plug-in, which says
 * no more: ranks, unless it rounds apart, and arrival.
 */
unsigned tutti_method_reproducible(const tutti_method *method);

/**
 * The method itself if it has these classes, else one that has them and serves the same calls, by the same
 * implementation if that has it: the substitute of its algorithm, or that of another algorithm of the collective, or
 * the first without domain. If none has TUTTI_REPRODUCIBLE_ALIGNED (scan, exscan), one that has the others, and always
 * the same; if there is no such one, the method itself.
 */
tutti_method tutti_method_reproducing(const tutti_method *method, unsigned classes);

#ifdef __cplusplus
}
#endif
#endif
