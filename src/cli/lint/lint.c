/* tutti lint: faults of tuning files that MPI libraries swallow. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/lint/report_lint.h"

enum { KEY_CODES = 0x300, KEY_JSON, KEY_ACTIVATE, KEY_NO_NOTES };

static const struct argp_option options[] = {
    {"target", 't', "NAME", 0,
     "library that reads the file: openmpi-4.0, openmpi-4.1, openmpi-5, openmpi-6, mpich-4.0 to mpich-5, tutti; a "
     "patch "
     "level may follow (openmpi-4.1.8). Default: what the file looks like",
     0},
    {"activate", KEY_ACTIVATE, 0, 0, "print the settings with which the library reads the file, too", 0},
    {"no-notes", KEY_NO_NOTES, 0, 0, "only errors and warnings", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"list-codes", KEY_CODES, 0, 0, "print all kinds of faults and end", 0},
    {0},
};

struct chosen {
  const char *target;
  bool codes, json, activate, no_notes;
  int count;
  char **paths; /* among the arguments of the command */
};

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct chosen *chosen = state->input;
  switch (key) {
  case 't':
    chosen->target = text;
    break;
  case KEY_ACTIVATE:
    chosen->activate = true;
    break;
  case KEY_NO_NOTES:
    chosen->no_notes = true;
    break;
  case KEY_JSON:
    chosen->json = true;
    break;
  case KEY_CODES:
    chosen->codes = true;
    break;
  case ARGP_KEY_ARGS:
    chosen->paths = state->argv + state->next;
    chosen->count = state->argc - state->next;
    break;
  case ARGP_KEY_NO_ARGS:
    if (!chosen->codes)
      argp_error(state, "which file?");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE...",
    .doc =
        "Find the faults of tuning files that MPI libraries swallow: a wrong count drops a whole rules file of Open "
        "MPI without a word, a missing collective kills a program under MPICH. Files are read as the library reads "
        "them; each finding has its place, what the library does, and how to mend it. Ranks are numbers of processes, "
        "sizes are bytes.\v"
        "Exit status: 0 neither error nor warning, 1 there are some, 2 wrong usage or a file that cannot be read."};

static tutti_status lint_one(const struct chosen *chosen, struct linted *file, tutti_error *error)
{
  char *text;
  size_t length;
  tutti_status status = tutti_tuning_load(file->path, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  if (chosen->target)
    status = tutti_library_version_parse(chosen->target, &file->version, error);
  else
    file->version = tutti_tuning_guess(text, length);
  if (status == TUTTI_OK)
    status = tutti_lint_text(text, length, file->path, &file->version, &file->findings, error);
  free(text);
  return status;
}

static void print(const struct chosen *chosen, const struct linted *files)
{
  if (chosen->json) {
    report_lint_json(files, chosen->count, !chosen->no_notes);
    return;
  }
  for (int i = 0; i < chosen->count; i++) {
    report_lint_print(&files[i], !chosen->no_notes);
    char *path = chosen->activate ? realpath(files[i].path, NULL) : NULL;
    if (path)
      tutti_tuning_print_use(&files[i].version, path, stdout);
    free(path);
  }
}

static int lint_all(const struct chosen *chosen, struct linted *files)
{
  tutti_error error;
  bool found = false;
  for (int i = 0; i < chosen->count; i++) {
    files[i].path = chosen->paths[i];
    if (lint_one(chosen, &files[i], &error) != TUTTI_OK)
      return complain(&error);
    found = found || tutti_findings_count(&files[i].findings, TUTTI_ERROR) ||
            tutti_findings_count(&files[i].findings, TUTTI_WARNING);
  }
  print(chosen, files);
  return found ? EXIT_FOUND : EXIT_DONE;
}

static int lint_main(int argc, char **argv)
{
  struct chosen chosen = {.target = NULL};
  parse_options(&argp, argc, argv, &chosen);
  if (chosen.codes) {
    report_lint_codes(chosen.json);
    return EXIT_DONE;
  }
  struct linted *files = calloc((size_t)chosen.count, sizeof *files);
  tutti_error error;
  if (!files) {
    tutti_fail(&error, TUTTI_ERR_MEMORY, "out of memory for %d files", chosen.count);
    return complain(&error);
  }
  int code = lint_all(&chosen, files);
  for (int i = 0; i < chosen.count; i++)
    tutti_findings_free(&files[i].findings);
  free(files);
  return code;
}

const struct command command_lint = {
    .name = "lint",
    .summary = "find the faults of tuning files that MPI libraries swallow",
    .main = lint_main,
};
