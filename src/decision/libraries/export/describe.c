/* The result of exporting a decision, in words. */
#include <stdio.h>

#include "base/text.h"

#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"

/* Loss of the file against the library's own choice, from its gain. */
static double loss_of(double gain)
{
  return 0 - gain; /* no negative zero */
}

void tutti_export_part_print(const tutti_export_part *part, FILE *stream)
{
  fprintf(stream, "%d of %d point%s (%.1f %%) replaced", part->replaced, part->points,
          tutti_plural((uint64_t)part->points), part->points ? 100.0 * part->replaced / part->points : 0);
  if (part->before.points > 0)
    fprintf(stream, "; penalty before: mean %.2f %%, worst %.2f %%", part->before.mean, part->before.max);
  if (part->after.points > 0)
    fprintf(stream, "; as written: mean %.2f %%, worst %.2f %%", part->after.mean, part->after.max);
  if (part->after.missing > 0)
    fprintf(stream, " (%d point%s could not be counted)", part->after.missing,
            tutti_plural((uint64_t)part->after.missing));
  if (part->after.own_choice > 0)
    fprintf(stream, "; %d of %d point%s: the library's own choice", part->after.own_choice, part->after.points,
            tutti_plural((uint64_t)part->after.points));
  if (part->map->candidates.implementation != TUTTI_IMPLEMENTATION_TUTTI)
    fprintf(stream, "; by the own times of %s", tutti_implementation_name(part->map->candidates.implementation));
  if (part->untuned.points > 0)
    fprintf(stream, "; against untuned: mean %+.2f %%, worst %+.2f %%, slower at %d, faster at %d of %d point%s",
            loss_of(part->untuned.mean), loss_of(part->untuned.min), part->untuned.slower, part->untuned.faster,
            part->untuned.points, tutti_plural((uint64_t)part->untuned.points));
}
