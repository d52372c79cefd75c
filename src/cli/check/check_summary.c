/* What comes above the tables of a comparison: how much differs, what could not be compared, which algorithms got
 * worse. */
#include "cli/check/check.h"
#include "cli/output/output.h"

/* What made the baseline is not what measured now; points are in tables, and standard error warns of an older file, and
   says what to do, which a page does not have. */
static bool is_noted(const struct check_output *output, tutti_baseline_gap_kind kind)
{
  return kind == TUTTI_GAP_LIBRARY || kind == TUTTI_GAP_PLATFORM ||
         (kind == TUTTI_GAP_UNSEALED && output->markdown && !output->updating);
}

/* What others named, on a page or a terminal. */
static void print_text(const struct check_output *output, const char *text)
{
  if (output->markdown)
    tutti_print_markdown(output->stream, text);
  else
    tutti_say(output->stream, "%s", text);
}

/* An item of the list below the first line; takes over @p text. */
static void print_item(const struct check_output *output, char *text)
{
  fputs(output->markdown ? "- " : "  ", output->stream);
  print_text(output, text);
  fputc('\n', output->stream);
  free(text);
}

static void print_notes(const struct check_output *output, const tutti_baseline_comparison *comparison)
{
  const bool mend = output->markdown && comparison->strict;
  for (size_t i = 0; i < comparison->gap_count; i++) {
    const tutti_baseline_gap *gap = &comparison->gaps[i];
    if (mend || is_noted(output, gap->kind))
      print_item(output,
                 tutti_xprintf("%s: %s%s%s", gap->section->name, gap->what, mend ? ": " : "", mend ? gap->mend : ""));
  }
}

static void print_families(const struct check_output *output, const tutti_baseline_comparison *comparison)
{
  tutti_baseline_family family;
  for (size_t next = 0; tutti_baseline_next_family(comparison, &next, &family);) {
    char *name = tutti_baseline_family_name(&family);
    print_item(output, tutti_xprintf("worse: %s, %zu of %zu points", name, family.worse, family.points));
    free(name);
  }
}

static bool has_other_library(const tutti_baseline_comparison *comparison)
{
  for (size_t i = 0; i < comparison->gap_count; i++)
    if (comparison->gaps[i].kind == TUTTI_GAP_LIBRARY)
      return true;
  return false;
}

/* "6 values of 5 points worse"; of what is missing or new points alone. */
static void print_count(FILE *stream, const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  char values[64], points[64];
  size_t count = comparison->counts[verdict];
  if (check_has_values(verdict) && count > 0)
    fprintf(stream, ", %s of %s %s", progress_format_things(count, "value", "values", values),
            progress_format_things(comparison->points[verdict], "point", "points", points), check_verdicts[verdict]);
  else if (count > 0)
    fprintf(stream, ", %s %s", progress_format_count(count, values), check_verdicts[verdict]);
}

static void print_within(FILE *stream, const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict)
{
  const tutti_within *within = &comparison->within[verdict];
  char count[64], change[TUTTI_CELL_LENGTH];
  if (within->values == 0)
    return;
  fprintf(stream, ", %s %s within the tolerance, %s%s",
          progress_format_things(within->values, "value", "values", count), check_verdicts[verdict],
          within->values > 1 ? "at most " : "", check_describe_change(&within->most, change));
}

static void print_first_line(const struct check_output *output, const tutti_baseline_comparison *comparison)
{
  char count[64];
  FILE *stream = output->stream;
  size_t within = 0, rewritten = output->updating ? tutti_baseline_rewritten(comparison->after, comparison->before) : 0;
  fputs(output->markdown ? "**" : "", stream);
  print_text(output, comparison->before->path);
  fprintf(stream, output->markdown ? "**: %s" : ": %s",
          progress_format_things(tutti_baseline_points(comparison->before), "point", "points", count));
  for (int v = 0; v < TUTTI_BASELINE_VERDICTS; v++)
    print_count(stream, comparison, (tutti_baseline_verdict)v);
  for (int v = 0; v < TUTTI_BASELINE_VERDICTS; v++) {
    print_within(stream, comparison, (tutti_baseline_verdict)v);
    within += comparison->within[v].values;
  }
  if (rewritten > 0)
    fprintf(stream, ", %s rewritten", progress_format_things(rewritten, "value", "values", count));
  else if (comparison->count + within == 0)
    fprintf(stream, ", all%s equal to the baseline", has_other_library(comparison) ? " that is compared" : "");
  fputs(output->markdown ? "\n\n" : "\n", stream);
}

void check_print_summary(const struct check_output *output, const tutti_baseline_comparison *comparison)
{
  print_first_line(output, comparison);
  print_notes(output, comparison);
  print_families(output, comparison);
}
