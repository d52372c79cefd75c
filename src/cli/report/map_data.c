/* The data of all maps for the script, as JSON in the page. */
#include "base/json.h"
#include "cli/report/map_notes.h"
#include "cli/report/marks.h"
#include "cli/report/report.h"

enum { TIME_DIGITS = 6, PERCENT_DIGITS = 4 };

static void write_area(unsigned color, tutti_fill fill, tutti_json *json)
{
  char area[PALETTE_CSS_LENGTH];
  tutti_json_string(json, "colour", tutti_area_css(color, fill, area));
  tutti_json_string(json, "ink", tutti_area_is_dark(color, fill) ? "#fff" : "#000");
}

static void write_losses(tutti_json *json)
{
  tutti_json_array(json, "losses");
  for (int i = 0; i < TUTTI_LOSSES; i++) {
    tutti_json_object(json, NULL);
    tutti_json_real(json, "least", tutti_losses[i].least, 0);
    tutti_json_string(json, "text", tutti_losses[i].text);
    write_area(tutti_losses[i].color, TUTTI_FILL_SOLID, json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

static void write_methods(const struct report_map *map, tutti_json *json)
{
  char name[TUTTI_METHOD_LENGTH], letters[REPORT_LETTERS_LENGTH];
  tutti_json_array(json, "methods");
  for (int i = 0; i < map->shown_count; i++) {
    const tutti_mark mark = tutti_mark_of(map->shown[i].algorithm);
    tutti_json_object(json, NULL);
    tutti_json_string(json, "name", tutti_method_format(&map->shown[i], name));
    tutti_json_string(json, "letter", map->marked[i] ? page_letters(map, i, letters) : "");
    write_area(mark.color, mark.fill, json);
    tutti_json_boolean(json, "candidate", tutti_candidates_have(&map->map.candidates, &map->shown[i]));
    tutti_json_end(json);
  }
  tutti_json_end(json);
  tutti_json_integer(json, "measured", map->map.method_count);
}

static void write_reals(const char *key, const double *numbers, size_t count, double scale, int digits,
                        tutti_json *json)
{
  tutti_json_array(json, key);
  for (size_t i = 0; i < count; i++)
    tutti_json_real(json, NULL, numbers[i] * scale, digits);
  tutti_json_end(json);
}

static void write_integers(const char *key, const int *numbers, size_t count, tutti_json *json)
{
  tutti_json_array(json, key);
  for (size_t i = 0; i < count; i++)
    tutti_json_integer(json, NULL, numbers[i]);
  tutti_json_end(json);
}

/* Seconds of all methods at all points. */
static void write_times(const tutti_decision_map *map, const char *key, const double *times, tutti_json *json)
{
  size_t points = tutti_decision_map_points(map), methods = (size_t)map->method_count;
  tutti_json_array(json, key);
  for (size_t p = 0; p < points; p++)
    write_reals(NULL, times + p * methods, methods, 1e6, TIME_DIGITS, json);
  tutti_json_end(json);
}

static void write_layers(const struct report_map *map, tutti_json *json)
{
  size_t points = tutti_decision_map_points(&map->map);
  tutti_json_array(json, "layers");
  for (const struct report_layer *layer = map->layers; layer < map->layers + map->layer_count; layer++) {
    tutti_json_object(json, NULL);
    tutti_json_string(json, "name", layer->name);
    write_integers("picks", layer->picks, points, json);
    write_reals("loss_percent", layer->percents, points, 1, PERCENT_DIGITS, json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

static void write_map_data(const struct report *report, const struct report_map *map, tutti_json *json)
{
  tutti_json_object(json, NULL);
  tutti_json_string(json, "collective", tutti_collective_name(map->map.collective));
  tutti_json_string(json, "platform", report_environment(report, map)->platform);
  write_integers("ranks", map->map.ranks, (size_t)map->map.ranks_count, json);
  tutti_json_array(json, "sizes");
  for (int i = 0; i < map->map.size_count; i++)
    tutti_json_count(json, NULL, map->map.sizes[i]);
  tutti_json_end(json);
  write_methods(map, json);
  write_times(&map->map, "times_us", map->map.times, json);
  if (tutti_map_is_noisy(&map->map))
    write_times(&map->map, "noise_us", map->map.noise, json);
  write_integers("best", map->map.best, tutti_decision_map_points(&map->map), json);
  write_layers(map, json);
  tutti_json_end(json);
}

void report_write_data(const struct report *report, FILE *out)
{
  tutti_json json = tutti_json_begin_script(out);
  tutti_json_object(&json, NULL);
  if (report->map_count > 0)
    write_losses(&json);
  tutti_json_array(&json, "maps");
  for (int i = 0; i < report->map_count; i++)
    write_map_data(report, &report->maps[i], &json);
  tutti_json_end(&json);
  tutti_json_end(&json);
}
