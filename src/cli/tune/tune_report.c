/* What a tuning found: the verdict, a line a collective, and what to do with the file. */
#include <math.h>

#include "base/process.h"
#include "cli/output/output.h"
#include "cli/tune/tune.h"
#include "harness/experiments/settings/settings.h"

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

#define POINT(member) TUTTI_FIELD(struct tune_point, member)

static const tutti_column point_columns[] = {
    {"collective", "collective", POINT(collective)},
    {"ranks", "ranks", POINT(ranks)},
    {"size", "size_B", POINT(size), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"before", "before_s", CELL_MICROSECONDS(struct tune_point, before)},
    {"after", "after_s", CELL_MICROSECONDS(struct tune_point, after)},
    {"change", "change_percent", POINT(change), .unit = "%", .decimals = 1},
    {"outcome", "outcome", POINT(outcome)},
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

/* Collectives that were tuned, and of which nothing was worth a comparison. */
static void print_unchanged(const struct tuning *tuning, const struct tune_verdict *verdict)
{
  char *words = tutti_xstrdup(tuning->collectives), *rest = words, *word;
  struct tutti_text_stream list;
  int count = 0;
  tutti_xopen_text(&list);
  while ((word = strsep(&rest, ","))) {
    size_t i = 0;
    while (i < verdict->count && strcmp(verdict->items[i].collective, word) != 0)
      i++;
    if (i == verdict->count)
      fprintf(list.stream, "%s%s", count++ ? ", " : "", word);
  }
  char *text = tutti_xclose_text(&list);
  if (count > 0)
    print_sentence(0, "Nothing is changed for %s: nothing there was found to be faster", text);
  free(text);
  free(words);
}

/* The file in the program's own environment, and for all users. */
static void print_file(const struct tuning *tuning, const struct facts *facts)
{
  tutti_say(stdout, "\nThe file: %s\nUse it:\n%sUndo it:\n%s", facts->file, facts->use, facts->undo);
  if (strcmp(tuning->flavor, "openmpi") == 0) {
    char *launcher =
             tutti_program_find(tuning->options->place.command ? tuning->options->place.command : "mpiexec.openmpi"),
         *path = tutti_mca_system_file(launcher);
    print_sentence(0,
                   "For all users: put the file where they can read it, and coll_tuned_use_dynamic_rules = 1 and "
                   "coll_tuned_dynamic_rules_filename = FILE into lines of their own of %s",
                   path ? path : "openmpi-mca-params.conf of the library");
    free(path);
    free(launcher);
  } else
    print_sentence(0, "For all users: put the file where they can read it, and the first line into the module of the "
                      "library, or into a profile of the shell");
}

static void print_text(const struct tuning *tuning, const struct tune_result *result, const struct facts *facts,
                       const tutti_table tables[2])
{
  enum { FEW = 40 };
  print_verdict(tuning, result);
  if (result->verdict.count > 0) {
    printf("\n");
    must(tutti_table_print(&tables[0], stdout, &failure));
    print_sentence(
        0,
        tuning->options->reproducible
            ? "Changes of the time of a call, negative: faster; the file decides reductions on all numbers of "
              "ranks, and was compared on %s"
            : "Changes of the time of a call, negative: faster; all else stays the library's own choice, "
              "also on other numbers of ranks than %s",
        tuning->ranks);
  }
  if (result->file) {
    print_unchanged(tuning, &result->verdict);
    if (tables[1].row_count <= FEW) {
      printf("\n");
      must(tutti_table_print(&tables[1], stdout, &failure));
    }
    print_file(tuning, facts);
  }
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
  const tutti_table tables[] = {
      {.key = "summary", TUTTI_COLUMNS(columns), TUTTI_ROWS(result->verdict.items, result->verdict.count)},
      {.key = "compared",
       TUTTI_COLUMNS(point_columns),
       TUTTI_ROWS(result->verdict.compared.items, result->verdict.compared.count)},
  };
  const tutti_document document = {TUTTI_FACTS(fact_columns, &facts), .tables = tables, .table_count = 2};
  if (tuning->options->format == TUTTI_FORMAT_TEXT)
    print_text(tuning, result, &facts, tables);
  else
    must(tutti_document_print(&document, tuning->options->format, stdout, &failure));
  free(use);
  free(undo);
}
