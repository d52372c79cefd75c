/* tutti rank-maps: sizes and speeds of the representations of group maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "groups/maps/measure.h"

struct rank_maps_options {
  tutti_format format;
  const char *database; /* NULL: nothing is stored */
  const char *platform;
  struct option_strings groups; /* none: all */
};

static void check_options(void *values)
{
  const struct rank_maps_options *options = values;
  if (options->platform && !options->database)
    die("--platform names this machine in the store of --db");
}

static const struct option_row options[] = {
    OPTION_FORMAT(struct rank_maps_options, format),
    OPTION_STRING("db", "FILE", struct rank_maps_options, database, "put what was measured into the store FILE"),
    OPTION_STRING("platform", "NAME", struct rank_maps_options, platform, "there, this machine is called NAME",
                  .otherwise = "as its processor"),
    ARGUMENT_STRINGS("GROUP", struct rank_maps_options, groups, .optional = true),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- results for the store ---- */

struct results {
  TUTTI_VECTOR(tutti_result);
};

static void fill_in(tutti_result *result, const struct measured_rank_map *row, const struct measured_rank_map *array)
{
  tutti_value *values = result->values;
  values[TUTTI_MAP_FIELD_WORLD].integer = (uint64_t)row->world;
  values[TUTTI_MAP_FIELD_MEMBERS].integer = (uint64_t)row->size;
  values[TUTTI_MAP_FIELD_BYTES].integer = row->bytes;
  values[TUTTI_MAP_FIELD_CREATE].seconds = row->create;
  values[TUTTI_MAP_FIELD_SELECT_ALL].seconds = row->select_all;
  values[TUTTI_MAP_FIELD_SELECT_ONE].seconds = row->select_one;
  values[TUTTI_MAP_FIELD_RANK_ONE].seconds = row->rank_one;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ALL].seconds = array->select_all;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ONE].seconds = array->select_one;
}

static void add_result(struct results *results, const struct measured_rank_map *row,
                       const struct measured_rank_map *array, const char *strategy)
{
  tutti_result result = {.kind = TUTTI_RESULT_MAP, .ranks_per_node = 1};
  tutti_result_set_word(&result, TUTTI_MAP_FIELD_GROUP, row->group);
  tutti_result_set_word(&result, TUTTI_MAP_FIELD_KIND, tutti_map_kind_name(row->kind));
  tutti_result_set_word(&result, TUTTI_MAP_FIELD_STRATEGY, strategy);
  fill_in(&result, row, array);
  tutti_xpush(results, result);
}

/* "AMD EPYC 7B13"; "processor" where the system does not say. */
static void name_processor(char *name, size_t capacity)
{
  char line[256];
  FILE *stream = fopen("/proc/cpuinfo", "r");
  snprintf(name, capacity, "processor");
  while (stream && fgets(line, sizeof line, stream)) {
    const char *colon = strncmp(line, "model name", strlen("model name")) == 0 ? strchr(line, ':') : NULL;
    if (!colon)
      continue;
    colon += 1 + strspn(colon + 1, " \t");
    snprintf(name, capacity, "%.*s", (int)strcspn(colon, "\n"), colon);
    break;
  }
  if (stream)
    fclose(stream);
}

static void store_results(const struct results *results, tutti_store *store, const char *machine)
{
  char processor[128];
  int64_t id;
  name_processor(processor, sizeof processor);
  const tutti_environment environment = {.platform = machine ? machine : processor,
                                         .platform_hash = "",
                                         .flavor = "none",
                                         .library = "none",
                                         .tutti = TUTTI_VERSION};
  must(tutti_store_environment(store, &environment, &id, &failure));
  must(tutti_store_add_results(store, id, results->items, results->count, &failure));
}

/* One result for the kind itself, and one for each strategy that chose it. */
static void add_results(const struct measured_rank_map *row, const struct measured_rank_map *array,
                        struct results *results)
{
  if (!row->made)
    return;
  add_result(results, row, array, "-");
  for (int s = 0; s < TUTTI_MAP_STRATEGIES; s++) {
    const char *strategy = tutti_map_strategy_name((tutti_map_strategy)s);
    if (tutti_word_is_listed(row->chosen_by, ' ', strategy))
      add_result(results, row, array, strategy);
  }
}

/* ---- tables ---- */

TUTTI_GETTER(get_kind, struct measured_rank_map, tutti_map_kind_name(row->kind))

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
    {"kind", "kind", .get = get_kind, .width = 12},
    {"bytes", "bytes", .get = get_bytes, .width = 10, .none = "", .alignment = TUTTI_ALIGN_RIGHT},
    {"bits/m", NULL, TUTTI_FIELD(struct measured_rank_map, bits), .decimals = 3, .width = 9, .none = "",
     .alignment = TUTTI_ALIGN_RIGHT},
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

static void measure(const char *name, struct measured_rank_map rows[TUTTI_MAP_KINDS], struct results *results)
{
  struct ranked_group group;
  must(tutti_ranked_group_make(name, &group, &failure));
  must(tutti_rank_maps_measure(&group, rows, &failure));
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
    add_results(&rows[kind], &rows[TUTTI_MAP_ARRAY], results);
  free(group.members);
}

/* The groups that were named, or those of the tables; NULL past the end. */
static const char *group_at(const struct option_strings *groups, size_t index)
{
  if (groups->count == 0)
    return tutti_ranked_group_of_tables((int)index);
  return index < groups->count ? groups->items[index] : NULL;
}

/* Text is printed group by group, JSON and CSV at the end. */
static void measure_all(const struct rank_maps_options *options, struct results *results)
{
  struct {
    TUTTI_VECTOR(struct measured_rank_map);
  } all = {0};
  bool text = options->format == TUTTI_FORMAT_TEXT;
  const char *name;
  for (size_t i = 0; (name = group_at(&options->groups, i)); i++) {
    struct measured_rank_map rows[TUTTI_MAP_KINDS];
    measure(name, rows, results);
    if (text)
      print_group(rows, i == 0);
    for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
      tutti_xpush(&all, rows[kind]);
  }
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(all.items, all.count)};
  if (!text)
    must(
        tutti_document_print(&(tutti_document){.tables = &table, .table_count = 1}, options->format, stdout, &failure));
  tutti_vector_free(&all);
}

static int measure_groups(void *values)
{
  const struct rank_maps_options *options = values;
  struct results results = {.count = 0};
  tutti_store *store = options->database ? store_open(options->database) : NULL;
  measure_all(options, &results);
  if (store) {
    store_results(&results, store, options->platform);
    store_close(store);
  }
  tutti_vector_free(&results);
  return EXIT_DONE;
}

DEFINE_COMMAND(rank_maps, "rank-maps", options, struct rank_maps_options, measure_groups);
