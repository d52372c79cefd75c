/* GOAL, the schedules of LogGOPSim (Hoefler, Siebert, Lumsdaine 2009): for each rank messages, work, and what waits for
   what. Blanks and comments are where its scanner takes them, and at more places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/engine/trace/workload_goal.h"

enum { MAX_STREAM = UINT8_MAX, MAX_SHOWN = 60 };

struct goal {
  const char *path;
  struct workload *workload;
  tutti_passed *passed;
  tutti_error *error;
  tutti_status status;
  struct goal_text text;
  struct workload_graph *graph; /* of the current rank; NULL: between two */
  bool skips;                   /* the current rank is passed over */
  struct workload_pairs channels;
  struct workload_pairs labels; /* of the current rank, by digest: number of their operation, and 1 */
};

static void fault(struct goal *goal, const char *what)
{
  if (goal->status == TUTTI_OK)
    goal->status = tutti_fail(goal->error, TUTTI_ERR_ARGUMENT, "%s:%llu: %s", goal->path,
                              (unsigned long long)goal->text.here, what);
}

/* ---- what is not understood ---- */

static int shown(const struct goal_word *word)
{
  return (int)(word->length < MAX_SHOWN ? word->length : MAX_SHOWN);
}

/* Pass over the statement: `what` is wrong, and the word at `at` it is. */
static bool pass_over(struct goal *goal, const char *why, const char *what, int at)
{
  static const struct goal_word none = {"", 0};
  const struct goal_word *word = at < goal->text.count ? &goal->text.words[at] : &none;
  if (goal->status == TUTTI_OK)
    goal->status = tutti_pass_over(goal->passed, goal->path, goal->text.line, why, goal->error, "%s%s%.*s%s", what,
                                   *what ? ", not '" : "'", shown(word), word->text, "'");
  return false;
}

static const char no_operation[] = "an operation that cannot be read", no_order[] = "an order that cannot be read",
                  no_statement[] = "a line that GOAL does not have";

static bool take_number(struct goal *goal, int at, uint64_t most, const char *what, uint64_t *number)
{
  return (at < goal->text.count && tutti_goal_number(&goal->text.words[at], most, number)) ||
         pass_over(goal, no_operation, what, at);
}

/* ---- labels ---- */

static uint32_t *label_at(struct goal *goal, int at)
{
  return tutti_pair_number(&goal->labels, tutti_digest(goal->text.words[at].text, goal->text.words[at].length), 0);
}

static bool take_label(struct goal *goal, int at, uint32_t *op)
{
  const uint32_t number = *label_at(goal, at);
  *op = number - 1;
  return number > 0 || pass_over(goal, "an order of operations with a label that is not known", "", at);
}

/* ---- operations ---- */

/* "8b" and "8 b": the place after it, or 0. */
static int read_size(struct goal *goal, int at, uint64_t *bytes)
{
  if (at < goal->text.count) {
    struct goal_word size = goal->text.words[at];
    const bool joined = size.length > 1 && size.text[size.length - 1] == 'b';
    size.length -= joined;
    if (tutti_goal_number(&size, GOAL_MAX_BYTES, bytes))
      return at + 1 + (!joined && tutti_goal_is(&goal->text, at + 1, "b"));
  }
  return pass_over(goal, no_operation, "a number of bytes, such as 8b, is expected", at);
}

static bool read_option(struct goal *goal, int at, struct workload_op *op, struct goal_ends *ends)
{
  uint64_t number;
  if (tutti_goal_is(&goal->text, at, "tag") && tutti_goal_is(&goal->text, at + 1, "-1")) {
    ends->tag = GOAL_ANY;
    return true;
  }
  if (tutti_goal_is(&goal->text, at, "tag"))
    return take_number(goal, at + 1, UINT32_MAX, "a tag is expected", &ends->tag);
  if (tutti_goal_is(&goal->text, at, "nic"))
    return take_number(goal, at + 1, UINT32_MAX, "a number is expected", &number);
  if (!tutti_goal_is(&goal->text, at, "cpu"))
    return pass_over(goal, no_operation, "tag, cpu or nic is expected", at);
  if (!take_number(goal, at + 1, MAX_STREAM, "a processor up to 255 is expected", &number))
    return false;
  op->stream = (uint8_t)number;
  return true;
}

/* "send 10b to 1 tag 0 cpu 0 nic 0". */
static bool read_message(struct goal *goal, int at, struct workload_op *op)
{
  const bool send = op->kind == WORKLOAD_SEND;
  struct goal_ends ends = {.peer = GOAL_ANY, .tag = 0};
  int word = read_size(goal, at + 1, &op->amount);
  if (word == 0)
    return false;
  if (!tutti_goal_is(&goal->text, word, send ? "to" : "from"))
    return pass_over(goal, no_operation,
                     send ? "'to RANK' is expected after the bytes" : "'from RANK' is expected after the bytes", word);
  if ((send || !tutti_goal_is(&goal->text, word + 1, "-1")) &&
      !take_number(goal, word + 1, goal->workload->rank_count - 1, "the number of a rank is expected", &ends.peer))
    return false;
  for (word += 2; word < goal->text.count; word += 2)
    if (!read_option(goal, word, op, &ends))
      return false;
  if (send && ends.tag == GOAL_ANY)
    return pass_over(goal, "a send with any tag", "a tag is expected", goal->text.count - 1);
  tutti_goal_set_ends(&goal->channels, &ends, op);
  return true;
}

/* "calc 100 cpu 1", nanoseconds. */
static bool read_work(struct goal *goal, int at, struct workload_op *op)
{
  struct goal_ends ends;
  if (!take_number(goal, at + 1, GOAL_MAX_NANOSECONDS, "a number of nanoseconds is expected", &op->amount))
    return false;
  if (at + 2 >= goal->text.count)
    return true;
  return tutti_goal_is(&goal->text, at + 2, "cpu") ? read_option(goal, at + 2, op, &ends)
                                                   : pass_over(goal, no_operation, "cpu is expected", at + 2);
}

static void read_operation(struct goal *goal)
{
  const int at = tutti_goal_is(&goal->text, 1, ":") ? 2 : 0;
  struct workload_op op = {.kind = tutti_goal_is(&goal->text, at, "send")   ? WORKLOAD_SEND
                                   : tutti_goal_is(&goal->text, at, "recv") ? WORKLOAD_RECV
                                                                            : WORKLOAD_WORK};
  if (op.kind == WORKLOAD_WORK && !tutti_goal_is(&goal->text, at, "calc")) {
    pass_over(goal, no_statement, "send, recv or calc is expected, or 'L1 requires L2'", at);
    return;
  }
  if (!(op.kind == WORKLOAD_WORK ? read_work(goal, at, &op) : read_message(goal, at, &op)))
    return;
  goal->workload->streams |= op.stream > 0;
  const uint32_t number = tutti_graph_add(goal->graph, op);
  if (at == 0)
    return;
  uint32_t *label = label_at(goal, 0);
  if (*label)
    pass_over(goal, "a label that is there twice", "", 0);
  else
    *label = number + 1;
}

static void read_order(struct goal *goal, bool posted)
{
  uint32_t after, before;
  if (goal->text.count != 3)
    pass_over(goal, no_order, "two labels are expected", 2);
  else if (take_label(goal, 0, &after) && take_label(goal, 2, &before))
    tutti_graph_order(goal->graph, before, after, posted);
}

/* ---- ranks ---- */

static void begin_rank(struct goal *goal)
{
  uint64_t rank = 0;
  goal->skips = true;
  if (!tutti_goal_is(&goal->text, 0, "rank") || !tutti_goal_is(&goal->text, 2, "{"))
    pass_over(goal, no_statement, "'rank NUMBER {' is expected", 0);
  else if (!tutti_goal_number(&goal->text.words[1], goal->workload->rank_count - 1, &rank))
    pass_over(goal, "a rank that num_ranks does not have", "", 1);
  else if (goal->workload->ranks[rank].graph.ops.count > 0)
    pass_over(goal, "a rank that is there twice", "", 1);
  else
    goal->skips = false;
  goal->skips = goal->skips && tutti_goal_is(&goal->text, goal->text.count - 1, "{");
  goal->graph = tutti_goal_is(&goal->text, goal->text.count - 1, "{") ? &goal->workload->ranks[rank].graph : NULL;
  tutti_pairs_free(&goal->labels);
}

static void end_rank(struct goal *goal)
{
  if (!goal->skips) {
    tutti_graph_end_segment(goal->graph);
    if (!tutti_graph_is_acyclic(goal->graph))
      fault(goal, "operations of this rank wait for each other in a circle");
  }
  goal->graph = NULL;
  goal->skips = false;
}

static void begin_file(struct goal *goal)
{
  uint64_t ranks = 0;
  if (goal->workload->ranks)
    pass_over(goal, no_statement, "num_ranks once alone is expected", 0);
  else if (goal->text.count < 2 || !tutti_goal_number(&goal->text.words[1], goal->workload->length, &ranks) ||
           ranks == 0)
    /* Each takes some letters. */
    fault(goal, "a number of ranks, which all have their part, is expected");
  else {
    goal->workload->rank_count = (uint32_t)ranks;
    goal->workload->ranks = tutti_xcalloc(ranks, sizeof *goal->workload->ranks);
  }
}

static void read_statement(struct goal *goal)
{
  if (tutti_goal_is(&goal->text, 0, "num_ranks"))
    begin_file(goal);
  else if (!goal->workload->ranks)
    fault(goal, "num_ranks is expected");
  else if (!goal->graph)
    begin_rank(goal);
  else if (tutti_goal_is(&goal->text, 0, "}"))
    end_rank(goal);
  else if (goal->skips)
    return;
  else if (tutti_goal_is(&goal->text, 1, "requires") || tutti_goal_is(&goal->text, 1, "irequires"))
    read_order(goal, *goal->text.words[1].text == 'i');
  else
    read_operation(goal);
}

/* ---- both forms ---- */

void tutti_goal_set_ends(struct workload_pairs *channels, const struct goal_ends *ends, struct workload_op *op)
{
  op->peer = ends->peer == GOAL_ANY ? WORKLOAD_UNKNOWN : (uint32_t)ends->peer;
  op->channel = ends->tag == GOAL_ANY ? WORKLOAD_ANY_TAG : tutti_channel_of(channels, 0, ends->tag);
}

void tutti_goal_end(struct workload *workload, struct workload_pairs *channels, bool whole)
{
  tutti_xpush(&workload->communicators, (struct workload_communicator){.size = workload->rank_count});
  tutti_workload_number_channels(workload, channels->used);
  tutti_workload_resolve(workload);
  if (!whole)
    tutti_workload_match(workload);
  tutti_pairs_free(channels);
}

tutti_status tutti_workload_read_goal(const char *path, struct workload *workload, tutti_passed *passed,
                                      tutti_error *error)
{
  struct goal *goal = tutti_xcalloc(1, sizeof *goal);
  const uint64_t before = passed ? passed->count : 0;
  *goal = (struct goal){
      .path = path, .workload = workload, .passed = passed, .error = error, .text = {.at = workload->text, .here = 1}};
  workload->seconds = NAN;
  if (strlen(workload->text) != workload->length)
    goal->status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: " TUTTI_ZERO_BYTE, path);
  while (goal->status == TUTTI_OK && tutti_goal_next(&goal->text))
    read_statement(goal);
  if (goal->graph || !workload->ranks)
    fault(goal, "cut short: a rank without its end");
  const tutti_status status = goal->status;
  if (status == TUTTI_OK)
    tutti_goal_end(workload, &goal->channels, !passed || passed->count == before);
  tutti_pairs_free(&goal->channels);
  tutti_pairs_free(&goal->labels);
  free(goal);
  return status;
}
