/* The regression gate in GitHub Actions: annotations of the files of a change, and the page of the run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check.h"
#include "cli/output/output.h"

static void annotate_comparison(const tutti_baseline_comparison *comparison, bool strict)
{
  static const char *const titles[] = {[TUTTI_GAP_LIBRARY] = "another simulator",
                                       [TUTTI_GAP_PLATFORM] = "another platform",
                                       [TUTTI_GAP_MISSING] = "points are missing"};
  const char *path = comparison->before->path;
  struct check_family family;
  char text[TUTTI_CELL_LENGTH];
  for (size_t next = 0; check_next_family(comparison, &next, &family);)
    annotation_print("error", path, family.worst->entry->line, "worse than the baseline",
                     tutti_xprintf("%.*s: %zu of %zu points; %s: %s", family.length, family.worst->entry->key,
                                   family.worse, family.points, family.worst->entry->key,
                                   check_describe(family.worst, text)));
  for (size_t i = 0; i < comparison->gap_count; i++) {
    const tutti_baseline_gap *gap = &comparison->gaps[i];
    bool fails = strict || gap->kind == TUTTI_GAP_MISSING;
    annotation_print(fails ? "error" : "warning", path, gap->section->line, titles[gap->kind],
                     tutti_xprintf("%s: %s: %s", gap->section->name, gap->what, gap->mend));
  }
}

/* ---- the summary ---- */

static tutti_status write_summary(const struct check_output *output, const tutti_baseline_comparison *comparisons,
                                  size_t count, tutti_error *error)
{
  fputs("### tutti check\n\n", output->stream);
  tutti_status status = check_print_text(output, comparisons, count, error);
  fputc('\n', output->stream);
  return status;
}

/* Steps share the file, so each appends. */
static tutti_status append_summary(const char *path, struct check_output output,
                                   const tutti_baseline_comparison *comparisons, size_t count, tutti_error *error)
{
  output.stream = fopen(path, "a");
  tutti_status status = output.stream ? write_summary(&output, comparisons, count, error) : TUTTI_OK;
  if (!output.stream || fclose(output.stream) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "GITHUB_STEP_SUMMARY: %s: %s", path, strerror(errno));
  return status;
}

tutti_status check_print_github(const tutti_baseline_comparison *comparisons, size_t count, bool updating, bool strict,
                                tutti_error *error)
{
  const struct check_output summary = {.stream = stdout, .markdown = true, .updating = updating};
  const struct check_output log = {.stream = stdout, .updating = updating};
  const char *path = getenv("GITHUB_STEP_SUMMARY");
  for (size_t i = 0; i < count && !updating; i++)
    annotate_comparison(&comparisons[i], strict);
  if (!path || !*path)
    return write_summary(&summary, comparisons, count, error);
  tutti_status status = append_summary(path, summary, comparisons, count, error);
  return status == TUTTI_OK ? check_print_text(&log, comparisons, count, error) : status;
}
