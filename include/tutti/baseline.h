/**
 * @file baseline.h
 * @ingroup experiments
 * Baselines: what simulated operations took and cost, as a small text file under version control, and the comparison of
 * a new run with it. Simulated hardware gives the same times on every computer, so that a difference is one of the
 * code, of the platform file or of the simulator, and the latter two are named.
 *
 * docs/reference/baselines.md has the format: sections of points, each a line with its values in seconds, bytes,
 * messages and percent.
 */
#ifndef TUTTI_BASELINE_H
#define TUTTI_BASELINE_H

#include <stdio.h>

#include "tutti/job.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value of a point. */
typedef enum tutti_metric {
  TUTTI_METRIC_TIME,
  TUTTI_METRIC_MESSAGES,
  TUTTI_METRIC_SENT,
  TUTTI_METRIC_MEMORY,
  TUTTI_METRIC_MEAN,
  TUTTI_METRIC_WORST,
  TUTTI_METRIC_POINTS,
  TUTTI_METRICS
} tutti_metric;

/** Name of a metric in files ("time_s"); static storage. */
const char *tutti_metric_name(tutti_metric metric);

/** The subject of a tolerance. */
typedef enum tutti_aspect {
  TUTTI_ASPECT_TIME,
  TUTTI_ASPECT_MESSAGES,
  TUTTI_ASPECT_BYTES,
  TUTTI_ASPECT_MEMORY,
  TUTTI_ASPECT_PENALTY,
  TUTTI_ASPECTS
} tutti_aspect;

/** Name of an aspect ("time"); static storage. */
const char *tutti_aspect_name(tutti_aspect aspect);

/** Which aspect a metric is one of. */
tutti_aspect tutti_metric_aspect(tutti_metric metric);

/** The subject of a line, in the order of writing. */
typedef enum tutti_baseline_kind {
  TUTTI_BASELINE_COLLECTIVE,
  TUTTI_BASELINE_GROUP,
  TUTTI_BASELINE_SORT,
  TUTTI_BASELINE_RANGE,
  TUTTI_BASELINE_DECISION,
  TUTTI_BASELINE_TIME, /**< printed by a program */
  TUTTI_BASELINE_KINDS
} tutti_baseline_kind;

/** One line. Strings are owned by the baseline. */
typedef struct tutti_baseline_entry {
  tutti_baseline_kind kind;
  int line;                     /**< in the file; 0: it was not read from one */
  char *key;                    /**< all but the values, canonical */
  char *comment;                /**< lines above it with their '#' and line ends, or NULL */
  tutti_method method;          /**< COLLECTIVE, as the next three */
  int ranks, root;              /**< root 0 for collectives without one */
  uint64_t bytes;               /**< of the message, or of one rank's block */
  char *decision;               /**< DECISION, as the next one */
  tutti_collective collective;  /**< of the operation too */
  double values[TUTTI_METRICS]; /**< NaN for missing ones */
  double digit;                 /**< TIME, as measured: the last digit that was printed, in seconds; 0: not known */
} tutti_baseline_entry;

/** The kind of points in a section. */
typedef enum tutti_baseline_section_kind {
  TUTTI_SECTION_EXPERIMENT, /**< points of an experiment file */
  TUTTI_SECTION_POINTS,     /**< its own ones, on a platform */
  TUTTI_SECTION_PROGRAM,    /**< times that an MPI program prints */
} tutti_baseline_section_kind;

/** How the times of a program are made. Strings are owned by the baseline. */
typedef struct tutti_baseline_program {
  char *platform;  /**< a name, or a path relative to the file */
  char *arguments; /**< with a blank between them; NULL: none */
  char *times;     /**< POSIX extended regular expression of a line: of the name and the number, or of the number; NULL:
                        TUTTI_PROGRAM_TIMES */
  char *unit;      /**< of the numbers: "s", "ms", "us", "ns"; NULL: "s" */
  char *selector;  /**< collectives that SMPI runs (tutti_program_has_selector()); NULL: unknown */
  int *ranks;      /**< [rank_count] to run it with, beside those of the points */
  size_t rank_count;
} tutti_baseline_program;

/** The default for the line of a time: "tutti-time NAME SECONDS". */
#define TUTTI_PROGRAM_TIMES "^tutti-time ([^ ]+) ([^ ]+)$"

/** Units of times that programs print, NULL at the end. */
#define TUTTI_PROGRAM_UNITS 4
extern const char *const tutti_program_units[TUTTI_PROGRAM_UNITS + 1];

/** Selectors of the collectives of SMPI that a program may run under, for sentences. */
#define TUTTI_PROGRAM_SELECTORS "default, ompi, mpich, mvapich2 or impi"

/** Whether it is a known selector. */
bool tutti_program_has_selector(const char *selector);

/** A section. */
typedef struct tutti_baseline_section {
  int line;
  tutti_baseline_section_kind kind;
  char *name; /**< path of the experiment, relative to the file; the platform; or the program */
  tutti_baseline_program program;
  char *engine; /**< the engine that simulates it ("smpi", "fast", "flow"), not for a program; NULL: as in the
                   experiment */
  char *comment;
  char *platform; /**< NULL: unknown, and so for the next members */
  char *platform_hash;
  char *library;
  tutti_baseline_entry *entries; /**< [count] in canonical order */
  size_t count;
  size_t capacity;
} tutti_baseline_section;

/** A baseline. Zero-initialize, set the path; tutti_baseline_free(). */
typedef struct tutti_baseline {
  char *path;                       /**< as given */
  tutti_baseline_section *sections; /**< [count] in file order */
  size_t count;
  char *ending;  /**< comments after the last line */
  bool unsealed; /**< read from a file of version 1, which does not record its number of points: it may be cut */
} tutti_baseline;

/**
 * Read a baseline to compare with. TUTTI_ERR_IO; TUTTI_ERR_MEMORY; TUTTI_ERR_ARGUMENT with FILE:LINE, also if the file
 * is cut or edited: if the number of points with values differs from the stated one, or the digest does. Comments and
 * points without values may be added.
 */
tutti_status tutti_baseline_read(const char *path, tutti_baseline *baseline, tutti_error *error);

/** Read a baseline that is to be written anew: it may have been edited. */
tutti_status tutti_baseline_read_to_update(const char *path, tutti_baseline *baseline, tutti_error *error);

/** Write it: reading that gives an equal baseline, and writing it again equal bytes. TUTTI_ERR_IO. */
tutti_status tutti_baseline_write(const tutti_baseline *baseline, FILE *stream, tutti_error *error);

/** Begin a baseline that is not there yet. */
tutti_status tutti_baseline_create(const char *path, tutti_baseline *baseline, tutti_error *error);

/**
 * Append a section for an experiment file, unless it exists.
 * @param experiment  path as the caller sees it, which the baseline keeps relative to its own folder; or the name of
 *         one that tutti_experiment_find() finds
 * @return TUTTI_ERR_IO if one of the two folders does not exist
 */
tutti_status tutti_baseline_add_experiment(tutti_baseline *baseline, const char *experiment, tutti_error *error);

/**
 * Append a section for a program, unless one of that name and platform exists, or set how its times are made.
 * @param program  copied; NULL members leave the previous values; a path of its platform is as the caller sees it
 * @return TUTTI_ERR_IO if the folder of the platform or that of the baseline does not exist
 */
tutti_status tutti_baseline_add_program(tutti_baseline *baseline, const char *name,
                                        const tutti_baseline_program *program, tutti_error *error);

void tutti_baseline_free(tutti_baseline *baseline);

/** Points of all sections that have values. */
size_t tutti_baseline_points(const tutti_baseline *baseline);

/** The line of a section about the same point as @p entry, which may be of another baseline, or NULL. */
tutti_baseline_entry *tutti_baseline_find(const tutti_baseline_section *section, const tutti_baseline_entry *entry);

/** How to measure. */
typedef struct tutti_baseline_run {
  const char *database; /**< a store that is not there yet */
  int jobs;
  double job_timeout; /**< as in tutti_run_options */
  /** [program_count] "NAME=PATH ARGUMENTS": the programs of baselines. A baseline starts none that is not here. */
  const char *const *programs;
  size_t program_count;
  /** The collectives that SMPI runs in them; NULL: from the baseline, else the platform file, else "default". */
  const char *selector;
  const char *engine; /**< the engine; NULL: from the baseline, else the experiment */
  /** Path of a measuring program, owned by the caller (free()); NULL without memory. */
  char *(*find_program)(void *context, const char *flavor, const char *name);
  void (*report)(void *context, const tutti_progress *progress); /**< as in tutti_run_options; may be NULL */
  void *context;                                                 /**< of find_program */
  void *report_context;
  int signal; /**< set: the signal that ended the run, or 0 */
} tutti_baseline_run;

/**
 * Measure and count what a baseline asks for, on simulated hardware only.
 * @param asked  its sections and decisions, and its points where these are inline; no value of it is read
 * @param now    a baseline with the same sections in the same order, to be freed by the caller in every case
 * @return as tutti_experiment_read(), tutti_experiment_run(), tutti_count_method(), tutti_penalty_compute();
 *         TUTTI_ERR_ARGUMENT if an experiment is not simulated
 */
tutti_status tutti_baseline_measure(const tutti_baseline *asked, tutti_baseline_run *run, tutti_baseline *now,
                                    tutti_error *error);

/**
 * The allowed regression of a value, in percent of that in the baseline, penalties in percentage points. Times that
 * differ by less than one part in 10^9, or by less than a picosecond, and penalties that differ by less than 10^-6
 * points, are equal: a simulated clock rounds by that.
 */
typedef struct tutti_tolerance {
  double percent[TUTTI_ASPECTS];
} tutti_tolerance;

/** Time 1 %, all others 0. */
tutti_tolerance tutti_tolerance_default(void);

/** Read "time=2%,messages=0,penalty=0.5", which sets only the named ones, or "2%", which sets the time. The percent
   sign is optional. TUTTI_ERR_ARGUMENT names the word. */
tutti_status tutti_tolerance_parse(const char *text, tutti_tolerance *tolerance, tutti_error *error);

/** The verdict on a point, or on a value. */
typedef enum tutti_baseline_verdict {
  TUTTI_BASELINE_MISSING, /**< in the baseline, but not measured any more */
  TUTTI_BASELINE_WORSE,   /**< by more than the tolerance */
  TUTTI_BASELINE_BETTER,  /**< the same */
  TUTTI_BASELINE_NEW,     /**< measured, but not in the baseline, or without values there */
  TUTTI_BASELINE_VERDICTS
} tutti_baseline_verdict;

/** One difference. Pointers are into the baselines that were compared. */
typedef struct tutti_difference {
  tutti_baseline_verdict verdict;
  const tutti_baseline_section *section; /**< of the baseline */
  const tutti_baseline_entry *entry;     /**< of the baseline; new ones: of what was measured */
  tutti_metric metric;                   /**< worse and better only, as the following */
  double before, after;
  double
      change; /**< percent of @c before, above 0 if the number grew, infinite from 0 on; of penalties after - before */
} tutti_difference;

/** Values that differ by no more than the tolerance. */
typedef struct tutti_within {
  size_t values;
  tutti_difference most; /**< the first of them in the order of differences */
} tutti_within;

/** Why a comparison covers less than the baseline. */
typedef enum tutti_baseline_gap_kind {
  TUTTI_GAP_LIBRARY,  /**< simulated by another library: only what schedules count is compared */
  TUTTI_GAP_PLATFORM, /**< on another platform: a difference may be one of the platform */
  TUTTI_GAP_MISSING,  /**< points are not measured any more */
  TUTTI_GAP_UNVALUED, /**< points of the baseline without values */
  TUTTI_GAP_UNSEALED, /**< the file is of version 1: it may be cut or edited; of its first section */
  TUTTI_GAP_NEW,      /**< points of an experiment that the baseline lacks */
} tutti_baseline_gap_kind;

/** A few words ("another simulator"); static storage. */
const char *tutti_baseline_gap_title(tutti_baseline_gap_kind kind);

/** Something of a section that could not be compared. Strings are owned by the comparison. */
typedef struct tutti_baseline_gap {
  tutti_baseline_gap_kind kind;
  const tutti_baseline_section *section; /**< of the baseline */
  char *what;                            /**< a sentence without a full stop, as the next one */
  char *mend;                            /**< how to fix it */
} tutti_baseline_gap;

/** The result of a comparison. */
typedef struct tutti_baseline_comparison {
  const tutti_baseline *before, *after;
  tutti_tolerance tolerance;
  tutti_difference
      *differences; /**< [count] by verdict, then times first, then the largest change, then in order of the baseline */
  size_t count;
  size_t counts[TUTTI_BASELINE_VERDICTS];
  size_t points[TUTTI_BASELINE_VERDICTS];       /**< that have the differences of WORSE and of BETTER */
  tutti_within within[TUTTI_BASELINE_VERDICTS]; /**< of WORSE and of BETTER */
  tutti_baseline_gap *gaps;                     /**< [gap_count] in order of the sections */
  size_t gap_count;
  bool strict; /**< a gap is an error; set by the caller after tutti_baseline_compare() */
} tutti_baseline_comparison;

/** Compare. */
void tutti_baseline_compare(const tutti_baseline *before, const tutti_baseline *after, const tutti_tolerance *tolerance,
                            tutti_baseline_comparison *comparison);

/** Check that times can be compared. TUTTI_ERR_ARGUMENT if they were measured by the simulator of the baseline, which
   has none; or if a program ran with other arguments or under another selector. */
tutti_status tutti_baseline_check_times(const tutti_baseline *before, const tutti_baseline *after, tutti_error *error);

void tutti_baseline_comparison_free(tutti_baseline_comparison *comparison);

/** True if anything got worse or is missing, or, in a strict comparison, was not compared. */
bool tutti_baseline_comparison_failed(const tutti_baseline_comparison *comparison);

/** The differences of a verdict: comparison->counts[verdict]. NULL if there are none at all. */
const tutti_difference *tutti_baseline_differences(const tutti_baseline_comparison *comparison,
                                                   tutti_baseline_verdict verdict);

/**
 * Count the differences of a verdict in a section of the baseline; of NEW without lines that have no values yet.
 * @param first  the first of these points; unchanged without any
 */
size_t tutti_baseline_count(const tutti_baseline_comparison *comparison, const tutti_baseline_section *section,
                            tutti_baseline_verdict verdict, const tutti_baseline_entry **first);

/** Points of one algorithm, or times of one name of a program, that got worse. */
typedef struct tutti_baseline_family {
  const tutti_difference *worst;
  size_t points; /**< in the baseline */
  size_t worse;  /**< of these in any value */
} tutti_baseline_family;

/** The next family, in the order of its worst difference; @p next is 0 at first. False: no further one. */
bool tutti_baseline_next_family(const tutti_baseline_comparison *comparison, size_t *next,
                                tutti_baseline_family *family);

/** "scan/binomial", "halo: time exchange"; owned by the caller. */
char *tutti_baseline_family_name(const tutti_baseline_family *family);

/** True if different libraries simulated the values of these sections. Then only counts of schedules are compared. */
bool tutti_baseline_other_library(const tutti_baseline_section *before, const tutti_baseline_section *after);

/**
 * Turn @p after, which was measured, into the baseline to write: comments of @p before are moved to it, and values that
 * are equal within the resolution of the clock keep their text, so that only lines with new values change.
 */
void tutti_baseline_adopt(tutti_baseline *after, tutti_baseline *before);

/** How many values of @p before tutti_baseline_adopt() lets @p after have otherwise. */
size_t tutti_baseline_rewritten(const tutti_baseline *after, const tutti_baseline *before);

/**
 * Write comparisons as JUnit XML, as continuous integration reads it: one test suite a section, one test case a point,
 * its time the simulated one. Points that are not in the baseline are not written; a gap of a strict comparison is a
 * test case with an error.
 * @return TUTTI_ERR_IO, TUTTI_ERR_MEMORY
 */
tutti_status tutti_baseline_write_junit(const tutti_baseline_comparison *comparisons, size_t count, FILE *stream,
                                        tutti_error *error);

/** The same where nothing was compared: one error. */
tutti_status tutti_baseline_write_junit_error(const char *message, FILE *stream, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
