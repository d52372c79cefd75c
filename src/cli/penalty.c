/* tutti penalty: how much slower than the best measured method a decision is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/predictors.h"
#include "cli/report_penalty.h"
#include "tutti/library.h"

enum { KEY_COLLECTIVE = 0x300, KEY_JSON };

struct penalty_options {
  struct selection_options selection;
  struct predictor_options predictor;
  const char *collective; /* NULL: that of each decision */
  bool json;
  int count;
  char **names; /* among the arguments of the command */
};

static const struct argp_option options[] = {
    {.doc = "Decisions:"},
    {"collective", KEY_COLLECTIVE, "NAME", 0,
     "collective that rule files are asked about (default: that of their first rule), and models and libraries, which "
     "need it",
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
    state->child_inputs[1] = &chosen->predictor;
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

static const struct argp_child children[] = {
    {&selection_argp, 0, "Measurements:", 9}, {&predictor_argp, 0, "Models:", 8}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "DECISION...",
    .doc =
        "Compare decisions with the best measured method of each point: 100 (t(decision) - t(best)) / t(best) "
        "percent. A DECISION is a method (bcast/binomial/8KB), which always decides for itself, a file of rules "
        "(METHOD [ranks=FROM..TO] [bytes=FROM..TO] a line, the first that matches answers), what an untuned library "
        "chooses (library:openmpi-4.1, library:openmpi-1.x, library:mpich-4.0, library:mpich2-1.0), or model:hockney, "
        "model:loggp=2,plogp: the measured method that takes least time by the model, or that most weight of several "
        "votes for.",
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

static bool names_model(const char *name)
{
  return strncmp(name, "model:", strlen("model:")) == 0;
}

/* What decides, and the parameters that it needs as long. */
struct evaluated {
  tutti_decision decision;
  struct predictors predictors;
};

static tutti_status read_rules(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_status status = tutti_decision_read_rules(name, decision, error);
  if (status == TUTTI_OK && collective)
    status = tutti_collective_parse(collective, &decision->collective, error);
  return status;
}

static tutti_status read_library(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_collective parsed;
  if (!collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  tutti_status status = tutti_collective_parse(collective, &parsed, error);
  return status == TUTTI_OK ? tutti_decision_library(name, parsed, decision, error) : status;
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

static tutti_status read_decision(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                  struct measured_map *measured, tutti_error *error)
{
  tutti_decision *decision = &evaluated->decision;
  tutti_status status = tutti_library_named(name) ? read_library(name, chosen->collective, decision, error)
                        : names_method(name)      ? read_method(name, chosen->collective, decision, error)
                                                  : read_rules(name, chosen->collective, decision, error);
  return status == TUTTI_OK ? need_map(chosen, decision->collective, measured, error) : status;
}

/* The candidates are the methods that were measured. */
static tutti_status read_models(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                struct measured_map *measured, tutti_error *error)
{
  tutti_collective collective;
  if (!chosen->collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  if (chosen->predictor.both)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--by both: a model decides by formula or by schedule");
  tutti_status status = tutti_collective_parse(chosen->collective, &collective, error);
  if (status == TUTTI_OK)
    status = need_map(chosen, collective, measured, error);
  if (status == TUTTI_OK)
    status =
        predictors_read(&chosen->predictor, name + strlen("model:"), &chosen->selection, &evaluated->predictors, error);
  if (status != TUTTI_OK)
    return status;
  return tutti_decision_models(name, collective, measured->map.methods, measured->map.method_count,
                               evaluated->predictors.items, evaluated->predictors.count, &evaluated->decision, error);
}

static tutti_status evaluate(const struct penalty_options *chosen, const char *name, struct measured_map *measured,
                             struct penalty_row *row, tutti_error *error)
{
  struct evaluated evaluated = {0};
  tutti_status status = names_model(name) ? read_models(chosen, name, &evaluated, measured, error)
                                          : read_decision(chosen, name, &evaluated, measured, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_compute(&measured->map, &evaluated.decision, &row->penalty, error);
  row->name = name;
  row->collective = evaluated.decision.collective;
  row->scheme = measured->basis_name;
  tutti_decision_free(&evaluated.decision);
  predictors_free(&evaluated.predictors);
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
  struct penalty_options chosen = {.selection = selection_defaults(), .predictor = predictor_defaults()};
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
