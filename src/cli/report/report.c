/* What is on the page. */
#include "tutti/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "cli/report/page.h"
#include "tutti/platform.h"
#include "tutti/tuning.h"

/* ---- decision maps from the measurements of the store ---- */

/* A part: measurements of one root, type, arrival pattern and noise. */

static bool belongs(const tutti_measurement *measurement, const tutti_measurement *first)
{
  return measurement->root == first->root && measurement->type_size == first->type_size &&
         tutti_arrival_compare(&measurement->arrival, &first->arrival) == 0 &&
         tutti_noise_compare(&measurement->noise, &first->noise) == 0;
}

/* Move those that belong to the first one to the front; how many these are. */
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

tutti_status tutti_report_mark_own_choice(const tutti_environment *environment, tutti_decision_map *map,
                                          tutti_error *error)
{
  const char *library = tutti_implementation_name(map->candidates.implementation);
  tutti_library_version version;
  if (!library || strcmp(library, environment->flavor) != 0 || !strchr(environment->library, '-') ||
      tutti_library_version_of_run(environment->flavor, environment->library, &version, NULL) != TUTTI_OK ||
      (environment->settings && !tutti_untuned_under(version.library, environment->settings)))
    return TUTTI_OK;
  return tutti_untuned_mark(&version, map, error);
}

static tutti_status add_map(tutti_report *report, tutti_store_entry *entry, const tutti_measurement *measurements,
                            size_t count, tutti_error *error)
{
  report->maps = tutti_xrealloc(report->maps, ((size_t)report->map_count + 1) * sizeof *report->maps);
  tutti_report_map *map = &report->maps[report->map_count];
  *map = (tutti_report_map){.environment = entry->environment,
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
    map->min_repetitions = repetitions < map->min_repetitions ? repetitions : map->min_repetitions;
    map->max_repetitions = repetitions > map->max_repetitions ? repetitions : map->max_repetitions;
  }
  tutti_status status = tutti_decision_map_create(measurements, count, &map->map, error);
  if (status != TUTTI_OK)
    return status;
  if (!tutti_report_choose(report, &map->map)) {
    tutti_decision_map_free(&map->map);
    return TUTTI_OK;
  }
  report->map_count++;
  entry->rows += count;
  return tutti_report_mark_own_choice(&report->contents.environments[entry->environment], &map->map, error);
}

static tutti_status add_parts(tutti_report *report, tutti_store_entry *entry, tutti_measurement *measurements,
                              size_t count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_measurement *rest = tutti_xcalloc(count, sizeof *rest);
  while (count > 0 && status == TUTTI_OK) {
    size_t inside = part_front(measurements, count, rest);
    if (tutti_report_is_chosen(report, &measurements[0]))
      status = add_map(report, entry, measurements, inside, error);
    measurements += inside;
    count -= inside;
  }
  free(rest);
  return status;
}

/* ---- all maps ---- */

/* The entry has the rows that its maps are of. */
static tutti_status collect(tutti_report *report, tutti_store_entry *entry, tutti_error *error)
{
  tutti_measurement *measurements;
  size_t count;
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, entry);
  tutti_status status = tutti_store_read(report->store, &selection, &measurements, &count, error);
  entry->rows = 0;
  if (status == TUTTI_OK && count > 0)
    status = add_parts(report, entry, measurements, count, error);
  free(measurements);
  return status;
}

/* In order of the contents; one for each root, type and pattern, which do not mix. */
static tutti_status collect_maps(tutti_report *report, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool any = false;
  for (int i = 0; i < report->contents.entry_count && status == TUTTI_OK; i++)
    if (report->contents.entries[i].kind == TUTTI_ENTRY_MEASUREMENTS) {
      status = collect(report, &report->contents.entries[i], error);
      any = true;
    }
  if (status == TUTTI_OK && any && report->request->choice && report->map_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: nothing was measured with that root, arrival pattern and noise, and of that implementation",
                      report->request->database);
  return status;
}

/* ---- platform files that were edited ---- */

/* SHA-256 of the file that the name of a platform finds now, into @p hash; "": there is none. */
static void read_hash_now(const char *platform, char hash[TUTTI_HASH_LENGTH])
{
  char *path = NULL;
  tutti_platform now;
  *hash = '\0';
  if (tutti_platform_find(platform, &path, NULL) == TUTTI_OK && tutti_platform_read(path, &now, NULL) == TUTTI_OK) {
    memcpy(hash, now.hash, TUTTI_HASH_LENGTH);
    tutti_platform_free(&now);
  }
  free(path);
}

/* Whether there is a map of another file of the same platform. */
static bool has_other_file(const tutti_report *report, const tutti_report_map *map)
{
  const tutti_environment *all = report->contents.environments, *own = &all[map->environment];
  for (int i = 0; i < report->map_count; i++) {
    const tutti_environment *other = &all[report->maps[i].environment];
    if (*own->platform_hash && *other->platform_hash && strcmp(own->platform, other->platform) == 0 &&
        strcmp(own->platform_hash, other->platform_hash) != 0)
      return true;
  }
  return false;
}

static void mark_files(tutti_report *report)
{
  char now[TUTTI_HASH_LENGTH];
  for (int i = 0; i < report->map_count; i++) {
    tutti_report_map *map = &report->maps[i];
    const tutti_environment *own = &report->contents.environments[map->environment];
    if (!has_other_file(report, map))
      continue;
    read_hash_now(own->platform, now);
    map->file = !*now                                  ? REPORT_FILE_UNKNOWN
                : strcmp(now, own->platform_hash) == 0 ? REPORT_FILE_ALONE
                                                       : REPORT_FILE_OLDER;
  }
}

/* First maps that have something to choose from, then those without; last those of platform files as they were. */
static int rank_of(const tutti_report_map *map)
{
  return map->file == REPORT_FILE_OLDER ? 2 : tutti_decision_map_only_native(&map->map);
}

static void order_maps(tutti_report *report)
{
  int count = 0;
  tutti_report_map *ordered = tutti_xcalloc((size_t)report->map_count + 1, sizeof *ordered);
  for (int rank = 0; rank < 3; rank++)
    for (int i = 0; i < report->map_count; i++)
      if (rank_of(&report->maps[i]) == rank)
        ordered[count++] = report->maps[i];
  free(report->maps);
  report->maps = ordered;
}

static void free_map(tutti_report_map *map)
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

/* ---- platforms ---- */

static bool is_platform(const tutti_report_request *request, int index, const tutti_environment *environment)
{
  const char *hash = request->hashes ? request->hashes[index] : NULL;
  return strcmp(request->platforms[index], environment->platform) == 0 &&
         (!hash || strcmp(hash, environment->platform_hash) == 0);
}

static bool is_asked_for(const tutti_report_request *request, const tutti_environment *environment)
{
  for (int i = 0; i < request->platform_count; i++)
    if (is_platform(request, i, environment))
      return true;
  return request->platform_count == 0;
}

static tutti_status unknown_platform(const tutti_report *report, int index, tutti_error *error)
{
  const char *name = report->request->platforms[index];
  bool hashed = report->request->hashes && report->request->hashes[index];
  const tutti_store_contents *contents = &report->contents;
  char list[TUTTI_ERROR_LENGTH / 2], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int i = 0; i < contents->environment_count; i++)
    tutti_guess_try(&guess, contents->environments[i].platform);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: nothing was measured on the platform '%s'%s%s, only on: %s",
                    report->request->database, name, hashed ? " as its file is now" : "",
                    hashed ? "" : tutti_guess_text(&guess, meant),
                    tutti_store_contents_platforms(contents, list, sizeof list));
}

static tutti_status check_platforms(const tutti_report *report, tutti_error *error)
{
  const tutti_store_contents *contents = &report->contents;
  for (int i = 0; i < report->request->platform_count; i++) {
    bool found = false;
    for (int e = 0; e < contents->environment_count && !found; e++)
      found = is_platform(report->request, i, &contents->environments[e]);
    if (!found)
      return unknown_platform(report, i, error);
  }
  return TUTTI_OK;
}

/* Parameters are measured under SMPI for either engine. */
static bool is_of_engine(const tutti_report *report, const tutti_store_entry *entry)
{
  const char *engine = report->request->engine, *flavor = report->contents.environments[entry->environment].flavor;
  return !engine || entry->kind == TUTTI_ENTRY_PARAMETERS || !tutti_flavor_is_simulated(flavor) ||
         strcmp(engine, flavor) == 0;
}

static tutti_status nothing_left(const tutti_report *report, tutti_error *error)
{
  const tutti_store_contents *contents = &report->contents;
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int i = 0; i < contents->environment_count; i++)
    fprintf(list.stream, "\n  --environment %lld  # %s, %s, %s", (long long)contents->ids[i],
            contents->environments[i].platform, contents->environments[i].flavor, contents->environments[i].library);
  char *text = tutti_xclose_text(&list);
  tutti_status status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: nothing was measured so; there is:%.400s",
                                   report->request->database, text);
  free(text);
  return status;
}

/* Leave out what was not asked for. */
static tutti_status keep_selected(tutti_report *report, tutti_error *error)
{
  tutti_store_contents *contents = &report->contents;
  const tutti_selection *only = report->request->only;
  const bool any = contents->entry_count > 0;
  int kept = 0;
  tutti_status status = only ? tutti_store_contents_keep(report->store, only, contents, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  for (int i = 0; i < contents->entry_count; i++)
    if (is_asked_for(report->request, &contents->environments[contents->entries[i].environment]) &&
        is_of_engine(report, &contents->entries[i]))
      contents->entries[kept++] = contents->entries[i];
  const bool nothing = kept == 0 && any && only;
  contents->entry_count = kept;
  return nothing ? nothing_left(report, error) : TUTTI_OK;
}

/* ---- the report ---- */

tutti_status tutti_report_create(const tutti_report_request *request, tutti_store *store, tutti_report *report,
                                 tutti_error *error)
{
  *report = (tutti_report){.request = request, .store = store};
  tutti_status status = tutti_store_contents_read(store, &report->contents, error);
  if (status == TUTTI_OK)
    status = check_platforms(report, error);
  if (status == TUTTI_OK)
    status = keep_selected(report, error);
  if (status == TUTTI_OK)
    status = collect_maps(report, error);
  if (status == TUTTI_OK) {
    mark_files(report);
    order_maps(report);
  }
  for (int i = 0; i < report->map_count && status == TUTTI_OK; i++) {
    status = tutti_report_ask_all(report, &report->maps[i], error);
    if (status == TUTTI_OK)
      tutti_report_mark_methods(&report->maps[i]);
  }
  if (status != TUTTI_OK)
    tutti_report_free(report);
  return status;
}

void tutti_report_free(tutti_report *report)
{
  for (int i = 0; i < report->map_count; i++)
    free_map(&report->maps[i]);
  free(report->maps);
  tutti_store_contents_free(&report->contents);
  *report = (tutti_report){0};
}
