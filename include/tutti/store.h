/**
 * @file store.h
 * @ingroup store
 * The store: measurements of collective operations, of builds of groups and of model parameters, and results of other
 * programs (result.h), in SQLite.
 *
 * Only the tutti command opens it. Measuring programs print records (record.h), which are taken in here, a batch in one
 * transaction. Times are seconds. WAL, foreign keys on, schema version in PRAGMA user_version. Its views are for other
 * programs, too: docs/reference/store.md. A store of an older version is read from a migrated copy; the store
 * itself is migrated when it is opened for writing. A database of a newer version or of another program is refused with
 * a clear error and left untouched. So is a store whose schema is not that of its version, as other programs may make
 * it: with triggers, other views, virtual tables, tables of ours that are defined otherwise, and indices that are
 * unique, partial or of expressions. Tables under other names, other indices and the statistics of ANALYZE may stay:
 * no command uses them.
 */
#ifndef TUTTI_STORE_H
#define TUTTI_STORE_H

#include "tutti/group_run.h"
#include "tutti/measurement.h"
#include "tutti/parameters.h"
#include "tutti/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tutti_store tutti_store;

/** Open, create if missing. TUTTI_ERR_IO names the file and why (not a database, unwritable, newer schema). */
tutti_status tutti_store_open(const char *path, tutti_store **store, tutti_error *error);

/**
 * Open a store that is there, only to read it; works while another process writes. TUTTI_ERR_IO as above, and if the
 * file is missing.
 */
tutti_status tutti_store_open_existing(const char *path, tutti_store **store, tutti_error *error);

/** Close. NULL is allowed. */
void tutti_store_close(tutti_store *store);

/** The row of an environment, made if missing. */
tutti_status tutti_store_environment(tutti_store *store, const tutti_environment *environment, int64_t *id,
                                     tutti_error *error);

/**
 * Add @p count measurements in one transaction: all or none. A point that is there already (same environment, method,
 * scheme, ranks, ranks per node, root, count, type size, arrival pattern, noise and code) is replaced by the new one.
 */
tutti_status tutti_store_add(tutti_store *store, int64_t environment, const tutti_measurement *measurements,
                             size_t count, tutti_error *error);

/** Whether a point is stored. Only method, scheme, ranks, ranks per node, root, count, type_size, arrival and noise of
   @p point are read. */
tutti_status tutti_store_has(tutti_store *store, int64_t environment, const tutti_measurement *point, bool *present,
                             tutti_error *error);

/** Which measurements to read. NULL or 0 members match everything, except that a zeroed arrival or noise is `none`. */
typedef struct tutti_selection {
  const char *platform;
  const char *platform_hash; /**< or its beginning */
  const char *flavor;
  const char *library;
  const char *tutti;
  int64_t environment;  /**< the number of an environment; 0: any */
  const char *settings; /**< all of them */
  const char *hosts;
  const char *setting; /**< words between blanks: NAME=VALUE, one of its settings; NAME=, which it does not set */
  tutti_collective collective; /**< TUTTI_COLL_COUNT: any */
  int scheme;                  /**< a tutti_scheme, or -1 for any */
  int ranks_per_node;          /**< also fewer, where all ranks are on one node */
  tutti_arrival arrival;       /**< measurements under this pattern and this noise alone ... */
  tutti_noise noise;
  bool any_pattern; /**< ... or under any */
} tutti_selection;

/**
 * Read the selected measurements, ordered by ranks, rank_bytes, and method (tutti_method_compare()); of a point that
 * was measured in several launches one: the median of their medians, and the larger spread, within or between them.
 * @param measurements  receives an array owned by the caller (free()); NULL if none
 * @return TUTTI_ERR_ARGUMENT if the selection spans more than one environment or scheme: the message lists them, so
 *         that numbers taken under different conditions are never mixed silently.
 */
tutti_status tutti_store_read(tutti_store *store, const tutti_selection *selection, tutti_measurement **measurements,
                              size_t *count, tutti_error *error);

/** How many measurements the last reading left out: of methods of plug-ins as they were before they changed
    (tutti_method_code()). */
size_t tutti_store_outdated(const tutti_store *store);

/**
 * The environment of the selected measurements.
 * @return TUTTI_ERR_ARGUMENT without one, with more than one, or with more than one scheme
 */
tutti_status tutti_store_measured_in(tutti_store *store, const tutti_selection *selection, int64_t *environment,
                                     tutti_error *error);

/** Add @p count builds in one transaction, as tutti_store_add(). What identifies a build is its point and the ranks per
    node. */
tutti_status tutti_store_add_group_runs(tutti_store *store, int64_t environment, const tutti_group_run *builds,
                                        size_t count, tutti_error *error);

/**
 * Read the selected builds, ordered by tutti_group_point_compare(); collective and scheme of @p selection are not read.
 * @param builds  receives an array owned by the caller (free()); NULL if none
 * @return TUTTI_ERR_ARGUMENT if the selection spans more than one environment: the message lists them.
 */
tutti_status tutti_store_read_group_runs(tutti_store *store, const tutti_selection *selection, tutti_group_run **builds,
                                         size_t *count, tutti_error *error);

/** Add @p count results, of any kinds, in one transaction, as tutti_store_add(). */
tutti_status tutti_store_add_results(tutti_store *store, int64_t environment, const tutti_result *results, size_t count,
                                     tutti_error *error);

/**
 * Read the selected results of one kind, ordered by tutti_result_compare(); collective and scheme of @p selection are
 * not read.
 * @param results  receives an array owned by the caller (free()); NULL if none
 * @return TUTTI_ERR_ARGUMENT if the selection spans more than one environment: the message lists them.
 */
tutti_status tutti_store_read_results(tutti_store *store, const tutti_selection *selection, tutti_result_kind kind,
                                      tutti_result **results, size_t *count, tutti_error *error);

/**
 * Put measured values into the store in one transaction, in place of all that was there of the same environment.
 * @return TUTTI_ERR_ARGUMENT naming a value that is negative, not finite or there twice; TUTTI_ERR_IO
 */
tutti_status tutti_store_put_parameters(tutti_store *store, int64_t environment, const tutti_parameter *parameters,
                                        size_t count, tutti_error *error);

/**
 * Read the selected values, ordered by quantity, of and bytes.
 * @param parameters  receives an array owned by the caller (free()), or NULL
 * @param library     receives the library that was measured, [TUTTI_PLATFORM_NAME_LENGTH]; may be NULL
 * @return TUTTI_ERR_ARGUMENT if the selection spans more than one environment: the message lists them.
 */
tutti_status tutti_store_read_parameters(tutti_store *store, const tutti_selection *selection,
                                         tutti_parameter **parameters, size_t *count, char *library,
                                         tutti_error *error);

/**
 * The measured parameters of one platform and flavor.
 * @param selection  platform, platform_hash, flavor, library and tutti are read; NULL members match everything
 * @return TUTTI_ERR_ARGUMENT if nothing matches (the message says how to measure), if the selection spans more than one
 *         environment (the message lists them), or if what is stored does not make a model.
 */
tutti_status tutti_parameters_read(tutti_store *store, const tutti_selection *selection, tutti_parameter_set *set,
                                   tutti_error *error);

/**
 * @name What is there
 * @{
 */

/** Kinds of rows. */
typedef enum tutti_store_entry_kind {
  TUTTI_ENTRY_MEASUREMENTS, /**< read by tutti_store_read() */
  TUTTI_ENTRY_GROUP_RUNS,   /**< tutti_store_read_group_runs() */
  TUTTI_ENTRY_PARAMETERS,   /**< tutti_store_read_parameters() (parameters.h) */
  TUTTI_ENTRY_RESULTS,      /**< tutti_store_read_results() */
} tutti_store_entry_kind;

/** Rows of one kind that were taken under the same conditions, so that they can be read together. */
typedef struct tutti_store_entry {
  tutti_store_entry_kind kind;
  int environment;             /**< index into the environments of the contents */
  tutti_collective collective; /**< of measurements, and so are scheme and ranks_per_node */
  tutti_scheme scheme;
  int ranks_per_node;
  bool one_node;            /**< all ranks of each of them are on one node */
  tutti_result_kind result; /**< of results */
  size_t rows;              /**< at least 1 */
} tutti_store_entry;

/** The content of a store. Owned by the caller: tutti_store_contents_free(). */
typedef struct tutti_store_contents {
  int environment_count;
  tutti_environment *environments; /**< by platform, flavor, library, hash and version; strings are owned */
  int64_t *ids;                    /**< [environment_count] their rows in the table environment */
  int entry_count;
  tutti_store_entry
      *entries; /**< by kind, environment, then collective, scheme and ranks per node, or kind of result */
} tutti_store_contents;

/**
 * Which environments, collectives, schemes and results are there, and how many rows of each? Reads counts only.
 * @return TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT for a collective or a scheme that this version does not know;
 *         TUTTI_ERR_MEMORY. Then @p contents is empty.
 */
tutti_status tutti_store_contents_read(tutti_store *store, tutti_store_contents *contents, tutti_error *error);

/** Free what contents own; contents of zeros are allowed. */
void tutti_store_contents_free(tutti_store_contents *contents);

/** Whether an environment has rows. That of a failed run has none. */
bool tutti_store_contents_has_rows(const tutti_store_contents *contents, int environment);

/** The names of the platforms that have rows, "bgp, grig_mx", or "none", cut at @p length bytes with the terminating
 * zero. Returns @p text. */
char *tutti_store_contents_platforms(const tutti_store_contents *contents, char *text, size_t length);

/** The selection of an entry, measurements under any pattern. Its strings belong to the contents. */
tutti_selection tutti_store_entry_selection(const tutti_store_contents *contents, const tutti_store_entry *entry);

/** Drop the entries that a selection is not about. Collective and patterns of the selection are not read. */
tutti_status tutti_store_contents_keep(tutti_store *store, const tutti_selection *selection,
                                       tutti_store_contents *contents, tutti_error *error);

/** Whether a word, of @p length bytes, is one of the settings of an environment. */
bool tutti_settings_has(const char *settings, const char *word, size_t length);

/** Known differences of two environments: "settings UCX_TLS=sm there, none of these settings here; ...", or "". Owned
   by the caller. */
char *tutti_environment_differences(const tutti_environment *there, const tutti_environment *here);

/** @} */

/**
 * The number that one row of a query has, 0 for no row. @p sql is a query of views or tables (docs/reference/store.md),
 * the
 * @p count texts are what ?1, ?2, ... stand for; NULL is NULL.
 * @return TUTTI_ERR_IO
 */
tutti_status tutti_store_number(tutti_store *store, const char *sql, const char *const *texts, size_t count,
                                int64_t *number, tutti_error *error);

/**
 * @name Merging stores that were filled on different machines
 * @{
 */

/** Rows that one store had for another. A survey of the parameters of a machine counts as one row, because it is taken,
   or left, as a whole. */
typedef struct tutti_merged {
  size_t added;   /**< rows that were not there */
  size_t same;    /**< rows that were there, to the last bit */
  size_t differs; /**< rows that were there with other values: of the same point in the same environment */
} tutti_merged;

/**
 * Add the content of @p count stores to @p store, in one transaction: all of it or nothing. Environments and methods
 * are matched by their content, not by their numbers. If a row differs, the later one replaces the earlier, in the
 * order of the stores with @p store as the earliest; with @p keep the earliest stays.
 * @param merged  [count], the rows of each
 * @return TUTTI_ERR_IO naming the store that is missing, damaged, newer than this program, or @p store itself;
 *         TUTTI_ERR_ARGUMENT if a row cannot be in a store; TUTTI_ERR_MEMORY.
 */
tutti_status tutti_store_merge(tutti_store *store, const char *const *paths, size_t count, bool keep,
                               tutti_merged *merged, tutti_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
