/**
 * @file import.h
 * @ingroup store
 * Results of other benchmarks, taken into the store: OSU micro-benchmarks, Intel MPI Benchmarks, ReproMPI, PICO,
 * nccl-tests, outputs of Open MPI's tuning scripts, and tables by a map of their headings.
 *
 * Their output becomes measurements on a real machine, each by a scheme of its own (tutti_scheme), because they do not
 * measure the same thing, so that their times are never mixed with others. Their method is the caller's; else the one
 * that settings of the library select (OMPI_MCA_coll_tuned_bcast_algorithm=6, mpirun --mca ..., CVARs of MPICH), if
 * these are in the file above the times, as in the log of a job; else COLLECTIVE/native, under the settings that name a
 * tuning file, if any:
 *
 *     osu     mean over a loop, then over the ranks: median and mean are set to it; minimum and maximum are
 *             those of the ranks' means (-f), else the mean again
 *     imb     the same: t_avg, t_min and t_max
 *     pico    of each repetition the slowest rank, after a barrier: as in the table
 *     repro   of each repetition the slowest rank: median, mean, minimum and maximum of these
 *     nccl    mean over a loop; out-of-place, and in-place with the setting `buffer=in-place`
 *     ompi    mean of several runs of a benchmark that the files do not name
 *     csv     as the table says; of repetitions in lines of their own the median
 *
 * Tables of machines that were measured by PICO (De Sensi et al. 2025, arXiv 2508.16809), a line a method at a point,
 * name their machine, library, run and method themselves; methods that Tutti does not have are skipped and named. The
 * settings of an item are those of its line, its run, and the form of its method where several forms have one schedule:
 * `run=RUN`, `torus=4x4x4`, `variant=static`, `interface=utofu`, `note=...`.
 *
 * Sizes are converted to those of the store, bytes of the message or of one rank's block. OSU's and IMB's are these,
 * except for the reduce_scatter of OSU, and that of IMB up to 2018, whose size is that of all blocks together: it is
 * divided by the number of ranks, and skipped if the blocks would not be equal. ReproMPI counts elements of the block.
 * The root is 0 (older IMB change it from call to call).
 *
 * What is not understood, and what is of another kind (point-to-point benchmarks, methods that Tutti does not have), is
 * passed over row by row, table by table or file by file, counted and named (passed.h). If `passed.strict` is set, what
 * is not understood is TUTTI_ERR_ARGUMENT with FILE:LINE.
 */
#ifndef TUTTI_IMPORT_H
#define TUTTI_IMPORT_H

#include <stdio.h>

#include "tutti/passed.h"
#include "tutti/record.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_import_format {
  TUTTI_IMPORT_OSU,
  TUTTI_IMPORT_IMB,
  TUTTI_IMPORT_REPRO,
  TUTTI_IMPORT_PICO,
  TUTTI_IMPORT_NCCL, /**< nccl-tests, rccl-tests */
  TUTTI_IMPORT_OMPI, /**< outputs of Open MPI's tuning scripts: best.out, detail.out */
  TUTTI_IMPORT_CSV,  /**< any table, by a map of its headings; never guessed */
  TUTTI_IMPORT_GUESS /**< by the first line that only one of them prints */
} tutti_import_format;

/** "osu", "imb", "repro", "pico", "nccl", "ompi", "csv"; TUTTI_ERR_ARGUMENT names them. */
tutti_status tutti_import_format_parse(const char *name, tutti_import_format *format, tutti_error *error);

/** Facts that files omit. */
typedef struct tutti_import_how {
  tutti_import_format format;
  int ranks; /**< required for files that do not record it, as all of OSU; 0: from the launcher's line above the times
                (mpirun -np 16), from which it must not differ */
  int ranks_per_node; /**< 0: from that line, else 1 */
  uint64_t
      type_size; /**< for files that do not record it; 0: OSU's and IMB's own: 4 where the collective reduces, else 1 */
  const tutti_method *methods; /**< [method_count] methods that the library was told to run, at most one a collective */
  size_t method_count;
  tutti_implementation
      implementation;  /**< the library whose settings are looked for; TUTTI_IMPLEMENTATION_TUTTI: none */
  const char *library; /**< its version, "MPICH-4.2.1", on which names of algorithms depend; NULL: that of Debian 12 */
  int collective;      /**< 1 + that of files that do not record it; 0: not said */
  const char *map;     /**< of TUTTI_IMPORT_CSV: "ranks=np,bytes=size,us=t", checked by tutti_import_map_check() */
  bool environment;    /**< settings of this process are those of the benchmark, too: it prints into a pipe */
} tutti_import_how;

/**
 * Check a map: COLUMN=HEADING, several between commas, in which COLUMN is one of collective, method, ranks,
 * ranks_per_node, nodes, root, bytes, count, type_size, repetitions, minimum, maximum, setting:NAME (up to 8), and
 * exactly one of seconds, ms, us, ns, the time. Minimum and maximum are in its unit. TUTTI_ERR_ARGUMENT names the part
 * that is wrong.
 */
tutti_status tutti_import_map_check(const char *map, tutti_error *error);

/** Longest name of a program and its version, terminating zero included. */
#define TUTTI_IMPORT_PROGRAM 48

/** Length of a digest of names of nodes, terminating zero included. */
#define TUTTI_IMPORT_HOSTS 17

/** One measurement, what printed it ("osu-5.9", "imb-2021.7", "reprompi"), and under what. */
typedef struct tutti_import_item {
  tutti_measurement measurement;
  char program[TUTTI_IMPORT_PROGRAM];
  size_t table; /**< items with the same number, in a row, were printed by one run */
  /** With which the library read a tuning file, as those of an environment; owned; NULL: it read none. */
  char *settings;
  size_t origin;    /**< 1 + the place among the origins; 0: the caller's */
  const char *file; /**< that it is from, for messages, and its line; of repetitions the first @{ */
  size_t line;      /**< @} */
} tutti_import_item;

/** The origin of rows that record it themselves. */
typedef struct tutti_import_origin {
  char *platform, *library, *run; /**< owned */
  int nodes;
} tutti_import_origin;

/** The nodes of a run. */
typedef struct tutti_import_allocation {
  char *machine, *run;            /**< owned */
  char hosts[TUTTI_IMPORT_HOSTS]; /**< digest of their names */
} tutti_import_allocation;

/** Files, read. Zero-initialize; tutti_imported_free(). */
typedef struct tutti_imported {
  tutti_import_item *items; /**< [count] owned */
  size_t count;
  size_t capacity;
  size_t tables;       /**< numbers of tables that were given */
  size_t files;        /**< that were read: those of a folder, not those of an archive */
  tutti_passed passed; /**< rows, tables, files and tests; the caller may set `strict` and `all` */
  struct {
    tutti_import_origin *items; /**< [count] */
    size_t count, capacity;
  } origins; /**< owned */
  struct {
    tutti_import_allocation *items; /**< [count] */
    size_t count, capacity;
  } allocations; /**< owned */
  struct {
    char **items; /**< [count] */
    size_t count, capacity;
  } sources;      /**< names of files with items; owned */
  bool own_ranks; /**< some files, or tables, record their numbers of ranks */
  char *warnings; /**< failures that launchers report: a line FILE:LINE: ... for each file; owned, or NULL */
  char *told; /**< methods and tuning files in settings, columns that no map reads and that differ between repetitions:
                 a line FILE:LINE: METHOD (SETTING=VALUE) for each once; owned, or NULL */
  size_t told_length;
  void *index; /**< names met before; private to the reader */
} tutti_imported;

/**
 * Append the measurements of one file, read to its end.
 * @param name  for messages
 * @return TUTTI_ERR_ARGUMENT with FILE:LINE, or naming the file if there is nothing in it, if passed.strict is set;
 *         TUTTI_ERR_IO, TUTTI_ERR_MEMORY. What was appended before a failure should not be stored.
 */
tutti_status tutti_import_read(tutti_imported *imported, const tutti_import_how *how, FILE *stream, const char *name,
                               tutti_error *error);

/**
 * The same for a folder of results as PICO writes it: metadata in CSV, and archives (tar.gz, unpacked by tar into
 * $TMPDIR or /tmp) or folders with a file COUNT_ALGORITHM_TYPE.csv for each method and size, whose column `highest` has
 * nanoseconds. docs/how-to/import.md lists the names.
 * @param how  its format is TUTTI_IMPORT_PICO
 * @return TUTTI_ERR_ARGUMENT naming text that cannot be parsed, TUTTI_ERR_IO
 */
tutti_status tutti_import_read_folder(tutti_imported *imported, const tutti_import_how *how, const char *path,
                                      tutti_error *error);

/** The machine of the run. */
typedef struct tutti_import_machine {
  const char
      *platform; /**< name of the machine; NULL, and so are the next members, if all rows record it themselves (pico) */
  const char *flavor;  /**< "mpich", "openmpi" or "other"; NULL: tutti_import_flavor() of the library */
  const char *library; /**< "OpenMPI-4.1.4" */
} tutti_import_machine;

/** The flavor of a library by its name. MVAPICH, Intel MPI and Cray MPICH are made from MPICH, Fujitsu's from Open MPI;
    "other": neither, as NCCL, RCCL and HPE MPI. */
const char *tutti_import_flavor(const char *library);

/** Points that several runs measured and whose times differ by more than TUTTI_IMPORT_SPREAD times: as a rule they are
   of several libraries or machines. */
#define TUTTI_IMPORT_SPREAD 3
typedef struct tutti_import_spread {
  size_t points;
  const tutti_import_item *fastest, *slowest; /**< of the point where they are furthest apart; NULL: no points */
} tutti_import_spread;

/** Find these among items that would be stored as launches of each other. */
tutti_import_spread tutti_import_find_spread(const tutti_imported *imported);

/** How many measurements were of points that the store had, or that came before. */
typedef struct tutti_import_stored {
  size_t replaced; /**< the same was there, of a file that is imported again */
  size_t repeated; /**< from another run: stored as further launches of their points */
} tutti_import_stored;

/**
 * Put all of it into the store in one transaction. The environment has the program in place of the version of Tutti.
 * @return as tutti_store_add()
 */
tutti_status tutti_import_store(const tutti_imported *imported, const tutti_import_machine *machine, tutti_store *store,
                                tutti_import_stored *counts, tutti_error *error);

void tutti_imported_free(tutti_imported *imported);

/**
 * @name Records that programs of Tutti printed when people ran them by hand, under smpirun or mpiexec
 *
 * The output is a sequence of runs: a tutti-run record, the records of the run, then tutti-end with their number. Lines
 * that are not records are ignored. A run without a correct end is an error, and nothing is stored.
 * @{
 */

/** Whole runs, read. Zero-initialize; tutti_imported_runs_free(). */
typedef struct tutti_imported_runs {
  tutti_record *records; /**< [count] RUN records, each followed by its measurements; owned */
  size_t count;
  size_t capacity;
  size_t runs;
  char *warnings; /**< fields that are ignored: a line FILE:LINE: ... for each name once a file; owned, or NULL */
} tutti_imported_runs;

/**
 * Append the runs of one file or pipe, read to its end. Makes O(records) memory.
 * @param name  for messages
 * @return TUTTI_ERR_ARGUMENT naming the line of a record that cannot be used, or the run that did not end well;
 *         TUTTI_ERR_IO. Runs appended before a failure should not be stored.
 */
tutti_status tutti_import_runs_read(tutti_imported_runs *runs, FILE *stream, const char *name, tutti_error *error);

/**
 * Put all of it into the store in one transaction. The environment of a run is @p platform with its tutti-run record.
 * @param platform  name or path for tutti_platform_find() for simulated runs (flavor smpi); for others the name of the
 *         machine; NULL: this one, called as its processor
 * @return as tutti_platform_read(), tutti_store_add()
 */
tutti_status tutti_import_runs_store(const tutti_imported_runs *runs, const char *platform, tutti_store *store,
                                     tutti_error *error);

void tutti_imported_runs_free(tutti_imported_runs *runs);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
