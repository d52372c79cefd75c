/* tutti export: its parts. */
#ifndef TUTTI_CLI_EXPORT_H
#define TUTTI_CLI_EXPORT_H

#include "cli/options/selection.h"
#include "tutti/target.h"

struct export_options {
  struct selection_options selection;
  const tutti_target *target;
  const char *path;         /* NULL: standard output */
  int min_ranks, max_ranks; /* 0: not given */
  bool extend, json, csv;
  tutti_collective collective;
  bool one; /* the collective; else all that the decisions answer for */
  struct option_strings names;
};

/* Decisions, and what becomes of them. */
struct exported {
  tutti_decision *decisions; /* as many as names */
  int part_count;
  tutti_export_part parts[TUTTI_COLL_COUNT];
  tutti_decision_map maps[TUTTI_COLL_COUNT];
};

/* Make the parts of all decisions; exported_free() in any case. */
tutti_status export_all(const struct export_options *options, struct exported *exported, tutti_error *error);
void exported_free(struct exported *exported, size_t names);

#endif
