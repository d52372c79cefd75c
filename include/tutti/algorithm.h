/**
 * @file algorithm.h
 * @ingroup catalogue
 * Collectives, algorithms and methods: the registry made from src/algorithms/catalogue/catalogue.def.
 *
 * A collective is an operation (bcast). An algorithm is one way to do it (split-binary). A method is an algorithm with
 * its parameters, written COLLECTIVE/ALGORITHM[/SEGMENT][/NAME=VALUE...]:
 *
 *     bcast/linear     bcast/split-binary/8KB     bcast/chain/32KB/k=4     alltoall/linear-sync/max_requests=8
 *
 * SEGMENT is "none" or a size in bytes (suffixes KB and MB are powers of 1024). An algorithm made of others names them
 * by their part, with their own parameters after colons:
 *
 *     allreduce/reduce-bcast/reduce=binary:8KB/bcast=chain:8KB:k=2
 *     bcast/two-level/ranks_per_node=4/outer=split-binary:8KB/inner=linear
 *
 * The MPI library's own choice is a method, too: bcast/native, in simulation with SMPI's selector of algorithms,
 * bcast/native/selector=ompi, on Open MPI with one of its components, bcast/native/selector=han. So is an algorithm of
 * the catalogue as a library implements it, selected by settings of the library:
 *
 *     bcast/binomial/8KB@openmpi     allreduce/recursive-doubling@mpich     allgather/bruck@smpi
 *
 * These are measured and compared, but have no schedule (tutti_method_is_library()).
 *
 * The canonical form, which tutti_method_format() writes and every record, table and file uses, omits parameters at
 * their default.
 */
#ifndef TUTTI_ALGORITHM_H
#define TUTTI_ALGORITHM_H

#include <stddef.h>
#include <stdint.h>

#include "tutti/schedule.h"
#include "tutti/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_collective {
  TUTTI_COLL_BCAST,
  TUTTI_COLL_BARRIER,
  TUTTI_COLL_SCATTER,
  TUTTI_COLL_SCATTERV,
  TUTTI_COLL_GATHER,
  TUTTI_COLL_GATHERV,
  TUTTI_COLL_ALLGATHER,
  TUTTI_COLL_ALLGATHERV,
  TUTTI_COLL_ALLTOALL,
  TUTTI_COLL_ALLTOALLV,
  TUTTI_COLL_ALLTOALLW,
  TUTTI_COLL_REDUCE,
  TUTTI_COLL_REDUCE_SCATTER_BLOCK,
  TUTTI_COLL_REDUCE_SCATTER,
  TUTTI_COLL_ALLREDUCE,
  TUTTI_COLL_SCAN,
  TUTTI_COLL_EXSCAN,
  TUTTI_COLL_COUNT /**< number of collectives */
} tutti_collective;

/** Properties of a collective (bits of tutti_collective_traits()). */
enum {
  TUTTI_HAS_ROOT = 1u << 0,
  TUTTI_REDUCES = 1u << 1,          /**< combines contributions by an operation; elements are those of a datatype */
  TUTTI_HAS_BLOCKS = 1u << 2,       /**< a block for, or from, each rank */
  TUTTI_IS_IRREGULAR = 1u << 3,     /**< the blocks have counts of their own (v and w forms, reduce_scatter) */
  TUTTI_COUNTS_ARE_LOCAL = 1u << 4, /**< no rank, or only the root, knows all counts: no choice may depend on them */
};

/** Parameters that an algorithm takes (bits of tutti_algorithm.parameters). */
enum {
  TUTTI_TAKES_SEGMENT = 1u << 0,     /**< segment size: tutti_parameters.segment_bytes, "/8KB" in a method's name */
  TUTTI_TAKES_K = 1u << 1,           /**< chains, fan-out, radix, ...: written as tutti_algorithm.k_name says */
  TUTTI_TAKES_OUTSTANDING = 1u << 2, /**< messages in flight per peer and direction, or what outstanding_name says */
  TUTTI_TAKES_SELECTOR = 1u << 3,    /**< tutti_selector_name(k), "selector=" */
  TUTTI_K_IS_LIMIT = 1u << 4,        /**< k limits the messages in flight: one to every other rank or more is none */
  TUTTI_K_IS_SIDES = 1u << 5,        /**< k is a tutti_sides_pack(), written "8x8x4": of a torus, or of levels */
};

/** Restrictions of an algorithm (bits of tutti_algorithm.domain). 0: it always applies. */
enum {
  TUTTI_NEEDS_POWER_OF_TWO = 1u << 0, /**< size is a power of two */
  TUTTI_NEEDS_EVEN = 1u << 1,         /**< size is even */
  TUTTI_NEEDS_COMMUTATIVE = 1u << 2,  /**< the reduction commutes */
  TUTTI_NEEDS_COUNT = 1u << 3,        /**< at least one element per rank */
  TUTTI_NEEDS_TWO = 1u << 4,          /**< size is two */
  TUTTI_NEEDS_NODES = 1u << 5,        /**< call->nodes is known, or k is the number of ranks of a node */
  TUTTI_NEEDS_TORUS = 1u << 6,        /**< k gives the sides of a box with the same number of ranks, on a torus */
  TUTTI_NEEDS_COUNTS = 1u << 7,       /**< all ranks know the counts of all: call->matrix, or blocks of one size */
  TUTTI_NEEDS_LEVELS = 1u << 8,       /**< call->levels are known, or k gives the sizes of their groups */
  TUTTI_NEEDS_RANKS = 1u << 9,        /**< size is tutti_algorithm.ranks */
  TUTTI_NEEDS_ROOT = 1u << 10,        /**< root is tutti_algorithm.root */
  TUTTI_NEEDS_UNIT = 1u << 11,        /**< count is a multiple of tutti_algorithm.unit */
};

/** Values of tutti_algorithm.aligned: at any root, at root 0 only. */
enum { TUTTI_ALIGNED = 1, TUTTI_ALIGNED_AT_0 };

typedef struct tutti_algorithm tutti_algorithm;

/** Maximum levels of a machine for an algorithm: sockets, nodes, switches, cells. */
#define TUTTI_MAX_LEVELS 4

/** Maximum parts of an algorithm made of others: one up and one down on each level, and one among the top groups. */
#define TUTTI_MAX_PARTS (2 * TUTTI_MAX_LEVELS + 1)

/**
 * A part of a method: an algorithm with parameters, but without parts that differ from their defaults. It serves any
 * number of ranks: of the domain of an algorithm only TUTTI_NEEDS_COMMUTATIVE is allowed in a part.
 */
typedef struct tutti_part {
  const tutti_algorithm *algorithm; /**< NULL if the method has no such part */
  uint64_t segment_bytes;
  int k;
  int outstanding;
} tutti_part;

/** Values of the parameters of a method. */
typedef struct tutti_parameters {
  uint64_t segment_bytes; /**< bytes of the pieces that a message, or a block, is cut into; 0: it is sent whole, as
                               always by an algorithm without TUTTI_TAKES_SEGMENT. The value that the user gave: it may
                               be larger than the message, or no multiple of type_size, and type_size is 0 where count
                               may be. A builder rounds it down to whole elements, but to no less than one:
                               length = segment_bytes / type_size, at least 1; (count - 1) / length + 1 pieces, the last
                               one with the rest. All ranks have the same value. */
  int k;                  /**< chains, fan-out, radix, ..., of a native method its selector; 0 if it takes none */
  int outstanding;        /**< 0 if the algorithm takes none */
  tutti_part parts[TUTTI_MAX_PARTS];
} tutti_parameters;

/**
 * The sizes of the blocks of a buffer, which are contiguous in the order of the ranks. Where MPI lets a rank place them
 * otherwise (displacements, datatypes, MPI_IN_PLACE), that is not part of the call: each rank places them in its own
 * way, and the vertices of a builder must not depend on it. The code that runs the schedule puts the data in place.
 */
typedef struct tutti_layout {
  const uint64_t *offsets; /**< [size + 1] block r is elements offsets[r] to offsets[r + 1] - 1, and offsets[0] is 0;
                                NULL: all blocks have call->count elements */
} tutti_layout;

/** The layout of @p size blocks of counts[r] elements; @p offsets [size + 1] receives the offsets and must stay. The
   sum of the counts must be below 2^64. */
static inline tutti_layout tutti_layout_make(const uint64_t *counts, int size, uint64_t *offsets)
{
  offsets[0] = 0;
  for (int r = 0; r < size; r++)
    offsets[r + 1] = offsets[r] + counts[r];
  return (tutti_layout){offsets};
}

/** Elements of a block, and of all @p size blocks, of a layout that has offsets. @{ */
static inline uint64_t tutti_layout_count(const tutti_layout *layout, int rank)
{
  return layout->offsets[rank + 1] - layout->offsets[rank];
}

static inline uint64_t tutti_layout_sum(const tutti_layout *layout, int size)
{
  return layout->offsets[size];
}
/** @} */

/** Which group of a level (node, switch, cell) each rank is in. Ranks are in a group if their numbers are equal here
   and on all levels above, so that a switch may have the number of a switch of another cell. The same on all ranks. */
typedef struct tutti_level {
  const int *ids; /**< [size] a number for the group of each rank; NULL: width ... */
  int width;      /**< ... consecutive ranks are a group, the last one what is left; >= 1 */
} tutti_level;

/**
 * One call of a collective, seen from one rank. Sizes in elements: of the datatype where the collective reduces, else
 * of any unit that all ranks share (tutti uses bytes on MPI). What the buffers hold:
 *
 *     collective             TUTTI_INPUT                        TUTTI_OUTPUT
 *     bcast                  nothing                            count elements, at the root what is sent
 *     scatter(v)             at the root input blocks 0..P-1    count elements
 *     gather(v)              count elements                     at the root output blocks 0..P-1
 *     allgather(v)           count elements                     output blocks 0..P-1
 *     alltoall(v,w)          input blocks 0..P-1, by receiver   output blocks 0..P-1, by sender
 *     reduce                 count elements                     at the root count elements
 *     allreduce, scan        count elements                     count elements
 *     exscan                 count elements                     count elements, at rank 0 left alone
 *     reduce_scatter(_block) input blocks 0..P-1                count elements, which is those of input block rank
 */
typedef struct tutti_call {
  int size;            /**< ranks of the group, >= 1 */
  int rank;            /**< the calling rank */
  int root;            /**< 0 where the collective has none */
  uint64_t count;      /**< elements of a block, or of the own block, or of the message: see above */
  uint64_t type_size;  /**< bytes of data in one element (MPI_Type_size), >= 1 unless count is 0 */
  bool commutative;    /**< of the reduction; true without one */
  tutti_layout input;  /**< blocks of TUTTI_INPUT; irregular: at the root of scatterv, everywhere for alltoallv and
                            alltoallw, everywhere and the same for reduce_scatter */
  tutti_layout output; /**< blocks of TUTTI_OUTPUT; irregular: at the root of gatherv, everywhere for alltoallv,
                          alltoallw and, the same on all ranks, allgatherv */
  const int *nodes; /**< [size] a number >= 0 for the node of each rank, equal for those that share memory; NULL if not
                         known. The same on all ranks. */
  tutti_level levels[TUTTI_MAX_LEVELS]; /**< from the lowest, with the smallest groups, up */
  int level_count;                      /**< 0: not known */
  const uint64_t *matrix; /**< [size * size] of alltoallv: elements of rank s for rank d, at s * size + d; NULL if
                             unknown, as in calls of MPI, where each rank has a row and a column of it. The same on all
                             ranks, and consistent with the layouts. */
  tutti_parameters parameters;
  tutti_tree_shape shape; /**< of the algorithm, where it has one; filled in by tutti_method_schedule() */
  const uint64_t *leaves; /**< of reduce and allreduce by an algorithm that distributes: [size + 1] the operands are
                             numbered through, and those of rank r, from leaves[r] to leaves[r + 1] - 1, are its
                             TUTTI_INPUT, count elements each; a rank can have none, leaves[0] is 0. The same on all
                             ranks. NULL: each rank has one */
  const struct tutti_neighbors *near; /**< of a neighborhood collective (neighbor.h), whose blocks are those of
                                           neighbors, not of all ranks; NULL: of all ranks */
  const void *data;                   /**< likewise: tutti_algorithm.data */
} tutti_call;

/** Adds the vertices of call->rank to @p builder. Reports nothing: faults are remembered by the builder. */
typedef void (*tutti_build_function)(tutti_builder *builder, const tutti_call *call);

/** The part that an algorithm runs by another algorithm. */
typedef struct tutti_part_of {
  const char *name; /**< "inner"; NULL: no such part */
  tutti_collective collective;
  const char *default_algorithm; /**< name of the algorithm used by default, with default parameters */
} tutti_part_of;

/** One line of the catalogue, or what the MPI library does. Static storage. */
struct tutti_algorithm {
  tutti_collective collective;
  const char *name;             /**< "split-binary" */
  tutti_build_function build;   /**< NULL: native */
  tutti_tree_shape shape;       /**< of the tree, for algorithms that take any: call->shape of build() */
  unsigned parameters;          /**< TUTTI_TAKES_... */
  const char *k_name;           /**< NULL: "k" */
  const char *outstanding_name; /**< NULL: "outstanding"; "leaders" */
  int default_k;                /**< 0 if it takes no k */
  int min_k;                    /**< smallest k allowed */
  unsigned domain;              /**< TUTTI_NEEDS_... */
  int ranks, root;              /**< with TUTTI_NEEDS_RANKS, TUTTI_NEEDS_ROOT */
  uint64_t unit;                /**< elements, >= 1, with TUTTI_NEEDS_UNIT */
  const void *data;             /**< for build(): call->data; read only. Not of an algorithm that is a part of others */
  const char *substitute; /**< algorithm of the same collective, without domain and parts, that serves the calls which
                               this one does not; NULL iff it has neither domain nor parts */
  tutti_part_of parts[TUTTI_MAX_PARTS];
  bool rounds_apart;  /**< ranks combine the operands in different orders, so that sums of floating-point numbers
                         may differ between ranks in their last bits */
  bool sizes_apart;   /**< the order of the operands of an element differs with its place in the message, or with the
                         length of that: the same numbers in a longer message can get other bits */
  unsigned aligned;   /**< where operands of all elements are combined in the aligned binary tree (reproducible.h), for
                         any number of ranks: 0, TUTTI_ALIGNED, TUTTI_ALIGNED_AT_0; with parts: if those that reduce do
                         so at root 0 */
  bool distributes;   /**< call->leaves may be given: ranks hold any number of operands each */
  const char *source; /**< paper and section */
  int openmpi_id;     /**< id in coll/tuned of Open MPI, 0 if it lacks the algorithm; tutti_library_span_of() gives the
                         first version */
  const char *mpich_name; /**< name in MPICH 4.0, or in the first version that has it, without MPIR_<Coll>_intra_; NULL
                             if it lacks the algorithm. tutti_library_span_of() gives the first version,
                             src/decision/libraries the effect of k or a segment */
  const char *smpi_name;  /**< name in SMPI 3.32 of the very algorithm, NULL if it has none */
};

/** Elements of which an algorithm serves multiples: 1 if it serves any number. */
static inline uint64_t tutti_algorithm_unit(const tutti_algorithm *algorithm)
{
  return algorithm->domain & TUTTI_NEEDS_UNIT ? algorithm->unit : 1;
}

/** The implementation that runs an algorithm. */
typedef enum tutti_implementation {
  TUTTI_IMPLEMENTATION_TUTTI,   /**< our schedule; for a native method the library gets no settings */
  TUTTI_IMPLEMENTATION_OPENMPI, /**< coll/tuned of Open MPI, "@openmpi" */
  TUTTI_IMPLEMENTATION_MPICH,   /**< "@mpich" */
  TUTTI_IMPLEMENTATION_SMPI,    /**< SMPI's copies of the algorithms of libraries, "@smpi" */
  TUTTI_IMPLEMENTATION_COUNT
} tutti_implementation;

/** Maximum sides of a parameter, dimensions of a torus or levels, and the longest one. */
#define TUTTI_MAX_SIDES 3
#define TUTTI_MAX_SIDE  1023

/** Sides as one number; 0 for none. Of a torus the first one varies fastest with the rank; of levels they are the ranks
    of a group of the lowest level, the groups of that in one of the next level, and so on: 4x32 are nodes of 4 ranks
    and switches of 32 nodes. */
int tutti_sides_pack(const int *sides, int count);

/** The number of sides, 0 if none is known. */
int tutti_sides_unpack(int k, int sides[TUTTI_MAX_SIDES]);

/** Write "8x8x4", or "" for none; returns @p text. */
#define TUTTI_SIDES_LENGTH 16
char *tutti_sides_format(int k, char text[TUTTI_SIDES_LENGTH]);

/** An algorithm with parameters. A value: copy freely. */
typedef struct tutti_method {
  const tutti_algorithm *algorithm;
  tutti_parameters parameters;
  tutti_implementation implementation;
} tutti_method;

/** Default number of messages in flight per peer and direction. */
#define TUTTI_DEFAULT_OUTSTANDING 16

/** Longest canonical name of a method, terminating zero included. */
#define TUTTI_METHOD_LENGTH 256

/** Block @p rank of TUTTI_INPUT, and of TUTTI_OUTPUT, for a collective that has blocks there. @{ */
static inline tutti_block tutti_input_block(const tutti_call *call, int rank)
{
  const tutti_layout *layout = &call->input;
  return layout->offsets ? tutti_block_of(TUTTI_INPUT, layout->offsets[rank], tutti_layout_count(layout, rank))
                         : tutti_block_of(TUTTI_INPUT, (uint64_t)rank * call->count, call->count);
}

static inline tutti_block tutti_output_block(const tutti_call *call, int rank)
{
  const tutti_layout *layout = &call->output;
  return layout->offsets ? tutti_block_of(TUTTI_OUTPUT, layout->offsets[rank], tutti_layout_count(layout, rank))
                         : tutti_block_of(TUTTI_OUTPUT, (uint64_t)rank * call->count, call->count);
}
/** @} */

/** Traits of a collective (TUTTI_HAS_ROOT, ...). */
unsigned tutti_collective_traits(tutti_collective collective);

/** Name of a collective ("bcast"); NULL for a value outside the enumeration. */
const char *tutti_collective_name(tutti_collective collective);

/** The collective called @p name, also as MPI calls it (MPI_Allreduce), in any case; TUTTI_ERR_ARGUMENT names the known
 * ones. */
tutti_status tutti_collective_parse(const char *name, tutti_collective *collective, tutti_error *error);

/** Number of lines in the catalogue and in the plug-ins that are loaded (plugin.h). */
size_t tutti_algorithm_count(void);

/** Line @p index of the catalogue in its order, then of the plug-ins; NULL past the end. The native algorithms are not
    among them. */
const tutti_algorithm *tutti_algorithm_at(size_t index);

/** That order, native algorithms between the catalogue and the plug-ins, NULL first. Returns <0, 0, >0 as memcmp(). */
int tutti_algorithm_compare(const tutti_algorithm *left, const tutti_algorithm *right);

/** The algorithm of that name, or NULL. "native" is one. */
const tutti_algorithm *tutti_algorithm_find(tutti_collective collective, const char *name);

/** The unsegmented algorithm equal to @p algorithm without segments ("ring" for "ring-segmented"), or NULL. */
const tutti_algorithm *tutti_algorithm_unsegmented(const tutti_algorithm *algorithm);

/** The algorithm with default parameters. */
tutti_method tutti_method_default(const tutti_algorithm *algorithm);

/** Read a method. TUTTI_ERR_ARGUMENT names the fault and the known words. */
tutti_status tutti_method_parse(const char *text, tutti_method *method, tutti_error *error);

/** Facts about a machine for methods; 0: unknown. */
typedef struct tutti_places {
  int ranks_per_node;
  int levels;         /**< tutti_sides_pack() */
  int ranks_per_host; /**< of the torus: a node can have several hosts */
  int torus;          /**< tutti_sides_pack() of its hosts, numbered as the ranks */
} tutti_places;

/** Set the parameters of one of our methods that needs nodes, levels or a torus, and names none, to those of a machine.
   @param ranks  0: unknown, and so are their sides on a torus */
void tutti_method_tell(tutti_method *method, const tutti_places *places, int ranks);

/** A tutti_sides_pack() of the box that @p ranks ranks, on the first hosts of a torus, fill: the ranks of a host along
   a side of their own where the hosts have less than three, else along the first one. 0: they fill no box. */
int tutti_torus_box(const tutti_places *places, int ranks);

/** Whether a method needs nodes or levels, and names none, so that the call must have them. */
bool tutti_method_needs_places(const tutti_method *method);

/** Write the canonical form into @p text of TUTTI_METHOD_LENGTH bytes; returns @p text. */
char *tutti_method_format(const tutti_method *method, char *text);

/**
 * Total order of methods: ours, those of libraries (tutti_implementation), native ones; then catalogue order, then
 * segment size (none first), then k, then outstanding, then the parts in their order. Used wherever two methods tie.
 * Returns <0, 0, >0 as memcmp().
 */
int tutti_method_compare(const tutti_method *left, const tutti_method *right);

/** The same for qsort() and bsearch(). */
int tutti_compare_methods(const void *left, const void *right);

/** Whether two methods run the same on @p ranks ranks. Limits of messages that are never reached make no difference. */
bool tutti_method_same_on(const tutti_method *left, const tutti_method *right, int ranks);

/** Why a call is outside the domain of a method; NULL: it is not. Static storage. */
const char *tutti_method_fault(const tutti_method *method, const tutti_call *call);

/**
 * Check that the call is within the domain of the method and well formed (ranks in range, root in range).
 * TUTTI_ERR_UNSUPPORTED or TUTTI_ERR_ARGUMENT gives the reason.
 */
tutti_status tutti_method_check(const tutti_method *method, const tutti_call *call, tutti_error *error);

/**
 * @p method if the call is within its domain, else the substitute that the catalogue states for its algorithm, with
 * default parameters, which serves every well-formed call; by the same implementation if that has it.
 */
tutti_method tutti_method_serving(const tutti_method *method, const tutti_call *call);

/** Whether the results of ranks may differ where the order of the operands changes bits, because of the algorithm or of
   a part of it (tutti_algorithm.rounds_apart). MPI advises against it; programs that stop at a residual may hang. */
bool tutti_method_rounds_apart(const tutti_method *method);

/** The method that serves a call in place of another one. Programs rely on a reduction that has the same bits on all
   ranks, as the library's has: if the operation @p rounds, a substitute replaces a method whose ranks would round
   differently. */
tutti_method tutti_method_rounding(const tutti_method *method, bool rounds);

/** The substitute of the algorithm, with default parameters; by the same implementation if that has it. Not of an
    algorithm that has none. */
tutti_method tutti_method_substitute(const tutti_method *method);

/**
 * The same algorithm and parameters by another implementation; @p method itself if it is native, or if that
 * implementation does not have the algorithm.
 */
tutti_method tutti_method_as(const tutti_method *method, tutti_implementation implementation);

/** Part @p index of a method as a method of its own, its own parts at their defaults. */
tutti_method tutti_method_part(const tutti_parameters *parameters, int index);

/** Name of the parameter k of an algorithm ("k", "radix", ...). */
const char *tutti_algorithm_k_name(const tutti_algorithm *algorithm);

/** Name of the parameter `outstanding` of an algorithm ("outstanding", "leaders"). */
const char *tutti_algorithm_outstanding_name(const tutti_algorithm *algorithm);

/** Whether it is the MPI library's own choice ("native"). */
bool tutti_method_is_native(const tutti_method *method);

/** Whether the MPI library runs it, native or with settings that select an algorithm. Such a method has no schedule. */
bool tutti_method_is_library(const tutti_method *method);

/** Name of an implementation ("openmpi"); NULL for TUTTI_IMPLEMENTATION_TUTTI, whose methods end without one. */
const char *tutti_implementation_name(tutti_implementation implementation);

enum { TUTTI_LIBRARY_WORD = 80 };

/**
 * The name of an MPI library, and what follows it, with the library as tutti_implementation_name() calls it: ompi-4.1,
 * open-mpi-4.1 and OpenMPI-4.1 are openmpi-4.1. Any other text is copied, cut to what fits. Returns @p plain.
 */
char *tutti_library_plain(const char *text, char plain[TUTTI_LIBRARY_WORD]);

/**
 * Whether the implementation has this algorithm (openmpi_id, mpich_name, smpi_name). src/decision/libraries has the
 * parameters that it takes there.
 */
bool tutti_implementation_has(tutti_implementation implementation, const tutti_algorithm *algorithm);

/**
 * Selector @p k of a native method; NULL for 0, the default, and past the last. Up to TUTTI_LAST_SMPI_SELECTOR ("ompi",
 * "mpich", "mvapich2", "impi") values of smpi/coll-selector; then components of Open MPI ("tuned", "basic", "han",
 * "sm") that go before all others, compositions of MPICH's CH4 ("alpha", "beta", "gamma", "delta"), and choices of its
 * shared memory ("release_gather"; "mpir": none).
 */
const char *tutti_selector_name(int k);

/** The selector of that name; 0: there is none. */
int tutti_selector_find(const char *name);

/** Whose selector it is; TUTTI_IMPLEMENTATION_TUTTI for 0, the default, and past the last. */
tutti_implementation tutti_selector_owner(int k);

/** Last selector of SMPI. */
#define TUTTI_LAST_SMPI_SELECTOR 4

/** Put before the message of @p error, unless it is NULL, the method and the call whose schedules are wrong:
   "allreduce/ring, 5 ranks, 1 element: ...". Returns its status. */
tutti_status tutti_method_blame(const tutti_method *method, const tutti_call *call, tutti_error *error);

/**
 * Build and seal the schedule of @p method for @p call (whose parameters are taken from the method) in @p arena.
 * TUTTI_ERR_UNSUPPORTED if the call is outside the domain of the method, or it is native; the error of a build
 * function, and then @p schedule is what was built before.
 */
tutti_status tutti_method_schedule(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                   tutti_schedule *schedule, tutti_error *error);

/** Whether a text begins with the name of a collective and '/', as the name of a method does. */
bool tutti_method_names_collective(const char *text, tutti_collective *collective);

/**
 * Read a size in bytes: a number with an optional suffix B, KB, MB or GB (powers of 1024; case does not matter; K and
 * KiB mean KB). It may have decimals and an exponent (1.5KB, 1e3), but must be a whole number of bytes.
 * TUTTI_ERR_ARGUMENT on anything else, and on overflow.
 */
tutti_status tutti_size_parse(const char *text, uint64_t *bytes, tutti_error *error);

/** Write a size in the shortest exact way ("1000B", "8KB"); @p text has at least 24 bytes. Returns @p text. */
char *tutti_size_format(uint64_t bytes, char *text);

#ifdef __cplusplus
}
#endif
#endif
