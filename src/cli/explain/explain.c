/* tutti explain: which method a decision picks for a call, and why. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/decision_argument.h"
#include "cli/explain/explain.h"
#include "tutti/library.h"

enum {
  KEY_DECISION = 0x600,
  KEY_PPN,
  KEY_NODES,
  KEY_ORDERED,
  KEY_OWN,
  KEY_IN_PLACE,
  KEY_RUNNERS,
  KEY_JSON,
  KEY_TARGET
};

static const struct argp_option option_table[] = {
    {.doc = "The call:"},
    {"ranks", 'n', "N", 0, "communicator size (default 64)", 0},
    {"size", 's', "BYTES", 0, "bytes of the message, or of one rank's block (default 1KB; barrier: 0)", 0},
    {"type-size", 't', "BYTES", 0, "bytes of an element (default: 8 where that divides the size, else 4, else 1)", 0},
    {"ppn", KEY_PPN, "N", 0, "ranks on a node (default: not known)", 0},
    {"nodes", KEY_NODES, "N", 0, "the same as a number of nodes", 0},
    {"non-commutative", KEY_ORDERED, 0, 0, "the operation does not commute", 0},
    {"own-operation", KEY_OWN, 0, 0, "the operation is the program's own", 0},
    {"in-place", KEY_IN_PLACE, 0, 0, "the send buffer is MPI_IN_PLACE", 0},
    {.doc = "Who decides:"},
    {"decision", KEY_DECISION, "FILE", 0,
     "a tuning file of Open MPI or MPICH, a decision file of Tutti, library:openmpi-4.1 and such, or a method", 0},
    {"target", KEY_TARGET, "NAME", 0,
     "library that reads the file, as in tutti lint (default: what the file looks like)", 0},
    {.doc = "Output:"},
    {"runners-up", KEY_RUNNERS, "N", 0, "with --platform: how many other methods to show (default 5)", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {0},
};

static void take_size(struct argp_state *state, const char *option, const char *text, uint64_t *bytes)
{
  tutti_error error;
  if (tutti_size_parse(text, bytes, &error) != TUTTI_OK || *bytes > (UINT64_C(1) << 52))
    argp_error(state, "--%s: '%s' is not a size of at most 2^52 bytes", option, text);
}

static error_t parse_call(int key, char *text, struct argp_state *state)
{
  struct explain_options *options = state->input;
  switch (key) {
  case 'n':
    options->call.ranks = (int)parse_number(state, "ranks", text, 1, INT_MAX);
    return 0;
  case 's':
    take_size(state, "size", text, &options->call.rank_bytes);
    return 0;
  case 't':
    options->call.type_bytes = parse_number(state, "type-size", text, 1, 1 << 20);
    return 0;
  case KEY_PPN:
    options->call.ranks_per_node = (int)parse_number(state, "ppn", text, 1, INT_MAX);
    return 0;
  case KEY_NODES:
    options->nodes = (int)parse_number(state, "nodes", text, 1, INT_MAX);
    return 0;
  case KEY_ORDERED:
    options->call.ordered = true;
    return 0;
  case KEY_OWN:
    options->call.own_operation = true;
    return 0;
  case KEY_IN_PLACE:
    options->call.in_place = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void take_collective(struct argp_state *state, struct explain_options *options, const char *text)
{
  tutti_error error;
  if (options->has_collective)
    argp_error(state, "one collective, not '%s', too", text);
  if (tutti_collective_parse(text, &options->call.collective, &error) != TUTTI_OK)
    argp_error(state, "%s", error.message);
  options->has_collective = true;
}

static void finish(struct argp_state *state, struct explain_options *options)
{
  tutti_explained_call *call = &options->call;
  if (!options->has_collective)
    argp_error(state, "which collective?");
  if (!options->decision)
    argp_error(state, "which --decision?");
  if (options->nodes && call->ranks_per_node)
    argp_error(state, "--ppn or --nodes");
  if (options->nodes > call->ranks)
    argp_error(state, "%d nodes for %d ranks", options->nodes, call->ranks);
  if (options->nodes)
    call->ranks_per_node = (call->ranks - 1) / options->nodes + 1;
  if (call->collective == TUTTI_COLL_BARRIER)
    call->rank_bytes = 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct explain_options *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options->selection;
    state->child_inputs[1] = &options->predictor;
    return 0;
  case KEY_DECISION:
    options->decision = text;
    return 0;
  case KEY_TARGET:
    options->target = text;
    return 0;
  case KEY_RUNNERS:
    options->runners = (int)parse_number(state, "runners-up", text, 0, 1000);
    return 0;
  case KEY_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_ARG:
    take_collective(state, options, text);
    return 0;
  case ARGP_KEY_END:
    finish(state, options);
    return 0;
  default:
    return parse_call(key, text, state);
  }
}

static const struct argp_child children[] = {
    {&selection_argp, 0, "Measurements:", 9}, {&predictor_argp, 0, "Models:", 8}, {0}};

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "COLLECTIVE",
    .doc =
        "Say which method a decision picks for a call, and why: the way through the tree, the rule that matches, what "
        "the library falls back to, where the next decision begins; with --platform also what it takes, measured and "
        "predicted, beside the best others. Files are looked up as the library does, faults included.\v"
        "Sizes are bytes, times microseconds. Exit status: 0 the call is served, 1 it fails under this file, 2 wrong "
        "usage or bad input.",
    .children = children};

/* ---- who decides ---- */

struct decider {
  tutti_decision decision;
  tutti_tuning *tuning;
};

static bool is_file(const char *name)
{
  char collective[32];
  size_t length = strcspn(name, "/");
  tutti_collective parsed;
  if (tutti_library_named(name))
    return false;
  snprintf(collective, sizeof collective, "%.*s", (int)(length < 31 ? length : 31), name);
  return name[length] != '/' || tutti_collective_parse(collective, &parsed, NULL) != TUTTI_OK;
}

static tutti_status open_file(const struct explain_options *options, struct decider *decider, char *target,
                              tutti_error *error)
{
  tutti_library_version version;
  char *text;
  size_t length;
  tutti_status status = tutti_tuning_load(options->decision, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  version = tutti_tuning_guess(text, length);
  free(text);
  if (options->target)
    status = tutti_library_version_parse(options->target, &version, error);
  tutti_library_version_format(&version, target);
  return status == TUTTI_OK ? tutti_tuning_open(options->decision, &version, &decider->tuning, error) : status;
}

static tutti_status open_decider(const struct explain_options *options, struct decider *decider, char *target,
                                 tutti_error *error)
{
  if (is_file(options->decision))
    return open_file(options, decider, target, error);
  if (options->target)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--target is for files, %s is none", options->decision);
  tutti_status status = decision_argument_read(options->decision, tutti_collective_name(options->call.collective),
                                               &decider->decision, error);
  return status == TUTTI_OK ? tutti_tuning_of_decision(&decider->decision, &decider->tuning, error) : status;
}

/* ---- what is said ---- */

enum { RANKS_AHEAD = 1024 };

static tutti_status explain(const tutti_tuning *tuning, struct explained *explained, tutti_error *error)
{
  const struct explain_options *options = explained->options;
  const tutti_explained_call *call = &options->call;
  bool has_file = *explained->target;
  tutti_status status = tutti_explain(tuning, call, &explained->here, error);
  if (status == TUTTI_OK)
    status = tutti_explain_next(tuning, call, false, &explained->has_below, &explained->below_bytes, &explained->below,
                                error);
  if (status == TUTTI_OK)
    status = tutti_explain_next(tuning, call, true, &explained->has_above, &explained->above_bytes, &explained->above,
                                error);
  if (status == TUTTI_OK && has_file && strcmp(explained->target, "tutti") != 0)
    status =
        tutti_explain_ranks(tuning, call, call->ranks < INT_MAX - RANKS_AHEAD ? call->ranks + RANKS_AHEAD : INT_MAX,
                            &explained->has_ranks, &explained->next_ranks, &explained->at_next_ranks, error);
  if (status == TUTTI_OK)
    status =
        explain_gather_times(options, explained->here.known ? &explained->here.method : NULL, &explained->times, error);
  return status;
}

static void explained_free(struct explained *explained)
{
  tutti_explanation_free(&explained->here);
  tutti_explanation_free(&explained->below);
  tutti_explanation_free(&explained->above);
  tutti_explanation_free(&explained->at_next_ranks);
  explained_times_free(&explained->times);
}

static int explain_main(int argc, char **argv)
{
  struct explain_options options = {.selection = selection_defaults(),
                                    .predictor = predictor_defaults(),
                                    .runners = 5,
                                    .call = {.ranks = 64, .rank_bytes = 1024}};
  struct explained explained = {.options = &options};
  struct decider decider = {.tuning = NULL};
  tutti_error error;
  options.selection.optional = true;
  parse_options(&argp, argc, argv, &options);
  tutti_status status = open_decider(&options, &decider, explained.target, &error);
  if (status == TUTTI_OK)
    status = explain(decider.tuning, &explained, &error);
  bool fails = explained.here.fails;
  if (status == TUTTI_OK)
    (options.json ? report_explain_json : report_explain_print)(&explained);
  explained_free(&explained);
  tutti_tuning_close(decider.tuning);
  tutti_decision_free(&decider.decision);
  if (status != TUTTI_OK)
    return complain(&error);
  return fails ? EXIT_FOUND : EXIT_DONE;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "say which method a decision picks for a call, and why",
    .main = explain_main,
};
