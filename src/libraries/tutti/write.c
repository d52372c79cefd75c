/* Tutti's own files, which the interposer and the command read: trees stay trees, everything else becomes rules. */
#include <inttypes.h>
#include <stdlib.h>

#include "libraries/tutti/tutti.h"
#include "tutti/decision_tree.h"

/* ---- rules ---- */

static void write_ends(const char *name, uint64_t min, uint64_t end, bool open, FILE *stream)
{
  if (open && min == 0)
    return;
  fprintf(stream, " %s=%" PRIu64 "..", name, min);
  if (!open)
    fprintf(stream, "%" PRIu64, end - 1);
}

static void write_row(const tutti_step_table *table, int index, FILE *stream)
{
  const tutti_step_row *row = &table->rows[index];
  bool last = index + 1 == table->row_count;
  char name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < row->count; i++) {
    const tutti_step *step = &row->steps[i];
    if (step->method < 0)
      continue;
    fprintf(stream, "%s", tutti_method_format(&table->methods[step->method], name));
    write_ends("ranks", index ? (uint64_t)row->ranks : 0, last ? 0 : (uint64_t)row[1].ranks, last, stream);
    write_ends("bytes", step->bytes, i + 1 < row->count ? step[1].bytes : 0, i + 1 == row->count, stream);
    fprintf(stream, "\n");
  }
}

static tutti_status write_rules(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                tutti_error *error)
{
  tutti_target_print_comment(comment, "# ", stream);
  for (int p = 0; p < count; p++)
    for (int i = 0; i < parts[p].table.row_count; i++)
      write_row(&parts[p].table, i, stream);
  return tutti_target_written(stream, error);
}

/* ---- trees ---- */

/* Do the parts ask for all that the trees of one decision answer, and for nothing else? Trees are handed over as they
   are, beyond the range as well. */
static const tutti_decision_trees *trees_of(const tutti_export_part *parts, int count)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(parts[0].decision);
  int answered = 0;
  for (int i = 0; i < count; i++)
    if (parts[i].decision != parts[0].decision)
      return NULL;
  for (int c = 0; trees && c < TUTTI_COLL_COUNT; c++)
    for (int i = 0; i < trees->count; i++)
      if (trees->items[i].answers[c]) {
        answered++;
        break;
      }
  return answered == count ? trees : NULL;
}

tutti_status tutti_file_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                              tutti_error *error)
{
  const tutti_decision_trees *trees = trees_of(parts, count);
  if (!trees)
    return write_rules(parts, count, comment, stream, error);
  tutti_status status = tutti_decision_trees_write(trees, comment, stream, error);
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}
