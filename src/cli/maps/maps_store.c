/* Measured group maps, on their way into the store. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/maps/maps.h"

static void fill_in(tutti_result *result, const struct maps_row *row, const struct maps_row *array)
{
  tutti_value *values = result->values;
  values[TUTTI_MAP_FIELD_WORLD].integer = MAPS_WORLD;
  values[TUTTI_MAP_FIELD_MEMBERS].integer = (uint64_t)row->size;
  values[TUTTI_MAP_FIELD_BYTES].integer = row->bytes;
  values[TUTTI_MAP_FIELD_CREATE].seconds = row->create;
  values[TUTTI_MAP_FIELD_SELECT_ALL].seconds = row->select_all;
  values[TUTTI_MAP_FIELD_SELECT_ONE].seconds = row->select_one;
  values[TUTTI_MAP_FIELD_RANK_ONE].seconds = row->rank_one;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ALL].seconds = array->select_all;
  values[TUTTI_MAP_FIELD_ARRAY_SELECT_ONE].seconds = array->select_one;
}

void maps_results_add(struct maps_results *results, const struct maps_row *row, const struct maps_row *array,
                      const char *strategy)
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

tutti_status maps_results_store(const struct maps_results *results, tutti_store *store, const char *machine,
                                tutti_error *error)
{
  char processor[128];
  int64_t id;
  name_processor(processor, sizeof processor);
  const tutti_environment environment = {.platform = machine ? machine : processor,
                                         .platform_hash = "",
                                         .flavor = "none",
                                         .library = "none",
                                         .tutti = TUTTI_VERSION};
  tutti_status status = tutti_store_environment(store, &environment, &id, error);
  if (status == TUTTI_OK)
    status = tutti_store_add_results(store, id, results->items, results->count, error);
  return status;
}

void maps_results_free(struct maps_results *results)
{
  tutti_vector_free(results);
}
