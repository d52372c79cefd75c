/* The machines of a forecast. */
#include "cli/forecast/forecast.h"

static void read_machine(struct forecast *forecast, const char *path, char *change)
{
  struct forecast_machine made = {.change = change};
  tutti_platform platform;
  must(tutti_platform_read(path, &platform, &failure));
  platform_spread(&platform, forecast->options->setting.ranks_per_node);
  must(tutti_platform_accept(&platform, forecast->ranks, change ? NULL : stderr, &failure)); /* once */
  must(tutti_machine_read(path, &made.machine, &failure));
  must(tutti_machine_speed(&made.machine, &made.speed, &failure));
  made.machine.ranks_per_node = platform.ranks_per_node;
  made.machine.tolerance = tutti_flavor_tolerance(forecast->options->engine);
  made.places = tutti_platform_places(&platform);
  made.hosts = platform.host_count;
  snprintf(made.name, sizeof made.name, "%s", platform.name);
  tutti_platform_free(&platform);
  tutti_xpush(&forecast->machines, made);
}

static void read_edited(struct forecast *forecast, const char *path, const char *const *edits, size_t count,
                        const char *change)
{
  char *file = replay_edited_begin(path, edits, count);
  read_machine(forecast, file, tutti_xstrdup(change));
  simulation_file_end(file);
  free(file);
}

void forecast_read_machines(struct forecast *forecast)
{
  const struct option_strings *edits = &forecast->options->edits;
  char *path;
  must(tutti_platform_find(forecast->options->platform, &path, &failure));
  read_machine(forecast, path, NULL);
  for (size_t i = 0; i < edits->count; i++)
    read_edited(forecast, path, &edits->items[i], 1, edits->items[i]);
  if (edits->count > 1)
    read_edited(forecast, path, edits->items, edits->count, "all edits");
  free(path);
}

void forecast_free_machines(struct forecast *forecast)
{
  for (size_t i = 0; i < forecast->machines.count; i++) {
    free(forecast->machines.items[i].change);
    tutti_start_free(&forecast->machines.items[i].start);
    tutti_machine_free(&forecast->machines.items[i].machine);
  }
  tutti_vector_free(&forecast->machines);
}

const struct forecast_machine *forecast_edited(const struct forecast *forecast)
{
  return &forecast->machines.items[forecast->machines.count - 1];
}
