/* SimGrid's time-independent traces, as its replay reads them (docs/reference/traces.md): a line "RANK ACTION
   ARGUMENTS" of any rank. Computation is in flop, sizes are in elements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_ti.h"

#define MAX_FLOPS (double)(UINT64_C(1) << 58)

/* ---- words ---- */

void tutti_ti_pass(struct ti *ti, const char *why, const char *detail)
{
  if (ti->lines.status == TUTTI_OK)
    ti->lines.status = tutti_pass_over(ti->passed, ti->lines.path, (uint64_t)ti->lines.number, why, ti->lines.error,
                                       "%.40s%s%.40s", ti->count > 1 ? ti->words[1] : "", *detail ? ": " : "", detail);
}

static void split(struct ti *ti)
{
  char *rest = ti->lines.text;
  ti->count = 0;
  for (char *word; (word = strsep(&rest, " \t"));) {
    if (!*word)
      continue;
    if (ti->count == ti->capacity) {
      ti->capacity = ti->capacity ? 2 * ti->capacity : 16;
      ti->words = tutti_xrealloc(ti->words, ti->capacity * sizeof *ti->words);
    }
    ti->words[ti->count++] = word;
  }
}

const char *tutti_ti_word(const struct ti *ti, size_t at)
{
  return at + 2 < ti->count ? ti->words[at + 2] : "";
}

size_t tutti_ti_arguments(const struct ti *ti)
{
  return ti->count < 2 ? 0 : ti->count - 2;
}

bool tutti_ti_number(struct ti *ti, size_t at, double most, uint64_t *number)
{
  double value;
  if (tutti_parse_real(tutti_ti_word(ti, at), &value) && value >= 0 && value <= most) {
    *number = (uint64_t)value;
    return true;
  }
  tutti_ti_pass(ti, "an argument that is no number that it can be", tutti_ti_word(ti, at));
  return false;
}

bool tutti_ti_rank(struct ti *ti, size_t at, uint64_t *rank)
{
  if (!tutti_ti_number(ti, at, 1e9, rank))
    return false;
  if (*rank >= ti->workload->rank_count)
    tutti_ti_pass(ti, "a rank that is not in the trace", tutti_ti_word(ti, at));
  return *rank < ti->workload->rank_count;
}

bool tutti_ti_type(struct ti *ti, size_t at, uint64_t *bytes)
{
  /* By the numbers of SimGrid 3.32: double, int, char, short, long, float, byte, long long, ... */
  static const uint8_t sizes[] = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8};
  uint64_t type = 0;
  *bytes = ti->ranks[ti->rank].type_size;
  if (at >= tutti_ti_arguments(ti))
    return true;
  if (!tutti_ti_number(ti, at, 1e6, &type))
    return false;
  *bytes = type < sizeof sizes ? sizes[type] : *bytes;
  return true;
}

bool tutti_ti_is(const struct ti *ti, const char *action)
{
  return strcasecmp(ti->words[1], action) == 0;
}

/* ---- computation ---- */

void tutti_ti_compute(struct ti *ti, uint64_t flops)
{
  tutti_writer_work(&ti->ranks[ti->rank].writer, flops);
}

static void read_compute(struct ti *ti)
{
  uint64_t flops;
  if (tutti_ti_number(ti, 0, MAX_FLOPS, &flops))
    tutti_ti_compute(ti, flops);
}

/* ---- lines ---- */

/* Actions that take no time of their own; a test does not tell what it has found. */
static bool changes_nothing(const struct ti *ti)
{
  static const char *const names[] = {"finalize", "comm_size", "comm_split", "comm_dup", "location", "test", "testall"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (tutti_ti_is(ti, names[i]))
      return true;
  return false;
}

/* Seconds are as many flop as the processor does in them, which is not known here. */
static void read_action(struct ti *ti)
{
  if (tutti_ti_is(ti, "init"))
    ti->ranks[ti->rank].type_size = ti->count > 2 ? 8 : 1;
  else if (tutti_ti_is(ti, "compute"))
    read_compute(ti);
  else if (!tutti_ti_read_message(ti) && !tutti_ti_read_collective(ti) && !changes_nothing(ti))
    tutti_ti_pass(ti, "an action that cannot be replayed", "");
}

/* The rank that a line begins with; false: blank, or a comment. */
static bool rank_of(const char *text, uint64_t *rank)
{
  const char *word = text + strspn(text, " \t");
  *rank = UINT64_MAX;
  if (!*word || *word == '#')
    return false;
  const size_t digits = strspn(word, "0123456789");
  if (digits > 0 && digits < 10 && strchr(" \t", word[digits]) && word[digits])
    *rank = strtoull(word, NULL, 10);
  return true;
}

static void read_line(struct ti *ti)
{
  uint64_t rank;
  if (!rank_of(ti->lines.text, &rank))
    return;
  split(ti);
  if (ti->count < 2 || rank >= ti->workload->rank_count) {
    tutti_ti_pass(ti, "a line that is no RANK ACTION", ti->count > 0 ? ti->words[0] : "");
    return;
  }
  ti->rank = (uint32_t)rank;
  read_action(ti);
}

/* ---- files ---- */

/* Ranks have a line each and more: the largest number is below that of the lines of all files. */
static tutti_status count_ranks(const struct workload_files *files, uint32_t *count, tutti_error *error)
{
  uint64_t ranks = 0, lines_of_all = 0, rank;
  tutti_status status = TUTTI_OK;
  struct tutti_lines lines;
  for (size_t f = 0; f < files->count && status == TUTTI_OK; f++) {
    (void)tutti_lines_open(&lines, files->items[f], TUTTI_INPUT_RECORDS, error);
    lines.zeros = true;
    while (tutti_lines_next(&lines))
      if (rank_of(lines.text, &rank)) {
        lines_of_all++;
        ranks = rank != UINT64_MAX && rank >= ranks ? rank + 1 : ranks;
      }
    status = tutti_lines_close(&lines);
  }
  *count = (uint32_t)(ranks < lines_of_all ? ranks : lines_of_all);
  return status;
}

static tutti_status read_file(struct ti *ti, const char *path, tutti_error *error)
{
  (void)tutti_lines_open(&ti->lines, path, TUTTI_INPUT_RECORDS, error);
  ti->lines.zeros = true;
  while (tutti_lines_next(&ti->lines))
    read_line(ti);
  return tutti_lines_close(&ti->lines);
}

static void begin_ranks(struct ti *ti, uint32_t count)
{
  struct workload *workload = ti->workload;
  workload->rank_count = count;
  workload->flops = true;
  workload->seconds = NAN;
  snprintf(workload->flavor, sizeof workload->flavor, "smpi");
  workload->ranks = tutti_xcalloc(count + 1, sizeof *workload->ranks);
  tutti_xpush(&workload->communicators, (struct workload_communicator){.size = count});
  ti->ranks = tutti_xcalloc(count + 1, sizeof *ti->ranks);
  ti->called = tutti_xcalloc(count + 1, sizeof *ti->called);
  for (uint32_t r = 0; r < count; r++)
    ti->ranks[r] =
        (struct ti_rank){.writer = {.graph = &workload->ranks[r].graph, .before = WORKLOAD_UNKNOWN}, .type_size = 1};
}

static tutti_status join_ranks(struct ti *ti, const char *path, uint64_t before, tutti_error *error)
{
  for (uint32_t r = 0; r < ti->workload->rank_count; r++)
    tutti_graph_end_segment(&ti->workload->ranks[r].graph);
  const tutti_status status = tutti_workload_align(path, ti->workload, ti->called, ti->passed, error);
  tutti_workload_resolve(ti->workload);
  if (ti->passed && ti->passed->count > before)
    tutti_workload_match(ti->workload);
  tutti_workload_number_channels(ti->workload, ti->channels.used);
  return status;
}

static void free_all(struct ti *ti)
{
  for (uint32_t r = 0; r < ti->workload->rank_count; r++) {
    tutti_vector_free(&ti->ranks[r].writer.requests);
    tutti_vector_free(&ti->called[r]);
  }
  free(ti->ranks);
  free(ti->called);
  free(ti->words);
  tutti_pairs_free(&ti->channels);
}

tutti_status tutti_workload_read_ti(const struct workload_files *files, struct workload *workload, tutti_passed *passed,
                                    tutti_error *error)
{
  struct ti ti = {.workload = workload, .passed = passed};
  const uint64_t before = passed ? passed->count : 0;
  uint32_t count;
  tutti_status status = count_ranks(files, &count, error);
  if (status != TUTTI_OK)
    return status;
  if (count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no line of a rank", files->items[0]);
  begin_ranks(&ti, count);
  for (size_t f = 0; f < files->count && status == TUTTI_OK; f++)
    status = read_file(&ti, files->items[f], error);
  if (status == TUTTI_OK)
    status = join_ranks(&ti, files->items[0], before, error);
  free_all(&ti);
  return status;
}
