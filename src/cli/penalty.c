/* tutti penalty: how much slower than the best measured method a decision is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/report_penalty.h"
#include "cli/selection.h"

enum { KEY_COLLECTIVE = 0x300, KEY_JSON };

struct penalty_options {
  struct selection_options selection;
  const char *collective; /* NULL: that of each decision */
  bool json;
  int count;
  char **names; /* among the arguments of the command */
};

static const struct argp_option options[] = {
    {.doc = "Decisions:"},
    {"collective", KEY_COLLECTIVE, "NAME", 0,
     "collective that rule files are asked about (default: that of their "
     "first rule)",
     0},
    {.doc = "Output:"},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct penalty_options *chosen = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &chosen->selection;
    break;
  case KEY_COLLECTIVE:
    chosen->collective = text;
    break;
  case KEY_JSON:
    chosen->json = true;
    break;
  case ARGP_KEY_ARGS:
    chosen->names = state->argv + state->next;
    chosen->count = state->argc - state->next;
    break;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which decision?");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&selection_argp, 0, "Measurements:", 9}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "DECISION...",
    .doc = "Compare decisions with the best measured method of each point: 100 (t(decision) - t(best)) / t(best) "
           "percent. A DECISION is a method (bcast/binomial/8KB), which always decides for itself, or a file of rules "
           "(METHOD [ranks=FROM..TO] [bytes=FROM..TO] a line, the first that matches answers).",
    .children = children,
};

/* A name that begins with a collective is a method, anything else a file ("./bcast/rules" is one too). */
static bool names_method(const char *name)
{
  char collective[32];
  size_t length = strcspn(name, "/");
  tutti_collective parsed;
  if (name[length] != '/' || length >= sizeof collective)
    return false;
  memcpy(collective, name, length);
  collective[length] = '\0';
  return tutti_collective_parse(collective, &parsed, NULL) == TUTTI_OK;
}

static tutti_status read_method(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  tutti_status status = tutti_method_parse(name, &method, error);
  if (status != TUTTI_OK)
    return status;
  if (collective && strcmp(collective, tutti_collective_name(method.algorithm->collective)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the method %s is not one of the collective %s", name, collective);
  return tutti_decision_single(&method, decision, error);
}

static tutti_status read_decision(const char *name, const char *collective, tutti_decision *decision,
                                  tutti_error *error)
{
  if (names_method(name))
    return read_method(name, collective, decision, error);
  tutti_status status = tutti_decision_read_rules(name, decision, error);
  if (status == TUTTI_OK && collective)
    status = tutti_collective_parse(collective, &decision->collective, error);
  return status;
}

/* Keep the map in hand if the next decision is about the same collective. */
static tutti_status need_map(const struct penalty_options *chosen, tutti_collective collective,
                             struct measured_map *measured, tutti_error *error)
{
  if (measured->map.best && measured->map.collective == collective)
    return TUTTI_OK;
  tutti_decision_map_free(&measured->map);
  return selection_read_map(&chosen->selection, collective, measured, error);
}

static tutti_status evaluate(const struct penalty_options *chosen, const char *name, struct measured_map *measured,
                             struct penalty_row *row, tutti_error *error)
{
  tutti_decision decision = {0};
  tutti_status status = read_decision(name, chosen->collective, &decision, error);
  if (status == TUTTI_OK)
    status = need_map(chosen, decision.collective, measured, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_compute(&measured->map, &decision, &row->penalty, error);
  row->name = name;
  row->collective = decision.collective;
  row->scheme = measured->basis_name;
  tutti_decision_free(&decision);
  return status;
}

static tutti_status evaluate_all(const struct penalty_options *chosen, struct penalty_row *rows, tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < chosen->count && status == TUTTI_OK; i++)
    status = evaluate(chosen, chosen->names[i], &measured, &rows[i], error);
  tutti_decision_map_free(&measured.map);
  return status;
}

int command_penalty(int argc, char **argv)
{
  struct penalty_options chosen = {.selection = selection_defaults()};
  tutti_error error;
  parse_options(&argp, argc, argv, &chosen);
  struct penalty_row *rows = calloc((size_t)chosen.count, sizeof *rows);
  tutti_status status = rows ? evaluate_all(&chosen, rows, &error)
                             : tutti_fail(&error, TUTTI_ERR_MEMORY, "out of memory for %d decisions", chosen.count);
  if (status == TUTTI_OK && chosen.json)
    report_penalty_print_json(rows, chosen.count, chosen.selection.platform);
  else if (status == TUTTI_OK)
    report_penalty_print(rows, chosen.count, chosen.selection.platform);
  free(rows);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}
