/* tutti lint: the parts of the command. */
#ifndef TUTTI_CLI_LINT_H
#define TUTTI_CLI_LINT_H

#include "cli/options/common.h"
#include "tutti/tuning.h"

struct lint_options {
  const char *target;
  const char *output; /* of fix */
  bool codes, json, csv, activate, no_notes, fix;
  struct option_strings paths;
};

/* The rules of a file that are in effect for a collective. */
struct lint_effect {
  tutti_collective collective;
  int rules;
};

/* What was found in a file. */
struct linted {
  const char *path;
  char target[40];
  const tutti_tuning_kind *kind;    /* NULL: it is read as --target says */
  char refused[TUTTI_ERROR_LENGTH]; /* why it is not judged; "": it is */
  tutti_library_version version;
  tutti_findings findings;
  bool leaves_all; /* with --activate: to the library */
  bool again;      /* the same file for another library: its parts are said before */
  size_t part_count;
  tutti_tuning_part parts[TUTTI_TUNING_KINDS]; /* variables of several kinds; none where there is only one */
  size_t errors, warnings, notes;
  struct finding_row {
    const char *file, *target, *severity;
    tutti_lint_code code;
    int line, column;
    const char *message;
  } * rows; /* of findings that are shown */
  size_t row_count;
  int effect_count; /* -1: not known of such a file */
  struct lint_effect effects[TUTTI_COLL_COUNT];
};

/* ---- lint_effect.c ---- */

/* Find what of the file the library uses: the collectives with rules, which are counted. */
void lint_find_effects(struct linted *file);

/* The same as a sentence. */
void lint_print_effects(const struct linted *file);

/* ---- lint_print.c ---- */

/* Findings that are shown, and how many of each severity. */
void lint_fill_rows(const struct lint_options *options, struct linted *file);

/* A paragraph for each finding. */
void lint_print_findings(const struct linted *file);

/* "FILE for TARGET: 1 error, 2 warnings, 0 notes", of a struct linted. */
void lint_print_counts(const void *about);

void lint_print(const struct lint_options *options, const struct linted *files, size_t count);

/* ---- lint_fix.c ---- */

/* Write options->output, the only file mended, and say what was mended, what is left, and what is in effect. Returns an
   exit status. */
int lint_fix(const struct lint_options *options);

/* The text of the file, which is one; owned. Sets version and kind, or why it is not judged. */
char *lint_read(const struct lint_options *options, struct linted *file, size_t *length);

#endif
