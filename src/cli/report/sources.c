/* Commands and queries that give the numbers of the report again. */
#include <inttypes.h>

#include "cli/report/report.h"
#include "decision/results/row.h"
#include "harness/experiments/file/bench_command.h"
#include "tutti/plugin.h"

/* ---- words of a shell ---- */

static void append_option(char text[COMMAND_LENGTH], const char *option, const char *word)
{
  char *quoted = tutti_xshell_word(word);
  text_append(text, COMMAND_LENGTH, " --%s %s", option, quoted);
  free(quoted);
}

static bool is_default_database(const struct report *report)
{
  return strcmp(report->options->database, "results.db") == 0;
}

static char *append_database(const struct report *report, char text[COMMAND_LENGTH])
{
  if (!is_default_database(report))
    append_option(text, "db", report->options->database);
  return text;
}

/* ---- environments ---- */

enum member { MEMBER_FLAVOR, MEMBER_LIBRARY, MEMBER_HASH, MEMBER_TUTTI, MEMBERS };

static const char *member_of(const tutti_environment *environment, int member)
{
  const char *const members[MEMBERS] = {environment->flavor, environment->library, environment->platform_hash,
                                        environment->tutti};
  return members[member];
}

static bool others_differ(const struct report *report, int environment, int member)
{
  const tutti_environment *all = report->contents.environments, *own = &all[environment];
  for (int i = 0; i < report->contents.environment_count; i++)
    if (strcmp(all[i].platform, own->platform) == 0 && strcmp(member_of(&all[i], member), member_of(own, member)) != 0)
      return true;
  return false;
}

static bool is_twin(const tutti_environment *left, const tutti_environment *right)
{
  bool equal = strcmp(left->platform, right->platform) == 0;
  for (int member = 0; member < MEMBERS; member++)
    equal = equal && strcmp(member_of(left, member), member_of(right, member)) == 0;
  return equal;
}

/* Whether there is another environment that differs only in members without an option. */
static bool has_twin(const struct report *report, int environment)
{
  const tutti_environment *all = report->contents.environments;
  for (int i = 0; i < report->contents.environment_count; i++)
    if (i != environment && is_twin(&all[i], &all[environment]))
      return true;
  return false;
}

char *command_of_environment(const struct report *report, const char *subcommand, int environment,
                             char text[COMMAND_LENGTH])
{
  static const char *const options[MEMBERS] = {"flavor", "library", "platform-hash", "tutti-version"};
  const tutti_environment *own = &report->contents.environments[environment];
  snprintf(text, COMMAND_LENGTH, "tutti %s", subcommand);
  append_option(text, "platform", own->platform);
  for (int member = 0; member < MEMBERS; member++)
    if (others_differ(report, environment, member) && *member_of(own, member)) {
      char word[COMMAND_LENGTH / 4];
      snprintf(word, sizeof word, member == MEMBER_HASH ? "%.12s" : "%s", member_of(own, member));
      append_option(text, options[member], word);
    }
  if (has_twin(report, environment))
    text_append(text, COMMAND_LENGTH, " --environment %d", (int)report->contents.ids[environment]);
  return append_database(report, text);
}

char *command_of_parameters(const struct report *report, int environment, char text[COMMAND_LENGTH])
{
  const tutti_environment *own = &report->contents.environments[environment];
  char *platform = tutti_xshell_word(own->platform);
  snprintf(text, COMMAND_LENGTH, "tutti params %s", platform);
  free(platform);
  if (!tutti_flavor_is_simulated(own->flavor))
    append_option(text, "flavor", own->flavor);
  text_append(text, COMMAND_LENGTH, " --compare");
  return append_database(report, text);
}

/* ---- maps ---- */

static bool is_alike(const struct report_map *left, const struct report_map *right)
{
  return left != right && left->environment == right->environment && left->map.collective == right->map.collective;
}

static uint64_t value_of(const struct report_map *map, enum map_member member)
{
  const uint64_t values[] = {[MAP_SCHEME] = map->scheme,
                             [MAP_RANKS_PER_NODE] = (uint64_t)map->ranks_per_node,
                             [MAP_ROOT] = (uint64_t)map->root,
                             [MAP_TYPE_SIZE] = map->type_size};
  return values[member];
}

bool command_needs(const struct report *report, const struct report_map *map, enum map_member member)
{
  for (int i = 0; i < report->map_count; i++)
    if (is_alike(&report->maps[i], map) && value_of(&report->maps[i], member) != value_of(map, member))
      return true;
  return false;
}

static void append_patterns(char text[COMMAND_LENGTH], const struct report_map *map)
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  if (map->arrival.kind != TUTTI_ARRIVAL_NONE)
    append_option(text, "arrival", tutti_arrival_format(&map->arrival, arrival));
  if (map->noise.kind != TUTTI_NOISE_NONE)
    append_option(text, "noise", tutti_noise_format(&map->noise, noise));
}

/* The plug-ins that methods of the map are of, once each. */
static void append_plugins(char text[COMMAND_LENGTH], const tutti_decision_map *map)
{
  uint64_t code;
  for (int m = 0; m < map->method_count; m++) {
    const char *file = tutti_algorithm_plugin_file(map->methods[m].algorithm, &code);
    if (file && !strstr(text, file))
      append_option(text, "plugin", file);
  }
}

char *command_of_map(const struct report *report, const char *subcommand, const struct report_map *map,
                     char text[COMMAND_LENGTH])
{
  const tutti_selection *only = &report->options->only;
  const struct selection_options *maps = &report->options->maps;
  command_of_environment(report, subcommand, map->environment, text);
  if (only->scheme >= 0 || command_needs(report, map, MAP_SCHEME))
    append_option(text, "scheme", tutti_scheme_name(map->scheme));
  if (only->ranks_per_node || command_needs(report, map, MAP_RANKS_PER_NODE))
    text_append(text, COMMAND_LENGTH, " --ranks-per-node %d", map->ranks_per_node);
  if (maps->root >= 0 || command_needs(report, map, MAP_ROOT))
    text_append(text, COMMAND_LENGTH, " --root %d", map->root);
  append_patterns(text, map);
  if (maps->implementation >= 0) {
    const char *name = tutti_implementation_name((tutti_implementation)maps->implementation);
    append_option(text, "of", name ? name : "tutti");
  }
  text_append(text, COMMAND_LENGTH, maps->natives ? " --native" : "");
  append_plugins(text, &map->map);
  return text;
}

char *command_of_bench(const struct report *report, const struct report_map *map)
{
  const tutti_environment *own = report_environment(report, map);
  char plugins[COMMAND_LENGTH] = "";
  append_plugins(plugins, &map->map);
  char *command = tutti_bench_command(
      &(struct bench_command){.collective = map->map.collective,
                              .platform = own->platform,
                              .flavor = own->flavor,
                              .database = is_default_database(report) ? NULL : report->options->database,
                              .map = &map->map,
                              .settings = own->settings,
                              .cores = own->cores,
                              .ranks_per_node = map->ranks_per_node});
  char *whole = tutti_xprintf("%s%s", command, plugins);
  free(command);
  return whole;
}

/* ---- queries ---- */

/* Without any pattern the columns are not named: a store of an old version may not have them. */
static void restrict_patterns(const struct report *report, const struct report_map *map, char text[COMMAND_LENGTH])
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  bool several = false;
  for (int i = 0; i < report->map_count; i++)
    several =
        several || report->maps[i].arrival.kind != TUTTI_ARRIVAL_NONE || report->maps[i].noise.kind != TUTTI_NOISE_NONE;
  if (several)
    text_append(text, COMMAND_LENGTH, " AND m.arrival = '%s' AND m.noise = '%s'",
                tutti_arrival_format(&map->arrival, arrival), tutti_noise_format(&map->noise, noise));
}

/* On a real machine rows have as many ranks per node as there were: launches that are on one node have fewer. */
static char *placement(const struct report *report, const struct report_map *map, char *text, size_t length)
{
  int most = map->ranks_per_node;
  bool fewer = *report_environment(report, map)->hosts && map->map.ranks[0] < most;
  if (fewer)
    snprintf(text, length, "(m.ranks_per_node = %d OR (m.ranks_per_node = m.ranks AND m.ranks < %d))", most, most);
  else
    snprintf(text, length, "m.ranks_per_node = %d", most);
  return text;
}

char *query_of_map(const struct report *report, const struct report_map *map, char text[COMMAND_LENGTH])
{
  char placed[120];
  snprintf(text, COMMAND_LENGTH,
           "SELECT d.name, m.ranks, m.rank_B, m.median_s FROM measurement m JOIN method d ON d.id = m.method"
           " WHERE m.environment = %" PRId64 " AND d.collective = '%s' AND m.scheme = '%s' AND %s"
           " AND m.root = %d AND m.type_B = %" PRIu64,
           report->contents.ids[map->environment], tutti_collective_name(map->map.collective),
           tutti_scheme_name(map->scheme), placement(report, map, placed, sizeof placed), map->root, map->type_size);
  restrict_patterns(report, map, text);
  return text;
}

static const char *table_of(const tutti_store_entry *entry)
{
  if (entry->kind == TUTTI_ENTRY_RESULTS)
    return tutti_kind_of_result(entry->result)->table;
  return entry->kind == TUTTI_ENTRY_GROUP_RUNS   ? "group_build"
         : entry->kind == TUTTI_ENTRY_PARAMETERS ? "parameter"
                                                 : "measurement";
}

char *query_of_entry(const struct report *report, const tutti_store_entry *entry, char text[COMMAND_LENGTH])
{
  snprintf(text, COMMAND_LENGTH, "SELECT * FROM %s WHERE environment = %" PRId64, table_of(entry),
           report->contents.ids[entry->environment]);
  return text;
}
