/* tutti export: its parts. */
#ifndef TUTTI_CLI_EXPORT_H
#define TUTTI_CLI_EXPORT_H

#include "cli/options/predictors.h"

struct export_options {
  struct selection_options selection;
  struct predictor_options predictor;
  const tutti_target *target;
  const char *path;         /* NULL: standard output */
  int min_ranks, max_ranks; /* 0: not given */
  bool extend, force, json, csv;
  tutti_collective collective;
  bool one; /* the collective; else all that the decisions answer for */
  struct option_strings names;
};

/* Decisions, and what becomes of them. */
struct exported {
  tutti_decision *decisions;     /* as many as names */
  struct predictors *predictors; /* likewise; empty but of models */
  int part_count;
  tutti_export_part parts[TUTTI_COLL_COUNT];
  struct measured_map maps[TUTTI_COLL_COUNT]; /* by collective; empty ones: nothing was asked for */
  char *remedy;                               /* owned; the command that a refusal recommends; NULL: none */
};

/* Refuse a file for a real library whose times under it are not known, or that is faster without it at more than a few
   points; with --force that is a warning. Print a note where Tutti's schedules stand for the library's. */
tutti_status export_judge(const struct export_options *options, struct exported *exported, tutti_error *error);

/* A line for each part, which is the comment of the file, too; to be freed. */
char *export_describe(const struct exported *exported);

/* Print that comment and how the file is used on standard error, and JSON or CSV if these were asked for. */
void export_print(const struct export_options *options, const struct exported *exported, const char *comment);

#endif
