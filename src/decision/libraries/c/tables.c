/* Step tables as C: comparisons that halve what is left, or a look-up in a table. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "decision/libraries/c/c_source.h"

/* Index of a method in the table. */
static int index_of(struct c_source *source, const tutti_method *method)
{
  return tutti_step_table_method(&source->table, method);
}

void tutti_c_return(struct c_source *source, const tutti_method *method, int depth)
{
  fprintf(source->stream, "%*sreturn %d;\n", 2 * depth, "", method ? index_of(source, method) : -1);
}

/* State of printing a table. */
struct printing {
  struct c_source *source;
  const tutti_step_table *table;
  const uint64_t *bytes;
};

static void print_steps(const struct printing *printing, const tutti_step_row *row, int low, int high, int depth)
{
  FILE *stream = printing->source->stream;
  if (high - low == 1) {
    int method = row->steps[low].method;
    tutti_c_return(printing->source, method < 0 ? NULL : &printing->table->methods[method], depth);
    return;
  }
  int middle = low + (high - low) / 2;
  fprintf(stream, "%*sif (" C_BYTES " < %" PRIu64 "ULL) {\n", 2 * depth, "", row->steps[middle].bytes);
  print_steps(printing, row, low, middle, depth + 1);
  fprintf(stream, "%*s}\n", 2 * depth, "");
  print_steps(printing, row, middle, high, depth);
}

/* The row at one size. */
static void print_row(const struct printing *printing, const tutti_step_row *row, int depth)
{
  int low = 0, high = row->count;
  if (printing->bytes) {
    while (low + 1 < row->count && row->steps[low + 1].bytes <= *printing->bytes)
      low++;
    high = low + 1;
  }
  print_steps(printing, row, low, high, depth);
}

static void print_rows(const struct printing *printing, int low, int high, int depth)
{
  FILE *stream = printing->source->stream;
  if (high - low == 1) {
    print_row(printing, &printing->table->rows[low], depth);
    return;
  }
  int middle = low + (high - low) / 2;
  fprintf(stream, "%*sif (" C_RANKS " < %d) {\n", 2 * depth, "", printing->table->rows[middle].ranks);
  print_rows(printing, low, middle, depth + 1);
  fprintf(stream, "%*s}\n", 2 * depth, "");
  print_rows(printing, middle, high, depth);
}

void tutti_c_steps(struct c_source *source, const tutti_step_table *table, const uint64_t *bytes)
{
  struct printing printing = {source, table, bytes};
  print_rows(&printing, 0, table->row_count, bytes ? 2 : 1);
}

/* ---- look-ups ---- */

/* The position of the size and the length among the bounds is a sum of comparisons, and a table has the choice. Without
   jumps nothing is mispredicted: with questions in no pattern, nested ifs are, at one level or more. With many bounds
   one sum finds a block of them, another one the place in it: some 2 sqrt(n) comparisons, those of a sum at once.
   Halving needs fewer, but one after the other. docs/explanation/decision-time.md has figures. */

enum { MAX_BOUNDS = 127, FEW_BOUNDS = 4 };

/* The values on an axis where any answer changes; ascending. */
struct bounds {
  int count;
  uint64_t values[MAX_BOUNDS];
};

/* Insert in ascending order. False: no space. */
static bool add_bound(struct bounds *bounds, uint64_t value)
{
  int place = bounds->count;
  while (place > 0 && bounds->values[place - 1] >= value)
    if (bounds->values[--place] == value)
      return true;
  if (bounds->count == MAX_BOUNDS)
    return false;
  for (int i = bounds->count++; i > place; i--)
    bounds->values[i] = bounds->values[i - 1];
  bounds->values[place] = value;
  return true;
}

static bool find_lengths(const tutti_step_table *table, struct bounds *bounds)
{
  bounds->count = 0;
  for (int i = 0; i < table->row_count; i++)
    for (int j = 1; j < table->rows[i].count; j++)
      if (!add_bound(bounds, table->rows[i].steps[j].bytes))
        return false;
  return true;
}

bool tutti_c_grid_fits(const tutti_step_table *table)
{
  struct bounds lengths;
  return table->row_count - 1 <= MAX_BOUNDS && table->method_count < SCHAR_MAX && find_lengths(table, &lengths);
}

static int choice_at(struct c_source *source, const tutti_step_table *table, int row, uint64_t bytes)
{
  int method = tutti_step_table_find(table, table->rows[row].ranks, bytes);
  return method < 0 ? -1 : index_of(source, &table->methods[method]);
}

static void print_choices(struct c_source *source, const tutti_step_table *table, const struct bounds *lengths)
{
  FILE *stream = source->stream;
  fprintf(stream, "  static const signed char choices[%d][%d] = {\n", table->row_count, lengths->count + 1);
  for (int row = 0; row < table->row_count; row++) {
    fprintf(stream, "    {");
    for (int i = 0; i <= lengths->count; i++)
      fprintf(stream, "%s%d", i ? ", " : "", choice_at(source, table, row, i ? lengths->values[i - 1] : 0));
    fprintf(stream, "},\n");
  }
  fprintf(stream, "  };\n");
}

/* An axis in C. */
struct axis {
  const char *value, *type, *suffix; /* the expression, its type, suffix of its constants */
  const char *place, *block, *table; /* names for the result, for part of it, and for bounds */
  uint64_t max;                      /* of the type */
};

static const struct axis rank_axis = {C_RANKS, "int", "", "row", "rows", "sizes", INT_MAX};
static const struct axis length_axis = {C_BYTES,   "unsigned long long", "ULL", "column", "columns", "lengths",
                                        UINT64_MAX};

/* The largest value before a bound: greater ones have passed it. After all bounds the largest value of the type. */
static uint64_t last_before(const struct axis *axis, const struct bounds *bounds, int index)
{
  return index < bounds->count ? bounds->values[index] - 1 : axis->max;
}

/* How many of each step-th bound have been passed. */
static void print_sum(const struct axis *axis, const struct bounds *bounds, int step, FILE *stream)
{
  fprintf(stream, "0U");
  for (int i = step - 1; i < bounds->count; i += step)
    fprintf(stream, " + (%s > %" PRIu64 "%s)", axis->value, last_before(axis, bounds, i), axis->suffix);
}

/* Bounds of each block, without the one that ends it. */
static void print_blocks(const struct axis *axis, const struct bounds *bounds, int step, FILE *stream)
{
  int blocks = bounds->count / step + 1;
  fprintf(stream, "  static const %s %s[%d][%d] = {", axis->type, axis->table, blocks, step - 1);
  for (int block = 0; block < blocks; block++) {
    fprintf(stream, "\n    {");
    for (int i = 0; i < step - 1; i++)
      fprintf(stream, "%s%" PRIu64 "%s", i ? ", " : "", last_before(axis, bounds, block * step + i), axis->suffix);
    fprintf(stream, "},");
  }
  fprintf(stream, "\n  };\n");
}

/* The block first, then the place in it. */
static void print_search(const struct axis *axis, const struct bounds *bounds, FILE *stream)
{
  int step = 2;
  while (step * step <= bounds->count)
    step++;
  print_blocks(axis, bounds, step, stream);
  fprintf(stream, "  const unsigned %s = ", axis->block);
  print_sum(axis, bounds, step, stream);
  fprintf(stream, ";\n  const unsigned %s = %dU * %s", axis->place, step, axis->block);
  for (int i = 0; i < step - 1; i++)
    fprintf(stream, " + (%s > %s[%s][%d])", axis->value, axis->table, axis->block, i);
  fprintf(stream, ";\n");
}

static void print_place(const struct axis *axis, const struct bounds *bounds, FILE *stream)
{
  if (bounds->count > FEW_BOUNDS) {
    print_search(axis, bounds, stream);
    return;
  }
  fprintf(stream, "  const unsigned %s = ", axis->place);
  print_sum(axis, bounds, 1, stream);
  fprintf(stream, ";\n");
}

void tutti_c_grid(struct c_source *source, const tutti_step_table *table)
{
  struct bounds bounds;
  (void)find_lengths(table, &bounds);
  print_choices(source, table, &bounds);
  print_place(&length_axis, &bounds, source->stream);
  bounds.count = table->row_count - 1;
  for (int i = 0; i < bounds.count; i++)
    bounds.values[i] = (uint64_t)table->rows[i + 1].ranks;
  print_place(&rank_axis, &bounds, source->stream);
  fprintf(source->stream, "  return choices[row][column];\n");
}
