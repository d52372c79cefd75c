/* The sizes that a program calls, as words for tutti compare: those that took longest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "interpose/record/usage.h"

enum { SIZES = 256, MAX_LINES = 8, MAX_SIZES = 8 };

/* ---- counting ---- */

static int compare_points(const struct usage_size *left, const struct usage_size *right)
{
  return left->collective != right->collective ? THREE_WAY(left->collective, right->collective)
                                               : left->ranks - right->ranks;
}

static bool is_same(const struct usage_size *left, const struct usage_size *right)
{
  return compare_points(left, right) == 0 && left->bytes == right->bytes;
}

static void add_size(void *into, const void *from)
{
  struct usage_size *sum = into;
  const struct usage_size *size = from;
  sum->calls += size->calls;
  sum->seconds += size->seconds;
}

void tutti_usage_add_size(struct usage *usage, const struct usage_size *call)
{
  uint64_t hash = (call->bytes * 31 + (uint64_t)call->ranks) * 31 + (uint64_t)call->collective;
  hash = hash * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  if (!usage->sizes)
    usage->sizes = calloc(SIZES, sizeof *usage->sizes);
  for (int i = 0; usage->sizes && i < SIZES; i++) {
    struct usage_size *entry = &usage->sizes[(hash + (uint64_t)i) % SIZES];
    if (entry->calls == 0)
      *entry = (struct usage_size){.collective = call->collective, .ranks = call->ranks, .bytes = call->bytes};
    else if (!is_same(entry, call))
      continue;
    add_size(entry, call);
    return;
  }
}

int tutti_usage_pack_sizes(struct usage *usage)
{
  int count = 0;
  for (int i = 0; usage->sizes && i < SIZES; i++)
    if (usage->sizes[i].calls > 0)
      usage->sizes[count++] = usage->sizes[i];
  return count;
}

/* ---- printing ---- */

static int by_point(const void *left, const void *right)
{
  const struct usage_size *a = left, *b = right;
  int order = compare_points(a, b);
  return order ? order : THREE_WAY(a->bytes, b->bytes);
}

static int by_seconds(const void *left, const void *right)
{
  const struct usage_size *a = left, *b = right;
  return a->seconds != b->seconds ? THREE_WAY(b->seconds, a->seconds) : by_point(left, right);
}

/* The sizes of one collective and number of ranks; `count` of them. */
static void print_words(FILE *stream, struct usage_size *items, int count)
{
  char text[24];
  const int kept = count < MAX_SIZES ? count : MAX_SIZES;
  qsort(items, (size_t)count, sizeof *items, by_seconds);
  qsort(items, (size_t)kept, sizeof *items, by_point);
  fprintf(stream, "tutti:   --collective %s -P %d", tutti_collective_name(items->collective), items->ranks);
  for (int i = 0; i < kept && items->collective != TUTTI_COLL_BARRIER; i++)
    fprintf(stream, "%s%s", i ? "," : " -s ", tutti_size_format(items[i].bytes, text));
  fputc('\n', stream);
}

/* A line: the first of its sizes, how many these are, and all their seconds. */
struct words {
  int first, count;
  double seconds;
};

static int longest_first(const void *left, const void *right)
{
  const struct words *a = left, *b = right;
  return a->seconds != b->seconds ? THREE_WAY(b->seconds, a->seconds) : a->first - b->first;
}

void tutti_usage_print_sizes(FILE *stream, struct usage_size *items, int count)
{
  struct words *lines = calloc((size_t)count + 1, sizeof *lines);
  int line_count = 0;
  count = (int)tutti_merge(items, (size_t)count, sizeof *items, by_point, add_size);
  for (int i = 0; lines && i < count; i++) {
    if (i == 0 || compare_points(&items[i - 1], &items[i]) != 0)
      lines[line_count++] = (struct words){.first = i};
    lines[line_count - 1].count++;
    lines[line_count - 1].seconds += items[i].seconds;
  }
  if (line_count > 0) {
    fprintf(stream, "tutti: the calls that took longest, as points of tutti compare:\n");
    qsort(lines, (size_t)line_count, sizeof *lines, longest_first);
  }
  for (int i = 0; i < line_count && i < MAX_LINES; i++)
    print_words(stream, items + lines[i].first, lines[i].count);
  free(lines);
}
