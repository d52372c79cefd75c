/* The regression gate in GitHub Actions: annotations of the files of a change, and the page of the run. */
#include <errno.h>
#include <limits.h>

#include "base/utf8.h"
#include "cli/check/check.h"
#include "cli/output/output.h"

/* ---- annotations, as the runner reads them: ::LEVEL file=FILE,line=LINE,title=TITLE::MESSAGE ---- */

/* What the runner would take for its own signs is written as %XX. */
static void put_escaped(const char *text, const char *signs)
{
  while (*text)
    if (strchr(signs, *text))
      printf("%%%02X", (unsigned char)*text++);
    else
      text += tutti_utf8_put(stdout, text);
}

/* The file as seen from the top of the repository, where annotations are looked for; owned by the caller. */
static char *path_in_repository(const char *path)
{
  const char *top = getenv("GITHUB_WORKSPACE");
  char real[PATH_MAX], real_top[PATH_MAX];
  size_t length = top && realpath(top, real_top) ? strlen(real_top) : 0;
  bool within = length > 0 && realpath(path, real) && strncmp(real, real_top, length) == 0 && real[length] == '/';
  return tutti_xstrdup(within ? real + length + 1 : path);
}

/* Of a line of a file or, if @p path is NULL, of the run; the message is freed. */
static void print_annotation(const char *level, const char *path, int line, const char *title, char *message)
{
  char *file = path ? path_in_repository(path) : NULL;
  printf("::%s ", level);
  if (file) {
    printf("file=");
    put_escaped(file, "%\r\n:,");
    printf(",line=%d,", line > 0 ? line : 1);
  }
  printf("title=");
  put_escaped(title, "%\r\n:,");
  printf("::");
  put_escaped(message, "%\r\n");
  putchar('\n');
  free(message);
  free(file);
}

/* ---- what is annotated ---- */

/* A time that a program prints and the baseline does not have would pass in silence for ever. */
static void annotate_new(const tutti_baseline_comparison *comparison, const tutti_baseline_section *section)
{
  const tutti_baseline_entry *first;
  const size_t count = tutti_baseline_count(comparison, section, TUTTI_BASELINE_NEW, &first);
  if (count > 0 && section->kind == TUTTI_SECTION_PROGRAM)
    print_annotation("warning", comparison->before->path, section->line, "not in the baseline",
                     tutti_xprintf("%s: %zu point%s measured and not in the baseline, the first is %s: --update adds "
                                   "what is new",
                                   section->name, count, count == 1 ? " is" : "s are", first->key));
}

static void annotate_comparison(const tutti_baseline_comparison *comparison)
{
  const char *path = comparison->before->path;
  tutti_baseline_family family;
  char text[TUTTI_CELL_LENGTH];
  for (size_t next = 0; tutti_baseline_next_family(comparison, &next, &family);) {
    char *name = tutti_baseline_family_name(&family);
    print_annotation("error", path, family.worst->entry->line, "worse than the baseline",
                     tutti_xprintf("%s: %zu of %zu points; %s: %s", name, family.worse, family.points,
                                   family.worst->entry->key, check_describe(family.worst, text)));
    free(name);
  }
  for (size_t i = 0; i < comparison->gap_count; i++) {
    const tutti_baseline_gap *gap = &comparison->gaps[i];
    bool fails = comparison->strict || gap->kind == TUTTI_GAP_MISSING;
    int line = gap->kind == TUTTI_GAP_UNSEALED ? 1 : gap->section->line;
    print_annotation(fails ? "error" : "warning", path, line, tutti_baseline_gap_title(gap->kind),
                     tutti_xprintf("%s: %s: %s", gap->section->name, gap->what, gap->mend));
  }
  for (size_t i = 0; i < comparison->before->count; i++)
    annotate_new(comparison, &comparison->before->sections[i]);
}

/* ---- the summary ---- */

static void write_summary(const struct check_output *output, const tutti_baseline_comparison *comparisons, size_t count)
{
  fputs("### tutti check\n\n", output->stream);
  check_print_text(output, comparisons, count);
  fputc('\n', output->stream);
}

/* The summary, if there is a file for it: NULL without that. Steps share it, so each appends. */
static tutti_status open_summary(FILE **stream, tutti_error *error)
{
  const char *path = getenv("GITHUB_STEP_SUMMARY");
  *stream = path && *path ? fopen(path, "a") : NULL;
  return *stream || !path || !*path
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_IO, "GITHUB_STEP_SUMMARY: %s: %s", path, strerror(errno));
}

static tutti_status close_summary(FILE *stream, tutti_error *error)
{
  return fclose(stream) == 0 ? TUTTI_OK
                             : tutti_fail(error, TUTTI_ERR_IO, "GITHUB_STEP_SUMMARY: %s: %s",
                                          getenv("GITHUB_STEP_SUMMARY"), strerror(errno));
}

void check_print_github(const tutti_baseline_comparison *comparisons, size_t count, bool updating)
{
  struct check_output summary = {.stream = stdout, .markdown = true, .updating = updating};
  const struct check_output log = {.stream = stdout, .updating = updating};
  FILE *file;
  for (size_t i = 0; i < count && !updating; i++)
    annotate_comparison(&comparisons[i]);
  must(open_summary(&file, &failure));
  if (!file) {
    write_summary(&summary, comparisons, count);
    return;
  }
  summary.stream = file;
  write_summary(&summary, comparisons, count);
  must(close_summary(file, &failure));
  check_print_text(&log, comparisons, count);
}

/* ---- where nothing was compared ---- */

/* The line of "FILE:LINE: ..."; 0 if the message is of no line of this file. */
static int line_of(const char *message, const char *file)
{
  size_t length = strlen(file);
  int line = 0;
  return strncmp(message, file, length) == 0 && sscanf(message + length, ":%9d:", &line) == 1 ? line : 0;
}

tutti_status check_fail_github(const char *message, const struct option_strings *files, tutti_error *error)
{
  const char *path = NULL;
  FILE *file;
  int line = 0;
  for (size_t i = 0; i < files->count && line == 0; i++) {
    path = files->items[i];
    line = line_of(message, path);
  }
  print_annotation("error", line > 0 ? path : NULL, line, "nothing was compared", tutti_xstrdup(message));
  tutti_status status = open_summary(&file, error);
  if (status != TUTTI_OK || !file)
    return status;
  fputs("### tutti check\n\nNothing was compared: ", file);
  tutti_print_markdown(file, message);
  fputs("\n\n", file);
  return close_summary(file, error);
}
