/* tutti explain --ran: what a decision says of each kind of call, beside what the library did in a program. Methods are
   told apart by their messages: how many, of which size, from which rank to which. */
#include "cli/explain/explain.h"
#include "cli/options/common.h"
#include "cli/options/decider.h"
#include "cli/output/output.h"
#include "decision/results/ran_file.h"
#include "tutti/analysis.h"
#include "tutti/library.h"

/* ---- what a method sends ---- */

/* Schedules are built of no more: a row of a file may say any number. */
enum { MAX_RANKS = 1 << 13, MAX_MESSAGES = 1 << 22 };

struct expecting {
  struct ran_messages all, own; /* of ranks before `rank`; of this one, which sends now */
  int rank;
  uint64_t type_bytes;
};

static void finish_ranks(struct expecting *expecting, int next)
{
  for (; expecting->rank < next; expecting->rank++) {
    tutti_ran_join(&expecting->all, expecting->rank, &expecting->own);
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

/* What the schedule of the method, which of a library's method is ours of that name, sends in a call of the row;
   nothing if it cannot serve it, or sends far more or fewer messages. */
static struct ran_messages expect(tutti_method method, const struct ran_row *row)
{
  const uint64_t type_bytes = row->type_bytes ? row->type_bytes : 1;
  const tutti_call call = {.size = row->ranks,
                           .root = row->root,
                           .count = row->bytes / type_bytes,
                           .type_size = type_bytes,
                           .commutative = !row->ordered};
  struct expecting expecting = {.type_bytes = type_bytes};
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

static bool sends(tutti_method method, const struct ran_row *row)
{
  const struct ran_messages sent = expect(method, row);
  return is_alike(&sent, row) && sent.print == row->sent.print;
}

/* The same with segments that a library may take where it is told none; the method gets them. */
static bool sends_somehow(tutti_method *method, const struct ran_row *row)
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

/* ---- verdicts ---- */

struct checked_row {
  struct ran_row row;
  tutti_method said, ran; /* no algorithm: not known */
  const char *verdict;    /* static */
};

struct checked_rows {
  TUTTI_VECTOR(struct checked_row);
  size_t calls, equal_calls, other, large; /* the last two are rows */
};

static bool find_other(tutti_implementation library, struct checked_row *checked)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective != checked->row.collective || !tutti_implementation_has(library, algorithm) ||
        !sends_somehow(&method, &checked->row))
      continue;
    checked->ran = method;
    return true;
  }
  return false;
}

static const char too_large[] = "too large";

static const char *compare(tutti_implementation library, struct checked_row *checked)
{
  const struct ran_row *row = &checked->row;
  tutti_method said = checked->said;
  said.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  if (row->varied)
    return "varies";
  if (row->sent.count == 0 && row->ranks > 1)
    return "not told";
  if (row->ranks > MAX_RANKS || row->sent.count > MAX_MESSAGES)
    return too_large;
  if (said.algorithm && sends_somehow(&said, row)) {
    checked->ran = said;
    return "as explained";
  }
  if (find_other(library, checked))
    return "another";
  const struct ran_messages sent = said.algorithm ? expect(said, row) : (struct ran_messages){0};
  return is_alike(&sent, row) ? "alike" : "not recognized";
}

static void judge(const struct decider *decider, struct checked_row *checked)
{
  const struct ran_row *row = &checked->row;
  const tutti_explained_call call = {.collective = row->collective,
                                     .ranks = row->ranks,
                                     .rank_bytes = row->bytes,
                                     .type_bytes = row->type_bytes,
                                     .ordered = row->ordered,
                                     .in_place = row->in_place};
  tutti_explanation explanation = {.step_count = 0};
  must(tutti_explain(decider->tuning, &call, &explanation, &failure));
  if (explanation.known && !explanation.fails)
    checked->said = explanation.method;
  tutti_explanation_free(&explanation);
  checked->verdict = compare(decider->library, checked);
}

static void check_collective(const struct explain_options *options, tutti_collective collective,
                             const struct ran_rows *rows, struct checked_rows *checked)
{
  struct decider decider = {.tuning = NULL};
  char target[40];
  bool any = false;
  for (size_t i = 0; i < rows->count; i++)
    any = any || rows->items[i].collective == collective;
  if (!any)
    return;
  decider_open(options->decision, options->target, &options->selection, collective, &decider, target);
  for (size_t i = 0; i < rows->count; i++) {
    struct checked_row row = {.row = rows->items[i]};
    if (row.row.collective != collective)
      continue;
    judge(&decider, &row);
    checked->calls += row.row.calls;
    checked->equal_calls += strcmp(row.verdict, "as explained") == 0 ? row.row.calls : 0;
    checked->other += strcmp(row.verdict, "another") == 0;
    checked->large += row.verdict == too_large;
    tutti_xpush(checked, row);
  }
  decider_close(&decider);
}

/* ---- printing ---- */

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct checked_row, row.collective), .get = cell_collective},
    {"ranks", "ranks", TUTTI_FIELD(struct checked_row, row.ranks)},
    {"size", "rank_B", TUTTI_FIELD(struct checked_row, row.bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"calls", "calls", TUTTI_FIELD(struct checked_row, row.calls)},
    {"messages", "messages", TUTTI_FIELD(struct checked_row, row.sent.count)},
    {"explained", "explained_method", .at = offsetof(struct checked_row, said), .get = cell_method},
    {"ran", "ran_method", .at = offsetof(struct checked_row, ran), .get = cell_method},
    {"", "verdict", TUTTI_FIELD(struct checked_row, verdict)},
};

int explain_ran(const struct explain_options *options)
{
  struct ran_rows rows;
  struct checked_rows checked = {.count = 0};
  must(tutti_ran_read(options->ran, options->given ? options->call.collective : TUTTI_COLL_COUNT, &rows, &failure));
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    check_collective(options, (tutti_collective)c, &rows, &checked);
  if (checked.count == 0)
    die("%s has no calls%s%s", options->ran, options->given ? " of " : "",
        options->given ? tutti_collective_name(options->call.collective) : "");
  const tutti_table table = {
      .key = "ran_calls", TUTTI_COLUMNS(columns), TUTTI_ROWS(checked.items, checked.count), .keys = 3};
  const tutti_document document = {.tables = &table, .table_count = 1};
  const tutti_format format = options->json ? TUTTI_FORMAT_JSON : options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_TEXT;
  must(tutti_document_print(&document, format, stdout, &failure));
  if (format == TUTTI_FORMAT_TEXT)
    print_sentence(0, "\nas explained: %zu of %zu call%s", checked.equal_calls, checked.calls,
                   tutti_plural(checked.calls));
  if (checked.large > 0)
    tutti_say(stderr, "tutti: note: %zu kind%s of calls passed over (too large): more than %d ranks or %d messages\n",
              checked.large, tutti_plural(checked.large), MAX_RANKS, MAX_MESSAGES);
  const int status = checked.other > 0 ? EXIT_FOUND : EXIT_DONE;
  tutti_vector_free(&rows);
  tutti_vector_free(&checked);
  return status;
}
