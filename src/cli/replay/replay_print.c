/* What tutti replay prints: the answer, notes, and the time by collective, which with the rest adds up to the whole. */
#include <math.h>

#include "cli/replay/replay.h"
#include "decision/results/trace_format.h"

struct replay_row {
  const char *collective;
  uint64_t calls, messages;
  double sent, recorded, seconds, waiting, slowest; /* a rank in the mean; NaN: has none */
};

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct replay_row, collective)},
    {"calls", "calls", TUTTI_FIELD(struct replay_row, calls)},
    {"messages", "messages", TUTTI_FIELD(struct replay_row, messages)},
    {"sent", "sent_B", TUTTI_FIELD(struct replay_row, sent), .unit = "B"},
    {"recorded", "recorded_s", CELL_MICROSECONDS(struct replay_row, recorded)},
    {"time", "time_s", CELL_MICROSECONDS(struct replay_row, seconds)},
    {"waiting", "waiting_s", CELL_MICROSECONDS(struct replay_row, waiting)},
    {"slowest rank", "slowest_s", CELL_MICROSECONDS(struct replay_row, slowest)},
};

/* What holds for all of it. */
struct replay_facts {
  const char *file, *platform;
  int ranks;
  uint64_t calls, unknown, messages, unmatched;
  unsigned unrecorded;                                           /* a bit for each enum trace_unrecorded */
  double recorded, seconds, compute, collectives, between, rest; /* in messages between the ranks;
                                                                     before a rank begins and after it ends */
  struct notes notes;
  tutti_passed passed; /* of the workload */
};

static void list_unrecorded(tutti_json *json, const void *row, const tutti_column *column)
{
  const struct replay_facts *facts = row;
  tutti_json_array(json, column->key);
  for (int kind = 0; kind < TRACE_UNRECORDED_KINDS; kind++)
    if (facts->unrecorded & 1u << kind)
      tutti_json_string(json, NULL, trace_unrecorded_name(kind));
  tutti_json_end(json);
}

static const tutti_column facts_columns[] = {
    {NULL, "file", TUTTI_FIELD(struct replay_facts, file)},
    {NULL, "platform", TUTTI_FIELD(struct replay_facts, platform)},
    {NULL, "ranks", TUTTI_FIELD(struct replay_facts, ranks)},
    {NULL, "unknown_calls", TUTTI_FIELD(struct replay_facts, unknown)},
    {NULL, "program_recorded_s", TUTTI_FIELD(struct replay_facts, recorded)},
    {NULL, "program_s", TUTTI_FIELD(struct replay_facts, seconds)},
    {NULL, "compute_s", TUTTI_FIELD(struct replay_facts, compute)},
    {NULL, "collectives_s", TUTTI_FIELD(struct replay_facts, collectives)},
    {NULL, "messages_s", TUTTI_FIELD(struct replay_facts, between)},
    {NULL, "rest_s", TUTTI_FIELD(struct replay_facts, rest)},
    {NULL, "unmatched_messages", TUTTI_FIELD(struct replay_facts, unmatched)},
    {NULL, "unrecorded", .list = list_unrecorded},
    {NULL, "notes", .list = list_notes, .at = offsetof(struct replay_facts, notes)},
    {NULL, "passed_over", .at = offsetof(struct replay_facts, passed), .list = list_passed},
};

static struct replay_row row_of(const struct workload *workload, const char *name, const struct replay_part *part,
                                double recorded)
{
  return (struct replay_row){.collective = name,
                             .calls = part->calls,
                             .messages = part->messages,
                             .sent = part->bytes,
                             .recorded = replay_mean(workload, recorded),
                             .seconds = replay_mean(workload, part->seconds),
                             .waiting = replay_mean(workload, part->waiting),
                             .slowest = part->slowest};
}

/* What is not in calls: with these the rows add up to the time of the program. */
static struct replay_row row_of_rest(const char *name, double seconds)
{
  return (struct replay_row){
      .collective = name, .sent = NAN, .recorded = NAN, .seconds = seconds, .waiting = NAN, .slowest = NAN};
}

static int make_rows(const struct workload *workload, const struct replay_answer *answer, struct replay_row *rows)
{
  int count = 0;
  double recorded = 0;
  for (int p = 0; p < WORKLOAD_PARTS; p++) {
    const double seconds = isnan(workload->seconds) ? NAN : workload->recorded[p];
    recorded += seconds;
    if (answer->parts[p].calls > 0)
      rows[count++] = row_of(workload, replay_part_name(p), &answer->parts[p], seconds);
  }
  rows[count++] = row_of(workload, "all", &answer->all, recorded);
  rows[count++] = row_of_rest("computation", replay_mean(workload, answer->compute));
  rows[count++] = row_of_rest("rest", replay_rest(workload, answer));
  rows[count++] = row_of_rest("program", answer->seconds);
  rows[count - 1].recorded = workload->seconds;
  return count;
}

static void print_head(const struct replay_facts *facts, const struct workload *workload)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%s on %s, %d ranks: %.6g s", facts->file, facts->platform, facts->ranks, facts->seconds);
  if (!isnan(facts->recorded))
    fprintf(text.stream, "; %.6g s as recorded%s%s", facts->recorded, *workload->library ? ", by " : "",
            workload->library);
  fprintf(text.stream, ". A rank computes %.6g s, and is %.6g s in collectives", facts->compute, facts->collectives);
  if (facts->between > 0)
    fprintf(text.stream, ", %.6g s in other messages", facts->between);
  if (facts->rest > 0)
    fprintf(text.stream, "; the rest, %.3g s, is before it begins and after it ends", facts->rest);
  fputc('.', text.stream);
  print_stream(0, &text);
  if (facts->unknown > 0)
    print_sentence(0, "Of %llu call%s only the time is known: they take as long as recorded.",
                   (unsigned long long)facts->unknown, tutti_plural(facts->unknown));
}

/* What the trace does not have, and which methods gave way; as text above the table, else on standard error. */
static void print_notes(const struct workload *workload, const struct replay_answer *answer, const struct notes *notes,
                        const tutti_passed *passed, FILE *stream)
{
  tutti_passed_print(passed, stream, 0);
  if (workload->unmatched > 0 && answer->parts[WORKLOAD_MESSAGES].messages == 0)
    fprintf(stream, "None of the program's %llu message%s was replayed: of each one end alone was recorded.\n",
            (unsigned long long)workload->unmatched, tutti_plural(workload->unmatched));
  else if (workload->unmatched > 0)
    fprintf(stream, "Of %llu message%s one end alone was recorded: left out.\n",
            (unsigned long long)workload->unmatched, tutti_plural(workload->unmatched));
  for (int kind = 0; kind < TRACE_UNRECORDED_KINDS; kind++)
    if (workload->unrecorded & 1u << kind)
      fprintf(stream, "The program used what a trace does not record: %s.\n", trace_unrecorded_name(kind));
  notes_print(notes, stream);
}

void replay_print(const char *trace, tutti_format format, const char *platform, const struct workload *workload,
                  const struct replay_answer *answer, const struct notes *notes, const tutti_passed *passed)
{
  const double between = answer->parts[WORKLOAD_MESSAGES].seconds;
  struct replay_row rows[WORKLOAD_PARTS + 4];
  const int count = make_rows(workload, answer, rows);
  const struct replay_facts facts = {.file = trace,
                                     .platform = platform,
                                     .ranks = (int)workload->rank_count,
                                     .unknown = workload->unknown,
                                     .unmatched = workload->unmatched,
                                     .unrecorded = workload->unrecorded,
                                     .recorded = workload->seconds,
                                     .seconds = answer->seconds,
                                     .compute = replay_mean(workload, answer->compute),
                                     .collectives = replay_mean(workload, replay_without(answer->all.seconds, between)),
                                     .between = replay_mean(workload, between),
                                     .rest = replay_rest(workload, answer),
                                     .notes = *notes,
                                     .passed = *passed};
  const tutti_table table = {.key = "replayed", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {TUTTI_FACTS(facts_columns, &facts), .tables = &table, .table_count = 1};
  if (format == TUTTI_FORMAT_TEXT)
    print_head(&facts, workload);
  print_notes(workload, answer, notes, passed, format == TUTTI_FORMAT_TEXT ? stdout : stderr);
  if (format == TUTTI_FORMAT_TEXT)
    putchar('\n');
  must(tutti_document_print(&document, format, stdout, &failure));
}
