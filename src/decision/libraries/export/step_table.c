/* Step tables: looking up, joining, and as decisions. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/export.h"

tutti_range tutti_range_of_map(const tutti_decision_map *map)
{
  int min = map->ranks[0] < 2 ? 2 : map->ranks[0], max = map->ranks[map->ranks_count - 1];
  return (tutti_range){.min_ranks = min,
                       .max_ranks = max < min ? min : max,
                       .min_bytes = map->sizes[0],
                       .max_bytes = map->sizes[map->size_count - 1],
                       .ranks_per_node = map->ranks_per_node,
                       .reproducible = map->candidates.reproducible,
                       .map = map};
}

tutti_range tutti_range_without_map(int max_ranks)
{
  return (tutti_range){.min_ranks = 2, .max_ranks = max_ranks, .max_bytes = UINT64_MAX, .extend = true};
}

void tutti_step_table_free(tutti_step_table *table)
{
  for (int i = 0; i < table->row_count; i++)
    free(table->rows[i].steps);
  free(table->rows);
  free(table->methods);
  free(table->order);
  memset(table, 0, sizeof *table);
}

tutti_step_table tutti_step_table_copy(const tutti_step_table *table)
{
  tutti_step_table copy = *table;
  copy.ordered = 0;
  copy.order = NULL;
  copy.rows = tutti_xmemdup(table->rows, (size_t)table->row_count * sizeof *copy.rows);
  for (int i = 0; i < copy.row_count; i++)
    copy.rows[i].steps = tutti_xmemdup(table->rows[i].steps, (size_t)table->rows[i].count * sizeof(tutti_step));
  copy.methods = tutti_xcalloc((size_t)table->method_count, sizeof *copy.methods);
  if (table->method_count > 0)
    memcpy(copy.methods, table->methods, (size_t)table->method_count * sizeof *copy.methods);
  return copy;
}

void tutti_step_row_join(tutti_step_row *row)
{
  int kept = 1;
  for (int i = 1; i < row->count; i++)
    if (row->steps[i].method != row->steps[kept - 1].method)
      row->steps[kept++] = row->steps[i];
  row->count = kept;
}

bool tutti_step_table_answers(const tutti_step_table *table)
{
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++)
      if (table->rows[i].steps[j].method >= 0)
        return true;
  return false;
}

/* Where a method is, or belongs, in the order of the methods. */
static int place_of(const tutti_step_table *table, const tutti_method *method, bool *found)
{
  int low = 0, high = table->ordered;
  *found = false;
  while (low < high && !*found) {
    int middle = low + (high - low) / 2, order = tutti_method_compare(method, &table->methods[table->order[middle]]);
    *found = order == 0;
    low = order > 0 ? middle + 1 : order < 0 ? low : middle;
    high = order < 0 ? middle : high;
  }
  return low;
}

static void insert(tutti_step_table *table, int place, int index)
{
  memmove(&table->order[place + 1], &table->order[place], (size_t)(table->ordered++ - place) * sizeof *table->order);
  table->order[place] = index;
}

/* Room for one more method, in whose order all are afterwards. */
static void reserve(tutti_step_table *table)
{
  const size_t room = (size_t)table->method_count + 1;
  bool found;
  table->methods = tutti_xrealloc(table->methods, room * sizeof *table->methods);
  table->order = tutti_xrealloc(table->order, room * sizeof *table->order);
  while (table->ordered < table->method_count)
    insert(table, place_of(table, &table->methods[table->ordered], &found), table->ordered);
}

int tutti_step_table_method(tutti_step_table *table, const tutti_method *method)
{
  bool found;
  if (table->ordered < table->method_count)
    reserve(table);
  int place = place_of(table, method, &found);
  if (found)
    return table->order[place];
  reserve(table);
  table->methods[table->method_count] = *method;
  insert(table, place, table->method_count);
  return table->method_count++;
}

static const tutti_step_row *find_row(const tutti_step_table *table, int ranks)
{
  int low = 0, high = table->row_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (table->rows[middle].ranks <= ranks)
      low = middle;
    else
      high = middle;
  }
  return &table->rows[low];
}

int tutti_step_table_find(const tutti_step_table *table, int ranks, uint64_t bytes)
{
  const tutti_step_row *row = find_row(table, ranks);
  int low = 0, high = row->count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (row->steps[middle].bytes <= bytes)
      low = middle;
    else
      high = middle;
  }
  return row->steps[low].method;
}

static bool equal_rows(const tutti_step_row *left, const tutti_step_row *right)
{
  if (left->count != right->count)
    return false;
  for (int i = 0; i < left->count; i++)
    if (left->steps[i].bytes != right->steps[i].bytes || left->steps[i].method != right->steps[i].method)
      return false;
  return true;
}

void tutti_step_table_merge(tutti_step_table *table)
{
  int kept = 0;
  for (int i = 0; i < table->row_count; i++)
    if (kept > 0 && equal_rows(&table->rows[kept - 1], &table->rows[i]))
      free(table->rows[i].steps);
    else
      table->rows[kept++] = table->rows[i];
  table->row_count = kept;
}

static bool decide_by_steps(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_step_table *table = decision->data;
  if (question->collective != table->collective)
    return false;
  int index = tutti_step_table_find(table, question->ranks, question->rank_bytes);
  if (index >= 0)
    *method = table->methods[index];
  return index >= 0;
}

tutti_decision tutti_step_table_decision(const tutti_step_table *table)
{
  void *data = (void *)table; /* only read, and not freed with the decision */
  return (tutti_decision){.name = tutti_xstrdup("table of steps"),
                          .collective = table->collective,
                          .decide = decide_by_steps,
                          .data = data};
}
