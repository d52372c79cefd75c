/* What is said about exported decisions: where they come from, what was lost, how to use them. */
#include "cli/export/report_export.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_part(const tutti_export_part *part, FILE *stream)
{
  fprintf(stream, "%s: decided by %s", tutti_collective_name(part->table.collective), part->decision->name);
  if (!part->map) {
    fprintf(stream, "\n");
    return;
  }
  fprintf(stream, "; %d of %d points (%.1f %%) replaced", part->replaced, part->points,
          part->points ? 100.0 * part->replaced / part->points : 0);
  if (part->before.points > 0)
    fprintf(stream, "; penalty before: mean %.2f %%, worst %.2f %%", part->before.mean, part->before.maximum);
  if (part->after.points > 0)
    fprintf(stream, "; as written: mean %.2f %%, worst %.2f %%", part->after.mean, part->after.maximum);
  if (part->after.missing > 0)
    fprintf(stream, " (%d points could not be counted)", part->after.missing);
  fprintf(stream, "\n");
}

char *report_export_comment(const tutti_export_part *parts, int count)
{
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  for (int i = 0; i < count; i++)
    print_part(&parts[i], stream);
  fclose(stream);
  return text;
}

/* A file that is not known by its whole path is not found from other directories. */
void report_export_print(const tutti_target *target, const char *comment, const char *path)
{
  char whole[PATH_MAX];
  if (comment)
    fprintf(stderr, "%s", comment);
  if (path && target->print_use)
    target->print_use(realpath(path, whole) ? whole : path, stderr);
}
