/* Which of the measurements: those on some numbers of ranks, and of some sizes. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/say.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"

/* A note on numbers that were asked for and not measured, the first few by name. */
static void note_absent(const struct option_numbers *numbers, const bool *seen, const char *option)
{
  enum { NAMED = 8 };
  char names[256] = "";
  int absent = 0;
  for (int i = 0; i < numbers->count; i++)
    if (!seen[i] && absent++ < NAMED)
      text_append(names, sizeof names, "%s%llu", absent > 1 ? ", " : "", (unsigned long long)numbers->items[i]);
  if (absent > 0)
    tutti_say(stderr, "tutti: note: --%s: not measured: %s%s\n", option, names, absent > NAMED ? ", ..." : "");
}

/* Whether the number is asked for, and seen then. */
static bool is_asked(const struct option_numbers *numbers, uint64_t number, bool *seen)
{
  const uint64_t *found = numbers->count == 0 ? NULL
                                              : bsearch(&number, numbers->items, (size_t)numbers->count, sizeof number,
                                                        tutti_compare_numbers);
  if (found)
    seen[found - numbers->items] = true;
  return found || numbers->count == 0;
}

tutti_status selection_cut(const struct selection_options *selected, tutti_measurement *measurements, size_t *count,
                           tutti_error *error)
{
  size_t kept = 0, ranked = 0;
  bool *ranks = tutti_xcalloc((size_t)selected->ranks.count + 1, sizeof *ranks);
  bool *sizes = tutti_xcalloc((size_t)selected->sizes.count + 1, sizeof *sizes);
  for (size_t i = 0; i < *count; i++) {
    if (!is_asked(&selected->ranks, (uint64_t)measurements[i].ranks, ranks))
      continue;
    ranked++;
    if (is_asked(&selected->sizes, measurements[i].rank_bytes, sizes))
      measurements[kept++] = measurements[i];
  }
  if (kept > 0) {
    note_absent(&selected->ranks, ranks, "ranks");
    note_absent(&selected->sizes, sizes, "size");
  }
  free(ranks);
  free(sizes);
  *count = kept;
  return kept > 0
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "--%s: nothing was measured %s (tutti map --csv lists what was)",
                          ranked > 0 ? "size" : "ranks", ranked > 0 ? "of these sizes" : "on so many ranks");
}
