/* What is on the page: the selected rows of the store, and decision maps of their measurements. */
#include "base/words.h"
#include "cli/options/common.h"
#include "cli/report/report.h"
#include "tutti/tuning.h"

const tutti_environment *report_environment(const struct report *report, const struct report_map *map)
{
  return &report->contents.environments[map->environment];
}

struct measured_map report_measured(const struct report *report, const struct report_map *map)
{
  const tutti_environment *own = report_environment(report, map);
  struct measured_map measured = {.map = map->map,
                                  .scheme = map->scheme,
                                  .root = map->root,
                                  .ranks_per_node = map->ranks_per_node,
                                  .platform = own->platform,
                                  .basis = "scheme",
                                  .basis_name = tutti_scheme_name(map->scheme),
                                  .cores = own->cores};
  snprintf(measured.flavor, sizeof measured.flavor, "%s", own->flavor);
  snprintf(measured.hash, sizeof measured.hash, "%s", own->platform_hash);
  snprintf(measured.library, sizeof measured.library, "%s", own->library);
  return measured;
}

size_t report_rows(const struct report *report, int kind, int result, int environment)
{
  const tutti_store_contents *contents = &report->contents;
  size_t rows = 0;
  for (int i = 0; i < contents->entry_count; i++) {
    const tutti_store_entry *entry = &contents->entries[i];
    if ((kind == REPORT_ANY || (int)entry->kind == kind) && (result == REPORT_ANY || (int)entry->result == result) &&
        (environment == REPORT_ANY || entry->environment == environment))
      rows += entry->rows;
  }
  return rows;
}

void report_mark_own_choice(const tutti_environment *environment, tutti_decision_map *map)
{
  const char *library = tutti_implementation_name(map->candidates.implementation);
  tutti_library_version version;
  if (library && strcmp(library, environment->flavor) == 0 && strchr(environment->library, '-') &&
      tutti_library_version_of_run(environment->flavor, environment->library, &version, NULL) == TUTTI_OK &&
      tutti_untuned_under(version.library, environment->settings))
    must(tutti_untuned_mark(&version, map, &failure));
}

/* ---- decision maps: one of each root, type, arrival pattern and noise ---- */

static bool belongs(const tutti_measurement *measurement, const tutti_measurement *first)
{
  return measurement->root == first->root && measurement->type_size == first->type_size &&
         tutti_arrival_compare(&measurement->arrival, &first->arrival) == 0 &&
         tutti_noise_compare(&measurement->noise, &first->noise) == 0;
}

/* Move those that belong to the first one to the front, in order; returns how many these are. */
static size_t part_front(tutti_measurement *measurements, size_t count, tutti_measurement *rest)
{
  const tutti_measurement first = measurements[0];
  size_t inside = 0, outside = 0;
  for (size_t i = 0; i < count; i++)
    if (belongs(&measurements[i], &first))
      measurements[inside++] = measurements[i];
    else
      rest[outside++] = measurements[i];
  memcpy(measurements + inside, rest, outside * sizeof *rest);
  return inside;
}

static bool has_pattern(const struct selection_patterns *patterns, const tutti_measurement *measurement)
{
  bool arrival = patterns->arrival_count == 0, noise = patterns->noise_count == 0;
  for (int i = 0; i < patterns->arrival_count; i++)
    arrival = arrival || tutti_arrival_compare(&patterns->arrivals[i], &measurement->arrival) == 0;
  for (int i = 0; i < patterns->noise_count; i++)
    noise = noise || tutti_noise_compare(&patterns->noises[i], &measurement->noise) == 0;
  return arrival && noise;
}

static bool is_selected(const struct report *report, const tutti_measurement *measurement)
{
  const struct selection_options *maps = &report->options->maps;
  const bool rooted = tutti_collective_traits(measurement->method.algorithm->collective) & TUTTI_HAS_ROOT;
  return (maps->root < 0 || !rooted || maps->root == measurement->root) && has_pattern(&maps->patterns, measurement);
}

/* Maps without a method of the implementation that can be best (--of) are left out. */
static void add_map(struct report *report, tutti_store_entry *entry, const tutti_measurement *measurements,
                    size_t count)
{
  const struct selection_options *options = &report->options->maps;
  struct report_map map = {.environment = entry->environment,
                           .scheme = entry->scheme,
                           .ranks_per_node = entry->ranks_per_node,
                           .root = measurements[0].root,
                           .type_size = measurements[0].type_size,
                           .arrival = measurements[0].arrival,
                           .noise = measurements[0].noise,
                           .min_repetitions = measurements[0].repetitions,
                           .points = count};
  for (size_t i = 0; i < count; i++) {
    int repetitions = measurements[i].repetitions;
    map.min_repetitions = repetitions < map.min_repetitions ? repetitions : map.min_repetitions;
    map.max_repetitions = repetitions > map.max_repetitions ? repetitions : map.max_repetitions;
  }
  must(tutti_decision_map_create(measurements, count, &map.map, &failure));
  tutti_decision_map_choose(&map.map, selection_candidates(options, &map.map));
  if (options->implementation >= 0 && !tutti_decision_map_has(&map.map, map.map.candidates.implementation)) {
    tutti_decision_map_free(&map.map);
    return;
  }
  report_mark_own_choice(&report->contents.environments[entry->environment], &map.map);
  entry->rows += count;
  report->maps = tutti_xroom(report->maps, (size_t)report->map_count, sizeof *report->maps);
  report->maps[report->map_count++] = map;
}

/* Afterwards the entry has the rows of its maps. */
static void add_maps(struct report *report, tutti_store_entry *entry)
{
  tutti_measurement *measurements;
  size_t count;
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  must(tutti_store_read(report->store, &selection, &measurements, &count, &failure));
  tutti_measurement *rest = tutti_xcalloc(count, sizeof *rest);
  entry->rows = 0;
  for (size_t done = 0, part; done < count; done += part) {
    part = part_front(measurements + done, count - done, rest);
    if (is_selected(report, &measurements[done]))
      add_map(report, entry, measurements + done, part);
  }
  free(rest);
  free(measurements);
}

/* In the order of the contents. */
static void collect_maps(struct report *report)
{
  bool any = false;
  for (int i = 0; i < report->contents.entry_count; i++)
    if (report->contents.entries[i].kind == TUTTI_ENTRY_MEASUREMENTS) {
      add_maps(report, &report->contents.entries[i]);
      any = true;
    }
  if (any && report->map_count == 0)
    die("%s: nothing was measured with that root, arrival pattern and noise, and of that implementation",
        report->options->database);
}

/* ---- platform files that were edited ---- */

/* SHA-256 of the file that the name of a platform finds now, into @p hash; "": there is none. */
static void read_hash_now(const char *platform, char hash[TUTTI_HASH_LENGTH])
{
  tutti_platform now;
  *hash = '\0';
  if (platform_load(platform, &now, NULL) == TUTTI_OK) {
    memcpy(hash, now.hash, TUTTI_HASH_LENGTH);
    tutti_platform_free(&now);
  }
}

/* Whether there is a map of another file of the same platform. */
static bool has_other_file(const struct report *report, const struct report_map *map)
{
  const tutti_environment *own = report_environment(report, map);
  for (int i = 0; i < report->map_count; i++) {
    const tutti_environment *other = report_environment(report, &report->maps[i]);
    if (*own->platform_hash && *other->platform_hash && strcmp(own->platform, other->platform) == 0 &&
        strcmp(own->platform_hash, other->platform_hash) != 0)
      return true;
  }
  return false;
}

static void mark_files(struct report *report)
{
  char now[TUTTI_HASH_LENGTH];
  for (int i = 0; i < report->map_count; i++) {
    struct report_map *map = &report->maps[i];
    const tutti_environment *own = report_environment(report, map);
    if (!has_other_file(report, map))
      continue;
    read_hash_now(own->platform, now);
    map->file = !*now                                  ? REPORT_FILE_UNKNOWN
                : strcmp(now, own->platform_hash) == 0 ? REPORT_FILE_ALONE
                                                       : REPORT_FILE_OLDER;
  }
}

/* First maps that have something to choose from, then those without; last those of platform files as they were. */
static int rank_of(const struct report_map *map)
{
  return map->file == REPORT_FILE_OLDER ? 2 : tutti_decision_map_only_native(&map->map);
}

static void order_maps(struct report *report)
{
  int count = 0;
  struct report_map *ordered = tutti_xcalloc((size_t)report->map_count + 1, sizeof *ordered);
  for (int rank = 0; rank < 3; rank++)
    for (int i = 0; i < report->map_count; i++)
      if (rank_of(&report->maps[i]) == rank)
        ordered[count++] = report->maps[i];
  free(report->maps);
  report->maps = ordered;
}

/* ---- which rows ---- */

static bool is_platform(const struct selection_options *selected, const tutti_environment *environment)
{
  const char *hash = selected->selection.platform_hash;
  return strcmp(selected->platform, environment->platform) == 0 &&
         (!hash || strcmp(hash, environment->platform_hash) == 0);
}

static _Noreturn void refuse_platform(const struct report *report, const struct selection_options *selected)
{
  const tutti_store_contents *contents = &report->contents;
  const bool hashed = selected->selection.platform_hash;
  char list[TUTTI_ERROR_LENGTH / 2], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = selected->platform};
  for (int i = 0; i < contents->environment_count; i++)
    tutti_guess_try(&guess, contents->environments[i].platform);
  die("%s: nothing was measured on the platform '%s'%s%s, only on: %s", report->options->database, selected->platform,
      hashed ? " as its file is now" : "", hashed ? "" : tutti_guess_text(&guess, meant),
      tutti_store_contents_platforms(contents, list, sizeof list));
}

/* The environments of the platforms that are asked for. */
static bool *list_environments(const struct report *report)
{
  const struct report_options *options = report->options;
  const tutti_store_contents *contents = &report->contents;
  bool *listed = tutti_xcalloc((size_t)contents->environment_count + 1, sizeof *listed);
  for (size_t i = 0; i < options->platforms.count; i++) {
    bool found = false;
    for (int e = 0; e < contents->environment_count; e++)
      if (is_platform(&options->selected[i], &contents->environments[e]))
        listed[e] = found = true;
    if (!found)
      refuse_platform(report, &options->selected[i]);
  }
  for (int e = 0; e < contents->environment_count; e++)
    listed[e] = listed[e] || options->platforms.count == 0;
  return listed;
}

/* Parameters are measured under SMPI for either engine. */
static bool is_of_engine(const struct report *report, const tutti_store_entry *entry)
{
  const char *engine = report->options->engine, *flavor = report->contents.environments[entry->environment].flavor;
  return !engine || entry->kind == TUTTI_ENTRY_PARAMETERS || !tutti_flavor_is_simulated(flavor) ||
         strcmp(engine, flavor) == 0;
}

static _Noreturn void refuse_selection(const struct report *report)
{
  const tutti_store_contents *contents = &report->contents;
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int i = 0; i < contents->environment_count; i++)
    fprintf(list.stream, "\n  --environment %lld  # %s, %s, %s", (long long)contents->ids[i],
            contents->environments[i].platform, contents->environments[i].flavor, contents->environments[i].library);
  die("%s: nothing was measured so; there is:%.400s", report->options->database, tutti_xclose_text(&list));
}

/* Leave out what was not asked for. */
static void keep_selected(struct report *report)
{
  tutti_store_contents *contents = &report->contents;
  const int count = contents->entry_count;
  int kept = 0;
  bool *listed = list_environments(report);
  must(tutti_store_contents_keep(report->store, &report->options->only, contents, &failure));
  for (int i = 0; i < contents->entry_count; i++)
    if (listed[contents->entries[i].environment] && is_of_engine(report, &contents->entries[i]))
      contents->entries[kept++] = contents->entries[i];
  contents->entry_count = kept;
  free(listed);
  if (kept == 0 && count > 0)
    refuse_selection(report);
}

/* ---- the report ---- */

void report_create(const struct report_options *options, tutti_store *store, struct report *report)
{
  *report = (struct report){.options = options, .store = store};
  must(tutti_store_contents_read(store, &report->contents, &failure));
  keep_selected(report);
  comparisons_read(store, &report->contents, &report->comparisons);
  collect_maps(report);
  mark_files(report);
  order_maps(report);
  for (int i = 0; i < report->map_count; i++)
    report_ask_decisions(report, &report->maps[i]);
}

static void free_map(struct report_map *map)
{
  for (int i = 0; i < map->layer_count; i++) {
    free(map->layers[i].name);
    free(map->layers[i].picks);
    free(map->layers[i].percents);
  }
  free(map->layers);
  free(map->rules);
  free(map->written);
  free(map->shown);
  free(map->marked);
  free(map->best);
  tutti_decision_map_free(&map->map);
}

void report_free(struct report *report)
{
  for (int i = 0; i < report->map_count; i++)
    free_map(&report->maps[i]);
  free(report->maps);
  tutti_vector_free(&report->comparisons);
  tutti_store_contents_free(&report->contents);
}
