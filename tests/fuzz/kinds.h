/* Kinds of input: where their seeds are, and what is done with a text. */
#ifndef TUTTI_FUZZ_KINDS_H
#define TUTTI_FUZZ_KINDS_H

#include "text.h"
#include "tutti/error.h"

struct fuzz_seeds;

/* One text on its way through a reader. */
typedef struct fuzz_trial {
  const fuzz_text *text;
  const char *folder;  /* to write files into */
  char *reason;        /* of a failure: receives it */
  size_t reason_bytes; /* room */
} fuzz_trial;

/* Stop this process, as the trial failed: the one that watches it says so, with the reason. */
_Noreturn void fuzz_fail(const fuzz_trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text as folder/NAME; the path is to be freed. */
char *fuzz_file(const fuzz_trial *trial, const char *name, const char *bytes, size_t length);
char *fuzz_path(const fuzz_trial *trial, const char *name);

/*
 * Did the reader take it? If not, its error must have the same status, and a message which names @p path unless that is
 * NULL.
 */
bool fuzz_taken(const fuzz_trial *trial, tutti_status status, const tutti_error *error, const char *path);

/* As fuzz_taken(), of what must not fail. */
void fuzz_good(const fuzz_trial *trial, const char *what, tutti_status status, const tutti_error *error);

/* Returns whether the reader took the text, which is used then; what does not work ends in fuzz_fail(). */
typedef bool fuzz_feed(const fuzz_trial *trial);

typedef struct fuzz_kind {
  const char *name;
  const char *seeds[3]; /* patterns of paths in the source tree */
  fuzz_feed *feed;
  void (*make)(struct fuzz_seeds *seeds); /* seeds that are not files; NULL: none */
} fuzz_kind;

/* One file a family: baselines.c, cases.c, classifiers.c, ... @{ */
fuzz_feed fuzz_feed_arff, fuzz_feed_c45;
fuzz_feed fuzz_feed_baseline;
fuzz_feed fuzz_feed_classifier;
fuzz_feed fuzz_feed_decision, fuzz_feed_rules;
fuzz_feed fuzz_feed_experiment, fuzz_feed_platform;
fuzz_feed fuzz_feed_expression, fuzz_feed_method, fuzz_feed_record, fuzz_feed_points;
fuzz_feed fuzz_feed_import;
fuzz_feed fuzz_feed_lint;
fuzz_feed fuzz_feed_map;
void fuzz_make_maps(struct fuzz_seeds *seeds);
/* @} */

#endif
