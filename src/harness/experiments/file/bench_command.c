/* A command that measures, to be pasted. */
#include "harness/experiments/file/bench_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/settings/settings.h"
#include "tutti/measurement.h"
#include "tutti/platform.h"

enum { LISTED = 16, DEFAULT_RANKS = 16 };

/* ---- where ---- */

static int at_most_default(long long ranks)
{
  return ranks < DEFAULT_RANKS ? (int)ranks : DEFAULT_RANKS;
}

static void print_word(const char *option, const char *word, FILE *stream)
{
  char *quoted = tutti_xshell_word(word);
  fprintf(stream, " --%s %s", option, quoted);
  free(quoted);
}

const char *tutti_bench_place(const char *name, const char *flavor, int *ranks, FILE *stream)
{
  char *path = NULL;
  tutti_platform platform;
  bool simulated = *flavor && tutti_flavor_is_simulated(flavor);
  bool read = (!*flavor || simulated) && tutti_platform_find(name, &path, NULL) == TUTTI_OK &&
              tutti_platform_read(path, &platform, NULL) == TUTTI_OK;
  free(path);
  print_word("platform", name, stream);
  if (read || simulated) {
    if (tutti_flavor_is_engine(flavor))
      print_word("engine", flavor, stream);
    *ranks = read ? at_most_default((long long)platform.host_count * platform.ranks_per_node) : DEFAULT_RANKS;
    if (read)
      tutti_platform_free(&platform);
    return NULL;
  }
  *ranks = at_most_default(tutti_machine_cores()); /* nothing else is known of it */
  flavor = *flavor ? flavor : "openmpi";
  print_word("flavor", flavor, stream);
  return flavor;
}

/* ---- which points ---- */

/* Those of a map, as a list where they are few. */
static void print_map_points(const tutti_decision_map *map, FILE *stream)
{
  char text[24];
  int first = map->size_count > 1 && map->sizes[0] == 0; /* of nothing */
  fprintf(stream, " -P ");
  for (int i = 0; i < map->ranks_count; i++)
    fprintf(stream, "%s%d", i ? "," : "", map->ranks[i]);
  if (map->collective == TUTTI_COLL_BARRIER)
    return;
  fprintf(stream, " -s ");
  if (map->size_count - first > LISTED) {
    fprintf(stream, "%s..", tutti_size_format(map->sizes[first], text));
    fprintf(stream, "%s*4", tutti_size_format(map->sizes[map->size_count - 1], text));
  } else
    for (int i = first; i < map->size_count; i++)
      fprintf(stream, "%s%s", i > first ? "," : "", tutti_size_format(map->sizes[i], text));
}

static void print_usual_points(tutti_collective collective, int ranks, FILE *stream)
{
  fputs(" -P 2", stream);
  if (ranks >= 4)
    fprintf(stream, "..%d*2", ranks);
  fputs(collective == TUTTI_COLL_BARRIER ? "" : " -s 4B..1MB*4", stream);
}

/* ---- under which settings ---- */

/* Whether ranks of one node took turns on its cores. */
static bool was_oversubscribed(const struct bench_command *wanted)
{
  const tutti_decision_map *map = wanted->map;
  return wanted->cores > 0 && wanted->ranks_per_node >= map->ranks[0] &&
         map->ranks[map->ranks_count - 1] > wanted->cores;
}

char *tutti_bench_with_settings(const struct bench_command *wanted, char *command)
{
  char *set = tutti_settings_command(wanted->flavor, wanted->settings, command);
  char *whole = tutti_xprintf("%s%s", set, was_oversubscribed(wanted) ? " --oversubscribe" : "");
  free(set);
  free(command);
  return whole;
}

/* ---- the command ---- */

/* Programs of Tutti are built for no library of another kind: others measure under it. */
static char *import_command(const struct bench_command *wanted)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fputs("tutti import FILE", text.stream);
  print_word("platform", wanted->platform, text.stream);
  fprintf(text.stream, " --library LIBRARY --as %s/ALGORITHM",
          wanted->collective == TUTTI_COLL_COUNT ? "COLLECTIVE" : tutti_collective_name(wanted->collective));
  if (wanted->database)
    print_word("db", wanted->database, text.stream);
  return tutti_xclose_text(&text);
}

char *tutti_bench_command(const struct bench_command *wanted)
{
  static const char several[] = "bcast,scatter,gather,allgather,reduce,allreduce";
  struct tutti_text_stream text;
  int ranks;
  if (strcmp(wanted->flavor, "other") == 0)
    return import_command(wanted);
  tutti_xopen_text(&text);
  fprintf(text.stream, "tutti bench %s",
          wanted->collectives                      ? wanted->collectives
          : wanted->collective == TUTTI_COLL_COUNT ? several
                                                   : tutti_collective_name(wanted->collective));
  const char *library = tutti_bench_place(wanted->platform, wanted->flavor, &ranks, text.stream);
  if (library && !wanted->tutti)
    print_word("of", library, text.stream);
  if (wanted->map)
    print_map_points(wanted->map, text.stream);
  else
    print_usual_points(wanted->collective, ranks, text.stream);
  if (wanted->database)
    print_word("db", wanted->database, text.stream);
  char *command = tutti_xclose_text(&text);
  struct bench_command placed = *wanted;
  if (!library)
    placed.cores = 0; /* a simulated node has as many as it has ranks */
  return wanted->map ? tutti_bench_with_settings(&placed, command) : command;
}
