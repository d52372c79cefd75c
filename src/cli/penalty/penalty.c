/* tutti penalty: how much slower than the best measured method a decision is. */
#include <inttypes.h>
#include <math.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/options/comparisons.h"
#include "cli/output/output.h"
#include "cli/penalty/penalty.h"
#include "tutti/decision_tree.h"

static void set_defaults(void *values)
{
  ((struct penalty_options *)values)->collective = TUTTI_COLL_COUNT;
}

static void check_usage(void *values)
{
  const struct penalty_options *chosen = values;
  penalty_add_only(values);
  size_t decisions = chosen->names.count + (chosen->against != NULL);
  if (decisions == 0)
    die("which decision?");
  if (!chosen->against && (chosen->ranks.count > 0 || chosen->times))
    die("--ranks and --times go with --against");
  if (chosen->store_as && decisions > 1)
    die("--store-as=%s: one name for %zu decisions", chosen->store_as, decisions);
}

static const struct option_row options[] = {
    OPTION_BEGIN(set_defaults),
    OPTION_HEADING("Decisions:"),
    OPTION_PARSE("collective", "NAME", struct penalty_options, collective, option_collective,
                 "collective that files are asked about, and models and libraries, which need it",
                 .otherwise = "that of the first rule, or of the only one of the trees"),
    OPTION_STRING("against", "DECISION", struct penalty_options, against,
                  "say what each decision, and the best method of each point, gains over this one, in percent of its "
                  "time",
                  .everyday = true),
    OPTION_STRING("only", "CLASS", struct penalty_options, only,
                  "what it costs to run only methods with this class of reproducibility, or several with commas (tutti "
                  "algorithms --reproducible); reproducible: each class in turn",
                  .everyday = true),
    OPTION_NUMBERS("ranks", struct penalty_options, ranks, tutti_experiment_parse_rank_count,
                   "with --against: for each of these communicator sizes", .letter = 'P', .otherwise = "all together"),
    OPTION_HEADING("Output:"),
    OPTION_NUMBER("worst", "N", struct penalty_options, worst,
                  "show the N points where each decision loses most, and what is best there", .max = 1000000,
                  .everyday = true),
    OPTION_FLAG("times", struct penalty_options, times,
                "print the times of each point, too; only together with --against"),
    OPTION_STRING("store-as", "NAME", struct penalty_options, store_as,
                  "put the penalty into the store, under this name; with --against that against the other decision, "
                  "and of the best method of each point, too, under the name best",
                  .bare = true, .aliases = "keep", .otherwise = "as it is named here",
                  OPTION_GIVEN(struct penalty_options, store)),
    OPTION_FORMAT(struct penalty_options, format),
    OPTION_LATEX(struct penalty_options, format),
    OPTION_HEADING("Models:"),
    OPTION_TABLE(struct penalty_options, predictor, predictor_table),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct penalty_options, selection, selection_table),
    ARGUMENT_STRINGS("DECISION", struct penalty_options, names, .optional = true),
    OPTION_CHECK(check_usage),
    OPTION_END};

/* ---- decisions: methods, rule files, libraries, models ---- */

/* Read the map of a collective unless it is the one that was read last. */
static void need_map(const struct penalty_options *chosen, tutti_collective collective, struct measured_map *measured)
{
  if (measured->map.best && measured->map.collective == collective)
    return;
  tutti_decision_map_free(&measured->map);
  must(selection_read_map(&chosen->selection, collective, measured, &failure));
  if (tutti_decision_map_only_native(&measured->map))
    die("nothing to compare with: %s/native alone was measured", tutti_collective_name(collective));
}

/* The only collective that a tuning file of a library has rules for. */
static void choose_only_collective(const char *name, tutti_decision *decision)
{
  int count = 0;
  tutti_collective only = TUTTI_COLL_COUNT;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tuning_file_decides(name, (tutti_collective)c)) {
      count++;
      only = (tutti_collective)c;
    }
  if (count != 1)
    die("%s is a tuning file, for %s collective%s: say for which with --collective", name, count ? "several" : "no",
        tutti_plural((uint64_t)count));
  decision->collective = only;
}

/* A file for several collectives has several penalties: --collective must choose one. */
static void check_one_collective(const char *name, tutti_decision *decision)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  if (decision->collective == TUTTI_COLL_COUNT)
    choose_only_collective(name, decision);
  else
    for (int c = 0; c < TUTTI_COLL_COUNT; c++)
      for (int i = 0; trees && i < trees->count; i++)
        if (trees->items[i].answers[c] && c != (int)decision->collective)
          die("%s decides for %s, %s, ...: say for which with --collective", name,
              tutti_collective_name(decision->collective), tutti_collective_name((tutti_collective)c));
}

static void read_decision(const struct penalty_options *chosen, const char *name, struct penalty_decision *evaluated,
                          struct measured_map *measured)
{
  tutti_decision *decision = &evaluated->decision;
  must(decision_argument_read(name, chosen->collective, decision, &failure));
  if (chosen->collective == TUTTI_COLL_COUNT)
    check_one_collective(name, decision);
  need_map(chosen, decision->collective, measured);
}

/* The candidates are the methods that were measured. */
static void read_models(const struct penalty_options *chosen, const char *name, struct penalty_decision *evaluated,
                        struct measured_map *measured)
{
  const tutti_collective collective = chosen->collective;
  if (collective == TUTTI_COLL_COUNT)
    die("%s decides for any collective: say which with --collective", name);
  need_map(chosen, collective, measured);
  if (penalty_names_reproducible(name))
    evaluated->decision = penalty_reproducible(name, collective, measured);
  else
    predictors_decide(&chosen->predictor, name, collective, measured->map.methods, measured->map.method_count,
                      &chosen->selection, &evaluated->predictors, &evaluated->decision);
}

/* One table has one reference. */
static void choose_implementation(const struct penalty_options *chosen, const struct penalty_decision *added,
                                  struct penalty_decisions *decisions, const struct measured_map *measured)
{
  const tutti_implementation before = decisions->implementation, own = added->decision.implementation;
  if (own == TUTTI_IMPLEMENTATION_TUTTI || !tutti_decision_map_has(&measured->map, own))
    return;
  decisions->implementation = own;
  if (before != TUTTI_IMPLEMENTATION_TUTTI && before != own && chosen->selection.implementation < 0)
    die("%s is about algorithms of %s, a decision before it about those of %s: --of says by which of them all are "
        "judged",
        added->name, tutti_implementation_name(own), tutti_implementation_name(before));
}

void penalty_add_decision(const struct penalty_options *chosen, const char *name, struct penalty_decisions *decisions,
                          struct measured_map *measured)
{
  struct penalty_decision added = {.name = name};
  if (names_models(name) || penalty_names_reproducible(name))
    read_models(chosen, name, &added, measured);
  else
    read_decision(chosen, name, &added, measured);
  tutti_xpush(decisions, added);
  choose_implementation(chosen, &added, decisions, measured);
}

void penalty_decisions_free(struct penalty_decisions *decisions)
{
  for (size_t i = 0; i < decisions->count; i++) {
    tutti_decision_free(&decisions->items[i].decision);
    predictors_free(&decisions->items[i].predictors);
  }
  tutti_vector_free(decisions);
}

void penalty_judge(const struct penalty_options *chosen, struct penalty_decisions *decisions, size_t index,
                   struct measured_map *measured)
{
  tutti_decision *decision = &decisions->items[index].decision;
  need_map(chosen, decision->collective, measured);
  selection_judge(&chosen->selection, decisions->implementation, decision, measured);
}

/* ---- penalties ---- */

static bool decide_asked(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  struct penalty_asked *asked = decision->data;
  patience_at("ask the models", fmin(1, (double)asked->questions++ / asked->points));
  return asked->decision->decide(asked->decision, question, method);
}

tutti_decision penalty_ask(const struct penalty_decision *evaluated, const tutti_decision_map *map,
                           struct penalty_asked *asked)
{
  tutti_decision decision = evaluated->decision;
  if (evaluated->predictors.count == 0)
    return decision;
  *asked = (struct penalty_asked){.decision = &evaluated->decision, .points = map->ranks_count * map->size_count};
  decision.decide = decide_asked;
  decision.data = asked;
  return decision;
}

/* Penalties of a decision that was read; without --worst no points are listed. */
static void compute_row(const struct penalty_options *chosen, const tutti_decision_map *map,
                        const tutti_decision *decision, struct penalty_row *row)
{
  tutti_status status = tutti_penalty_compute(map, decision, &row->penalty, &failure);
  if (status == TUTTI_ERR_ARGUMENT && row->penalty.points == 0 && chosen->names.count > 1) {
    row->penalty.min = row->penalty.max = row->penalty.mean = row->penalty.median = NAN;
    row->penalty.within_5 = row->penalty.within_10 = NAN;
    return; /* its row says so; the other decisions are evaluated too */
  }
  must(status);
  int most = row->penalty.points < chosen->worst ? row->penalty.points : chosen->worst;
  if (most == 0)
    return;
  row->worst = tutti_xcalloc((size_t)most, sizeof *row->worst);
  row->worst_count = tutti_penalty_worst(map, decision, row->worst, most);
}

static void store_row(const struct penalty_options *chosen, const char *name, const tutti_decision *decision,
                      const struct measured_map *measured, const tutti_penalty *penalty)
{
  const struct stored_penalty stored = {.name = chosen->store_as ? chosen->store_as : name,
                                        .decision = decision,
                                        .map = &measured->map,
                                        .basis = measured->basis_name,
                                        .environment = measured->environment,
                                        .root = measured->root,
                                        .ranks_per_node = measured->ranks_per_node,
                                        .penalty = *penalty};
  penalty_store(&chosen->selection, &stored);
}

static void evaluate(const struct penalty_options *chosen, struct penalty_decisions *decisions, size_t index,
                     struct measured_map *measured, struct penalty_row *row)
{
  const struct penalty_decision *evaluated = &decisions->items[index];
  struct penalty_asked asked;
  penalty_judge(chosen, decisions, index, measured);
  const tutti_decision decision = penalty_ask(evaluated, &measured->map, &asked);
  compute_row(chosen, &measured->map, &decision, row);
  patience_at(NULL, 1);
  if (chosen->store)
    store_row(chosen, evaluated->name, &evaluated->decision, measured, &row->penalty);
  row->name = evaluated->name;
  row->collective = evaluated->decision.collective;
  row->scheme = measured->basis_name;
  row->candidates = measured->map.candidates;
  row->compared = comparisons_note(&chosen->selection, measured);
}

static void evaluate_all(const struct penalty_options *chosen, struct penalty_row *rows)
{
  struct measured_map measured = {0};
  struct penalty_decisions decisions = {0};
  for (size_t i = 0; i < chosen->names.count; i++)
    penalty_add_decision(chosen, chosen->names.items[i], &decisions, &measured);
  for (size_t i = 0; i < chosen->names.count; i++)
    evaluate(chosen, &decisions, i, &measured, &rows[i]);
  penalty_decisions_free(&decisions);
  tutti_decision_map_free(&measured.map);
}

static const tutti_column facts[] = {{NULL, "platform", TUTTI_FIELD(struct penalty_options, selection.platform)}};

static void print_penalties(const struct penalty_options *chosen, const struct penalty_row *rows)
{
  const tutti_table table = penalty_table(rows, (int)chosen->names.count);
  const tutti_document document = {TUTTI_FACTS(facts, chosen), .tables = &table, .table_count = 1};
  if (chosen->format == TUTTI_FORMAT_TEXT)
    penalty_table_print(rows, (int)chosen->names.count, chosen->selection.platform, chosen->worst > 0);
  else
    must(tutti_document_print(&document, chosen->format, stdout, &failure));
}

static void show_penalties(const struct penalty_options *chosen)
{
  struct penalty_row *rows = tutti_xcalloc(chosen->names.count, sizeof *rows);
  evaluate_all(chosen, rows);
  print_penalties(chosen, rows);
  if (chosen->store && chosen->format == TUTTI_FORMAT_TEXT)
    penalty_print_stored(chosen->store_as, chosen->store_as ? NULL : &chosen->names, chosen->names.count,
                         chosen->selection.database);
  for (int i = 0; i < (int)chosen->names.count; i++) {
    free(rows[i].worst);
    free(rows[i].compared);
  }
  free(rows);
}

static int run_penalty(void *values)
{
  const struct penalty_options *chosen = values;
  if (chosen->against)
    penalty_show_against(chosen);
  else
    show_penalties(chosen);
  return EXIT_DONE;
}

DEFINE_COMMAND(penalty, "penalty", options, struct penalty_options, run_penalty);
