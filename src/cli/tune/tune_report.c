/* What a tuning found: the verdict, a line a collective, and what to do with the file. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/tune/tune.h"

/* A collective, as the last comparison summed it up. */
struct row {
  const char *collective;
  int points, won, lost, unclear;
  double mean, best, worst; /* percent */
};

#define ROW(member) TUTTI_FIELD(struct row, member)

static const tutti_column columns[] = {
    {"collective", "collective", ROW(collective)},
    {"points", "points", ROW(points)},
    {"won", "won", ROW(won)},
    {"lost", "lost", ROW(lost)},
    {"unclear", "unclear", ROW(unclear)},
    {"mean", "mean_percent", ROW(mean), .unit = "%", .decimals = 1},
    {"best", "min_percent", ROW(best), .unit = "%", .decimals = 1},
    {"worst", "max_percent", ROW(worst), .unit = "%", .decimals = 1},
};

struct facts {
  const char *outcome, *reason, *platform, *flavor, *library, *folder, *file, *use, *undo;
  int mended, calls, decided;
};

#define FACT(member) TUTTI_FIELD(struct facts, member)

static const tutti_column fact_columns[] = {
    {NULL, "outcome", FACT(outcome)}, {NULL, "reason", FACT(reason)},   {NULL, "platform", FACT(platform)},
    {NULL, "flavor", FACT(flavor)},   {NULL, "library", FACT(library)}, {NULL, "folder", FACT(folder)},
    {NULL, "file", FACT(file)},       {NULL, "use", FACT(use)},         {NULL, "undo", FACT(undo)},
    {NULL, "mended", FACT(mended)},   {NULL, "calls", FACT(calls)},     {NULL, "decided_calls", FACT(decided)},
};

struct rows {
  TUTTI_VECTOR(struct row);
};

static const char *text_of(const struct json *object, const char *key)
{
  const struct json *value = tutti_json_member_of(object, key);
  return value && value->text ? value->text : "";
}

static double real_of(const struct json *object, const char *key)
{
  double real;
  return tutti_parse_real(text_of(object, key), &real) ? real : NAN;
}

static struct rows read_rows(const struct tune_verdict *verdict)
{
  struct rows rows = {.count = 0};
  const struct json *summary = tutti_json_member_of(&verdict->document, "summary");
  for (size_t i = 0; verdict->points > 0 && i < summary->count; i++) {
    const struct json *item = &summary->items[i];
    tutti_xpush(&rows, (struct row){.collective = text_of(item, "collective"),
                                    .points = (int)real_of(item, "points"),
                                    .won = (int)real_of(item, "won"),
                                    .lost = (int)real_of(item, "lost"),
                                    .unclear = (int)real_of(item, "unclear"),
                                    .mean = real_of(item, "mean_percent"),
                                    .best = real_of(item, "min_percent"),
                                    .worst = real_of(item, "max_percent")});
  }
  return rows;
}

/* The lines that a function prints, owned by the caller. @{ */
static char *use_of(const struct tuning *tuning, const char *file)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  tutti_target_print_use(tuning->target, file, text.stream);
  return tutti_xclose_text(&text);
}

static char *undo_of(const struct tuning *tuning)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  tutti_target_print_undo(tuning->target, text.stream);
  return tutti_xclose_text(&text);
}
/* @} */

/* Half a processor's worth of others is felt by ranks that wait for each other. */
static const double BUSY = 0.5;

static void print_verdict(const struct tuning *tuning, const struct tune_result *result, const struct rows *rows)
{
  double best = 0;
  for (size_t i = 0; i < rows->count; i++)
    best = fmin(best, rows->items[i].best);
  if (result->file)
    print_sentence(
        0,
        "%s is faster with the file at %d of the %d points at which it changes the choice, by up to %.0f %%, "
        "and slower at none",
        tuning->library, result->verdict.won, result->verdict.points, -best);
  else
    print_sentence(0, "Leave %s alone: %s", tuning->library, result->why);
  if (result->decided < result->calls)
    print_sentence(0, "Of %d calls %d could not be decided: %s; a larger --budget may find more", result->calls,
                   result->calls - result->decided, result->end ? result->end : "");
  if (tuning->load > BUSY && result->verdict.points > 0)
    print_sentence(
        0,
        "The load of this machine was %.1f when this began: what other programs do to times hides gains, and "
        "a quiet machine may show more (--again)",
        tuning->load);
}

static void print_text(const struct tuning *tuning, const struct tune_result *result, const struct facts *facts,
                       const struct rows *rows, const tutti_table *table)
{
  print_verdict(tuning, result, rows);
  if (rows->count > 0) {
    printf("\n");
    must(tutti_table_print(table, stdout, &failure));
    print_sentence(0, "Changes of the time of a call, negative: faster; all else stays the library's own choice");
  }
  if (result->file)
    tutti_say(stdout, "\nThe file: %s\nUse it:\n%sUndo it:\n%s", facts->file, facts->use, facts->undo);
}

void tune_print(const struct tuning *tuning, const struct tune_result *result)
{
  struct rows rows = read_rows(&result->verdict);
  char *use = result->file ? use_of(tuning, result->file) : NULL, *undo = result->file ? undo_of(tuning) : NULL;
  const struct facts facts = {.outcome = result->outcome,
                              .reason = result->why,
                              .platform = tuning->platform,
                              .flavor = tuning->flavor,
                              .library = tuning->library,
                              .folder = tuning->folder,
                              .file = result->file,
                              .use = use,
                              .undo = undo,
                              .mended = result->mended,
                              .calls = result->calls,
                              .decided = result->decided};
  const tutti_table table = {.key = "summary", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows.items, rows.count)};
  const tutti_document document = {TUTTI_FACTS(fact_columns, &facts), .tables = &table, .table_count = 1};
  if (tuning->options->format == TUTTI_FORMAT_TEXT)
    print_text(tuning, result, &facts, &rows, &table);
  else
    must(tutti_document_print(&document, tuning->options->format, stdout, &failure));
  free(use);
  free(undo);
  tutti_vector_free(&rows);
}
