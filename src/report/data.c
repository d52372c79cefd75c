/* The data of the maps, as JSON in the page. */
#include "decision/maps/map_cells.h"
#include "report/color.h"
#include "report/html.h"
#include "report/letters.h"
#include "report/page.h"

enum { TIME_DIGITS = 6, PERCENT_DIGITS = 4, UNMEASURED = 0xBBBBBB };

static void print_methods(const tutti_report_map *map, FILE *out)
{
  char name[TUTTI_METHOD_LENGTH], letters[REPORT_LETTERS_LENGTH];
  fputs(",\"methods\":[", out);
  for (int i = 0; i < map->shown_count; i++) {
    fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
    tutti_json_text(out, tutti_method_format(&map->shown[i], name));
    fprintf(out, ",\"letter\":\"%s\",\"colour\":\"#%06x\"}",
            map->letters[i] >= 0 ? tutti_report_letters(map->letters[i], map->letter_count, letters) : "",
            i < map->map.method_count ? tutti_report_color(&map->map, i) : UNMEASURED);
  }
  fprintf(out, "],\"measured\":%d", map->map.method_count);
}

static void print_times(const tutti_decision_map *map, FILE *out)
{
  size_t points = decision_map_points(map), methods = (size_t)map->method_count;
  fputs(",\n\"times_us\":[", out);
  for (size_t p = 0; p < points; p++) {
    fputs(p ? ",\n[" : "[", out);
    for (size_t m = 0; m < methods; m++) {
      if (m)
        fputc(',', out);
      tutti_json_real(out, map->times[p * methods + m] * 1e6, TIME_DIGITS);
    }
    fputc(']', out);
  }
  fputc(']', out);
}

static void print_whole(const char *name, const int *numbers, size_t count, FILE *out)
{
  fprintf(out, ",\"%s\":[", name);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%d", i ? "," : "", numbers[i]);
  fputc(']', out);
}

static void print_layer(const tutti_report_map *map, const tutti_report_layer *layer, FILE *out)
{
  size_t points = decision_map_points(&map->map);
  fputs("{\"name\":", out);
  tutti_json_text(out, layer->name);
  print_whole("picks", layer->picks, points, out);
  fputs(",\"loss_percent\":[", out);
  for (size_t i = 0; i < points; i++) {
    if (i)
      fputc(',', out);
    tutti_json_real(out, layer->percents[i], PERCENT_DIGITS);
  }
  fputs("]}", out);
}

static void print_map(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  fprintf(out, "{\"collective\":\"%s\",\"platform\":", tutti_collective_name(map->map.collective));
  tutti_json_text(out, report->contents.environments[map->environment].platform);
  print_whole("ranks", map->map.ranks, (size_t)map->map.ranks_count, out);
  fputs(",\"sizes\":[", out);
  for (int i = 0; i < map->map.size_count; i++)
    fprintf(out, "%s%zu", i ? "," : "", (size_t)map->map.sizes[i]);
  fputc(']', out);
  print_methods(map, out);
  print_times(&map->map, out);
  print_whole("best", map->map.best, decision_map_points(&map->map), out);
  fputs(",\n\"layers\":[", out);
  for (int i = 0; i < map->layer_count; i++) {
    fputs(i ? ",\n" : "", out);
    print_layer(map, &map->layers[i], out);
  }
  fputs("]}", out);
}

void tutti_report_write_data(const tutti_report *report, FILE *out)
{
  fputs("{\"maps\":[", out);
  for (int i = 0; i < report->map_count; i++) {
    fputs(i ? ",\n" : "", out);
    print_map(report, &report->maps[i], out);
  }
  fputs("]}", out);
}
