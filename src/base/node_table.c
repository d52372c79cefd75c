#include "base/node_table.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"

/* ---- headings ---- */

enum field { FIELD_OTHER = -1, FIELD_FIRST = NODE_TABLE_LEVELS, FIELD_LAST };

/* Levels from the nodes up; a machine calls the uppermost one cell or group. */
static const char *const names[] = {"switch", "cell", "group", "first_node", "last_node"};

enum { MAX_FIELDS = 16 };

struct headings {
  enum field fields[MAX_FIELDS];
  int count;
  bool has[FIELD_LAST + 1];
};

static enum field field_of(const char *name)
{
  for (int f = 0; f <= FIELD_LAST; f++)
    if (strcmp(name, names[f]) == 0)
      return (enum field)f;
  return FIELD_OTHER;
}

static void read_headings(struct tutti_lines *lines, struct headings *headings, struct node_table *table)
{
  char *rest = lines->text;
  for (char *name; (name = strsep(&rest, "\t"));) {
    if (headings->count == MAX_FIELDS) {
      tutti_lines_fault(lines, "more than %d fields", MAX_FIELDS);
      return;
    }
    const enum field field = headings->fields[headings->count++] = field_of(name);
    if (field != FIELD_OTHER)
      headings->has[field] = true;
  }
  for (int level = 0; level < NODE_TABLE_LEVELS; level++)
    if (headings->has[level])
      table->level_names[table->level_count++] = names[level];
  if (!headings->has[FIELD_FIRST] || !headings->has[FIELD_LAST] || table->level_count == 0)
    tutti_lines_fault(lines, "headings first_node, last_node and one of switch, cell and group are expected, with tabs "
                             "between them");
}

/* ---- nodes ---- */

static int level_of(const struct headings *headings, enum field field)
{
  int level = 0;
  for (int f = 0; f < (int)field; f++)
    level += headings->has[f];
  return level;
}

static void read_range(struct tutti_lines *lines, const struct headings *headings, struct node_table *table)
{
  struct node_range range = {.line = lines->number};
  char *rest = lines->text;
  for (int i = 0; i < headings->count && lines->status == TUTTI_OK; i++) {
    const enum field field = headings->fields[i];
    const char *text = strsep(&rest, "\t");
    uint64_t number = 0;
    if (!text)
      tutti_lines_fault(lines, "%d fields, but %d headings", i, headings->count);
    else if (field != FIELD_OTHER && !tutti_parse_integer(text, 0, INT_MAX, &number))
      tutti_lines_fault(lines, "%s: not a whole number: '%s'", names[field], text);
    else if (field == FIELD_FIRST)
      range.first = (int)number;
    else if (field == FIELD_LAST)
      range.last = (int)number;
    else if (field != FIELD_OTHER)
      range.parts[level_of(headings, field)] = (uint32_t)number;
  }
  if (lines->status == TUTTI_OK && range.last < range.first)
    tutti_lines_fault(lines, "last_node %d is below first_node %d", range.last, range.first);
  if (lines->status == TUTTI_OK && !tutti_vector_push(table, range))
    lines->status = tutti_fail(lines->error, TUTTI_ERR_MEMORY, "%s: out of memory", lines->path);
}

static int compare_ranges(const void *a, const void *b)
{
  const struct node_range *one = a, *other = b;
  return THREE_WAY(one->first, other->first);
}

static tutti_status sort_ranges(const char *path, struct node_table *table, tutti_error *error)
{
  if (table->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no nodes", path);
  tutti_vector_sort(table, compare_ranges);
  for (size_t i = 1; i < table->count; i++)
    if (table->items[i].first <= table->items[i - 1].last)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: node %d is in line %d, too", path, table->items[i].line,
                        table->items[i].first, table->items[i - 1].line);
  return TUTTI_OK;
}

static tutti_status read_lines(struct tutti_lines *lines, struct node_table *table)
{
  struct headings headings = {.count = 0};
  *table = (struct node_table){.level_count = 0};
  while (tutti_lines_next(lines)) {
    if (lines->text[0] == '#' || lines->length == 0)
      continue;
    if (headings.count == 0)
      read_headings(lines, &headings, table);
    else
      read_range(lines, &headings, table);
  }
  const tutti_status status = tutti_lines_close(lines);
  return status == TUTTI_OK ? sort_ranges(lines->path, table, lines->error) : status;
}

tutti_status tutti_node_table_read(const char *path, struct node_table *table, tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  return read_lines(&lines, table);
}

tutti_status tutti_node_table_parse(const char *text, size_t length, const char *name, struct node_table *table,
                                    tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open_text(&lines, text, length, name, error);
  return read_lines(&lines, table);
}

const struct node_range *tutti_node_table_find(const struct node_table *table, int node)
{
  size_t first = 0, count = table->count;
  while (count > 0) {
    const struct node_range *middle = &table->items[first + count / 2];
    if (node >= middle->first && node <= middle->last)
      return middle;
    if (node > middle->last) {
      first += count / 2 + 1;
      count -= count / 2 + 1;
    } else
      count /= 2;
  }
  return NULL;
}

/* ---- names ---- */

bool tutti_node_number(const char *name, int *number)
{
  int64_t value = 0;
  bool found = false;
  if (isdigit((unsigned char)*name))
    return false;
  for (; *name != '\0' && *name != ':' && *name != '.' && value <= INT_MAX; name++)
    if (isdigit((unsigned char)*name)) {
      value = value * 10 + (*name - '0');
      found = true;
    }
  *number = (int)value;
  return found && value <= INT_MAX;
}
