/* What a tuning found: the verdict, a line a collective, and what to do with the file. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/tune/tune.h"

#define ROW(member) TUTTI_FIELD(struct tune_row, member)

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

static void print_verdict(const struct tuning *tuning, const struct tune_result *result)
{
  double best = 0;
  for (size_t i = 0; i < result->verdict.count; i++)
    best = fmin(best, result->verdict.items[i].best);
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
                       const tutti_table *table)
{
  print_verdict(tuning, result);
  if (result->verdict.count > 0) {
    printf("\n");
    must(tutti_table_print(table, stdout, &failure));
    print_sentence(0, "Changes of the time of a call, negative: faster; all else stays the library's own choice");
  }
  if (result->file)
    tutti_say(stdout, "\nThe file: %s\nUse it:\n%sUndo it:\n%s", facts->file, facts->use, facts->undo);
}

void tune_print(const struct tuning *tuning, const struct tune_result *result)
{
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
  const tutti_table table = {
      .key = "summary", TUTTI_COLUMNS(columns), TUTTI_ROWS(result->verdict.items, result->verdict.count)};
  const tutti_document document = {TUTTI_FACTS(fact_columns, &facts), .tables = &table, .table_count = 1};
  if (tuning->options->format == TUTTI_FORMAT_TEXT)
    print_text(tuning, result, &facts, &table);
  else
    must(tutti_document_print(&document, tuning->options->format, stdout, &failure));
  free(use);
  free(undo);
}
