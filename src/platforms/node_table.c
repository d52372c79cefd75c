#include "platforms/node_table.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "platforms/platform_private.h"

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
  if (lines->status == TUTTI_OK)
    tutti_xpush(table, range);
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
  qsort(table->items, table->count, sizeof *table->items, compare_ranges);
  for (size_t i = 1; i < table->count; i++)
    if (table->items[i].first <= table->items[i - 1].last)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: node %d is in line %d, too", path, table->items[i].line,
                        table->items[i].first, table->items[i - 1].line);
  return TUTTI_OK;
}

tutti_status tutti_node_table_read(const char *path, struct node_table *table, tutti_error *error)
{
  struct headings headings = {.count = 0};
  struct tutti_lines lines;
  *table = (struct node_table){.level_count = 0};
  tutti_lines_open(&lines, path, error);
  while (tutti_lines_next(&lines)) {
    if (lines.text[0] == '#' || lines.length == 0)
      continue;
    if (headings.count == 0)
      read_headings(&lines, &headings, table);
    else
      read_range(&lines, &headings, table);
  }
  const tutti_status status = tutti_lines_close(&lines);
  return status == TUTTI_OK ? sort_ranges(path, table, error) : status;
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

/* ---- lists ---- */

/* All digits of a name; one that begins with a digit is no name. */
static void keep_digits(char *name)
{
  char *end = name;
  for (; *name != '\0' && *name != ':'; name++)
    if (isdigit((unsigned char)*name))
      *end++ = *name;
  *end = '\0';
}

static tutti_status append(struct node_list *nodes, const int *numbers, int count, tutti_error *error)
{
  if (nodes->count + (size_t)count > PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d nodes", PLATFORM_MAX_HOSTS);
  for (int i = 0; i < count; i++)
    tutti_xpush(nodes, numbers[i]);
  return TUTTI_OK;
}

static tutti_status parse_item(char *item, struct node_list *nodes, tutti_error *error)
{
  uint64_t number;
  if (!isdigit((unsigned char)item[0])) {
    char *digits = tutti_xstrdup(item);
    keep_digits(digits);
    const bool numbered = tutti_parse_integer(digits, 0, INT_MAX, &number);
    free(digits);
    if (!numbered)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not the number or name of a node: '%s'", item);
    return append(nodes, &(int){(int)number}, 1, error);
  }
  int *numbers, count;
  tutti_error reason;
  if (tutti_platform_expand_radical(item, &numbers, &count, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s': %s", item, reason.message);
  const tutti_status status = append(nodes, numbers, count, error);
  free(numbers);
  return status;
}

tutti_status tutti_node_list_parse(char *text, struct node_list *nodes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (char *item; status == TUTTI_OK && (item = strsep(&text, ", "));)
    if (item[0] != '\0')
      status = parse_item(item, nodes, error);
  return status;
}

/* ---- jobs ---- */

tutti_status tutti_node_job_parse(char *text, struct node_list *nodes, tutti_error *error)
{
  char *list = strrchr(text, '\t'), *first = strsep(&text, "\t");
  uint64_t said;
  const tutti_status status = tutti_node_list_parse(list ? list + 1 : first, nodes, error);
  if (status != TUTTI_OK)
    return status;
  if (nodes->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no nodes");
  if (list && tutti_parse_integer(first, 0, INT_MAX, &said) && said != nodes->count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d nodes are said, %zu listed", (int)said, nodes->count);
  return TUTTI_OK;
}

bool tutti_node_job_is_heading(const char *text)
{
  const char *list = strrchr(text, '\t');
  list = list ? list + 1 : text;
  return strcmp(list, "node_numbers") == 0 || strcmp(list, "nodes_by_rank") == 0;
}
