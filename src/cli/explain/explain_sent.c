/* What methods send, to tell them apart by it: their own schedules, and Open MPI's code of them. */
#include "cli/explain/explain.h"
#include "decision/libraries/libraries.h"
#include "decision/results/ran_file.h"
#include "tutti/analysis.h"

struct expecting {
  struct ran_messages all, own; /* of ranks before `rank`; of this one, which sends now */
  int rank;
  uint64_t type_bytes, fewest; /* messages of one of these ranks */
};

static void finish_ranks(struct expecting *expecting, int next)
{
  for (; expecting->rank < next; expecting->rank++) {
    tutti_ran_join(&expecting->all, expecting->rank, &expecting->own);
    if (expecting->own.count < expecting->fewest)
      expecting->fewest = expecting->own.count;
    expecting->own = (struct ran_messages){0};
  }
}

static tutti_status note_message(void *context, int from, int to, uint64_t elements, tutti_error *error)
{
  struct expecting *expecting = context;
  (void)error;
  finish_ranks(expecting, from);
  tutti_ran_add(&expecting->own, to, elements * expecting->type_bytes);
  return TUTTI_OK;
}

/* Whether a method may have sent as many messages as were. One rank sends a message for each segment at least, whose
   schedule alone may fill the memory; the estimate may be wrong a little. */
static bool is_likely(const tutti_method *method, const tutti_call *call, const struct ran_row *row)
{
  const uint64_t segment = method->parameters.segment_bytes, sent = row->sent.count;
  double messages;
  if (segment > 0 && row->bytes / (segment > call->type_size ? segment : call->type_size) > sent)
    return false;
  return tutti_estimate_messages(method, call, &messages, NULL) == TUTTI_OK && messages <= 2.0 * (double)sent &&
         2 * messages >= (double)sent;
}

static tutti_call call_of(const struct ran_row *row)
{
  const uint64_t type_bytes = row->type_bytes ? row->type_bytes : 1;
  return (tutti_call){.size = row->ranks,
                      .root = row->root,
                      .count = row->bytes / type_bytes,
                      .type_size = type_bytes,
                      .commutative = !row->ordered};
}

/* What the schedule of the method, which of a library's method is ours of that name, sends in a call of the row;
   nothing if it cannot serve it, or sends far more or fewer messages. */
static struct ran_messages expect(tutti_method method, const struct ran_row *row)
{
  const tutti_call call = call_of(row);
  struct expecting expecting = {.type_bytes = call.type_size};
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  if (!is_likely(&method, &call, row) || tutti_each_message(&method, &call, note_message, &expecting, NULL) != TUTTI_OK)
    return (struct ran_messages){0};
  finish_ranks(&expecting, row->ranks);
  return expecting.all;
}

static bool is_alike(const struct ran_messages *sent, const struct ran_row *row)
{
  return sent->count == row->sent.count && sent->bytes == row->sent.bytes;
}

static bool is_same(const struct ran_messages *sent, const struct ran_row *row)
{
  return is_alike(sent, row) && sent->print == row->sent.print;
}

struct telling {
  struct ran_messages *own; /* [ranks] */
  uint64_t type_bytes;
};

static void note_any(void *context, int from, int to, uint64_t elements)
{
  const struct telling *telling = context;
  tutti_ran_add(&telling->own[from], to, elements * telling->type_bytes);
}

/* The same of Open MPI's code of the method, where that sends other messages; nothing where it does not. */
static struct ran_messages expect_library(const tutti_method *method, const struct ran_row *row)
{
  const tutti_call call = call_of(row);
  struct ran_messages all = {0};
  if (!is_likely(method, &call, row))
    return all;
  struct telling telling = {tutti_xcalloc((size_t)row->ranks, sizeof *telling.own), call.type_size};
  if (tutti_openmpi_sends(method, &call, note_any, &telling))
    for (int rank = 0; rank < row->ranks; rank++)
      tutti_ran_join(&all, rank, &telling.own[rank]);
  free(telling.own);
  return all;
}

static bool sends(tutti_method method, const struct ran_row *row)
{
  const struct ran_messages ours = expect(method, row);
  if (is_same(&ours, row))
    return true;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  const struct ran_messages theirs = expect_library(&method, row);
  return is_same(&theirs, row);
}

bool explain_sends(tutti_method *method, const struct ran_row *row)
{
  static const uint64_t segments[] = {1 << 10, 8 << 10, 32 << 10, 64 << 10, 128 << 10};
  tutti_method with = *method;
  bool found = sends(with, row);
  if (with.parameters.segment_bytes == 0 && with.algorithm->parameters & TUTTI_TAKES_SEGMENT)
    for (size_t i = 0; i < sizeof segments / sizeof *segments && !found; i++) {
      with.parameters.segment_bytes = segments[i];
      found = sends(with, row);
    }
  if (found)
    *method = with;
  return found;
}

/* ---- ranks beyond a power of two ---- */

/* The messages of the rank that sends the fewest. */
static uint64_t fewest_of(tutti_method method, int ranks)
{
  const tutti_call call = {.size = ranks, .count = 48, .type_size = 8, .commutative = true};
  struct expecting expecting = {.type_bytes = 8, .fewest = UINT64_MAX};
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  if (tutti_each_message(&method, &call, note_message, &expecting, NULL) != TUTTI_OK)
    return UINT64_MAX;
  finish_ranks(&expecting, ranks);
  return expecting.fewest;
}

/* Whether ranks beyond a power of two hand their data to others first, to which ones the method leaves open: each of 8
   ranks sends in three rounds or more, and of 6 there are some that send once at most. */
static bool folds(const tutti_method *method, int ranks)
{
  bool any = fewest_of(*method, 6) <= 1 && fewest_of(*method, 8) >= 3;
  for (int i = 0; i < TUTTI_MAX_PARTS && method->parameters.parts[i].algorithm; i++) {
    const tutti_method part = tutti_method_part(&method->parameters, i);
    any = any || folds(&part, ranks);
  }
  return any && (ranks & (ranks - 1)) != 0;
}

bool explain_sends_alike(tutti_method method, const struct ran_row *row)
{
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  const struct ran_messages sent = folds(&method, row->ranks) ? expect(method, row) : (struct ran_messages){0};
  return is_alike(&sent, row);
}
