/* tutti penalty: how much slower than the best measured method a decision is. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/penalty/penalty.h"
#include "cli/penalty/penalty_keep.h"
#include "cli/penalty/penalty_table.h"

enum { KEY_COLLECTIVE = 0x300, KEY_JSON, KEY_CSV, KEY_WORST, KEY_AGAINST = 0x310, KEY_RANKS, KEY_TIMES, KEY_KEEP };

static const struct argp_option options[] = {
    {.doc = "Decisions:"},
    {"collective", KEY_COLLECTIVE, "NAME", 0,
     "collective that files are asked about (default: that of the first rule, or of the only one of the trees), and "
     "models and libraries, which need it",
     0},
    {"against", KEY_AGAINST, "DECISION", 0,
     "say what each decision, and the best method of each point, gains over this one, in percent of its time", 0},
    {"ranks", KEY_RANKS, "LIST", 0, "with --against: for each of these communicator sizes (default: all together)", 0},
    {.doc = "Output:"},
    {"worst", KEY_WORST, "N", 0, "show the N points where each decision loses most, and what is best there", 0},
    {"times", KEY_TIMES, 0, 0, "with --against: print the times of each point", 0},
    {"keep", KEY_KEEP, "NAME", OPTION_ARG_OPTIONAL,
     "keep the penalty in the store, under this name (default: the decision as it was named here); with --against that "
     "against the other decision, and of the best method of each point, too, under the name best",
     0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"csv", KEY_CSV, 0, 0, "print CSV", 0},
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
    chosen->format = TUTTI_FORMAT_JSON;
    break;
  case KEY_CSV:
    chosen->format = TUTTI_FORMAT_CSV;
    break;
  case KEY_WORST:
    chosen->worst = (int)parse_number(state, "worst", text, 0, 1000000);
    break;
  case KEY_AGAINST:
    chosen->against = text;
    break;
  case KEY_RANKS:
    parse_list(state, "ranks", text, tutti_experiment_parse_rank_count, &chosen->ranks, &chosen->ranks_count);
    break;
  case KEY_TIMES:
    chosen->times = true;
    break;
  case KEY_KEEP:
    chosen->keep = true;
    chosen->keep_as = text;
    break;
  case ARGP_KEY_END:
    if (!chosen->against && (chosen->ranks || chosen->times))
      argp_error(state, "--ranks and --times go with --against");
    if (chosen->keep_as && chosen->count + (chosen->against != NULL) > 1)
      argp_error(state, "--keep=%s: one name for %d decisions", chosen->keep_as,
                 chosen->count + (chosen->against != NULL));
    break;
  case ARGP_KEY_ARGS:
    chosen->names = state->argv + state->next;
    chosen->count = state->argc - state->next;
    break;
  case ARGP_KEY_NO_ARGS:
    if (!chosen->against)
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

/* Penalties of a decision that was read; without --worst no points are listed. */
static tutti_status compute(const struct penalty_options *chosen, const tutti_decision_map *map,
                            const tutti_decision *decision, struct penalty_row *row, tutti_error *error)
{
  tutti_status status = tutti_penalty_compute(map, decision, &row->penalty, error);
  if (status == TUTTI_ERR_ARGUMENT && row->penalty.points == 0 && chosen->count > 1) {
    row->penalty.minimum = row->penalty.maximum = row->penalty.mean = row->penalty.median = NAN;
    row->penalty.within_5 = row->penalty.within_10 = NAN;
    return TUTTI_OK; /* said in its row: the others are asked as well */
  }
  int most = row->penalty.points < chosen->worst ? row->penalty.points : chosen->worst;
  if (status != TUTTI_OK || most == 0)
    return status;
  row->worst = tutti_xcalloc((size_t)most, sizeof *row->worst);
  return tutti_penalty_worst(map, decision, row->worst, most, &row->worst_count, error);
}

static tutti_status keep(const struct penalty_options *chosen, const char *name, const tutti_decision *decision,
                         const struct measured_map *measured, const tutti_penalty *penalty, tutti_error *error)
{
  const struct kept_penalty kept = {.name = chosen->keep_as ? chosen->keep_as : name,
                                    .decision = decision,
                                    .map = &measured->map,
                                    .basis = measured->basis_name,
                                    .root = measured->root,
                                    .ranks_per_node = measured->ranks_per_node,
                                    .penalty = *penalty};
  return penalty_keep(&chosen->selection, &kept, error);
}

static tutti_status evaluate(const struct penalty_options *chosen, const char *name, struct measured_map *measured,
                             struct penalty_row *row, tutti_error *error)
{
  struct evaluated evaluated = {0};
  tutti_status status = penalty_read_decision(chosen, name, &evaluated, measured, error);
  if (status == TUTTI_OK)
    status = compute(chosen, &measured->map, &evaluated.decision, row, error);
  if (status == TUTTI_OK && chosen->keep)
    status = keep(chosen, name, &evaluated.decision, measured, &row->penalty, error);
  row->name = name;
  row->collective = evaluated.decision.collective;
  row->scheme = measured->basis_name;
  evaluated_free(&evaluated);
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

static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct penalty_options, selection.platform)}};

static tutti_status print(const struct penalty_options *chosen, const struct penalty_row *rows, tutti_error *error)
{
  const tutti_table table = penalty_table(rows, chosen->count);
  const tutti_document document = {TUTTI_FACTS(facts, chosen), .tables = &table, .table_count = 1};
  return chosen->format == TUTTI_FORMAT_TEXT
             ? penalty_table_print(rows, chosen->count, chosen->selection.platform, chosen->worst > 0, error)
             : tutti_document_print(&document, chosen->format, stdout, error);
}

static tutti_status show_penalties(const struct penalty_options *chosen, tutti_error *error)
{
  struct penalty_row *rows = tutti_xcalloc((size_t)chosen->count, sizeof *rows);
  tutti_status status = evaluate_all(chosen, rows, error);
  if (status == TUTTI_OK)
    status = print(chosen, rows, error);
  for (int i = 0; i < chosen->count; i++)
    free(rows[i].worst);
  free(rows);
  return status;
}

static int penalty_main(int argc, char **argv)
{
  struct penalty_options chosen = {.selection = selection_defaults(), .predictor = predictor_defaults()};
  tutti_error error;
  parse_options(&argp, argc, argv, &chosen);
  tutti_status status = chosen.against ? penalty_show_against(&chosen, &error) : show_penalties(&chosen, &error);
  free(chosen.ranks);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_penalty = {
    .name = "penalty",
    .summary = "compare methods and decision rules with the best measured methods",
    .main = penalty_main,
};
