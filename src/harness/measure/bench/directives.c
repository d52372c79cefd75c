/* For methods that the library runs, the library must be told so before MPI begins. Finding the directives, and whether
   the library then runs the method for such a size, takes 25 us a point: on a real machine rank 0 does it for all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/library.h"
#include "harness/measure/bench/bench.h"
#include "harness/measure/program.h"
#include "tutti/library.h"

/* Directives for all points of a launch; the ranks broadcast it unchanged. */
struct needed {
  int status;                       /* of rank 0: a tutti_status */
  char library[64];                 /* that runs here, where it is not simulated: "MPICH-4.2.1" */
  char method[TUTTI_METHOD_LENGTH]; /* the first that needs anything */
  int count;
  tutti_directive items[TUTTI_COLL_COUNT * TUTTI_MAX_DIRECTIVES];
};

/* ---- the directives needed ---- */

static void add_directives(struct needed *needed, const tutti_directives *directives)
{
  for (int i = 0; i < directives->count; i++) {
    int at = 0;
    while (at < needed->count && strcmp(needed->items[at].name, directives->items[i].name) != 0)
      at++;
    if (at == needed->count)
      needed->items[needed->count++] = directives->items[i];
  }
}

/* `told`: for each collective the method that the library is told to run; NULL: none yet. */
static tutti_status add_point(const struct point *point, int ranks, const tutti_method *told[], struct needed *needed,
                              tutti_error *error)
{
  const tutti_method *method = &point->method, **first = &told[method->algorithm->collective];
  const char *name = tutti_implementation_name(method->implementation);
  char text[TUTTI_METHOD_LENGTH], other[TUTTI_METHOD_LENGTH];
  tutti_directives directives;
  if (name && strcmp(name, TUTTI_FLAVOR) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: this program was built with %s",
                      tutti_method_format(method, text), TUTTI_FLAVOR);
  tutti_status status =
      tutti_method_directives(method, ranks, point->count * point->type_size, needed->library, &directives, error);
  if (status != TUTTI_OK || directives.count == 0)
    return status;
  if (*first && tutti_method_compare(*first, method) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s, %s: in one launch a library runs one of its methods of a collective",
                      tutti_method_format(*first, other), tutti_method_format(method, text));
  if (needed->count == 0)
    tutti_method_format(method, needed->method);
  if (!*first)
    add_directives(needed, &directives);
  *first = method;
  return TUTTI_OK;
}

static tutti_status add_points(const struct points *points, int ranks, struct needed *needed, tutti_error *error)
{
  const struct point *items = points->items;
  const tutti_method *told[TUTTI_COLL_COUNT] = {NULL};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++)
    status = add_point(&items[i], ranks, told, needed, error);
  return status;
}

static bool has_library(const struct points *points)
{
  const struct point *items = points->items;
  for (size_t i = 0; i < points->count; i++)
    if (tutti_method_is_library(&items[i].method))
      return true;
  return false;
}

/* ---- the directives set ---- */

/* Whether an option is among the words that smpirun started this process with. SMPI removes it from main()'s arguments.
 */
static bool is_option(const char *option)
{
  FILE *stream = fopen("/proc/self/cmdline", "r");
  char *word = NULL;
  size_t room = 0;
  bool found = false;
  while (stream && !found && getdelim(&word, &room, '\0', stream) > 0)
    found = strcmp(word, option) == 0;
  free(word);
  if (stream)
    fclose(stream);
  return found;
}

static bool was_told(const tutti_directive *directive, const char *word)
{
  const char *value = getenv(directive->name); /* a missing one equals an empty one */
  return tutti_clock_is_simulated() ? is_option(word) : strcmp(value ? value : "", directive->value) == 0;
}

/* All that is missing, in one line to be pasted; what does not fit into a message is "..." */
static tutti_status check_told(const struct needed *needed, tutti_error *error)
{
  const bool simulated = tutti_clock_is_simulated();
  char word[sizeof(tutti_directive) + sizeof " --cfg=:"], missing[TUTTI_ERROR_LENGTH - 160] = "";
  for (int i = 0; i < needed->count; i++) {
    const tutti_directive *directive = &needed->items[i];
    snprintf(word, sizeof word, simulated ? " --cfg=%s:%s" : " %s=%s", directive->name, directive->value);
    if (was_told(directive, word + 1))
      continue;
    bool fits = strlen(missing) + strlen(word) + sizeof " ..." <= sizeof missing;
    strcat(missing, fits ? word : " ...");
    if (!fits)
      break;
  }
  if (!*missing)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    simulated ? "%.80s: SMPI runs it if smpirun is given%s"
                              : "%.80s: the library runs it if all ranks are started after: export%s",
                    needed->method, missing);
}

static tutti_status find(const struct points *points, int ranks, struct needed *needed, tutti_error *error)
{
  if (!tutti_clock_is_simulated())
    tutti_mpi_library(needed->library, sizeof needed->library);
  tutti_status status = add_points(points, ranks, needed, error);
  return status == TUTTI_OK ? check_told(needed, error) : status;
}

/* Rank 0 finds the directives needed; the others check whether they have them, too: where they differ, all must end. */
static tutti_status find_together(const struct points *points, const tutti_view *view, struct needed *needed,
                                  tutti_error *error)
{
  if (view->rank == 0)
    needed->status = (int)find(points, view->size, needed, error);
  tutti_status status = tutti_bcast_from_rank0(view, needed, sizeof *needed, error);
  if (status != TUTTI_OK || view->rank == 0)
    return status == TUTTI_OK ? (tutti_status)needed->status : status;
  if (needed->status != TUTTI_OK)
    return tutti_fail(error, (tutti_status)needed->status, "rank %d: rank 0 failed", view->rank);
  return check_told(needed, error) == TUTTI_OK ? TUTTI_OK : TUTTI_ERR_LAUNCH;
}

tutti_status tutti_directives_check(const struct points *points, const tutti_view *view, tutti_error *error)
{
  if (!has_library(points))
    return TUTTI_OK;
  struct needed *needed = calloc(1, sizeof *needed);
  if (!needed)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory", view->rank);
  /* Ranks of a simulation were started by one command, and a message would take simulated time. */
  tutti_status status =
      tutti_clock_is_simulated() ? find(points, view->size, needed, error) : find_together(points, view, needed, error);
  free(needed);
  return status;
}
