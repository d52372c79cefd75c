#include "harness/experiments/calibrate/call_table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "harness/store/import_file.h"

/* The first ones are needed. */
enum { NEEDED = 5 };

static const struct import_columns columns = {.cut = CUT_TABS,
                                              .items = {{"collective", FIELD_COLLECTIVE},
                                                        {"nodes", FIELD_NODES},
                                                        {"ranks_per_node", FIELD_RANKS_PER_NODE},
                                                        {"bytes", FIELD_SIZE},
                                                        {"method", FIELD_METHOD},
                                                        {"machine", FIELD_MACHINE},
                                                        {"settings", FIELD_SETTINGS},
                                                        {"median_ns", FIELD_MEDIAN},
                                                        {"simulated_ns", FIELD_MEAN}, /* the mean is not read */
                                                        {"run", FIELD_RUN}}};

static void read_headings(struct tutti_lines *lines, struct import_table *table)
{
  (void)tutti_import_headings(table, lines->text);
  for (int c = 0; c < NEEDED; c++)
    if (!table->seen[columns.items[c].field])
      tutti_lines_fault(lines, "no heading '%s', with tabs between them", columns.items[c].headings);
  for (int c = 0; columns.items[c].headings; c++)
    if (table->seen[columns.items[c].field] > 1)
      tutti_lines_fault(lines, "heading '%s' is there %d times", columns.items[c].headings,
                        table->seen[columns.items[c].field]);
}

static const char *text_of(const char *const *fields, int field)
{
  return fields[field] ? fields[field] : "";
}

static bool has_all(struct tutti_lines *lines, const char *const *fields)
{
  for (int c = 0; c < NEEDED; c++)
    if (!fields[columns.items[c].field]) {
      tutti_lines_fault(lines, "it has no field of '%s'", columns.items[c].headings);
      return false;
    }
  return true;
}

/* A table that is read. */
struct reading {
  const struct call_table *asked;
  struct import_table table;
  struct tutti_lines lines;
  tutti_passed *passed;
};

/* Read a time, NaN if the field is empty. False: no call can take it, from a picosecond to three months, and the line
   is passed over. */
static bool read_seconds(struct reading *reading, enum import_field field, const char *why, double *seconds)
{
  const char *text = text_of(reading->table.cells, field);
  *seconds = NAN;
  if (!*text || (tutti_import_time(text, 1e-9, seconds) && *seconds >= 1e-12 && *seconds < 1e7))
    return true;
  (void)tutti_pass_over(reading->passed, reading->asked->path, (uint64_t)reading->lines.number, why, NULL, "'%.40s'",
                        text);
  return false;
}

static bool read_times(struct reading *reading, struct call_row *row)
{
  row->seconds = row->simulated = NAN;
  return (!reading->asked->measured ||
          read_seconds(reading, FIELD_MEDIAN, "no time of a call under median_ns", &row->seconds)) &&
         (!reading->asked->simulated ||
          read_seconds(reading, FIELD_MEAN, "no time of a call under simulated_ns", &row->simulated));
}

/* False: a fault is noted. */
static bool read_numbers(struct tutti_lines *lines, const char *const *fields, struct call_row *row)
{
  uint64_t nodes, per_node;
  if (!tutti_pico_nodes(row->nodes, &nodes) ||
      !tutti_parse_integer(fields[FIELD_RANKS_PER_NODE], 1, INT_MAX / nodes, &per_node) ||
      !tutti_parse_integer(fields[FIELD_SIZE], 1, UINT64_MAX, &row->bytes)) {
    tutti_lines_fault(lines, "numbers of nodes, of ranks on a node and of bytes are expected");
    return false;
  }
  row->ranks = (int)(nodes * per_node);
  row->ranks_per_node = (int)per_node;
  return true;
}

static bool read_row(struct reading *reading, struct call_row *row)
{
  struct tutti_lines *lines = &reading->lines;
  const char *const *fields = reading->table.cells;
  if (!has_all(lines, fields))
    return false;
  *row = (struct call_row){.nodes = fields[FIELD_NODES],
                           .name = fields[FIELD_METHOD],
                           .run = text_of(fields, FIELD_RUN),
                           .line = lines->number};
  if (tutti_collective_parse(fields[FIELD_COLLECTIVE], &row->collective, NULL) != TUTTI_OK ||
      !read_numbers(lines, fields, row) || !read_times(reading, row))
    return false;
  row->known =
      tutti_pico_method(row->collective, row->name, row->nodes, text_of(fields, FIELD_SETTINGS), &row->found) ||
      tutti_method_parse(row->name, &row->found.method, NULL) == TUTTI_OK;
  if (!row->known)
    row->simulated = NAN; /* of a method that Tutti does not have: another one's */
  return true;
}

/* Before the line is read as a whole: of others it may be anything. */
static bool is_wanted(const char *const *fields, const struct call_table *asked)
{
  return (asked->collective == TUTTI_COLL_COUNT ||
          strcmp(text_of(fields, FIELD_COLLECTIVE), tutti_collective_name(asked->collective)) == 0) &&
         !(asked->machine && fields[FIELD_MACHINE] && strcmp(fields[FIELD_MACHINE], asked->machine) != 0);
}

tutti_status tutti_call_table_read(const struct call_table *asked, tutti_passed *passed,
                                   void (*take)(void *context, const struct call_row *row), void *context,
                                   tutti_error *error)
{
  struct reading reading = {.asked = asked, .table = {.known = &columns}, .passed = passed};
  struct call_row row;
  (void)tutti_lines_open(&reading.lines, asked->path, TUTTI_INPUT_RECORDS, error);
  if (tutti_lines_next(&reading.lines))
    read_headings(&reading.lines, &reading.table);
  while (tutti_lines_next(&reading.lines)) {
    tutti_import_cells(&reading.table, reading.lines.text);
    if (is_wanted(reading.table.cells, asked) && read_row(&reading, &row))
      take(context, &row);
  }
  return tutti_lines_close(&reading.lines);
}
