/* GOAL, the schedules of LogGOPSim (Hoefler, Siebert, Lumsdaine 2009): for each rank messages, work, and what waits for
   what. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/engine/trace/workload_read.h"

#define MAX_BYTES       (UINT64_C(1) << 50)
#define MAX_NANOSECONDS (UINT64_C(1) << 60)

enum { WORDS = 12 };

struct goal {
  struct tutti_lines lines;
  struct workload *workload;
  struct workload_graph *graph; /* of the current rank; NULL: between two */
  struct workload_pairs channels;
  struct workload_pairs labels; /* of the current rank, by digest: number of their operation, and 1 */
  char *words[WORDS];           /* of the line; NULL after the last one */
  int count;
};

/* ---- words ---- */

static void split(struct goal *goal)
{
  char *rest = goal->lines.text, *comment = strstr(rest, "//");
  goal->count = 0;
  if (comment)
    *comment = '\0';
  for (char *word; goal->count < WORDS && (word = strsep(&rest, " \t"));)
    if (*word)
      goal->words[goal->count++] = word;
  if (rest && rest[strspn(rest, " \t")])
    tutti_lines_fault(&goal->lines, "more words than any line has");
}

static bool is_word(const struct goal *goal, int at, const char *word)
{
  return at < goal->count && strcmp(goal->words[at], word) == 0;
}

static bool take_number(struct goal *goal, int at, uint64_t most, const char *what, uint64_t *number)
{
  if (at < goal->count && tutti_parse_integer(goal->words[at], 0, most, number))
    return true;
  tutti_lines_fault(&goal->lines, "%s is expected, not '%s'", what, at < goal->count ? goal->words[at] : "");
  return false;
}

/* ---- labels ---- */

static void add_label(struct goal *goal, const char *name, size_t length, uint32_t op)
{
  uint32_t *number = tutti_pair_number(&goal->labels, tutti_digest(name, length), 0);
  if (*number)
    tutti_lines_fault(&goal->lines, "the label '%.*s' is there twice", (int)length, name);
  *number = op + 1;
}

static bool take_label(struct goal *goal, int at, uint32_t *op)
{
  const uint32_t *number = tutti_pair_number(&goal->labels, tutti_digest(goal->words[at], strlen(goal->words[at])), 0);
  if (*number) {
    *op = *number - 1;
    return true;
  }
  tutti_lines_fault(&goal->lines, "the label '%.40s' is not known", goal->words[at]);
  return false;
}

/* ---- lines ---- */

/* "send 10b to 1 tag 0 cpu 0 nic 0"; without a cpu one processor does all. */
static bool read_message(struct goal *goal, int at, struct workload_op *op)
{
  const bool send = op->kind == WORKLOAD_SEND;
  uint64_t peer, tag = 0, other;
  char *size = at + 1 < goal->count ? goal->words[at + 1] : NULL;
  if (size && tutti_stem_length(size, "b") > 0)
    size[strlen(size) - 1] = '\0';
  if (!take_number(goal, at + 1, MAX_BYTES, "a number of bytes, such as 8b,", &op->amount))
    return false;
  if (!is_word(goal, at + 2, send ? "to" : "from")) {
    tutti_lines_fault(&goal->lines, "'%s RANK' is expected after the bytes", send ? "to" : "from");
    return false;
  }
  if (!take_number(goal, at + 3, goal->workload->rank_count - 1, "the number of a rank", &peer))
    return false;
  for (int word = at + 4; word < goal->count; word += 2) {
    if (!is_word(goal, word, "tag") && !is_word(goal, word, "cpu") && !is_word(goal, word, "nic")) {
      tutti_lines_fault(&goal->lines, "tag, cpu or nic is expected, not '%.40s'", goal->words[word]);
      return false;
    }
    if (!take_number(goal, word + 1, UINT32_MAX, "a number", is_word(goal, word, "tag") ? &tag : &other))
      return false;
  }
  op->peer = (uint32_t)peer;
  op->channel = tutti_channel_of(&goal->channels, 0, tag);
  return true;
}

/* "calc 100", nanoseconds. */
static bool read_work(struct goal *goal, int at, struct workload_op *op)
{
  uint64_t other;
  if (!take_number(goal, at + 1, MAX_NANOSECONDS, "a number of nanoseconds", &op->amount))
    return false;
  return at + 2 >= goal->count ||
         (is_word(goal, at + 2, "cpu") && take_number(goal, at + 3, UINT32_MAX, "a processor", &other)) ||
         tutti_lines_fault(&goal->lines, "unexpected text '%.40s'", goal->words[at + 2]) == TUTTI_OK;
}

static void read_operation(struct goal *goal)
{
  const char *label = goal->words[0];
  const size_t length = tutti_stem_length(label, ":");
  const int at = length > 0;
  struct workload_op op = {.kind = is_word(goal, at, "send")   ? WORKLOAD_SEND
                                   : is_word(goal, at, "recv") ? WORKLOAD_RECV
                                                               : WORKLOAD_WORK};
  if (op.kind == WORKLOAD_WORK && !is_word(goal, at, "calc")) {
    tutti_lines_fault(&goal->lines, "send, recv or calc is expected, or 'L1 requires L2'");
    return;
  }
  if (!(op.kind == WORKLOAD_WORK ? read_work(goal, at, &op) : read_message(goal, at, &op)))
    return;
  const uint32_t number = tutti_graph_add(goal->graph, op);
  if (length > 0)
    add_label(goal, label, length, number);
}

static void read_order(struct goal *goal, bool posted)
{
  uint32_t after, before;
  if (goal->count != 3) {
    tutti_lines_fault(&goal->lines, "two labels are expected");
    return;
  }
  if (take_label(goal, 0, &after) && take_label(goal, 2, &before))
    tutti_graph_order(goal->graph, before, after, posted);
}

static void begin_rank(struct goal *goal)
{
  uint64_t rank;
  if (goal->count != 3 || !is_word(goal, 2, "{")) {
    tutti_lines_fault(&goal->lines, "'rank NUMBER {' is expected");
    return;
  }
  if (!take_number(goal, 1, goal->workload->rank_count - 1, "the number of a rank", &rank))
    return;
  goal->graph = &goal->workload->ranks[rank].graph;
  if (goal->graph->ops.count > 0)
    tutti_lines_fault(&goal->lines, "rank %s is there twice", goal->words[1]);
  tutti_pairs_free(&goal->labels);
}

static void end_rank(struct goal *goal)
{
  tutti_graph_end_segment(goal->graph);
  if (!tutti_graph_is_acyclic(goal->graph))
    tutti_lines_fault(&goal->lines, "operations of this rank wait for each other in a circle");
  goal->graph = NULL;
}

static void begin_file(struct goal *goal)
{
  uint64_t ranks;
  /* Each takes some letters. */
  if (goal->workload->ranks)
    tutti_lines_fault(&goal->lines, "num_ranks is there twice");
  else if (take_number(goal, 1, goal->workload->length, "a number of ranks, which all have their part,", &ranks) &&
           ranks > 0) {
    goal->workload->rank_count = (uint32_t)ranks;
    goal->workload->ranks = tutti_xcalloc(ranks, sizeof *goal->workload->ranks);
  } else
    tutti_lines_fault(&goal->lines, "no rank");
}

static void read_line(struct goal *goal)
{
  split(goal);
  if (goal->count == 0 || goal->lines.status != TUTTI_OK)
    return;
  if (is_word(goal, 0, "num_ranks"))
    begin_file(goal);
  else if (!goal->workload->ranks)
    tutti_lines_fault(&goal->lines, "num_ranks is expected");
  else if (!goal->graph)
    is_word(goal, 0, "rank") ? begin_rank(goal) : (void)tutti_lines_fault(&goal->lines, "'rank NUMBER {' is expected");
  else if (is_word(goal, 0, "}"))
    end_rank(goal);
  else if (is_word(goal, 1, "requires") || is_word(goal, 1, "irequires"))
    read_order(goal, *goal->words[1] == 'i');
  else
    read_operation(goal);
}

tutti_status tutti_workload_read_goal(const char *path, struct workload *workload, tutti_error *error)
{
  struct goal *goal = tutti_xcalloc(1, sizeof *goal);
  *goal = (struct goal){.workload = workload};
  workload->seconds = NAN;
  (void)tutti_lines_open_text(&goal->lines, workload->text, workload->length, path, error);
  while (tutti_lines_next(&goal->lines))
    read_line(goal);
  if (goal->lines.status == TUTTI_OK && (goal->graph || !workload->ranks))
    tutti_lines_fault(&goal->lines, "cut short: a rank without its end");
  const tutti_status status = tutti_lines_close(&goal->lines);
  if (status == TUTTI_OK)
    tutti_xpush(&workload->communicators, (struct workload_communicator){.size = workload->rank_count});
  workload->channel_count = goal->channels.used + 1;
  tutti_pairs_free(&goal->channels);
  tutti_pairs_free(&goal->labels);
  free(goal);
  return status;
}
