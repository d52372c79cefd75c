/* Files of baselines: writing, and the digest of what is written. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/regression/private.h"
#include "tutti/platform.h"

static void write_text(FILE *stream, const char *text)
{
  if (text)
    fputs(text, stream);
}

const char *tutti_baseline_format_value(tutti_metric metric, double value, char *text)
{
  snprintf(text, BASELINE_VALUE_LENGTH, tutti_metric_is_measured(metric) ? "%.12g" : "%.0f", value);
  return text;
}

static void write_entry(FILE *stream, const tutti_baseline_entry *entry)
{
  char text[BASELINE_VALUE_LENGTH];
  fputs(entry->key, stream);
  for (int m = 0; m < TUTTI_METRICS; m++)
    if (!isnan(entry->values[m]))
      fprintf(stream, " %s=%s", tutti_metric_name((tutti_metric)m),
              tutti_baseline_format_value((tutti_metric)m, entry->values[m], text));
  fputc('\n', stream);
}

static void write_word(FILE *stream, const char *word, const char *text)
{
  if (text && *text)
    fprintf(stream, "%s %s\n", word, text);
}

static void write_name(FILE *stream, const char *name, bool word)
{
  char *text = tutti_baseline_escape(name, word);
  fputs(text, stream);
  free(text);
}

static void write_section_head(FILE *stream, const tutti_baseline_section *section)
{
  static const char *const words[] = {[TUTTI_SECTION_EXPERIMENT] = "experiment",
                                      [TUTTI_SECTION_POINTS] = "points",
                                      [TUTTI_SECTION_PROGRAM] = "program"};
  const tutti_baseline_program *program = &section->program;
  fprintf(stream, "%s ", words[section->kind]);
  write_name(stream, section->name, program->platform);
  if (program->platform) {
    fputc(' ', stream);
    write_name(stream, program->platform, true);
  }
  fputc('\n', stream);
  write_word(stream, "engine", section->engine);
  write_word(stream, "arguments", program->arguments);
  write_word(stream, "times", program->times);
  write_word(stream, "unit", program->unit);
  write_word(stream, "selector", program->selector);
  if (section->platform) {
    fputs("platform ", stream);
    write_name(stream, section->platform, true);
    fprintf(stream, " %s\n", section->platform_hash);
  }
  write_word(stream, "library", section->library);
}

/* Write the content that the digest covers; returns its number of points. */
static size_t write_content(const tutti_baseline *baseline, FILE *stream)
{
  size_t points = 0;
  for (size_t s = 0; s < baseline->count; s++) {
    const tutti_baseline_section *section = &baseline->sections[s];
    write_section_head(stream, section);
    for (size_t i = 0; i < section->count; i++)
      if (tutti_baseline_has_values(&section->entries[i])) {
        write_entry(stream, &section->entries[i]);
        points++;
      }
  }
  return points;
}

size_t tutti_baseline_digest(const tutti_baseline *baseline, char digest[TUTTI_HASH_LENGTH])
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  size_t points = write_content(baseline, text.stream);
  char *content = tutti_xclose_text(&text);
  tutti_hash(content, strlen(content), digest);
  free(content);
  return points;
}

static void write_section(FILE *stream, const tutti_baseline_section *section)
{
  fputc('\n', stream);
  write_text(stream, section->comment);
  write_section_head(stream, section);
  for (size_t i = 0; i < section->count; i++) {
    write_text(stream, section->entries[i].comment);
    write_entry(stream, &section->entries[i]);
  }
}

tutti_status tutti_baseline_write(const tutti_baseline *baseline, FILE *stream, tutti_error *error)
{
  char digest[TUTTI_HASH_LENGTH];
  size_t points = tutti_baseline_digest(baseline, digest);
  fputs(BASELINE_HEAD "\n", stream);
  for (size_t i = 0; i < baseline->count; i++)
    write_section(stream, &baseline->sections[i]);
  if (baseline->ending)
    fprintf(stream, "\n%s", baseline->ending);
  fprintf(stream, "\nend points=%zu sha256=%s\n", points, digest);
  if (fflush(stream) != 0 || ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", baseline->path, strerror(errno));
  return TUTTI_OK;
}
