/* tutti lint --fix: the file without the faults for which only one mend can be meant. */
#include "cli/lint/lint.h"
#include "cli/output/output.h"

static void write_text(const char *path, const tutti_fixed *fixed)
{
  struct tutti_output output;
  output_begin(path, &output);
  fwrite(fixed->text, 1, fixed->length, output.stream);
  output_end(&output);
}

static void print_mended(const char *path, const tutti_findings *mended)
{
  for (size_t i = 0; i < mended->count; i++) {
    const tutti_finding *finding = &mended->items[i];
    print_sentence(0, "%s:%d:%d: mended: %s: %s [%s]", path, finding->line, finding->column, finding->code->title,
                   finding->message, finding->code->name);
  }
}

int lint_fix(const struct lint_options *options)
{
  struct linted file = {.path = options->paths.items[0]}, mended = {.path = options->output};
  tutti_fixed fixed;
  size_t length;
  char *text = lint_read(options, &file, &length);
  if (*file.refused)
    die("%s", file.refused);
  tutti_tuning_fix(text, length, file.path, &file.version, &fixed);
  free(text);
  write_text(options->output, &fixed);
  mended.kind = file.kind;
  mended.version = file.version;
  mended.findings = fixed.left;
  lint_fill_rows(options, &mended);
  lint_find_effects(&mended);
  print_mended(file.path, &fixed.mended);
  lint_print_findings(&mended);
  lint_print_effects(&mended);
  tutti_say(stdout, "%zu fault%s mended; ", fixed.mended.count, tutti_plural(fixed.mended.count));
  lint_print_counts(&mended);
  free(mended.rows);
  tutti_fixed_free(&fixed);
  return mended.errors || mended.warnings ? EXIT_FOUND : EXIT_DONE;
}
