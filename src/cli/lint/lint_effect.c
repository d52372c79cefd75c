/* What of a tuning file is in effect: for which collectives the library has rules of it. */
#include "cli/lint/lint.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"

/* Steps that name an algorithm, of all numbers of ranks that are looked up differently. */
static int count_rules(const tutti_step_table *table)
{
  int count = 0;
  for (int r = 0; r < table->row_count; r++)
    for (int s = 0; s < table->rows[r].count; s++)
      count += table->rows[r].steps[s].method >= 0;
  return count;
}

/* Such a file has rules of a target, which can be looked up; of what only lint and explain read that is not known. */
static bool has_rules(const struct linted *file)
{
  return !*file->refused && !(file->kind && file->kind->use) &&
         tutti_library_implementation(file->version.library) != TUTTI_IMPLEMENTATION_TUTTI;
}

void lint_find_effects(struct linted *file)
{
  tutti_tuning *tuning;
  file->effect_count = -1;
  if (!has_rules(file) || tutti_tuning_open(file->path, &file->version, &tuning, NULL) != TUTTI_OK)
    return;
  file->effect_count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT && file->effect_count >= 0; c++) {
    tutti_step_table table = {.row_count = 0};
    const tutti_status status = tutti_tuning_steps(tuning, (tutti_collective)c, 0, &table, NULL);
    const struct lint_effect effect = {.collective = (tutti_collective)c, .rules = count_rules(&table)};
    tutti_step_table_free(&table);
    if (status != TUTTI_OK)
      file->effect_count = -1;
    else if (effect.rules > 0)
      file->effects[file->effect_count++] = effect;
  }
  tutti_tuning_close(tuning);
}

/* The first finding for which the library drops a file. */
static const tutti_finding *find_error(const struct linted *file)
{
  for (size_t i = 0; i < file->findings.count; i++)
    if (file->findings.items[i].code->severity == TUTTI_ERROR)
      return &file->findings.items[i];
  return NULL;
}

void lint_print_effects(const struct linted *file)
{
  const int count = file->effect_count;
  const tutti_finding *error = find_error(file);
  struct tutti_text_stream text;
  if (count < 0)
    return;
  tutti_xopen_text(&text);
  fprintf(text.stream, "In effect: ");
  for (int i = 0; i < count; i++)
    fprintf(text.stream, "%s%s", i ? ", " : "rules for ", tutti_collective_name(file->effects[i].collective));
  fprintf(text.stream,
          count ? "; the library's own choice for all else" : "nothing: the library's own choice everywhere");
  if (error)
    fprintf(text.stream, "; line %d: %s", error->line, error->code->effect);
  print_stream(0, &text);
}
