/* tutti export: decisions as files that MPI libraries and others read. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/decision_argument.h"
#include "cli/export/export.h"
#include "cli/output/output_file.h"
#include "cli/export/report_export.h"

struct exported {
  tutti_decision *decisions; /* [count of names] */
  int part_count;
  tutti_export_part parts[TUTTI_COLL_COUNT];
  tutti_decision_map maps[TUTTI_COLL_COUNT];
};

static tutti_range range_of(const struct export_options *chosen, const tutti_decision_map *map)
{
  tutti_range range = map ? tutti_range_of_map(map) : tutti_range_without_map(TUTTI_EVERY_RANKS);
  if (chosen->most_ranks) {
    range.least_ranks = chosen->least_ranks;
    range.most_ranks = chosen->most_ranks;
    range.extend = false;
  }
  range.extend = range.extend || chosen->extend;
  return range;
}

/* Is there an answer at all? Every size is asked about only where there is. */
static bool answers(const tutti_decision *decision, tutti_collective collective, int most_ranks)
{
  const tutti_rule *rule;
  tutti_question question = {.collective = collective};
  tutti_method method;
  for (uint64_t p = 2; p <= (uint64_t)most_ranks; p += p < 64 ? 1 : p / 8)
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

static tutti_status read_map(const struct export_options *chosen, tutti_collective collective, tutti_decision_map *map,
                             tutti_error *error)
{
  struct measured_map measured = {0};
  tutti_status status = selection_read_map(&chosen->selection, collective, &measured, error);
  *map = measured.map;
  return status;
}

static tutti_status take(const struct export_options *chosen, const tutti_decision *decision,
                         tutti_collective collective, struct exported *exported, tutti_error *error)
{
  tutti_decision_map *map = &exported->maps[collective];
  bool measured = *chosen->selection.platform;
  for (int i = 0; i < exported->part_count; i++)
    if (exported->parts[i].table.collective == collective)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s and %s both decide on %s: say which with --collective, or leave "
                        "one out",
                        exported->parts[i].decision->name, decision->name, tutti_collective_name(collective));
  tutti_status status = measured ? read_map(chosen, collective, map, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  tutti_range range = range_of(chosen, measured ? map : NULL);
  status =
      tutti_export_part_create(chosen->target, decision, collective, &range, &exported->parts[exported->part_count], error);
  exported->part_count += status == TUTTI_OK;
  return status;
}

static tutti_status take_decision(const struct export_options *chosen, const tutti_decision *decision,
                                  struct exported *exported, tutti_error *error)
{
  int most = chosen->most_ranks ? chosen->most_ranks : INT_MAX, before = exported->part_count;
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if ((chosen->collective < 0 || chosen->collective == c) && answers(decision, (tutti_collective)c, most))
      status = take(chosen, decision, (tutti_collective)c, exported, error);
  if (status == TUTTI_OK && exported->part_count == before)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for what is to be written", decision->name);
  return status;
}

static tutti_status take_all(const struct export_options *chosen, struct exported *exported, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const char *collective = chosen->collective < 0 ? NULL : tutti_collective_name((tutti_collective)chosen->collective);
  exported->decisions = calloc((size_t)chosen->count, sizeof *exported->decisions);
  if (!exported->decisions)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d decisions", chosen->count);
  for (int i = 0; i < chosen->count && status == TUTTI_OK; i++) {
    status = decision_argument_read(chosen->names[i], collective, &exported->decisions[i], error);
    if (status == TUTTI_OK)
      status = take_decision(chosen, &exported->decisions[i], exported, error);
  }
  return status;
}

static void exported_free(struct exported *exported, int count)
{
  for (int i = 0; i < exported->part_count; i++)
    tutti_export_part_free(&exported->parts[i]);
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    tutti_decision_map_free(&exported->maps[i]);
  for (int i = 0; exported->decisions && i < count; i++)
    tutti_decision_free(&exported->decisions[i]);
  free(exported->decisions);
}

static tutti_status write_file(const struct export_options *chosen, const struct exported *exported, tutti_error *error)
{
  struct output_file output;
  char *comment = report_export_comment(exported->parts, exported->part_count);
  tutti_status status = output_file_begin(chosen->path, &output, error);
  if (status == TUTTI_OK) {
    status = chosen->target->write(exported->parts, exported->part_count, comment, output.stream, error);
    status = output_file_end(&output, status, error);
  }
  if (status == TUTTI_OK)
    report_export_print(chosen->target, comment, chosen->path);
  free(comment);
  return status;
}

static int export_main(int argc, char **argv)
{
  struct export_options chosen = {.selection = selection_defaults(), .collective = -1};
  struct exported exported = {0};
  tutti_error error;
  chosen.selection.optional = true;
  parse_options(&export_argp, argc, argv, &chosen);
  tutti_status status = take_all(&chosen, &exported, &error);
  if (status == TUTTI_OK)
    status = write_file(&chosen, &exported, &error);
  exported_free(&exported, chosen.count);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_export = {
    .name = "export",
    .summary = "write decisions as files that MPI libraries and others read",
    .main = export_main,
};
