/* What tutti synthesize prints. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/synthesize/synthesize.h"
#include "tutti/analysis.h"

struct facts {
  tutti_collective collective;
  const char *platform, *file, *schedule;
  int ranks, root;
  uint64_t size, simulated;
  bool verified, improved;
  double seconds, best, speedup, found, bound, gap, best_gap; /* gaps in percent; NaN: there is none */
  const char *bound_by;
  size_t broken;
};

static const tutti_column fact_columns[] = {
    {NULL, "collective", TUTTI_FIELD(struct facts, collective), .get = cell_collective},
    {NULL, "platform", TUTTI_FIELD(struct facts, platform)},
    {NULL, "ranks", TUTTI_FIELD(struct facts, ranks)},
    {NULL, "root", TUTTI_FIELD(struct facts, root)},
    {NULL, "size_B", TUTTI_FIELD(struct facts, size)},
    {NULL, "broken_links", TUTTI_FIELD(struct facts, broken)},
    {NULL, "file", TUTTI_FIELD(struct facts, file)},
    {NULL, "verified", TUTTI_FIELD(struct facts, verified)},
    {NULL, "faster_found", TUTTI_FIELD(struct facts, improved)},
    {NULL, "text", TUTTI_FIELD(struct facts, schedule)},
    {NULL, "time_s", TUTTI_FIELD(struct facts, seconds)},
    {NULL, "best_s", TUTTI_FIELD(struct facts, best)},
    {NULL, "speedup", TUTTI_FIELD(struct facts, speedup)},
    {NULL, "found_s", TUTTI_FIELD(struct facts, found)},
    {NULL, "bound_s", TUTTI_FIELD(struct facts, bound)},
    {NULL, "bound_by", TUTTI_FIELD(struct facts, bound_by)},
    {NULL, "gap_percent", TUTTI_FIELD(struct facts, gap)},
    {NULL, "best_gap_percent", TUTTI_FIELD(struct facts, best_gap)},
    {NULL, "simulated", TUTTI_FIELD(struct facts, simulated)},
};

static const tutti_column columns[] = {
    {"method", "method", .at = offsetof(struct found_method, method), .get = cell_method},
    {"messages", "messages", TUTTI_FIELD(struct found_method, messages), .digits = 17},
    {"time", "time_s", CELL_MICROSECONDS(struct found_method, seconds)},
};

/* Of the file and of the best method, beside what no method can do. */
static void print_bound(const struct subject *subject, const struct facts *facts)
{
  const double gap = tutti_search_gap(&subject->result, fmin(facts->seconds, facts->best)); /* best: NaN for none */
  if (isnan(gap))
    print_sentence(0, "No lower bound is known.");
  else if (gap <= SEARCH_OPTIMAL)
    print_sentence(0, "No method can be faster by more than %.0f %%: every one takes %.3f us (%s).", SEARCH_OPTIMAL,
                   1e6 * facts->bound, facts->bound_by);
  else
    print_sentence(0, "No method can be faster than %.3f us (%s); %s is %.1f %% above.", 1e6 * facts->bound,
                   facts->bound_by,
                   facts->seconds <= facts->best || isnan(facts->best) ? facts->file : "the best method", gap);
}

/* Or one that takes as long. */
static bool is_best(const struct search_result *result, const struct written *written)
{
  return !written->found && tutti_compare_methods(&written->of, &result->catalogue.items[result->best].method) == 0;
}

static void print_verdict(const struct subject *subject, const struct written *written, const struct facts *facts)
{
  const struct search_result *result = &subject->result;
  const double best = facts->best;
  if (!facts->improved && !isnan(facts->found))
    print_sentence(0, "The fastest schedule that was found takes %.3f us, the best method %.3f us: %s.",
                   1e6 * facts->found, 1e6 * best,
                   tutti_search_words(facts->collective, &result->variant, (char[SEARCH_WORDS]){0}));
  if (!facts->improved && is_best(result, written))
    print_sentence(0, "Nothing better than the best method was found; %s is its schedule%s.", written->path,
                   written->seconds > 1.001 * best
                       ? ", which is slower, as files of MSCCL do not have all of a method: run the method itself"
                       : "");
  else if (!facts->improved)
    print_sentence(0,
                   "Nothing better than the best method was found. Files of MSCCL do not have all of a method, so run "
                   "that itself: "
                   "%s is the schedule %s%s, and takes %.3f us.",
                   written->path, written->found ? "" : "of ", written->found ? "that was found" : facts->schedule,
                   1e6 * written->seconds);
  else if (result->best < 0)
    print_sentence(0, "No method of the catalogue %s; %s takes %.3f us: %s.",
                   facts->broken > 0 ? "does without the broken links" : "was timed", written->path,
                   1e6 * written->seconds, facts->schedule);
  else
    print_sentence(0, "%s takes %.3f us, the best method %.3f us, %.2f times as long: %s.", written->path,
                   1e6 * written->seconds, 1e6 * best, facts->speedup, facts->schedule);
  print_bound(subject, facts);
  if (!written->limited)
    print_sentence(0, "The file is beyond the limits of the readers of MSCCL for GPUs; Tutti reads it.");
}

static void print_counts(const struct subject *subject)
{
  const struct search_result *r = &subject->result;
  tutti_say(stdout, "%zu schedules were matched and %zu simulated, with %zu methods; %zu step%s of improvement\n",
            r->matched, r->simulated - r->catalogue.count, r->catalogue.count, r->improved, tutti_plural(r->improved));
  if (r->unable + r->apart + r->large + r->unserved > 0)
    tutti_say(stdout,
              "methods left out: %zu outside their domain, %zu whose ranks may round differently, %zu that send over "
              "broken links, %zu beyond the budget\n",
              r->unserved, r->apart, r->unable, r->large);
}

/* A cable is two links. */
static bool both_ways(const struct subject *subject)
{
  const struct engine_network *network = &subject->machine.network;
  const bool *broken = subject->broken.links;
  bool both = network->split_duplex && !network->zones;
  for (uint32_t i = 0; both && i + 1 < network->link_count; i += 2)
    both = broken[i] == broken[i + 1];
  return both;
}

static void print_text(const struct subject *subject, const struct written *written, const struct facts *facts,
                       const tutti_table *table)
{
  char size[24];
  const bool blocks = tutti_collective_traits(facts->collective) & TUTTI_HAS_BLOCKS;
  tutti_say(stdout, "%s on %d ranks of %s, %s%s", tutti_collective_name(facts->collective), facts->ranks,
            facts->platform, blocks ? "blocks of " : "", tutti_size_format(facts->size, size));
  if (facts->broken > 0 && both_ways(subject))
    tutti_say(stdout, ", %zu cable%s broken, both ways", facts->broken / 2, tutti_plural(facts->broken / 2));
  else if (facts->broken > 0)
    tutti_say(stdout, ", %zu link%s broken", facts->broken, tutti_plural(facts->broken));
  printf("\n\n");
  must(tutti_table_print(table, stdout, &failure));
  printf("\n");
  print_counts(subject);
  print_verdict(subject, written, facts);
}

/* The words of the schedule in the file. */
static const char *words_of(const struct subject *subject, const struct written *written,
                            char words[TUTTI_METHOD_LENGTH])
{
  const struct search_result *result = &subject->result;
  if (written->found)
    return tutti_search_words(subject->chosen->collective, &result->variant, words);
  if (is_best(result, written))
    return "the best method";
  return tutti_method_format(&written->of, words);
}

/* What is written first, then the fastest methods. */
void synthesize_print(const struct subject *subject, const struct written *written)
{
  const struct search_result *result = &subject->result;
  const struct synthesize *chosen = subject->chosen;
  char words[TUTTI_METHOD_LENGTH];
  const double best = result->best >= 0 ? result->catalogue.items[result->best].seconds : NAN;
  const struct facts facts = {.collective = chosen->collective,
                              .platform = subject->platform.name,
                              .file = written->path,
                              .schedule = words_of(subject, written, words),
                              .ranks = (int)chosen->ranks,
                              .root = (int)chosen->root,
                              .size = chosen->size,
                              .simulated = result->simulated,
                              .verified = true,
                              .improved = written->found && !(written->seconds >= best),
                              .seconds = written->seconds,
                              .best = best,
                              .speedup = best / written->seconds,
                              .found = isinf(result->seconds) ? NAN : result->seconds,
                              .bound = result->bound.seconds > 0 ? result->bound.seconds : NAN,
                              .bound_by = result->bound.seconds > 0 ? tutti_term_name(result->bound.binding) : "",
                              .gap = tutti_search_gap(result, written->seconds),
                              .best_gap = tutti_search_gap(result, best),
                              .broken = subject->broken.count};
  tutti_table table = {.key = "methods", TUTTI_COLUMNS(columns), .row_size = sizeof(struct found_method)};
  tutti_total total;
  const tutti_call call = synthesize_call(subject);
  must(tutti_count_method(&written->method, &call, &total, &failure));
  must(tutti_table_add(&table, &(struct found_method){written->method, (double)total.sum.sends, written->seconds},
                       &failure));
  for (size_t i = 0; i < result->catalogue.count && i < (size_t)chosen->top; i++)
    if (!isnan(result->catalogue.items[i].seconds))
      must(tutti_table_add(&table, &result->catalogue.items[i], &failure));
  const tutti_document document = {TUTTI_FACTS(fact_columns, &facts), .tables = &table, .table_count = 1};
  if (chosen->format == TUTTI_FORMAT_TEXT)
    print_text(subject, written, &facts, &table);
  else
    must(tutti_document_print(&document, chosen->format, stdout, &failure));
  tutti_table_free(&table);
}
