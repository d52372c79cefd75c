#include "cli/whatif/report_whatif.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/report_json.h"

double whatif_ratio(double before, double after)
{
  return before > 0 && after > 0 ? before / after : NAN;
}

/* ---- maps from pairs ---- */

static bool is_same_map(const tutti_measurement *left, const tutti_measurement *right)
{
  return left->method.algorithm->collective == right->method.algorithm->collective && left->root == right->root &&
         left->type_size == right->type_size;
}

tutti_status whatif_map_create(const tutti_run_comparison *comparison, size_t *from, struct whatif_map *map,
                               tutti_error *error)
{
  const tutti_measurement *first = &comparison->measurements[0][*from];
  size_t count = 1;
  while (*from + count < comparison->count && is_same_map(first, first + count))
    count++;
  *map = (struct whatif_map){.root = first->root};
  tutti_status status = tutti_decision_map_create(first, count, &map->maps[0], error);
  if (status == TUTTI_OK)
    status = tutti_decision_map_create(&comparison->measurements[1][*from], count, &map->maps[1], error);
  if (status == TUTTI_OK)
    status = tutti_decision_map_compare(&map->maps[0], &map->maps[1], &map->comparison, error);
  *from += count;
  if (status != TUTTI_OK)
    whatif_map_free(map);
  return status;
}

void whatif_map_free(struct whatif_map *map)
{
  tutti_decision_map_free(&map->maps[0]);
  tutti_decision_map_free(&map->maps[1]);
}

/* ---- text ---- */

enum { WIDEST_VALUE = 24 };

static int width_of(const char *text)
{
  size_t length = text ? strlen(text) : 1;
  return length > WIDEST_VALUE ? WIDEST_VALUE : (int)length;
}

/* "-" for none; long ones are cut: a staircase of bandwidth factors has 20 KB. */
static void print_value(const char *text, int width)
{
  text = text ? text : "-";
  if (strlen(text) > WIDEST_VALUE)
    printf("  %.*s...", WIDEST_VALUE - 3, text);
  else
    printf("  %-*s", width, text);
}

static void print_changes(const tutti_edited_platform *edited)
{
  int where = (int)strlen("changed"), before = (int)strlen("before");
  for (size_t i = 0; i < edited->change_count; i++) {
    const tutti_platform_change *change = &edited->changes[i];
    int length = (int)strlen(change->where);
    where = length > where ? length : where;
    length = width_of(change->before);
    before = length > before ? length : before;
  }
  printf("\n  %-*s  %-*s  after\n", where, "changed", before, "before");
  for (size_t i = 0; i < edited->change_count; i++) {
    printf("  %-*s", where, edited->changes[i].where);
    print_value(edited->changes[i].before, before);
    print_value(edited->changes[i].after, 0);
    putchar('\n');
  }
}

static void print_notes(const struct whatif *whatif)
{
  const size_t *alone = whatif->comparison.alone;
  if (whatif->left_out > 0)
    printf("\n  Numbers of ranks above %d, up to %d, are left out: there is no room for them.\n", whatif->room,
           whatif->left_out);
  if (alone[0] + alone[1] > 0)
    printf("\n  Not compared: %zu points of the one machine only, %zu of the other only.\n", alone[0], alone[1]);
}

/* A map after the other, by @p print. */
static tutti_status print_maps(const struct whatif *whatif,
                               tutti_status (*print)(const struct whatif *whatif, const struct whatif_map *map,
                                                     tutti_error *error),
                               const char *separator, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t at = 0; at < whatif->comparison.count && status == TUTTI_OK;) {
    struct whatif_map map;
    if (at > 0)
      fputs(separator, stdout);
    status = whatif_map_create(&whatif->comparison, &at, &map, error);
    if (status != TUTTI_OK)
      return status;
    status = print(whatif, &map, error);
    whatif_map_free(&map);
  }
  return status;
}

tutti_status report_whatif_print(const struct whatif *whatif, tutti_error *error)
{
  printf("%s -> %s:", whatif->names[0], whatif->names[1]);
  for (int i = 0; i < whatif->options->edit_count; i++)
    printf("%s %s", i ? "," : "", whatif->options->edits[i]);
  putchar('\n');
  print_changes(&whatif->edited);
  if (!whatif->options->experiment)
    return TUTTI_OK;
  print_notes(whatif);
  if (whatif->comparison.measurements[0])
    return print_maps(whatif, report_whatif_map, "", error);
  report_whatif_rows(whatif);
  return TUTTI_OK;
}

/* ---- JSON ---- */

static void print_text(const char *text)
{
  if (text)
    json_string(stdout, text);
  else
    fputs("null", stdout);
}

static void print_json_changes(const struct whatif *whatif)
{
  printf("{\"before\": ");
  json_string(stdout, whatif->names[0]);
  printf(", \"after\": ");
  json_string(stdout, whatif->names[1]);
  printf(", \"edits\": [");
  for (int i = 0; i < whatif->options->edit_count; i++) {
    fputs(i ? ", " : "", stdout);
    json_string(stdout, whatif->options->edits[i]);
  }
  printf("],\n \"changes\": [");
  for (size_t i = 0; i < whatif->edited.change_count; i++) {
    printf("%s\n  {\"where\": ", i ? "," : "");
    json_string(stdout, whatif->edited.changes[i].where);
    printf(", \"before\": ");
    print_text(whatif->edited.changes[i].before);
    printf(", \"after\": ");
    print_text(whatif->edited.changes[i].after);
    printf("}");
  }
  printf("]");
}

tutti_status report_whatif_print_json(const struct whatif *whatif, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  print_json_changes(whatif);
  if (whatif->options->experiment) {
    printf(",\n \"experiment\": ");
    json_string(stdout, whatif->experiments[0].name);
    printf(", \"points\": %zu, \"only_before\": %zu, \"only_after\": %zu, \"left_out_above_ranks\": ",
           whatif->comparison.count, whatif->comparison.alone[0], whatif->comparison.alone[1]);
    printf(whatif->left_out > 0 ? "%d" : "null", whatif->room);
    if (whatif->comparison.measurements[0]) {
      printf(",\n \"maps\": [");
      status = print_maps(whatif, report_whatif_map_json, ",", error);
      printf("]");
    } else
      report_whatif_rows_json(whatif);
  }
  puts("}");
  return status;
}
