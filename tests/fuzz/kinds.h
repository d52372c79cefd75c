/* Kinds of input: where their seeds are, and what is done with a text. */
#ifndef TUTTI_FUZZ_KINDS_H
#define TUTTI_FUZZ_KINDS_H

#include "mutate.h"
#include "tutti/error.h"

/* One text on its way through a reader. */
typedef struct fuzz_trial {
  const fuzz_text *text;
  const char *folder;  /* to write files into */
  char *reason;        /* receives the reason of a failure */
  size_t reason_bytes; /* room */
  bool aborts;         /* fuzz_fail() prints the reason and aborts, as libFuzzer wants it */
} fuzz_trial;

/* Stop this process, as the trial failed: the one that watches it says so, with the reason. */
_Noreturn void fuzz_fail(const fuzz_trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text as folder/NAME; the path is to be freed. */
char *fuzz_file(const fuzz_trial *trial, const char *name, const char *bytes, size_t length);
char *fuzz_path(const fuzz_trial *trial, const char *name);

/*
 * Whether the reader accepted the text. If not, its error must have the same status, and a message which names @p path
 * unless that is NULL.
 */
bool fuzz_taken(const fuzz_trial *trial, tutti_status status, const tutti_error *error, const char *path);

/* As fuzz_taken(), for calls that must not fail. */
void fuzz_good(const fuzz_trial *trial, const char *what, tutti_status status, const tutti_error *error);

/* Returns whether the reader took the text, which is used then; what does not work ends in fuzz_fail(). */
typedef bool fuzz_feed(const fuzz_trial *trial);

typedef struct fuzz_kind {
  const char *name;
  const char *seeds[3]; /* patterns of paths in the source tree */
  fuzz_feed *feed;
  void (*make)(fuzz_seeds *seeds); /* seeds that are not files; NULL: none */
} fuzz_kind;

/* All kinds; the last has no name. */
extern const fuzz_kind fuzz_kinds[];

/* NULL: unknown name. */
const fuzz_kind *fuzz_kind_find(const char *name);

/* The seeds of a kind, at least one; and all of them as files of a folder. @{ */
fuzz_seeds fuzz_seeds_read(const char *source, const fuzz_kind *kind);
void fuzz_seeds_write(const fuzz_seeds *seeds, const char *folder);
void fuzz_seeds_free(fuzz_seeds *seeds);
/* @} */

/* A new folder below TMPDIR or /tmp for the files of trials; removed with what is in it. @{ */
char *fuzz_folder_make(void);
void fuzz_folder_remove(char *folder);
/* @} */

/* Let experiments find the platforms of the source tree. */
void fuzz_set_platforms(const char *source);

/* One file a family: baselines.c, classifiers.c, ... @{ */
fuzz_feed fuzz_feed_baseline;
fuzz_feed fuzz_feed_classifier;
fuzz_feed fuzz_feed_decision, fuzz_feed_rules;
fuzz_feed fuzz_feed_experiment, fuzz_feed_platform, fuzz_feed_edit, fuzz_feed_machine, fuzz_feed_nodes;
fuzz_feed fuzz_feed_jobs, fuzz_feed_speed, fuzz_feed_wiring;
fuzz_feed fuzz_feed_expression, fuzz_feed_method, fuzz_feed_record, fuzz_feed_points;
fuzz_feed fuzz_feed_import, fuzz_feed_csv, fuzz_feed_pico, fuzz_feed_archive;
fuzz_feed fuzz_feed_hosts, fuzz_feed_manifest, fuzz_feed_slurm, fuzz_feed_together, fuzz_feed_trace, fuzz_feed_workload;
fuzz_feed fuzz_feed_pingpong, fuzz_feed_trips, fuzz_feed_parameters, fuzz_feed_runs;
fuzz_feed fuzz_feed_msccl;
fuzz_feed fuzz_feed_lint, fuzz_feed_openmpi, fuzz_feed_mpich, fuzz_feed_nccl;
fuzz_feed fuzz_feed_map;
fuzz_feed fuzz_feed_store, fuzz_feed_foreign;
fuzz_feed fuzz_feed_profile, fuzz_feed_cut, fuzz_feed_output;
fuzz_feed fuzz_feed_value, fuzz_feed_row, fuzz_feed_policy;
void fuzz_make_maps(fuzz_seeds *seeds);
void fuzz_make_cut(fuzz_seeds *seeds);
/* @} */

#endif
