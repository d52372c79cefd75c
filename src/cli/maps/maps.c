/* tutti maps: sizes and speeds of the representations of group maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/maps/maps_store.h"
#include "cli/output/report_json.h"
#include "cli/program.h"
#include "tutti/map.h"

enum { KEY_JSON = OPTION_OTHERS, KEY_PLATFORM };

struct maps_options {
  bool json;
  const char *database; /* NULL: nothing is stored */
  const char *platform;
  int count;
  char **names; /* of groups, among the arguments; count 0: all */
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"db", OPTION_DB, "FILE", 0, "put what was measured into the store FILE", 0},
    {"platform", KEY_PLATFORM, "NAME", 0, "there, this machine is called NAME (default: as its processor)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct maps_options *chosen = state->input;
  switch (key) {
  case KEY_JSON:
    chosen->json = true;
    return 0;
  case OPTION_DB:
    chosen->database = text;
    return 0;
  case KEY_PLATFORM:
    chosen->platform = text;
    return 0;
  case ARGP_KEY_ARGS:
    chosen->names = state->argv + state->next;
    chosen->count = state->argc - state->next;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[GROUP...]",
    .doc =
        "Measure how many bits the representations of group maps take for a member, and how long it takes to find the "
        "member of a rank (SELECT) and the rank of a member (RANK): for the groups of Kamal, Mirtaheri, Wagner 2010, "
        "tables 1 and 2, in a world of 2^20: one-removed, ranges, odd-or-low, no-primes, subgrid, contiguous, stride, "
        "random; exchanged, shuffled, blocks, decreasing. Processor time, the least of five rounds.",
};

/* ---- a group ---- */

struct strategies {
  tutti_map_kind kinds[TUTTI_MAP_STRATEGIES];
};

static tutti_status choose(const struct maps_group *group, struct strategies *chosen, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int s = 0; s < TUTTI_MAP_STRATEGIES && status == TUTTI_OK; s++) {
    tutti_map *map;
    status = tutti_map_choose((tutti_map_strategy)s, group->members, group->size, MAPS_WORLD, NULL, &map, error);
    if (status == TUTTI_OK) {
      chosen->kinds[s] = tutti_map_kind_of(map);
      tutti_map_free(map);
    }
  }
  return status;
}

static void print_strategies(const struct strategies *chosen, tutti_map_kind kind)
{
  for (int s = 0; s < TUTTI_MAP_STRATEGIES; s++)
    if (chosen->kinds[s] == kind)
      printf(" %s", tutti_map_strategy_name((tutti_map_strategy)s));
}

static void print_row(const struct maps_row *row, const struct strategies *chosen)
{
  if (!row->made) {
    printf("  %-12s %s\n", tutti_map_kind_name(row->kind), row->reason);
    return;
  }
  printf("  %-12s %10zu %9.3f %10.3f %10.3f %10.1f %10.1f %8.1f ", tutti_map_kind_name(row->kind), row->bytes,
         8.0 * (double)row->bytes / row->size, 1e3 * row->create, 1e3 * row->select_all, 1e9 * row->select_one,
         1e9 * row->rank_one, row->ratio);
  print_strategies(chosen, row->kind);
  putchar('\n');
}

static void print_json_row(const struct maps_row *row, const struct strategies *chosen, bool first)
{
  printf("%s\n {\"group\": \"%s\", \"members\": %d, \"kind\": \"%s\"", first ? "" : ",", row->group, row->size,
         tutti_map_kind_name(row->kind));
  if (!row->made) {
    printf(", \"refused\": ");
    json_string(stdout, row->reason);
    printf("}");
    return;
  }
  printf(", \"bytes\": %zu", row->bytes);
  json_member("create_s", row->create, 6);
  json_member("select_all_s", row->select_all, 6);
  json_member("select_one_s", row->select_one, 6);
  json_member("rank_one_s", row->rank_one, 6);
  json_member("ratio_to_array", row->ratio, 6);
  printf(", \"chosen_by\": \"");
  print_strategies(chosen, row->kind);
  printf("\"}");
}

/* As itself, and as what each strategy chose that chose its kind. */
static tutti_status keep(const struct maps_row *row, const struct maps_row *array, const struct strategies *chosen,
                         struct maps_results *results, tutti_error *error)
{
  tutti_status status = row->made ? maps_results_add(results, row, array, "-", error) : TUTTI_OK;
  for (int s = 0; s < TUTTI_MAP_STRATEGIES && row->made && status == TUTTI_OK; s++)
    if (chosen->kinds[s] == row->kind)
      status = maps_results_add(results, row, array, tutti_map_strategy_name((tutti_map_strategy)s), error);
  return status;
}

/* The first of the kinds is the array, which the others are compared with. */
_Static_assert(TUTTI_MAP_ARRAY == 0, "the array is measured first");

static tutti_status measure(const struct maps_group *group, bool json, bool first, struct maps_results *results,
                            tutti_error *error)
{
  struct strategies chosen;
  struct maps_row array = {.made = false};
  tutti_status status = choose(group, &chosen, error);
  if (status == TUTTI_OK && !json)
    printf("%s%s, %d members\n  %-12s %10s %9s %10s %10s %10s %10s %8s  %s\n", first ? "" : "\n", group->name,
           group->size, "kind", "bytes", "bits/m", "create ms", "all ms", "select ns", "rank ns", "x array",
           "chosen by");
  for (int kind = 0; kind < TUTTI_MAP_KINDS && status == TUTTI_OK; kind++) {
    struct maps_row row;
    status = maps_measure(group, (tutti_map_kind)kind, &row, error);
    if (status != TUTTI_OK)
      break;
    array = kind == TUTTI_MAP_ARRAY ? row : array;
    row.ratio = row.select_one / array.select_one;
    status = keep(&row, &array, &chosen, results, error);
    if (json)
      print_json_row(&row, &chosen, first && kind == 0);
    else
      print_row(&row, &chosen);
  }
  return status;
}

static tutti_status measure_named(const char *name, bool json, bool first, struct maps_results *results,
                                  tutti_error *error)
{
  struct maps_group group;
  tutti_status status = maps_group_make(name, &group, error);
  if (status != TUTTI_OK)
    return status;
  status = measure(&group, json, first, results, error);
  free(group.members);
  return status;
}

static int maps_main(int argc, char **argv)
{
  struct maps_options chosen = {0};
  struct maps_results results = {.count = 0};
  tutti_error error;
  tutti_status status = TUTTI_OK;
  const char *name;
  parse_options(&argp, argc, argv, &chosen);
  tutti_store *store = NULL;
  if (chosen.platform && !chosen.database)
    status = tutti_fail(&error, TUTTI_ERR_ARGUMENT, "--platform names this machine in the store of --db");
  else if (chosen.database)
    status = tutti_store_open(chosen.database, &store, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  if (chosen.json)
    printf("[");
  for (int i = 0;
       status == TUTTI_OK && (name = chosen.count ? (i < chosen.count ? chosen.names[i] : NULL) : maps_group_name(i));
       i++)
    status = measure_named(name, chosen.json, i == 0, &results, &error);
  if (chosen.json)
    printf("\n]\n");
  if (status == TUTTI_OK && chosen.database)
    status = maps_results_store(&results, store, chosen.platform, &error);
  tutti_store_close(store);
  maps_results_free(&results);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_maps = {
    .name = "maps",
    .summary = "measure how many bits and how long group maps take",
    .main = maps_main,
};
