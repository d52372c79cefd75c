/* What a decision takes: table 6.6 of Pjesivac-Grbovic 2007 (section 6.2.5) from measurements, quadtrees in memory and
   exported as C beside the rules of Open MPI and MPICH, all asked the same.

   bench-decide STORE PLATFORM COLLECTIVE [SCHEME|any [ROUNDS]]: the least of 25 rounds unless said otherwise.

   "apart" is the time of a decision among many that do not wait for each other, as published; "chained" that of one
   whose question waits for the answer before. The loop itself is a row. docs/explanation/decision-time.md has figures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide.h"
#include "store_map.h"

enum { ENTRIES = 9, MAX_WAYS = 3 * ENTRIES + RULES };

struct bench {
  tutti_decision_map map;
  struct question *questions;
  struct entry entries[ENTRIES];
  struct way rules[RULES];
};

/* ---- what is measured ---- */

static tutti_status read_map(char **arguments, tutti_decision_map *map, tutti_error *error)
{
  tutti_selection selection = {.scheme = -1};
  tutti_scheme scheme;
  tutti_status status = TUTTI_OK;
  if (arguments[3] && strcmp(arguments[3], "any") != 0) {
    status = tutti_scheme_parse(arguments[3], &scheme, error);
    selection.scheme = (int)scheme;
  }
  return status == TUTTI_OK ? store_map_read(arguments[0], arguments[1], arguments[2], selection, map, error) : status;
}

/* Depths 1 to 6, exact, C4.5, octree. */
static tutti_status learn(struct bench *bench, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < 7 && status == TUTTI_OK; i++)
    status = entry_quadtree(&bench->entries[i], &bench->map, (i + 1) % 7, error);
  if (status == TUTTI_OK)
    status = entry_c45(&bench->entries[7], &bench->map, error);
  for (int i = 0; i < 8 && status == TUTTI_OK; i++)
    status = entry_check(&bench->entries[i], &bench->map, bench->questions, error);
  return status == TUTTI_OK ? entry_octree(&bench->entries[8], &bench->map, 3, error) : status;
}

static bool is_there(const struct way *way)
{
  return way->code || way->tree || way->decision;
}

static bool time_all(struct bench *bench, int rounds)
{
  struct way *ways[MAX_WAYS];
  int count = 0;
  for (int i = 0; i < RULES; i++)
    ways[count++] = &bench->rules[i];
  for (int i = 0; i < ENTRIES; i++) {
    struct way *forms[] = {&bench->entries[i].memory, &bench->entries[i].code, &bench->entries[i].file};
    for (int form = 0; form < 3; form++)
      if (is_there(forms[form]))
        ways[count++] = forms[form];
  }
  return ways_time(ways, count, bench->questions, rounds);
}

/* ---- tables ---- */

static void print_rules(const struct bench *bench)
{
  double apart = mean_of(bench->rules[0].apart), chained = mean_of(bench->rules[0].chained);
  printf("%-20s %9s %9s %11s %9s\n", "rules", "apart, ns", "relative", "chained, ns", "relative");
  for (int i = 0; i < RULES; i++) {
    const struct way *way = &bench->rules[i];
    printf("%-20s %9.2f %9.2f %11.2f %9.2f\n", rule_names[i], mean_of(way->apart), mean_of(way->apart) / apart,
           mean_of(way->chained), mean_of(way->chained) / chained);
  }
}

/* Time, beside that of Open MPI's rule, and chained. */
static void print_way(const struct bench *bench, const struct way *way)
{
  if (is_there(way))
    printf(" |%7.2f %5.2f %7.2f", mean_of(way->apart), mean_of(way->apart) / mean_of(bench->rules[0].apart),
           mean_of(way->chained));
  else
    printf(" |%7s %5s %7s", "-", "-", "-");
}

static void print_entry(const struct bench *bench, const struct entry *entry)
{
  printf("%-18s %5.2f ", entry->name, entry->mean_depth);
  if (is_there(&entry->file))
    printf("%9.2f", entry->penalty);
  else
    printf("%9s", "-");
  print_way(bench, &entry->memory);
  if (entry->tree)
    printf(" %7zu %6.2f", entry->bytes, mean_of(entry->memory.apart) / (entry->mean_depth + 1));
  else
    printf(" %7s %6s", "-", "-");
  print_way(bench, &entry->code);
  printf(" %4d %5d", entry->exported.ifs, entry->exported.lines);
  print_way(bench, &entry->file);
  printf("\n");
}

static void print_tables(const struct bench *bench)
{
  print_rules(bench);
  printf("\n%-18s %5s %9s |%-36s |%-32s |%s\n", "times in ns; rel.:", "mean", "mean", " in memory", " exported as C",
         " decision file");
  printf("%-18s %5s %9s", "to Open MPI 4.1", "depth", "penalty %");
  printf(" |%7s %5s %7s %7s %6s", "apart", "rel.", "chained", "bytes", "/level");
  printf(" |%7s %5s %7s %4s %5s", "apart", "rel.", "chained", "ifs", "lines");
  printf(" |%7s %5s %7s\n", "apart", "rel.", "chained");
  for (int i = 0; i < ENTRIES; i++)
    print_entry(bench, &bench->entries[i]);
}

static tutti_status run(char **arguments, struct bench *bench, tutti_error *error)
{
  int rounds = arguments[3] && arguments[4] ? atoi(arguments[4]) : 25;
  if (rounds < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: at least one round is needed", arguments[4]);
  tutti_status status = read_map(arguments, &bench->map, error);
  if (status == TUTTI_OK)
    status = rules_set(bench->map.collective, bench->rules, error);
  if (status == TUTTI_OK && !(bench->questions = questions_draw()))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the questions");
  if (status == TUTTI_OK)
    status = learn(bench, error);
  if (status == TUTTI_OK && !time_all(bench, rounds))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "the same questions have different answers");
  if (status == TUTTI_OK)
    print_tables(bench);
  return status;
}

int main(int argc, char **argv)
{
  static struct bench bench;
  tutti_error error;
  if (argc < 4 || argc > 6) {
    fprintf(stderr, "usage: bench-decide STORE PLATFORM COLLECTIVE [SCHEME|any [ROUNDS]]\n");
    return 2;
  }
  tutti_status status = run(argv + 1, &bench, &error);
  if (status != TUTTI_OK)
    fprintf(stderr, "bench-decide: %s\n", error.message);
  for (int i = 0; i < ENTRIES; i++)
    entry_free(&bench.entries[i]);
  tutti_decision_map_free(&bench.map);
  free(bench.questions);
  return status == TUTTI_OK ? 0 : 2;
}
