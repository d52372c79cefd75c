/* tutti export: from decisions to what the target supports. */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/export/export.h"
#include "cli/options/decision_argument.h"

static tutti_range range_of(const struct export_options *options, const tutti_decision_map *map)
{
  tutti_range range = map ? tutti_range_of_map(map) : tutti_range_without_map(TUTTI_EVERY_RANKS);
  if (options->max_ranks) {
    range.min_ranks = options->min_ranks;
    range.max_ranks = options->max_ranks;
    range.extend = false;
  }
  range.extend = range.extend || options->extend;
  return range;
}

/* Is there an answer at all? Every size is asked about only where there is. */
static bool answers(const tutti_decision *decision, tutti_collective collective, int max_ranks)
{
  const tutti_rule *rule;
  tutti_question question = {.collective = collective};
  tutti_method method;
  for (uint64_t p = 2; p <= (uint64_t)max_ranks; p += p < 64 ? 1 : p / 8)
    for (int bit = 0; bit < 64; bit++) {
      question.ranks = (int)p;
      question.rank_bytes = (UINT64_C(1) << bit) - (bit < 32);
      if (decision->decide(decision, &question, &method))
        return true;
    }
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    question.ranks = rule->ranks[0] < 2 ? 2 : (int)rule->ranks[0];
    question.rank_bytes = rule->bytes[0];
    if (decision->decide(decision, &question, &method))
      return true;
  }
  return false;
}

static tutti_status read_map(const struct export_options *options, tutti_collective collective, tutti_decision_map *map,
                             tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_status status = selection_read_map(&options->selection, collective, &measured, error);
  *map = measured.map;
  return status;
}

static tutti_status export_collective(const struct export_options *options, const tutti_decision *decision,
                                      tutti_collective collective, struct exported *exported, tutti_error *error)
{
  tutti_decision_map *map = &exported->maps[collective];
  bool measured = *options->selection.platform;
  for (int i = 0; i < exported->part_count; i++)
    if (exported->parts[i].table.collective == collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s and %s both decide on %s: say which with --collective, or leave "
                        "one out",
                        exported->parts[i].decision->name, decision->name, tutti_collective_name(collective));
  tutti_status status = measured ? read_map(options, collective, map, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  tutti_range range = range_of(options, measured ? map : NULL);
  status = tutti_export_part_create(options->target, decision, collective, &range,
                                    &exported->parts[exported->part_count], error);
  exported->part_count += status == TUTTI_OK;
  return status;
}

static tutti_status export_decision(const struct export_options *options, const tutti_decision *decision,
                                    struct exported *exported, tutti_error *error)
{
  int max = options->max_ranks ? options->max_ranks : INT_MAX, before = exported->part_count;
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if ((!options->one || options->collective == (tutti_collective)c) && answers(decision, (tutti_collective)c, max))
      status = export_collective(options, decision, (tutti_collective)c, exported, error);
  if (status == TUTTI_OK && exported->part_count == before)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for what is to be written", decision->name);
  return status;
}

tutti_status export_all(const struct export_options *options, struct exported *exported, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const char *collective = options->one ? tutti_collective_name(options->collective) : NULL;
  exported->decisions = tutti_xcalloc(options->names.count, sizeof *exported->decisions);
  for (size_t i = 0; i < options->names.count && status == TUTTI_OK; i++) {
    status = decision_argument_read(options->names.items[i], collective, &exported->decisions[i], error);
    if (status == TUTTI_OK)
      status = export_decision(options, &exported->decisions[i], exported, error);
  }
  return status;
}

void exported_free(struct exported *exported, size_t names)
{
  for (int i = 0; i < exported->part_count; i++)
    tutti_export_part_free(&exported->parts[i]);
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    tutti_decision_map_free(&exported->maps[i]);
  for (size_t i = 0; exported->decisions && i < names; i++)
    tutti_decision_free(&exported->decisions[i]);
  free(exported->decisions);
}
