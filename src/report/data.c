/* The data of the maps, as JSON in the page. */
#include "base/json.h"
#include "report/marks.h"
#include "report/page.h"
#include "tutti/decision_map.h"

enum { TIME_DIGITS = 6, PERCENT_DIGITS = 4, UNMEASURED = 0xBBBBBB };

static void write_methods(const tutti_report_map *map, tutti_json *json)
{
  char name[TUTTI_METHOD_LENGTH], letters[REPORT_LETTERS_LENGTH], color[16];
  tutti_json_array(json, "methods");
  for (int i = 0; i < map->shown_count; i++) {
    snprintf(color, sizeof color, "#%06x", i < map->map.method_count ? tutti_report_color(&map->map, i) : UNMEASURED);
    tutti_json_object(json, NULL);
    tutti_json_string(json, "name", tutti_method_format(&map->shown[i], name));
    tutti_json_string(json, "letter",
                      map->letters[i] >= 0 ? tutti_report_letters(map->letters[i], map->letter_count, letters) : "");
    tutti_json_string(json, "colour", color);
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

static void write_times(const tutti_decision_map *map, tutti_json *json)
{
  size_t points = tutti_decision_map_points(map), methods = (size_t)map->method_count;
  tutti_json_array(json, "times_us");
  for (size_t p = 0; p < points; p++)
    write_reals(NULL, map->times + p * methods, methods, 1e6, TIME_DIGITS, json);
  tutti_json_end(json);
}

static void write_layers(const tutti_report_map *map, tutti_json *json)
{
  size_t points = tutti_decision_map_points(&map->map);
  tutti_json_array(json, "layers");
  for (const tutti_report_layer *layer = map->layers; layer < map->layers + map->layer_count; layer++) {
    tutti_json_object(json, NULL);
    tutti_json_string(json, "name", layer->name);
    write_integers("picks", layer->picks, points, json);
    write_reals("loss_percent", layer->percents, points, 1, PERCENT_DIGITS, json);
    tutti_json_end(json);
  }
  tutti_json_end(json);
}

static void write_map(const tutti_report *report, const tutti_report_map *map, tutti_json *json)
{
  tutti_json_object(json, NULL);
  tutti_json_string(json, "collective", tutti_collective_name(map->map.collective));
  tutti_json_string(json, "platform", report->contents.environments[map->environment].platform);
  write_integers("ranks", map->map.ranks, (size_t)map->map.ranks_count, json);
  tutti_json_array(json, "sizes");
  for (int i = 0; i < map->map.size_count; i++)
    tutti_json_count(json, NULL, map->map.sizes[i]);
  tutti_json_end(json);
  write_methods(map, json);
  write_times(&map->map, json);
  write_integers("best", map->map.best, tutti_decision_map_points(&map->map), json);
  write_layers(map, json);
  tutti_json_end(json);
}

void tutti_report_write_data(const tutti_report *report, FILE *out)
{
  tutti_json json = tutti_json_begin_script(out);
  tutti_json_object(&json, NULL);
  tutti_json_array(&json, "maps");
  for (int i = 0; i < report->map_count; i++)
    write_map(report, &report->maps[i], &json);
  tutti_json_end(&json);
  tutti_json_end(&json);
}
