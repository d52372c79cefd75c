/* Tables of any benchmark: points under the same settings, and columns that the map leaves out though they differ
   between lines of one point. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/splitmix64.h"
#include "harness/store/import_file.h"

struct csv_group {
  char *settings; /* owned */
  bool untold;
  struct import_points points;
  struct {
    TUTTI_VECTOR(uint64_t);
  } cells; /* for each point the digests of its first line */
};

static struct csv_group *group_of(struct csv_state *state, const struct csv_line *line)
{
  size_t *number = tutti_index_number(&state->index, line->settings);
  if (*number == 0) {
    struct csv_group *made = tutti_xcalloc(1, sizeof *made);
    made->settings = tutti_xstrdup(line->settings);
    made->untold = line->untold;
    tutti_xpush(&state->groups, made);
    *number = state->groups.count;
  }
  return state->groups.items[*number - 1];
}

static uint64_t digest(const char *text)
{
  uint64_t all = 0;
  for (; *text; text++)
    all = tutti_splitmix64(all ^ (unsigned char)*text);
  return all;
}

/* Compare a line with the first one of its point. Columns with fractions are measured ones. */
static void compare(struct csv_state *state, struct csv_group *group, size_t place, const struct csv_line *line)
{
  const int columns = state->count < IMPORT_WORDS ? state->count : IMPORT_WORDS;
  const bool first = place * (size_t)columns == group->cells.count;
  double number;
  for (int i = 0; i < columns; i++) {
    const char *cell = i < line->count && state->headings[i] ? tutti_import_trim(line->cells[i]) : "";
    if (strpbrk(cell, ".eE") && tutti_import_time(cell, 1, &number))
      state->measured |= (uint64_t)1 << i;
    const uint64_t own = digest(cell);
    if (first)
      tutti_xpush(&group->cells, own);
    else if (group->cells.items[place * (size_t)columns + (size_t)i] != own)
      state->differing |= (uint64_t)1 << i;
  }
}

void tutti_import_group_note(struct import_file *file, tutti_collective collective, const tutti_measurement *row,
                             struct csv_line line)
{
  struct csv_group *group = group_of(&file->csv, &line);
  const size_t place = tutti_import_points_note(file, &group->points, collective, row, line.whole ? NULL : &row->mean);
  file->csv.whole = line.whole;
  compare(&file->csv, group, place, &line);
}

static void note_differing(struct import_file *file)
{
  const struct csv_state *state = &file->csv;
  char *names = tutti_xstrdup("");
  int count = 0;
  for (int i = 0; i < IMPORT_WORDS; i++)
    if (state->differing >> i & ~(state->measured >> i) & 1) {
      char *longer = tutti_xprintf("%s%s'%.40s'", names, count++ ? ", " : "", state->headings[i]);
      free(names);
      names = longer;
    }
  const size_t line = file->line;
  file->line = state->line;
  if (count > 0)
    tutti_import_note_told(file, tutti_xprintf(": column%s %s differ%s between lines of one point, which are taken as "
                                               "repetitions (--map setting:NAME=HEADING keeps them apart)\n",
                                               count > 1 ? "s" : "", names, count > 1 ? "" : "s"));
  file->line = line;
  free(names);
}

tutti_status tutti_import_groups_end(struct import_file *file, tutti_status status, tutti_error *error)
{
  struct csv_state *state = &file->csv;
  if (status == TUTTI_OK)
    note_differing(file);
  for (size_t i = 0; i < state->groups.count; i++) {
    struct csv_group *group = state->groups.items[i];
    tutti_import_set_words(file, group->untold, group->settings);
    if (status == TUTTI_OK && !state->whole)
      status = tutti_import_points_end(file, &group->points, error);
    tutti_import_points_clear(&group->points);
    tutti_vector_free(&group->cells);
    free(group->settings);
    free(group);
  }
  tutti_import_set_words(file, false, "");
  tutti_vector_free(&state->groups);
  tutti_index_free(&state->index);
  for (int i = 0; i < IMPORT_WORDS; i++)
    free(state->headings[i]);
  free(state->lacking);
  return status;
}
