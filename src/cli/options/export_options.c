/* tutti export: the command line. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/export/export.h"

enum { KEY_FORMAT = 0x500, KEY_RANKS, KEY_EXTEND, KEY_COLLECTIVE };

static const struct argp_option options[] = {
    {.doc = "Output:"},
    {"format", KEY_FORMAT, "TARGET", 0, "what to write: see below", 0},
    {"output", 'o', "FILE", 0, "where (default: standard output); a file that is there is replaced when all is well",
     0},
    {"collective", KEY_COLLECTIVE, "NAME", 0, "only this collective", 0},
    {"ranks", KEY_RANKS, "A..B", 0, "communicator sizes (default: the measured ones, or 2..1024)", 0},
    {"extend", KEY_EXTEND, 0, 0, "let the answers of the ends hold beyond what was measured, or --ranks", 0},
    {0},
};

static void take_format(struct argp_state *state, struct export_options *chosen, const char *name)
{
  tutti_error error;
  if (tutti_target_find(name, &chosen->target, &error) != TUTTI_OK)
    argp_error(state, "--format: %s", error.message);
}

static void take_ranks(struct argp_state *state, struct export_options *chosen, const char *text)
{
  char least[16];
  const char *dots = strstr(text, "..");
  size_t length = dots ? (size_t)(dots - text) : sizeof least;
  if (length >= sizeof least)
    argp_error(state, "--ranks: '%s' is not FROM..TO", text);
  memcpy(least, text, length);
  least[length] = '\0';
  chosen->least_ranks = (int)parse_number(state, "ranks", least, 2, INT_MAX - 1);
  chosen->most_ranks = (int)parse_number(state, "ranks", dots + 2, (uint64_t)chosen->least_ranks, INT_MAX - 1);
}

static void take_collective(struct argp_state *state, struct export_options *chosen, const char *name)
{
  tutti_error error;
  tutti_collective collective = TUTTI_COLL_BCAST;
  if (tutti_collective_parse(name, &collective, &error) != TUTTI_OK)
    argp_error(state, "--collective: %s", error.message);
  chosen->collective = (int)collective;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct export_options *chosen = state->input;
  if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = &chosen->selection;
  else if (key == KEY_FORMAT)
    take_format(state, chosen, text);
  else if (key == 'o')
    chosen->path = text;
  else if (key == KEY_RANKS)
    take_ranks(state, chosen, text);
  else if (key == KEY_EXTEND)
    chosen->extend = true;
  else if (key == KEY_COLLECTIVE)
    take_collective(state, chosen, text);
  else if (key == ARGP_KEY_ARGS) {
    chosen->names = state->argv + state->next;
    chosen->count = state->argc - state->next;
  } else if (key == ARGP_KEY_NO_ARGS)
    argp_error(state, "which decision?");
  else if (key == ARGP_KEY_END && !chosen->target)
    argp_error(state, "--format TARGET is missing");
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

/* The list of targets, below the options. */
static char *add_targets(int key, const char *text, void *input)
{
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC)
    return (char *)text;
  char *list = NULL;
  size_t length;
  FILE *stream = open_memstream(&list, &length);
  if (!stream)
    return NULL;
  fprintf(stream, "Targets (openmpi and mpich are the versions of Debian 12):\n");
  for (size_t i = 0; tutti_target_at(i); i++)
    fprintf(stream, "  %-12s %s\n", tutti_target_at(i)->name, tutti_target_at(i)->summary);
  fclose(stream);
  return list;
}

static const struct argp_child children[] = {{&selection_argp, 0, "Measurements:", 9}, {0}};

const struct argp export_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "DECISION...",
    .doc = "Write decisions as a file that an MPI library, or another program, reads. A DECISION is a file of rules or "
           "trees, or a method (bcast/binomial). What the target does not know is replaced by what costs least, by the "
           "measurements of --platform, of what it knows; the loss is reported.\v",
    .children = children,
    .help_filter = add_targets,
};
