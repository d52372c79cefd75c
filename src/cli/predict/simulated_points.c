/* Points to simulate, of a table or one by one, and what becomes of their times: verdicts. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/predict/simulated.h"
#include "decision/maps/map.h"
#include "harness/store/import_pico.h"

/* ---- points ---- */

void simulated_add(struct simulated_points *points, const tutti_method *method, const char *nodes, int ranks,
                   int ranks_per_node, uint64_t element, uint64_t bytes)
{
  const bool blocks = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_BLOCKS;
  const uint64_t count = bytes / (blocks ? (uint64_t)ranks : 1) / element;
  struct simulated added = {.bytes = bytes,
                            .point = {.measured = {.method = *method,
                                                   .ranks = ranks,
                                                   .ranks_per_node = ranks_per_node,
                                                   .count = count,
                                                   .type_size = element,
                                                   .rank_bytes = count * element},
                                      .seconds = NAN,
                                      .lower = NAN,
                                      .upper = NAN}};
  tutti_total_bytes(&added.point.measured, &added.point.measured.total_bytes);
  tutti_error reason;
  if (count == 0 && bytes > 0)
    tutti_fail(&reason, TUTTI_ERR_UNSUPPORTED, "%llu bytes are less than an element of %llu bytes for each block",
               (unsigned long long)bytes, (unsigned long long)element);
  else
    reason.status = fit_point_check(&added.point, &reason);
  if (reason.status != TUTTI_OK) {
    if (points->unfit++ == 0)
      points->reason = reason;
    return;
  }
  added.nodes = tutti_xstrdup(nodes);
  added.point.run = strchr(nodes, 'x') ? tutti_xprintf("torus=%s", nodes) : tutti_xstrdup("");
  tutti_xpush(points, added);
}

void simulated_free_point(struct simulated *point)
{
  free(point->point.run);
  free(point->nodes);
  free(point->name);
}

void simulated_free(struct simulated_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    simulated_free_point(&points->items[i]);
  tutti_vector_free(points);
}

/* ---- tables ---- */

enum field { COLLECTIVE, NODES, RANKS_PER_NODE, BYTES, METHOD, NEEDED, MACHINE = NEEDED, SETTINGS, FIELDS };

static const char *const headings[FIELDS] = {"collective", "nodes",   "ranks_per_node", "bytes",
                                             "method",     "machine", "settings"};

enum { ELEMENT = 4 }; /* PICO's integers */

/* Where each field is; -1: it is not there. */
static void read_headings(struct tutti_lines *lines, int places[FIELDS])
{
  char *rest = lines->text;
  for (int f = 0; f < FIELDS; f++)
    places[f] = -1;
  int place = 0;
  for (char *word; (word = strsep(&rest, "\t")); place++)
    for (int f = 0; f < FIELDS; f++)
      if (strcmp(word, headings[f]) == 0)
        places[f] = place;
  for (int f = 0; f < NEEDED; f++)
    if (places[f] < 0)
      tutti_lines_fault(lines, "no heading '%s', with tabs between them", headings[f]);
}

static void cut_fields(char *text, const int places[FIELDS], const char *fields[FIELDS])
{
  for (int f = 0; f < FIELDS; f++)
    fields[f] = NULL;
  int place = 0;
  for (char *word; (word = strsep(&text, "\t")); place++)
    for (int f = 0; f < FIELDS; f++)
      if (places[f] == place)
        fields[f] = word;
}

static void add_row(struct tutti_lines *lines, const char *const *fields, tutti_collective collective,
                    struct simulated_points *points)
{
  uint64_t nodes, per_node, bytes;
  struct pico_method found;
  for (int f = 0; f < NEEDED; f++)
    if (!fields[f]) {
      tutti_lines_fault(lines, "it has no field of '%s'", headings[f]);
      return;
    }
  if (!tutti_pico_nodes(fields[NODES], &nodes) ||
      !tutti_parse_integer(fields[RANKS_PER_NODE], 1, INT_MAX / nodes, &per_node) ||
      !tutti_parse_integer(fields[BYTES], 1, UINT64_MAX, &bytes)) {
    tutti_lines_fault(lines, "numbers of nodes, of ranks on a node and of bytes are expected");
    return;
  }
  if (!tutti_pico_method(collective, fields[METHOD], fields[NODES], fields[SETTINGS] ? fields[SETTINGS] : "", &found) &&
      tutti_method_parse(fields[METHOD], &found.method, NULL) != TUTTI_OK) {
    points->unknown++;
    return;
  }
  const size_t before = points->count;
  simulated_add(points, &found.method, fields[NODES], (int)(nodes * per_node), (int)per_node, ELEMENT, bytes);
  if (points->count > before) {
    points->items[before].name = tutti_xstrdup(fields[METHOD]);
    points->items[before].line = lines->number;
  }
}

void simulated_read(const char *path, tutti_collective collective, const char *machine, struct simulated_points *points)
{
  struct tutti_lines lines;
  const char *fields[FIELDS];
  int places[FIELDS];
  must(tutti_lines_open(&lines, path, TUTTI_INPUT_RECORDS, &failure));
  if (tutti_lines_next(&lines))
    read_headings(&lines, places);
  while (tutti_lines_next(&lines)) {
    cut_fields(lines.text, places, fields);
    if (fields[COLLECTIVE] && strcmp(fields[COLLECTIVE], tutti_collective_name(collective)) == 0 &&
        !(machine && fields[MACHINE] && strcmp(fields[MACHINE], machine) != 0))
      add_row(&lines, fields, collective, points);
  }
  must(tutti_lines_close(&lines));
}

/* ---- verdicts ---- */

bool simulated_is_same_place(const struct simulated *left, const struct simulated *right)
{
  return left->bytes == right->bytes && left->point.measured.ranks_per_node == right->point.measured.ranks_per_node &&
         strcmp(left->nodes, right->nodes) == 0;
}

/* The fastest method of the place, NULL if there is none; of those that round apart, too, or not. */
static const struct simulated *find_best(const struct simulated_points *points, const struct simulated *at,
                                         bool rounds_apart)
{
  const struct simulated *best = NULL;
  for (const struct simulated *each = points->items; each < points->items + points->count; each++)
    if ((rounds_apart || !tutti_method_rounds_apart(&each->point.measured.method)) &&
        simulated_is_same_place(at, each) && (!best || each->point.seconds < best->point.seconds))
      best = each;
  return best;
}

static const char *judge(const struct simulated_points *points, const struct simulated *each,
                         const struct simulated *best)
{
  const bool overlaps = best && each->point.lower <= best->point.upper;
  if (each == best)
    return "best";
  if (best && !overlaps && each->point.seconds > best->point.seconds)
    return "slower";
  if (!points->rounds_apart && tutti_method_rounds_apart(&each->point.measured.method))
    return "rounds apart";
  return overlaps ? "too close to call" : "as fast";
}

void simulated_judge(struct simulated_points *points)
{
  for (size_t i = 0; i < points->count; i++) {
    struct simulated *each = &points->items[i];
    const struct simulated *best = find_best(points, each, points->rounds_apart);
    each->verdict = judge(points, each, best);
    if (each == best || each != find_best(points, each, true) ||
        (best && time_not_slower(best->point.seconds, each->point.seconds)))
      continue;
    if (points->faster_count++ == 0)
      points->faster_apart = &each->point.measured.method;
  }
}
