/* Writing the rules of TUTTI_ADAPT=FILE. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "interpose/adapt/adapt.h"
#include "interpose/process.h"

/* ---- rows that belong together ---- */

static int compare_points(const struct adapted_row *left, const struct adapted_row *right)
{
  if (left->collective != right->collective)
    return THREE_WAY(left->collective, right->collective);
  return left->ranks != right->ranks ? left->ranks - right->ranks : left->size_class - right->size_class;
}

/* Points, and at one point what is decided before others. */
static int compare_decided(const struct adapted_row *left, const struct adapted_row *right)
{
  const int order = compare_points(left, right);
  return order ? order : right->decided - left->decided;
}

static int by_method(const void *left, const void *right)
{
  const struct adapted_row *a = left, *b = right;
  const int order = compare_decided(a, b);
  return order ? order : strcmp(a->method, b->method);
}

/* Decided classes first, then those with most calls. */
static int by_weight(const void *left, const void *right)
{
  const struct adapted_row *a = left, *b = right;
  const int order = compare_decided(a, b);
  if (order)
    return order;
  return a->calls != b->calls ? THREE_WAY(b->calls, a->calls) : strcmp(a->method, b->method);
}

static void add_calls(void *sum, const void *row)
{
  ((struct adapted_row *)sum)->calls += ((const struct adapted_row *)row)->calls;
}

void tutti_adapt_merge(struct adapted_rows *rows)
{
  rows->count = tutti_merge(rows->items, rows->count, sizeof *rows->items, by_method, add_calls);
}

/* ---- writing ---- */

static uint64_t first_size(int size_class)
{
  return size_class == 0 ? 0 : UINT64_C(1) << (size_class - 1);
}

static uint64_t last_size(int size_class)
{
  return size_class == 0 ? 0 : (UINT64_C(1) << (size_class - 1)) * 2 - 1;
}

/* A rule of the classes from @p first to that of `row`. */
static void print_rule(FILE *stream, const struct adapted_row *row, int first)
{
  fprintf(stream, "%s ranks=%d", row->method, row->ranks);
  if (row->collective != TUTTI_COLL_BARRIER)
    fprintf(stream, " bytes=%" PRIu64 "..%" PRIu64, first_size(first), last_size(row->size_class));
  fputc('\n', stream);
}

static bool goes_on(const struct adapted_row *row, const struct adapted_row *next)
{
  return next->decided && next->collective == row->collective && next->ranks == row->ranks &&
         next->size_class == row->size_class + 1 && strcmp(next->method, row->method) == 0;
}

/* One row a point: the first of each. Returns how many. */
static int keep_first(struct adapted_row *rows, int count)
{
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (kept == 0 || compare_points(&rows[kept - 1], &rows[i]) != 0)
      rows[kept++] = rows[i];
  return kept;
}

static void print_rules(FILE *stream, const struct adapted_row *rows, int count)
{
  int decided = 0, first = 0;
  for (int i = 0; i < count; i++)
    decided += rows[i].decided;
  fprintf(stream, "# found by TUTTI_ADAPT: decided for %d of %d classes of calls\n", decided, count);
  for (int i = 0; i < count; i++) {
    if (!rows[i].decided) {
      fprintf(stream, "# not decided after %" PRIu64 " call%s: ", rows[i].calls, tutti_plural(rows[i].calls));
      print_rule(stream, &rows[i], rows[i].size_class);
    } else {
      if (i == 0 || !rows[i - 1].decided || !goes_on(&rows[i - 1], &rows[i]))
        first = rows[i].size_class;
      if (i + 1 == count || !goes_on(&rows[i], &rows[i + 1]))
        print_rule(stream, &rows[i], first);
    }
  }
}

void tutti_adapt_write(const struct adapted_rows *rows, const char *path)
{
  struct adapted_rows all = {.items = NULL};
  int rank, count;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  all.items = tutti_gather_items(rows->items, (int)rows->count, sizeof *rows->items, &count);
  if (rank != 0)
    return;
  struct tutti_output output;
  tutti_error error;
  tutti_status status = all.items ? tutti_output_begin(path, &output, &error)
                                  : tutti_fail(&error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  if (status == TUTTI_OK) {
    all.count = (size_t)count;
    tutti_adapt_merge(&all);
    tutti_vector_sort(&all, by_weight);
    print_rules(output.stream, all.items, keep_first(all.items, (int)all.count));
    status = tutti_output_end(&output, TUTTI_OK, &error);
  }
  if (status != TUTTI_OK)
    tutti_say(stderr, "tutti: TUTTI_ADAPT: %s\n", error.message);
  free(all.items);
}
