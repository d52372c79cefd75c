/* Writing baselines. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "regression/baseline_private.h"

static void write_value(FILE *stream, tutti_metric metric, double value)
{
  bool measured = metric == TUTTI_METRIC_TIME || metric == TUTTI_METRIC_MEAN || metric == TUTTI_METRIC_WORST;
  if (!isnan(value))
    fprintf(stream, measured ? " %s=%.12g" : " %s=%.0f", tutti_metric_name(metric), value);
}

static void write_text(FILE *stream, const char *text)
{
  if (text)
    fputs(text, stream);
}

static void write_section(FILE *stream, const tutti_baseline_section *section)
{
  fputc('\n', stream);
  write_text(stream, section->comment);
  fprintf(stream, "%s %s\n", section->inline_points ? "points" : "experiment", section->name);
  if (section->platform)
    fprintf(stream, "platform %s %s\n", section->platform, section->platform_hash);
  if (section->library)
    fprintf(stream, "library %s\n", section->library);
  for (size_t i = 0; i < section->count; i++) {
    const tutti_baseline_entry *entry = &section->entries[i];
    write_text(stream, entry->comment);
    fputs(entry->key, stream);
    for (int m = 0; m < TUTTI_METRICS; m++)
      write_value(stream, (tutti_metric)m, entry->values[m]);
    fputc('\n', stream);
  }
}

tutti_status tutti_baseline_write(const tutti_baseline *baseline, FILE *stream, tutti_error *error)
{
  fputs(BASELINE_HEAD "\n", stream);
  for (size_t i = 0; i < baseline->count; i++)
    write_section(stream, &baseline->sections[i]);
  if (baseline->ending)
    fprintf(stream, "\n%s", baseline->ending);
  if (fflush(stream) != 0 || ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written: %s", baseline->path, strerror(errno));
  return TUTTI_OK;
}
