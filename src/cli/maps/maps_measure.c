#include "cli/maps/maps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "base/splitmix64.h"

enum { ROUNDS = 5, QUESTIONS = 20000, FEW_QUESTIONS = 50 };

static const double MOST_SECONDS = 0.05;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ranks to ask for, drawn before the clock runs. */
static void draw(int *ranks, int count, int size)
{
  uint64_t state = 7;
  for (int i = 0; i < count; i++)
    ranks[i] = (int)(tutti_splitmix64_next(&state) % (uint64_t)size);
}

static double time_all(const tutti_map *map, int *members)
{
  double least = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    double begun = now();
    tutti_map_select_all(map, 0, tutti_map_size(map), members);
    least = fmin(least, now() - begun);
  }
  return least;
}

/* Each question waits for the answer before, as a message does for its address: members are not negative, so that the
   sign adds nothing. @p sum keeps the answers from being left out. */
static double time_questions(const tutti_map *map, int (*ask)(const tutti_map *, int), const int *questions, int count,
                             int *sum)
{
  int answer = 0;
  double begun = now();
  for (int i = 0; i < count; i++) {
    answer = ask(map, questions[i] + (answer >> 31));
    *sum += answer;
  }
  return (now() - begun) / count;
}

/* Slow representations are asked less often. */
static double time_one(const tutti_map *map, int (*ask)(const tutti_map *, int), const int *questions, int *sum)
{
  double least = time_questions(map, ask, questions, FEW_QUESTIONS, sum);
  int count = (int)fmin(QUESTIONS, fmax(FEW_QUESTIONS, MOST_SECONDS / fmax(least, 1e-9)));
  for (int round = 0; round < ROUNDS; round++)
    least = fmin(round ? least : INFINITY, time_questions(map, ask, questions, count, sum));
  return least;
}

static void ask_all(const tutti_map *map, int *ranks, int *members, struct maps_row *row)
{
  volatile int kept;
  int sum = 0;
  row->bytes = tutti_map_bytes(map);
  row->select_all = time_all(map, members);
  draw(ranks, QUESTIONS, tutti_map_size(map));
  row->select_one = time_one(map, tutti_map_select, ranks, &sum);
  for (int i = 0; i < QUESTIONS; i++)
    ranks[i] = members[ranks[i]];
  row->rank_one = time_one(map, tutti_map_rank, ranks, &sum);
  kept = sum;
  (void)kept;
}

tutti_status maps_measure(const struct maps_group *group, tutti_map_kind kind, struct maps_row *row, tutti_error *error)
{
  tutti_map *map;
  tutti_error reason;
  *row = (struct maps_row){.group = group->name, .kind = kind, .size = group->size};
  double begun = now();
  tutti_status status = tutti_map_create(kind, group->members, group->size, MAPS_WORLD, NULL, &map, &reason);
  row->create = now() - begun;
  if (status != TUTTI_OK) {
    snprintf(row->reason, sizeof row->reason, "%.150s", reason.message);
    return status == TUTTI_ERR_UNSUPPORTED ? TUTTI_OK
                                           : tutti_fail(error, status, "%s: %s", group->name, reason.message);
  }
  int *ranks = tutti_xcalloc(QUESTIONS, sizeof *ranks), *members = tutti_xcalloc((size_t)group->size, sizeof *members);
  row->made = true;
  ask_all(map, ranks, members, row);
  free(ranks);
  free(members);
  tutti_map_free(map);
  return TUTTI_OK;
}
