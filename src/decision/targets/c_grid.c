/* Step tables with few changes as C: how many bounds the size and the length have passed are sums of comparisons, which
   look a choice up. Nothing is jumped over, so that nothing is mispredicted: for questions that follow no pattern,
   nested ifs cost a misprediction or two, 5 to 10 ns. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "decision/targets/c_source.h"

enum { MOST_BOUNDS = 24 };

/* Where anything changes. */
struct bounds {
  int count;
  uint64_t bytes[MOST_BOUNDS];
};

/* Keep them ascending. False: there is no room. */
static bool add_bound(struct bounds *bounds, uint64_t bytes)
{
  int place = bounds->count;
  while (place > 0 && bounds->bytes[place - 1] >= bytes)
    if (bounds->bytes[--place] == bytes)
      return true;
  if (bounds->count == MOST_BOUNDS)
    return false;
  for (int i = bounds->count++; i > place; i--)
    bounds->bytes[i] = bounds->bytes[i - 1];
  bounds->bytes[place] = bytes;
  return true;
}

static bool find_bounds(const tutti_step_table *table, struct bounds *bounds)
{
  bounds->count = 0;
  if (table->row_count - 1 > MOST_BOUNDS || table->method_count >= SCHAR_MAX)
    return false;
  for (int i = 0; i < table->row_count; i++)
    for (int j = 1; j < table->rows[i].count; j++)
      if (!add_bound(bounds, table->rows[i].steps[j].bytes))
        return false;
  return table->row_count - 1 + bounds->count <= MOST_BOUNDS;
}

bool c_grid_fits(const tutti_step_table *table)
{
  struct bounds bounds;
  return find_bounds(table, &bounds);
}

static int choice_at(struct c_source *source, const tutti_step_table *table, int row, uint64_t bytes)
{
  int method = tutti_step_table_find(table, table->rows[row].ranks, bytes);
  return method < 0 ? -1 : c_index(source, &table->methods[method]);
}

static void print_choices(struct c_source *source, const tutti_step_table *table, const struct bounds *bounds)
{
  FILE *stream = source->stream;
  fprintf(stream, "  static const signed char choices[%d][%d] = {\n", table->row_count, bounds->count + 1);
  for (int row = 0; row < table->row_count; row++) {
    fprintf(stream, "    {");
    for (int i = 0; i <= bounds->count; i++)
      fprintf(stream, "%s%d", i ? ", " : "", choice_at(source, table, row, i ? bounds->bytes[i - 1] : 0));
    fprintf(stream, "},\n");
  }
  fprintf(stream, "  };\n");
}

void c_grid(struct c_source *source, const tutti_step_table *table)
{
  FILE *stream = source->stream;
  struct bounds bounds;
  (void)find_bounds(table, &bounds);
  print_choices(source, table, &bounds);
  fprintf(stream, "  const int row = 0");
  for (int i = 1; i < table->row_count; i++)
    fprintf(stream, " + (" C_RANKS " >= %d)", table->rows[i].ranks);
  fprintf(stream, ";\n  const int column = 0");
  for (int i = 0; i < bounds.count; i++)
    fprintf(stream, " + (" C_BYTES " >= %" PRIu64 "ULL)", bounds.bytes[i]);
  fprintf(stream, ";\n  return choices[row][column];\n");
}
