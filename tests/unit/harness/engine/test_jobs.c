/* Several jobs at once: where they are, and what they take beside each other. */
#include "harness/engine/riders/jobs.h"
#include "harness/engine/riders/measure.h"
#include "unit/harness/engine/machine.h"

static tutti_method method_of(const char *name)
{
  tutti_method method;
  assert_ok(tutti_method_parse(name, &method, &error), error);
  return method;
}

static struct engine_jobs groups_of(int count, int size, const char *method, uint64_t bytes, const char *place)
{
  struct engine_jobs jobs = {.count = 0};
  const tutti_method parsed = method_of(method);
  tutti_jobs_of_groups(count, size, &parsed, bytes, &jobs);
  for (size_t j = 0; j < jobs.count; j++)
    assert_ok(tutti_job_place_parse(place, &jobs.items[j].place, &error), error);
  return jobs;
}

/* "0,1,2 3,4,5": the ranks of each job. */
static void assert_places(const struct engine_jobs *jobs, const char *expected)
{
  char text[400] = "";
  for (size_t j = 0; j < jobs->count; j++)
    for (uint32_t r = 0; r < jobs->items[j].size; r++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u",
               r   ? ","
               : j ? " "
                   : "",
               (unsigned)jobs->items[j].members[r]);
  assert_string_equal(text, expected);
}

TEST(test_places)
{
  static const struct {
    const char *place;
    int count, size;
    uint32_t ranks;
    const char *expected;
  } cases[] = {
      {"packed", 2, 3, 6, "0,1,2 3,4,5"},      {"packed", 2, 3, 100, "0,1,2 3,4,5"},
      {"round-robin", 2, 3, 6, "0,2,4 1,3,5"}, {"round-robin", 3, 2, 9, "0,3 1,4 2,5"},
      {"round-robin", 1, 3, 3, "0,1,2"},       {"random/seed=5", 1, 4, 4, "0,1,2,3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FREED_BY(tutti_jobs_free)
    struct engine_jobs jobs = groups_of(cases[i].count, cases[i].size, "barrier/bruck", 0, cases[i].place);
    assert_ok(tutti_jobs_place(&jobs, cases[i].ranks, &error), error);
    assert_places(&jobs, cases[i].expected);
  }
}

/* All kinds in one list: packed ones first, then those drawn, and the rest is dealt. No place has two jobs; equal draws
   are equal, and another seed gives another one. */
TEST(test_mixed_places)
{
  for (uint64_t seed = 0; seed < 50; seed++) {
    FREED_BY(tutti_jobs_free) struct engine_jobs jobs = groups_of(7, 5, "barrier/bruck", 0, "round-robin");
    FREED_BY(tutti_jobs_free) struct engine_jobs again = groups_of(7, 5, "barrier/bruck", 0, "round-robin");
    for (size_t j = 0; j < 5; j++)
      jobs.items[j].place = again.items[j].place = (struct job_place){j % 2 ? JOB_PACKED : JOB_RANDOM, seed};
    assert_ok(tutti_jobs_place(&jobs, 40, &error), error);
    assert_ok(tutti_jobs_place(&again, 40, &error), error);
    assert_memory_equal(jobs.items[1].members, ((uint32_t[]){0, 1, 2, 3, 4}), 20);
    assert_memory_equal(jobs.items[3].members, ((uint32_t[]){5, 6, 7, 8, 9}), 20);
    bool taken[40] = {false}, same = true;
    for (size_t j = 0; j < jobs.count; j++)
      for (uint32_t r = 0; r < 5; r++) {
        const uint32_t rank = jobs.items[j].members[r];
        assert_true(rank < 40 && !taken[rank] && (r == 0 || rank > jobs.items[j].members[r - 1]));
        taken[rank] = true;
        assert_int_equal(rank, again.items[j].members[r]);
      }
    again.items[0].place.seed++;
    assert_ok(tutti_jobs_place(&again, 40, &error), error);
    same = memcmp(again.items[0].members, jobs.items[0].members, 20) == 0;
    assert_false(same && seed % 10 == 0);
    assert_fails(tutti_jobs_place(&jobs, 34, &error), TUTTI_ERR_ARGUMENT, error,
                 "7 jobs of 35 ranks in all, and there are 34");
  }
}

static double simulate(const struct engine_machine *machine, struct engine_jobs *jobs, uint32_t ranks, size_t only,
                       size_t job)
{
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds[16] = {0};
  assert_ok(tutti_jobs_place(jobs, ranks, &error), error);
  assert_ok(tutti_jobs_simulate(machine, jobs, ranks, only, &start, seconds, &error), error);
  return seconds[job];
}

/* A job on all ranks takes what tutti-bench measures of it, digit by digit. */
TEST(test_single_job)
{
  static const char *const methods[] = {"alltoall/pairwise", "allreduce/ring", "bcast/binomial/1KB", "barrier/bruck",
                                        "reduce/binomial"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    FREED_BY(tutti_start_free) struct engine_start start = {0};
    read_machine("grig_mx", &machine);
    const uint64_t bytes = m == 3 ? 0 : 4000;
    const tutti_measurement point = {
        .method = method_of(methods[m]), .scheme = TUTTI_SCHEME_WINDOW, .ranks = 13, .count = bytes, .type_size = 1};
    double seconds = 0;
    assert_ok(tutti_engine_measure(&machine, &point, NULL, &start, &seconds, &error), error);
    for (int p = 0; p < 3; p++) {
      FREED_BY(tutti_jobs_free)
      struct engine_jobs jobs = groups_of(1, 13, methods[m], bytes,
                                          p == 0   ? "packed"
                                          : p == 1 ? "round-robin"
                                                   : "random/seed=9");
      assert_true(simulate(&machine, &jobs, 13, JOBS_ALL, 0) == seconds);
    }
  }
}

/* Without a link in common jobs take what they take alone; through one they take longer, and more calls longer still.
 */
TEST(test_interference)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  read_machine("boba_gige", &machine);
  FREED_BY(tutti_jobs_free) struct engine_jobs jobs = groups_of(4, 4, "alltoall/pairwise", 4000, "packed");
  const double alone = simulate(&machine, &jobs, 16, 2, 2), together = simulate(&machine, &jobs, 16, JOBS_ALL, 2);
  assert_float_equal(alone, together, 1e-9 * alone);
  jobs.items[2].repeat = 5;
  const double repeated = simulate(&machine, &jobs, 16, 2, 2);
  assert_float_equal(repeated, 5 * alone, 0.01 * alone);
  machine.ranks_per_node = 4; /* four ranks of as many jobs behind one cable */
  FREED_BY(tutti_jobs_free) struct engine_jobs dealt = groups_of(4, 4, "alltoall/pairwise", 4000, "round-robin");
  const double one = simulate(&machine, &dealt, 16, 2, 2), all = simulate(&machine, &dealt, 16, JOBS_ALL, 2);
  assert_true(all > 2 * one);
}

TEST(test_refused)
{
  static const struct {
    const char *method, *why;
  } cases[] = {{"alltoall/native", "schedules, not a library"}, {"allgather/recursive-doubling", "power of two"}};
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  FREED_BY(tutti_start_free) struct engine_start start = {0};
  double seconds[2];
  read_machine("boba_gige", &machine);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FREED_BY(tutti_jobs_free) struct engine_jobs jobs = groups_of(2, 3, cases[i].method, 8, "packed");
    assert_ok(tutti_jobs_place(&jobs, 6, &error), error);
    assert_fails(tutti_jobs_simulate(&machine, &jobs, 6, JOBS_ALL, &start, seconds, &error), TUTTI_ERR_UNSUPPORTED,
                 error, cases[i].why);
  }
}
