/* tutti-rank-maps: sizes and speeds of the representations of group maps, as records or tables. It needs no MPI. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/table.h"
#include "base/vector.h"
#include "base/words.h"
#include "harness/measure/maps/measure.h"
#include "tutti/record.h"

tutti_error failure;

void must(tutti_status status)
{
  if (status == TUTTI_OK)
    return;
  fflush(stdout);
  tutti_say(stderr, "tutti-rank-maps: %s\n", failure.message);
  exit(2);
}

/* ---- records ---- */

static void print_record(FILE *stream, const struct measured_rank_map *row, const struct measured_rank_map *array,
                         const char *strategy)
{
  tutti_record record = {.kind = TUTTI_RECORD_RESULT, .result = {.kind = TUTTI_RESULT_MAP, .ranks_per_node = 1}};
  tutti_value *values = record.result.values;
  tutti_result_set_word(&record.result, TUTTI_MAP_FIELD_GROUP, row->group);
  tutti_result_set_word(&record.result, TUTTI_MAP_FIELD_KIND, row->kind);
  tutti_result_set_word(&record.result, TUTTI_MAP_FIELD_STRATEGY, strategy);
  values[TUTTI_MAP_FIELD_WORLD].integer = (uint64_t)row->world;
  values[TUTTI_MAP_FIELD_MEMBERS].integer = (uint64_t)row->size;
  values[TUTTI_MAP_FIELD_BYTES].integer = row->bytes;
  values[TUTTI_MAP_FIELD_CREATE].seconds = row->create;
  values[TUTTI_MAP_FIELD_SELECT_ALL].seconds = row->select_all;
  values[TUTTI_MAP_FIELD_SELECT_ONE].seconds = row->select_one;
  values[TUTTI_MAP_FIELD_RANK_ONE].seconds = row->rank_one;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ALL].seconds = array->select_all;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ONE].seconds = array->select_one;
  tutti_record_print(stream, &record);
}

/* One record for each kind that was made, and one for each strategy that chose it; returns how many. */
static size_t print_records(FILE *stream, const struct measured_rank_map rows[TUTTI_MAP_KINDS])
{
  size_t printed = 0;
  for (const struct measured_rank_map *row = rows; row < rows + TUTTI_MAP_KINDS; row++)
    for (int s = -1; row->made && s < TUTTI_MAP_STRATEGIES; s++) {
      const char *strategy = s < 0 ? "-" : tutti_map_strategy_name((tutti_map_strategy)s);
      if (s >= 0 && !tutti_word_is_listed(row->chosen_by, ' ', strategy))
        continue;
      print_record(stream, row, &rows[TUTTI_MAP_ARRAY], strategy);
      printed++;
    }
  return printed;
}

/* ---- tables ---- */

/* Empty if the map was refused. */
static void get_bytes(tutti_cell *cell, const void *row)
{
  const struct measured_rank_map *map = row;
  cell->type = map->made ? TUTTI_CELL_COUNT : TUTTI_CELL_NONE;
  cell->count = map->bytes;
}

/* Why the map was refused, or, in text, which strategies chose it. */
static void get_remark(tutti_cell *cell, const void *row)
{
  const struct measured_rank_map *map = row;
  const char *texts[] = {map->made ? map->chosen_by : map->reason, map->made ? NULL : map->reason,
                         map->made ? map->chosen_by : NULL};
  tutti_cell_text(cell, texts[cell->column->index]);
}

#define NUMBER(heading_, key_, member, scale_, decimals_, width_)                                                      \
  {                                                                                                                    \
    heading_, key_, TUTTI_FIELD(struct measured_rank_map, member), .scale = scale_, .decimals = decimals_,             \
                                                                   .digits = 6, .width = width_, .none = "",           \
                                                                   .alignment = TUTTI_ALIGN_RIGHT                      \
  }

static const tutti_column columns[] = {
    {NULL, "group", TUTTI_FIELD(struct measured_rank_map, group)},
    {NULL, "members", TUTTI_FIELD(struct measured_rank_map, size)},
    {"kind", "kind", TUTTI_FIELD(struct measured_rank_map, kind), .width = 12},
    {"bytes", "bytes", .get = get_bytes, .width = 10, .none = "", .alignment = TUTTI_ALIGN_RIGHT},
    NUMBER("bits/m", NULL, bits, 1, 3, 9),
    NUMBER("create ms", "create_s", create, 1e3, 3, 10),
    NUMBER("all ms", "select_all_s", select_all, 1e3, 3, 10),
    NUMBER("select ns", "select_one_s", select_one, 1e9, 1, 10),
    NUMBER("rank ns", "rank_one_s", rank_one, 1e9, 1, 10),
    NUMBER("x array", "ratio_to_array", ratio, 1, 1, 8),
    {"chosen by", NULL, .get = get_remark, .index = 0, .gap = 2},
    {NULL, "chosen_by", .get = get_remark, .index = 2},
    {NULL, "refused", .get = get_remark, .index = 1},
};

static void print_group(const struct measured_rank_map *rows, bool first)
{
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, TUTTI_MAP_KINDS), .indent = 2, .gap = 1};
  tutti_say(stdout, "%s%s, %d members\n", first ? "" : "\n", rows->group, rows->size);
  must(tutti_table_print(&table, stdout, &failure));
}

/* ---- all groups ---- */

struct request {
  char *const *groups; /* ended by NULL; NULL: those of the tables */
  FILE *records;       /* where they are printed; NULL: nowhere */
  bool tables;
  tutti_format format; /* of tables */
};

/* Text and records are printed group by group, JSON and CSV at the end. */
static void measure_all(const struct request *request)
{
  struct {
    TUTTI_VECTOR(struct measured_rank_map);
  } all = {0};
  tutti_record run = {.kind = TUTTI_RECORD_RUN, .tutti = TUTTI_VERSION, .flavor = "none", .library = "none"};
  tutti_record end = {.kind = TUTTI_RECORD_END};
  const char *name;
  run.ranks = run.ranks_per_node = 1;
  if (request->records)
    tutti_record_print(request->records, &run);
  for (int i = 0; (name = request->groups ? request->groups[i] : ranked_group_of_tables(i)); i++) {
    struct measured_rank_map rows[TUTTI_MAP_KINDS];
    struct ranked_group group;
    ranked_group_make(name, &group);
    rank_maps_measure(&group, rows);
    free(group.members);
    if (request->tables && request->format == TUTTI_FORMAT_TEXT)
      print_group(rows, i == 0);
    if (request->records)
      end.measurements += print_records(request->records, rows);
    for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
      tutti_xpush(&all, rows[kind]);
  }
  if (request->records)
    tutti_record_print(request->records, &end);
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(all.items, all.count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (request->tables && request->format != TUTTI_FORMAT_TEXT)
    must(tutti_document_print(&document, request->format, stdout, &failure));
  tutti_vector_free(&all);
}

/* ---- the command line ---- */

const char *argp_program_version = "tutti-rank-maps " TUTTI_VERSION;

static const struct argp_option options[] = {
    {"text", 't', NULL, 0, "Print a table for each group instead of records", 0},
    {"json", 'j', NULL, 0, "Print one table, as JSON", 0},
    {"csv", 'c', NULL, 0, "Print one table, as CSV", 0},
    {"records", 'r', NULL, 0, "With tables: print records, too, on standard error", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static const char help[] =
    "Measure how many bits the representations of group maps take for a member, and how long it takes to find the "
    "member of a rank (SELECT) and the rank of a member (RANK): for the groups of Kamal, Mirtaheri, Wagner 2010, "
    "tables 1 and 2, in a world of 2^20: one-removed, ranges, odd-or-low, no-primes, subgrid, contiguous, stride, "
    "random; exchanged, shuffled, blocks, decreasing; of figure 4: sub-mesh; of figure 5, in a world of 20,000 to "
    "110,000: A1 to C3. Without GROUP, those of the tables. Processor time, the least of five rounds.\v"
    "The records are stored by: tutti-rank-maps | tutti import --format tutti --platform NAME";

static error_t parse(int key, char *argument, struct argp_state *state)
{
  static const char keys[] = "tjc"; /* as tutti_format */
  struct request *request = state->input;
  (void)argument;
  if (key == ARGP_KEY_ARGS)
    request->groups = state->argv + state->next;
  else if (key == 'r')
    request->records = stderr;
  else if (key == 't' || key == 'j' || key == 'c') {
    request->tables = true;
    request->format = (tutti_format)(strchr(keys, key) - keys);
  } else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {.options = options, .parser = parse, .args_doc = "[GROUP...]", .doc = help};
  struct request request = {0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &request);
  if (!request.tables)
    request.records = stdout;
  measure_all(&request);
  if (fflush(stdout) != 0 || ferror(stdout))
    must(tutti_fail(&failure, TUTTI_ERR_IO, "cannot write the output: %s", strerror(errno)));
  return 0;
}
