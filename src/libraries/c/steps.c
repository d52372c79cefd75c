/* Step tables as C: comparisons that halve what is left. */
#include <inttypes.h>
#include <stdlib.h>

#include "libraries/c/c_source.h"

int tutti_c_index(struct c_source *source, const tutti_method *method)
{
  for (int i = 0; i < source->count; i++)
    if (tutti_method_compare(&source->methods[i], method) == 0)
      return i;
  tutti_method *grown = reallocarray(source->methods, (size_t)source->count + 1, sizeof *grown);
  source->failed = source->failed || !grown;
  if (!grown)
    return 0;
  source->methods = grown;
  grown[source->count] = *method;
  return source->count++;
}

void tutti_c_return(struct c_source *source, const tutti_method *method, int depth)
{
  fprintf(source->stream, "%*sreturn %d;\n", 2 * depth, "", method ? tutti_c_index(source, method) : -1);
}

/* What is printed of a table. */
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
