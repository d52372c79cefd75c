/* Rules that stay for single sizes, since nothing was measured between these and the next ones. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "cli/compare/compare.h"
#include "tutti/tuning.h"

/* The next size that was looked at of the same collective on as many ranks; 0: no larger one. */
static uint64_t next_size(const tutti_tuning_comparison *found, const tutti_compared_point *point)
{
  uint64_t next = 0;
  for (size_t i = 0; i < found->count + found->unchanged; i++) {
    const tutti_compared_point *other = &found->points[i];
    if (other->collective == point->collective && other->ranks == point->ranks && other->bytes > point->bytes &&
        (next == 0 || other->bytes < next))
      next = other->bytes;
  }
  return next;
}

/* True if the point has won and its rule continues far beyond it, to sizes that were not measured. Then *middle is a
   size to measure there. */
static bool is_alone(const tutti_tuning_comparison *found, const tutti_step_table *table,
                     const tutti_compared_point *point, uint64_t *middle)
{
  const uint64_t next = next_size(found, point), far = TUTTI_FAR_SIZE * (point->bytes ? point->bytes : 1);
  *middle = tutti_size_between(point->bytes, next);
  return point->outcome == TUTTI_WON && next >= far && *middle &&
         tutti_step_table_find(table, point->ranks, far - 1) ==
             tutti_step_table_find(table, point->ranks, point->bytes);
}

void compare_print_gaps(const struct compare_report *report, const tutti_tuning *tuning, FILE *stream)
{
  const tutti_tuning_comparison *found = report->found;
  uint64_t *middles = tutti_xcalloc(found->count + 1, sizeof *middles);
  size_t alone = 0;
  tutti_step_table table = {.row_count = 0};
  for (size_t i = 0; i < found->count; i++) {
    const tutti_compared_point *point = &found->points[i];
    if (i == 0 || point->collective != point[-1].collective) {
      tutti_step_table_free(&table);
      must(tutti_tuning_steps(tuning, point->collective, found->ranks_per_node, &table, &failure));
    }
    alone += is_alone(found, &table, point, &middles[alone]);
  }
  tutti_step_table_free(&table);
  if (alone > 0)
    fprintf(stream,
            "%zu of the points won keep%s the rule for %s size alone, since nothing was measured near above: "
            "%s -s ",
            alone, alone == 1 ? "s" : "", alone == 1 ? "its" : "their",
            report->options->between ? "add" : "use --between, or add");
  size_t count = tutti_numbers_unique(middles, alone);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "%s%llu", i ? "," : "", (unsigned long long)middles[i]);
  if (alone > 0)
    fputc('\n', stream);
  free(middles);
}
