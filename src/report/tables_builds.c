/* Builds of groups: builders side by side. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/pivot.h"

enum { NAME_LENGTH = 256 };

struct build_table {
  struct pivot pivot;
  bool by_ranks; /* else by fraction */
  double (*value)(const tutti_group_run *build);
};

static double time_of(const tutti_group_run *build)
{
  return build->repetitions > 0 ? build->median * 1e6 : NAN;
}

static double messages_of(const tutti_group_run *build)
{
  return (double)tutti_group_counted_messages(&build->counts);
}

static double share_of(const tutti_group_sample *sample)
{
  return sample->members >= 0 ? (double)sample->members / sample->size : sample->fraction;
}

/* What does not change along the rows and the columns. */
static void name_table(const tutti_group_run *build, bool by_ranks, char name[NAME_LENGTH])
{
  const tutti_group_point *point = &build->point;
  char sample[TUTTI_GROUP_SAMPLE_LENGTH], first[TUTTI_GROUP_SAMPLE_LENGTH + 24], colors[32] = "", nodes[48] = "";
  if (by_ranks)
    snprintf(first, sizeof first, "%s", tutti_group_sample_format(&point->sample, sample));
  else
    snprintf(first, sizeof first, "processes: %d", point->sample.size);
  if (point->sample.colors > 1)
    snprintf(colors, sizeof colors, ", groups: %d", point->sample.colors);
  if (point->node_ranks > 1)
    snprintf(nodes, sizeof nodes, ", in nodes of %d", point->node_ranks);
  snprintf(name, NAME_LENGTH, "%s, branching factor %d, seed %" PRIu64 "%s%s", first, point->branching,
           point->sample.seed, colors, nodes);
}

static bool add(struct build_table *table, const tutti_group_run *build)
{
  char name[NAME_LENGTH], row[TUTTI_GROUP_SAMPLE_LENGTH];
  const tutti_group_sample *sample = &build->point.sample;
  double value = table->value(build);
  if (isnan(value))
    return true;
  name_table(build, table->by_ranks, name);
  if (table->by_ranks || sample->members >= 0)
    snprintf(row, sizeof row, "%d", table->by_ranks ? sample->size : sample->members);
  else
    snprintf(row, sizeof row, "%g", sample->fraction);
  return tutti_pivot_add(&table->pivot, name, row, table->by_ranks ? sample->size : share_of(sample),
                         tutti_group_builder_name(build->point.builder), value);
}

/* Three numbers of processes or more, in whose order the builds come. */
static bool has_many_ranks(const tutti_group_run *builds, size_t count)
{
  int changes = 0;
  for (size_t i = 1; i < count; i++)
    changes += builds[i].point.sample.size != builds[i - 1].point.sample.size;
  return changes >= 2;
}

static tutti_status give(struct build_table *table, const tutti_group_run *builds, size_t count, take_pivot *take,
                         void *context, tutti_error *error)
{
  bool added = true;
  for (size_t i = 0; i < count && added; i++)
    added = add(table, &builds[i]);
  tutti_status status =
      added ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the groups of the report");
  if (status == TUTTI_OK && table->pivot.cell_count > 0)
    status = take(&table->pivot, context, error);
  tutti_pivot_free(&table->pivot);
  return status;
}

tutti_status tutti_report_tables_of_group_runs(const tutti_report *report, const tutti_store_entry *entry,
                                               take_pivot *take, void *context, tutti_error *error)
{
  struct build_table tables[] = {
      {{.quantity = "Time", .unit = "\u00b5s", .row = "fraction of members", .slug = "group-time"}, false, time_of},
      {{.quantity = "Messages", .unit = "", .row = "fraction of members", .slug = "group-messages"},
       false,
       messages_of},
      {{.quantity = "Time", .unit = "\u00b5s", .row = "processes", .slug = "group-time-ranks"}, true, time_of},
      {{.quantity = "Messages", .unit = "", .row = "processes", .slug = "group-messages-ranks"}, true, messages_of},
  };
  tutti_group_run *builds;
  size_t count;
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  tutti_status status = tutti_store_read_group_runs(report->store, &selection, &builds, &count, error);
  int used = status == TUTTI_OK && has_many_ranks(builds, count) ? 4 : 2;
  for (int i = 0; i < used && status == TUTTI_OK; i++) {
    tables[i].pivot.environment = entry->environment;
    tables[i].pivot.lower_is_better = true;
    status = give(&tables[i], builds, count, take, context, error);
  }
  free(builds);
  return status;
}
