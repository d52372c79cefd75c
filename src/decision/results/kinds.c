/* The table of kinds, made from kinds.def; and what belongs together in rows of groups beyond the columns. */
#include "decision/results/row.h"

#include <limits.h>
#include <string.h>

enum {
  KEY = TUTTI_ROW_COLUMN_KEY,
  LAUNCH = TUTTI_ROW_COLUMN_LAUNCH,
  UNRECORDED = TUTTI_ROW_COLUMN_UNRECORDED,
  UNSTORED = TUTTI_ROW_COLUMN_UNSTORED,
  OPTIONAL = TUTTI_ROW_COLUMN_OPTIONAL,
  TIMED = TUTTI_ROW_COLUMN_TIMED,
  COMPUTED = TUTTI_ROW_COLUMN_COMPUTED,
  MAY_BE_EMPTY = TUTTI_ROW_COLUMN_MAY_BE_EMPTY
};

/* ---- groups ---- */

static tutti_status check_group_keys(const void *row, tutti_error *error)
{
  return tutti_group_point_check(&((const tutti_group_run *)row)->point, error);
}

static void complete_group(void *row)
{
  tutti_group_run *build = row;
  uint64_t members = build->counts.sums[TUTTI_GROUP_MEMBERS];
  if (build->point.sample.members >= 0 && members <= (uint64_t)build->point.sample.size)
    build->point.sample.members = (int)members;
}

/* A fraction or a number of members was asked for. */
static bool group_applies(const void *row, const struct tutti_row_column *column)
{
  bool exact = ((const tutti_group_run *)row)->point.sample.members >= 0;
  return column->type == TUTTI_ROW_COLUMN_EXACT ? exact : column->type != TUTTI_ROW_COLUMN_FRACTION || !exact;
}

static int compare_groups(const void *left_row, const void *right_row)
{
  const tutti_group_run *left = left_row, *right = right_row;
  int order = tutti_group_point_compare(&left->point, &right->point);
  return order ? order
               : (left->ranks_per_node > right->ranks_per_node) - (left->ranks_per_node < right->ranks_per_node);
}

/* The struct of each kind. */
#define KIND(id, type, ...) typedef type row_##id;
#define COLUMN(...)
#define END(id)
#define VERSION(number)
#include "decision/results/kinds.def"
#undef KIND
#undef COLUMN
#undef END

#define SIZE_OF(type, member) sizeof(((type *)0)->member)

/* All columns, one kind after another. */
#define KIND(...)
#define COLUMN(id, label, kind, member, marks, ...)                                                                    \
  {.name = (label),                                                                                                    \
   .type = TUTTI_ROW_COLUMN_##kind,                                                                                    \
   .flags = (marks),                                                                                                   \
   .offset = offsetof(row_##id, member),                                                                               \
   .size = SIZE_OF(row_##id, member),                                                                                  \
   ##__VA_ARGS__},
#define END(id)
static const struct tutti_row_column columns[] = {
#include "decision/results/kinds.def"
};
#undef KIND
#undef COLUMN
#undef END

/* First and last column of each kind. */
#define JOINED(a, b)  a##b
#define NAMED(a, b)   JOINED(a, b)
#define KIND(id, ...) FIRST_##id, BEFORE_##id = FIRST_##id - 1,
#define COLUMN(...)   NAMED(COLUMN_, __LINE__),
#define END(id)       END_##id, LAST_##id = END_##id - 1,
enum {
#include "decision/results/kinds.def"
};
#undef KIND
#undef COLUMN
#undef END

#define KIND(id, type, word, ...) [TUTTI_ROW_##id] = {.keyword = (word), .size = sizeof(type), ##__VA_ARGS__
#define COLUMN(...)
#define END(id)                                                                                                        \
  , .columns = columns + FIRST_##id, .count = END_##id - FIRST_##id                                                    \
  }                                                                                                                    \
  ,
static const struct tutti_row_kind kinds[TUTTI_ROW_RECORDS] = {
#include "decision/results/kinds.def"
};
#undef KIND
#undef COLUMN
#undef END

const struct tutti_row_kind *tutti_kind_of(enum tutti_row row)
{
  return (unsigned)row < TUTTI_ROW_RECORDS ? &kinds[row] : NULL;
}

enum tutti_row tutti_row_of(const struct tutti_row_kind *kind)
{
  return (enum tutti_row)(kind - kinds);
}

const struct tutti_row_kind *tutti_kind_of_result(tutti_result_kind kind)
{
  return (unsigned)kind < TUTTI_RESULT_KINDS ? &kinds[TUTTI_ROW_SORT + kind] : NULL;
}

const struct tutti_row_kind *tutti_kind_of_record(const tutti_record *record, const void **row)
{
  switch (record->kind) {
  case TUTTI_RECORD_MEASUREMENT:
    *row = &record->measurement;
    return &kinds[TUTTI_ROW_MEASUREMENT];
  case TUTTI_RECORD_GROUP:
    *row = &record->build;
    return &kinds[TUTTI_ROW_GROUP];
  case TUTTI_RECORD_PARAMETER:
    *row = &record->parameter;
    return &kinds[TUTTI_ROW_PARAMETER];
  case TUTTI_RECORD_RESULT:
    *row = &record->result;
    return tutti_kind_of_result(record->result.kind);
  default:
    *row = record;
    return record->kind == TUTTI_RECORD_RUN   ? &kinds[TUTTI_ROW_RUN]
           : record->kind == TUTTI_RECORD_END ? &kinds[TUTTI_ROW_END]
                                              : NULL;
  }
}

const struct tutti_row_column *tutti_column_find(const struct tutti_row_kind *kind, const char *name)
{
  for (size_t i = 0; i < kind->count; i++)
    if (strcmp(kind->columns[i].name, name) == 0)
      return &kind->columns[i];
  return NULL;
}

const char *tutti_column_unit(const struct tutti_row_column *column)
{
  static const char *const units[][2] = {{"_s", "s"}, {"_B", "B"}, {"_s_per_B", "s/B"}, {"_percent", "%"}};
  size_t length = strlen(column->name);
  for (size_t i = sizeof units / sizeof *units; i-- > 0;) {
    size_t suffix = strlen(units[i][0]);
    if (length > suffix && strcmp(column->name + length - suffix, units[i][0]) == 0)
      return units[i][1];
  }
  return strcmp(column->name, "bytes") == 0 ? "B" : "";
}

size_t tutti_columns_select(const struct tutti_row_kind *kind, int (*place)(const struct tutti_row_column *column),
                            const struct tutti_row_column *selected[TUTTI_ROW_COLUMNS_MAX])
{
  size_t count = 0;
  for (size_t i = 0; i < kind->count; i++) {
    const struct tutti_row_column *column = &kind->columns[i];
    if (place(column) < 0)
      continue;
    size_t at = count++;
    for (; at > 0 && place(selected[at - 1]) > place(column); at--)
      selected[at] = selected[at - 1];
    selected[at] = column;
  }
  return count;
}
