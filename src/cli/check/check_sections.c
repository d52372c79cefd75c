/* The regression gate as JSON: the sections of a baseline, and what of them was not compared. */
#include "base/memory.h"
#include "cli/check/check.h"

struct section_row {
  tutti_baseline_section before, after;
  bool times_compared;
};

static const tutti_column section_columns[] = {
    {NULL, "section", TUTTI_FIELD(struct section_row, before.name)},
    {NULL, "platform", TUTTI_FIELD(struct section_row, after.platform)},
    {NULL, "platform_hash", TUTTI_FIELD(struct section_row, after.platform_hash)},
    {NULL, "library", TUTTI_FIELD(struct section_row, after.library)},
    {NULL, "baseline_platform_hash", TUTTI_FIELD(struct section_row, before.platform_hash)},
    {NULL, "baseline_library", TUTTI_FIELD(struct section_row, before.library)},
    {NULL, "times_compared", TUTTI_FIELD(struct section_row, times_compared)},
};

void check_nest_sections(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct check_row *)row)->comparison;
  size_t count = comparison->before->count;
  struct section_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    const tutti_baseline_section *before = &comparison->before->sections[i], *after = &comparison->after->sections[i];
    rows[i] = (struct section_row){*before, *after, !tutti_baseline_other_library(before, after)};
  }
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(section_columns), TUTTI_ROWS(rows, count), .owned = rows};
}

static void get_gap_section(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = ((const tutti_baseline_gap *)row)->section->name;
}

static const tutti_column gap_columns[] = {
    {NULL, "section", .get = get_gap_section},
    {NULL, "what", TUTTI_FIELD(tutti_baseline_gap, what)},
    {NULL, "mend", TUTTI_FIELD(tutti_baseline_gap, mend)},
};

void check_nest_gaps(tutti_table *table, const void *row)
{
  const tutti_baseline_comparison *comparison = ((const struct check_row *)row)->comparison;
  *table =
      (tutti_table){.key = table->key, TUTTI_COLUMNS(gap_columns), TUTTI_ROWS(comparison->gaps, comparison->gap_count)};
}
