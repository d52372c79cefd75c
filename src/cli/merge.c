/* tutti merge: stores measured on different machines into one. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/program.h"
#include "cli/output/progress.h"
#include "tutti/merge.h"

enum { OPTION_KEEP = OPTION_OTHERS };

struct merge_options {
  const char *database;
  const char *const *stores; /* among the arguments */
  size_t count;
  bool keep;
};

static const struct argp_option option_table[] = {
    {"db", OPTION_DB, "FILE", 0, "The store that they are merged into, made if missing (default: results.db)", 0},
    {"keep", OPTION_KEEP, NULL, 0, "Where values differ, keep the earlier ones (default: take the later ones)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct merge_options *options = state->input;
  switch (key) {
  case OPTION_DB:
    options->database = argument;
    return 0;
  case OPTION_KEEP:
    options->keep = true;
    return 0;
  case ARGP_KEY_ARGS:
    options->stores = (const char *const *)state->argv + state->next;
    options->count = (size_t)(state->argc - state->next);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which stores? Name their files");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "STORE...",
    .doc = "Put all that is in some stores into one: all of it or, if anything is wrong, nothing.\v"
           "Environments and methods are matched by what they say. The same point measured in the same environment may "
           "be in several: of values that differ the later ones are taken, in the order of the command line, the store "
           "of --db being the earliest. Exit status: 0 done, 2 bad input."};

static void print_store(const char *path, const tutti_merged *merged, bool keep)
{
  char added[32], same[32], differs[32];
  printf("%s: %s rows added, %s there already", path, progress_format_count(merged->added, added),
         progress_format_count(merged->same, same));
  if (merged->differs)
    printf(", %s with other values, %s", progress_format_count(merged->differs, differs),
           keep ? "which were left" : "which were replaced");
  printf("\n");
}

/* Before a store is made that would stay empty. */
static tutti_status try_stores(const struct merge_options *options, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < options->count && status == TUTTI_OK; i++) {
    tutti_store *store;
    status = tutti_store_open_existing(options->stores[i], &store, error);
    if (status == TUTTI_OK)
      tutti_store_close(store);
  }
  return status;
}

static tutti_status merge(const struct merge_options *options, tutti_merged *merged, tutti_error *error)
{
  tutti_store *store;
  tutti_status status = try_stores(options, error);
  if (status == TUTTI_OK)
    status = tutti_store_open(options->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_merge(store, options->stores, options->count, options->keep, merged, error);
  tutti_store_close(store);
  return status;
}

int command_merge(int argc, char **argv)
{
  struct merge_options options = {.database = "results.db"};
  tutti_error error = {0};
  parse_options(&argp, argc, argv, &options);
  tutti_merged *merged = calloc(options.count, sizeof *merged);
  if (!merged)
    tutti_fail(&error, TUTTI_ERR_MEMORY, "out of memory for %zu stores", options.count);
  tutti_status status = merged ? merge(&options, merged, &error) : TUTTI_ERR_MEMORY;
  for (size_t i = 0; i < options.count && status == TUTTI_OK; i++)
    print_store(options.stores[i], &merged[i], options.keep);
  free(merged);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}
