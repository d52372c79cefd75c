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

/* NaN: no time that a call can take, from a picosecond to three months. */
static double read_seconds(const char *nanoseconds)
{
  double value;
  return nanoseconds && tutti_parse_real(nanoseconds, &value) && value >= 1e-3 && value < 1e16 ? 1e-9 * value : NAN;
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
  row->seconds = read_seconds(fields[FIELD_MEDIAN]);
  row->simulated = read_seconds(fields[FIELD_MEAN]);
  return true;
}

static bool read_row(struct tutti_lines *lines, const char *const *fields, struct call_row *row)
{
  if (!has_all(lines, fields))
    return false;
  *row = (struct call_row){.nodes = fields[FIELD_NODES],
                           .name = fields[FIELD_METHOD],
                           .run = text_of(fields, FIELD_RUN),
                           .line = lines->number};
  if (tutti_collective_parse(fields[FIELD_COLLECTIVE], &row->collective, NULL) != TUTTI_OK ||
      !read_numbers(lines, fields, row))
    return false;
  row->known =
      tutti_pico_method(row->collective, row->name, row->nodes, text_of(fields, FIELD_SETTINGS), &row->found) ||
      tutti_method_parse(row->name, &row->found.method, NULL) == TUTTI_OK;
  if (!row->known)
    row->simulated = NAN; /* of a method that Tutti does not have: another one's */
  return true;
}

/* Before the line is read as a whole: of others it may be anything. */
static bool is_wanted(const char *const *fields, tutti_collective collective, const char *machine)
{
  return (collective == TUTTI_COLL_COUNT ||
          strcmp(text_of(fields, FIELD_COLLECTIVE), tutti_collective_name(collective)) == 0) &&
         !(machine && fields[FIELD_MACHINE] && strcmp(fields[FIELD_MACHINE], machine) != 0);
}

tutti_status tutti_call_table_read(const char *path, tutti_collective collective, const char *machine,
                                   void (*take)(void *context, const struct call_row *row), void *context,
                                   tutti_error *error)
{
  struct tutti_lines lines;
  struct import_table table = {.known = &columns};
  struct call_row row;
  (void)tutti_lines_open(&lines, path, TUTTI_INPUT_RECORDS, error);
  if (tutti_lines_next(&lines))
    read_headings(&lines, &table);
  while (tutti_lines_next(&lines)) {
    tutti_import_cells(&table, lines.text);
    if (is_wanted(table.cells, collective, machine) && read_row(&lines, table.cells, &row))
      take(context, &row);
  }
  return tutti_lines_close(&lines);
}
