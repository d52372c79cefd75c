/* Baselines: what is read is written, read again, and is the same. */
#include "kinds.h"
#include "tutti/baseline.h"

static char *written(const fuzz_trial *trial, const tutti_baseline *baseline, size_t *length)
{
  tutti_error error = {0};
  char *text = NULL;
  FILE *stream = open_memstream(&text, length);
  if (!stream)
    abort();
  fuzz_good(trial, "writing a baseline", tutti_baseline_write(baseline, stream, &error), &error);
  fclose(stream);
  return text;
}

static void read_again(const fuzz_trial *trial, const char *text, size_t length)
{
  tutti_baseline baseline;
  tutti_error error = {0};
  size_t again_length;
  char *path = fuzz_file(trial, "again.baseline", text, length);
  fuzz_good(trial, "reading it again", tutti_baseline_read(path, &baseline, &error), &error);
  char *again = written(trial, &baseline, &again_length);
  if (again_length != length || memcmp(again, text, length) != 0)
    fuzz_fail(trial, "writing it again makes another file");
  free(again);
  free(path);
  tutti_baseline_free(&baseline);
}

static void compare_with_itself(const fuzz_trial *trial, const tutti_baseline *baseline)
{
  tutti_tolerance nothing = {.percent = {0}};
  tutti_baseline_comparison comparison;
  tutti_baseline_compare(baseline, baseline, &nothing, &comparison);
  if (tutti_baseline_comparison_failed(&comparison) || comparison.counts[TUTTI_BASELINE_BETTER])
    fuzz_fail(trial, "a baseline differs from itself");
  tutti_baseline_comparison_free(&comparison);
}

bool fuzz_feed_baseline(const fuzz_trial *trial)
{
  tutti_baseline baseline;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.baseline", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_baseline_read(path, &baseline, &error), &error, path);
  if (taken) {
    size_t length;
    char *text = written(trial, &baseline, &length);
    read_again(trial, text, length);
    compare_with_itself(trial, &baseline);
    free(text);
    tutti_baseline_free(&baseline);
  }
  free(path);
  return taken;
}
