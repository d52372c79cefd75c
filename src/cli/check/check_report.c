/* tutti check: what was compared, or why nothing was, for people, programs and servers. */
#include "cli/check/check.h"
#include "cli/command.h"
#include "cli/output/output.h"

/* The comparisons, or the reason why there are none. */
static tutti_status write_junit(const char *path, const tutti_baseline_comparison *comparisons, size_t count,
                                const char *reason, tutti_error *error)
{
  struct tutti_output output;
  tutti_status status = tutti_output_begin(path, &output, error);
  if (status == TUTTI_OK)
    status = tutti_output_end(&output,
                              reason ? tutti_baseline_write_junit_error(reason, output.stream, error)
                                     : tutti_baseline_write_junit(comparisons, count, output.stream, error),
                              error);
  return status;
}

void check_report(const struct check_options *options, const struct checked *checked)
{
  size_t count = options->baselines.count;
  tutti_baseline_comparison *comparisons = tutti_xcalloc(count, sizeof *comparisons);
  for (size_t i = 0; i < count; i++)
    comparisons[i] = checked[i].comparison;
  const struct check_output output = {.stream = stdout, .updating = options->update};
  if (options->kind == OUTPUT_GITHUB)
    check_print_github(comparisons, count, options->update);
  else
    check_print(&output, options->format, comparisons, count);
  if (options->junit)
    must(write_junit(options->junit, comparisons, count, NULL, &failure));
  free(comparisons);
}

/* Name on standard error what could not be compared; returns how much that is. */
static size_t report_gaps(const struct check_options *options, const struct checked *checked)
{
  size_t count = 0;
  fflush(stdout);
  for (size_t i = 0; i < options->baselines.count; i++) {
    const tutti_baseline_comparison *comparison = &checked[i].comparison;
    for (size_t g = 0; g < comparison->gap_count && comparison->strict; g++, count++)
      tutti_say(stderr, "tutti: %s: %s: %s: %s (--no-strict compares the rest)\n", comparison->before->path,
                comparison->gaps[g].section->name, comparison->gaps[g].what, comparison->gaps[g].mend);
  }
  return count;
}

int check_exit_code(const struct check_options *options, const struct checked *checked)
{
  if (report_gaps(options, checked) > 0)
    return EXIT_USAGE;
  for (size_t i = 0; i < options->baselines.count; i++)
    if (!options->update && tutti_baseline_comparison_failed(&checked[i].comparison))
      return EXIT_FOUND;
  return EXIT_DONE;
}

static void report_failure(const struct check_options *options, const char *why)
{
  tutti_error other;
  if (options->kind == OUTPUT_GITHUB && check_fail_github(why, &options->baselines, &other) != TUTTI_OK)
    complain(&other);
  if (options->junit && write_junit(options->junit, NULL, 0, why, &other) != TUTTI_OK &&
      strcmp(other.message, why) != 0)
    complain(&other);
}

void check_report_failure(void *options)
{
  report_failure(options, failure.message);
}

/* The value of an option, "--name", among words; "": it is not there. */
static const char *value_of(const char *option, int count, char *const *words)
{
  size_t length = strlen(option);
  for (int i = 0; i < count; i++)
    if (strncmp(words[i], option, length) != 0)
      continue;
    else if (words[i][length] == '=')
      return words[i] + length + 1;
    else if (words[i][length] == '\0' && i + 1 < count)
      return words[i + 1];
  return "";
}

void check_refused(int count, char *const *words, const char *why)
{
  const char *junit = value_of("--junit", count, words), *format = value_of("--format", count, words);
  const struct check_options options = {.junit = *junit ? junit : NULL,
                                        .kind = strcmp(format, "github") == 0 ? OUTPUT_GITHUB : OUTPUT_TEXT};
  report_failure(&options, why);
}
