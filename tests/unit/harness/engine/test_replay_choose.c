/* Which method runs for a call of a trace, and why it is not the one that was chosen. */
#include "harness/engine/riders/replay.h"
#include "unit/test.h"

static bool decide(void *context, const struct replay_choice *choice, tutti_method *method)
{
  (void)choice;
  return tutti_method_parse(context, method, NULL) == TUTTI_OK;
}

/* A call of `ranks` ranks that ran by ring, or by the method that is chosen. */
static void check(const char *chosen, int ranks, bool ran_so, const struct replay_question *setting, const char *runs,
                  const char *reason)
{
  char name[TUTTI_METHOD_LENGTH];
  struct replay_question question = *setting;
  struct replay_chosen answer;
  struct workload_shape shape = {.collective = TUTTI_COLL_ALLREDUCE,
                                 .communicator = ranks < 12,
                                 .bytes = 800,
                                 .call = {.size = ranks, .count = 100, .type_size = 8, .commutative = true}};
  assert_int_equal(tutti_method_parse(ran_so ? chosen : "allreduce/ring", &shape.method, NULL), TUTTI_OK);
  question.decide = decide;
  question.context = (void *)(uintptr_t)chosen;
  assert_true(tutti_replay_choose(&question, &shape, &answer));
  assert_string_equal(tutti_method_format(&answer.method, name), runs);
  assert_string_equal(tutti_method_format(&answer.wanted, name), chosen);
  if (reason)
    assert_non_null(answer.reason ? strstr(answer.reason, reason) : NULL);
  else
    assert_null(answer.reason);
}

/* A trace does not say which operations round. */
TEST(methods_that_round_apart)
{
  static const struct replay_question plain = {.compute = 1}, none_rounds = {.rounds_apart = true};
  check("allreduce/census", 12, false, &plain, "allreduce/recursive-doubling", "may round differently");
  check("allreduce/census", 12, false, &none_rounds, "allreduce/census", NULL);
  check("allreduce/census", 12, true, &plain, "allreduce/census", NULL);
  check("allreduce/ring", 12, false, &plain, "allreduce/ring", NULL);
}

TEST(calls_outside_the_domain)
{
  const struct replay_question plain = {.compute = 1},
                               torus = {.places = {.ranks_per_host = 4, .torus = tutti_sides_pack((int[]){3}, 1)}};
  check("allreduce/swing", 3, false, &plain, "allreduce/rabenseifner", "even number");
  check("allreduce/bucket", 12, false, &plain, "allreduce/rabenseifner", "needs torus=");
  check("allreduce/bucket", 12, false, &torus, "allreduce/bucket/torus=4x3", "sides of the platform");
  check("allreduce/bucket", 3, false, &torus, "allreduce/rabenseifner", "needs torus=");
  check("allreduce/bucket/torus=6x2", 12, false, &torus, "allreduce/bucket/torus=6x2", NULL);
  check("allreduce/two-level", 3, false, &plain, "allreduce/two-level", NULL);
}
