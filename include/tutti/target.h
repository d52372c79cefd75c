/**
 * @file target.h
 * @ingroup libraries
 * Decision functions exported: what MPI libraries and others read. No MPI.
 *
 * For one communicator size a decision is a step function of the message size. A step table holds these steps exactly,
 * to the byte, for all communicator sizes of a range; writers of targets need nothing else (the C writer also takes
 * decision trees as they are). What a target does not support is replaced by the best method that it supports, judged
 * by the measurements, and the loss is counted.
 */
#ifndef TUTTI_TARGET_H
#define TUTTI_TARGET_H

#include <stdio.h>

#include "tutti/decision.h"
#include "tutti/decision_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- step tables ---- */

/** From @p bytes on, up to the next step, @p method. */
typedef struct tutti_step {
  uint64_t bytes; /**< as in tutti_question.rank_bytes */
  int method;     /**< index into tutti_step_table.methods; -1: the decision has no answer, or the table claims none */
} tutti_step;

/** The steps of the communicator sizes from @p ranks up to those of the next row. */
typedef struct tutti_step_row {
  int ranks;
  int count;         /**< >= 1 */
  tutti_step *steps; /**< the first begins at 0 bytes; neighbors have different methods */
} tutti_step_row;

/** Communicators by where their ranks are: files of Open MPI 6 have rules for each. */
typedef enum tutti_placement { TUTTI_PLACED_ANYHOW, TUTTI_ONE_PER_NODE, TUTTI_SINGLE_NODE } tutti_placement;

/** Begin with {0}, end with tutti_step_table_free(). */
typedef struct tutti_step_table {
  tutti_collective collective;
  tutti_placement placement; /**< of the communicators; anyhow: of all that no earlier table is about */
  int ranks_per_node;        /**< asked about */
  int row_count;
  tutti_step_row *rows; /**< ascending; the first also covers smaller communicators, the last has no end */
  int method_count;
  tutti_method *methods;
  int *order; /**< of the first @ref ordered methods: their indices, by tutti_method_compare() */
  int ordered;
} tutti_step_table;

/** The domain of a table. */
typedef struct tutti_range {
  int min_ranks, max_ranks;      /**< communicator sizes, 2 <= min <= max */
  uint64_t min_bytes, max_bytes; /**< message sizes */
  bool extend;           /**< continue beyond these: the first and last rows cover all communicators and messages */
  int ranks_per_node;    /**< of the questions */
  unsigned reproducible; /**< classes that reductions must have (reproducible.h): what lacks one, as the library's own
                              choice does, is replaced; with `size` a row gets one method if its trees differ */
  const tutti_decision_map *map; /**< its communicator and message sizes are looked at; may be NULL */
} tutti_range;

/** The range of the points of a map. */
tutti_range tutti_range_of_map(const tutti_decision_map *map);

/** 2 ranks to @p max_ranks, all messages, extended. */
tutti_range tutti_range_without_map(int max_ranks);

/** Largest communicator up to which every size is looked at. */
#define TUTTI_EVERY_RANKS 1024

/** Maximum steps of one communicator size. */
#define TUTTI_MAX_STEPS 4096

/**
 * The steps of @p decision over @p range, exact where it is a step function: where a tree tests attributes that are
 * monotone in the message size (tutti_expression_is_monotone()). Communicator sizes looked at: all up to
 * TUTTI_EVERY_RANKS, beyond it those of the map, the bounds of rules, powers of two, and the neighbors of these.
 * Message sizes: 0, those of the map, the bounds of rules, powers of two; between two with different answers the byte
 * at which the answer changes is found by bisection. Where a method does not apply to a communicator size, the
 * substitute of the catalogue is used.
 * @return TUTTI_ERR_ARGUMENT if a communicator size has more than TUTTI_MAX_STEPS steps or the range is empty
 */
tutti_status tutti_step_table_create(const tutti_decision *decision, tutti_collective collective,
                                     const tutti_range *range, tutti_step_table *table, tutti_error *error);

void tutti_step_table_free(tutti_step_table *table);

/** Whether the table answers anything. */
bool tutti_step_table_answers(const tutti_step_table *table);

/** Index of the method at a point, -1: none. */
int tutti_step_table_find(const tutti_step_table *table, int ranks, uint64_t bytes);

/** Join neighbors with equal rows. */
void tutti_step_table_merge(tutti_step_table *table);

/** A decision function that answers as @p table, which must live as long. */
tutti_decision tutti_step_table_decision(const tutti_step_table *table);

/* ---- targets ---- */

/** The unit of a target's message sizes, per collective. */
typedef enum tutti_size_unit {
  TUTTI_UNIT_ABSENT, /**< the target has no choice for this collective */
  TUTTI_UNIT_NONE,   /**< it does not look at the message */
  TUTTI_UNIT_RANK,   /**< bytes of the message, or of one rank's block */
  TUTTI_UNIT_TOTAL,  /**< ranks times that */
} tutti_size_unit;

typedef struct tutti_target tutti_target;

/** A method that a file runs where its time is not known: the first such point. */
typedef struct tutti_unmeasured {
  tutti_method method; /**< as ours, with the parts that the library picks */
  int ranks;
  uint64_t bytes;
} tutti_unmeasured;

/** Maximum number kept of a part. */
enum { TUTTI_MAX_UNMEASURED = 8 };

/** One decision on its way to a target. */
typedef struct tutti_export_part {
  const tutti_decision *decision;
  const tutti_decision_map *map; /**< NULL: nothing was measured */
  tutti_range range;
  tutti_step_table table;      /**< of methods that the target supports */
  int points;                  /**< points of the map that the decision answers */
  int replaced;                /**< of these, points with another method */
  tutti_penalty before, after; /**< over the map; points 0 if that could not be counted */
  int unmeasured_count;
  tutti_unmeasured unmeasured[TUTTI_MAX_UNMEASURED]; /**< at points of the map, as the target reads its file */
  tutti_improvement untuned; /**< improvement of the file over the library's own choice; points 0 unless native methods
                                are candidates of the map */
} tutti_export_part;

void tutti_export_part_free(tutti_export_part *part);

/** A target and its capabilities. Static storage. */
struct tutti_target {
  const char *name;    /**< "openmpi-4.1" */
  const char *summary; /**< a line for lists */
  int since;           /**< version of the library from which on its files are meant: major * 100 + minor */
  bool single;         /**< has one method a collective, for all calls */
  bool trees;          /**< accepts decision trees unchanged, with any expressions; others accept steps */
  bool own_choice;     /**< its files can leave calls to the library's own choice: bcast/native */
  const char *kind; /**< of its files, by tutti_tuning_kind.name, where they are for another reader of the library than
                       those of the targets without one: "openmpi-han"; NULL: the main reader */
  const char *use;  /**< line of shell with %s for the quoted path of a file; NULL: the library's variables */
  tutti_size_unit (*unit)(tutti_collective collective);
  /** Whether the target can run this very method of ours, with its parameters, on @p ranks ranks. A method made of
     others: with the parts that the target picks. */
  bool (*supports)(const tutti_method *method, int ranks);
  /** Write the file. @p comment: lines for its head, where it can have one; may be NULL. */
  tutti_status (*write)(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                        tutti_error *error);
};

/** Print the lines of shell that make the library read the file at @p path. */
void tutti_target_print_use(const tutti_target *target, const char *path, FILE *stream);

/** Print the line of shell that undoes these: the library is left alone again. Nothing for a target that is no
   library's file. Settings of a kind are those of its `use`. */
void tutti_target_print_undo(const tutti_target *target, FILE *stream);

/** In the order in which they are listed; NULL past the end. */
const tutti_target *tutti_target_at(size_t index);

/** The implementation that runs the methods of the target's files. */
tutti_implementation tutti_target_implementation(const tutti_target *target);

/**
 * Whether the target accepts this very method: one of ours that it supports, the same of its own library
 * (bcast/binomial\@openmpi), or, if it can leave calls to its own choice, bcast/native; a target with a kind also
 * native methods under the selectors that its files name (bcast/native/selector=han).
 */
bool tutti_target_supports(const tutti_target *target, const tutti_method *method, int ranks);

/**
 * Forget the times of our methods made of others where the library does not pick the measured parts: no file can select
 * them. The best methods are found anew.
 */
void tutti_target_forget_parts(const tutti_target *target, tutti_decision_map *map);

/** Default percentage by which a method must be faster than the library's own choice. */
#define TUTTI_TARGET_MARGIN 5

/**
 * A copy of a map to learn rules for a target from: those of its candidates that the target supports, without what
 * tutti_target_forget_parts() says, and by tutti_decision_map_favor_native() where native is a candidate.
 * @param margin  percent by which the own choice is favored
 * @return TUTTI_ERR_ARGUMENT if the target supports none: the message says what to measure
 */
tutti_status tutti_target_learnable(const tutti_target *target, double margin, const tutti_decision_map *map,
                                    tutti_decision_map *learnable, tutti_error *error);

/**
 * The algorithms of a collective that the target supports, with default parameters, on @p ranks ranks: "binomial,
 * ring". Those made of others are left out if the target picks the parts, and reductions
 * that lack one of the @p classes of reproducibility (reproducible.h), 0 for any. Cut at the end of @p text, of @p size
 * bytes. Returns @p text.
 */
char *tutti_target_supported(const tutti_target *target, tutti_collective collective, int ranks, unsigned classes,
                             char *text, size_t size);

/** Whether a method, as the target's library runs it, has @p classes of reproducibility (reproducible.h). */
bool tutti_target_reproduces(const tutti_target *target, const tutti_method *method, unsigned classes);

/** The oldest target that writes files of a kind; NULL: none does. */
const tutti_target *tutti_target_of_kind(const char *kind);

/** By name, or that of a version (tutti_library_version_parse()) which reads its files: "mpich-5.0.2" is mpich-5.
    "openmpi" and "mpich" are the versions of Debian 12. TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_target_find(const char *name, const tutti_target **target, tutti_error *error);

/**
 * Make the table of a decision for a target. Where it does not support a method, or picks other parts for a method made
 * of others (allreduce/reduce-bcast: the library calls its own reduce and bcast, by the rules of the file or by its
 * choice), or it does not look at the message size though the decision does, it is replaced by the supported method
 * with the smallest sum of penalties among the candidates of the map, over the measured points of the step (of the row,
 * of all points for a target with one method a collective) at that or the nearest measured communicator size. The table
 * has methods of the target's library as ours, and its own choice as no answer.
 * @param range     its map (may be NULL) is used to judge replacements
 * @param others  parts of the same file, made before: collectives for which tutti_export_comes_last() is false go first
 * @param part  end it with tutti_export_part_free()
 * @return TUTTI_ERR_ARGUMENT without a map if a method is not supported, if the decision names an algorithm of another
 * library than the target's, if the target has no choice for this collective, or if a tree tests an expression that is
 * not a step of the message size (pow2(bytes)) and the target has no trees; the message names it; as
 * tutti_step_table_create()
 */
tutti_status tutti_export_part_create(const tutti_target *target, const tutti_decision *decision,
                                      tutti_collective collective, const tutti_range *range,
                                      const tutti_export_part *others, int other_count, tutti_export_part *part,
                                      tutti_error *error);

/** Print the result for a decision that has a map, without a full stop: points with another method, and the loss. */
void tutti_export_part_print(const tutti_export_part *part, FILE *stream);

/** Whether the collective has algorithms made of other collectives (allreduce: of reduce and bcast). */
bool tutti_export_comes_last(tutti_collective collective);

#ifdef __cplusplus
}
#endif
#endif
