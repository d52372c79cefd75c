/* Derivatives that a simulation carries along, against simulations of changed machines. */
#include "base/splitmix64.h"
#include "harness/engine/riders/link_slopes.h"
#include "harness/engine/riders/plan.h"
#include "harness/engine/riders/replay.h"
#include "unit/harness/engine/machine.h"
#include "unit/patience.h"

/* Everything takes ten thousand times as long: events less than a nanosecond apart, which happen together, are too few
   to be met. */
#define SLOW 1e4

static struct engine_change slow;

static int make_slow(void **state)
{
  (void)state;
  slow = tutti_slopes_unchanged();
  slow.of[ENGINE_LATENCY] = slow.of[ENGINE_BYTE] = slow.of[ENGINE_OVERHEAD] = slow.of[ENGINE_REDUCTION] = SLOW;
  slow.of[ENGINE_LEVEL_LATENCY] = slow.of[ENGINE_LEVEL_BYTE] = SLOW; /* loopbacks, which are apart */
  return 0;
}

TEST_GROUP(make_slow, NULL)

struct timed {
  double seconds;
  struct engine_slope slopes;
};

/* A schedule, or the program of a trace. */
struct subject {
  const tutti_method *method;
  uint64_t bytes;
  int ranks;
  const struct workload *workload; /* NULL: the method */
};

static bool decide(void *context, const struct replay_choice *choice, tutti_method *method)
{
  (void)context, (void)choice, (void)method;
  return false;
}

static struct timed run(struct engine_machine *machine, const struct engine_change *change,
                        const struct subject *subject)
{
  struct timed timed = {.seconds = 0};
  machine->change = change;
  if (subject->workload) {
    const struct replay_question question = {.decide = decide, .compute = 1, .slopes = true};
    struct replay_answer answer;
    assert_ok(tutti_replay(subject->workload, machine, &question, &answer, REASON), error);
    return (struct timed){answer.seconds, answer.slopes};
  }
  struct plan plan;
  tutti_plan_init(&plan, machine, (uint32_t)subject->ranks);
  tutti_plan_run(&plan, subject->method, subject->bytes, 1);
  tutti_plan_note(&plan);
  plan.script.slopes = &timed.slopes;
  assert_ok(tutti_script_run(&plan.script, REASON), error);
  timed.seconds = plan.script.times[0].longest;
  tutti_plan_end(&plan);
  return timed;
}

struct tally {
  int compared, bent;
};

/* Whether the times of both follow from the same events: a change of 1e-10 of the time is one of rounding. A level and
   all links are factors of the same times. */
static bool are_alike(const struct timed *a, const struct timed *b, int varied)
{
  for (int p = 0; p < ENGINE_PARAMETERS; p++) {
    const bool both = varied > ENGINE_CONSTANT ? p == ENGINE_LATENCY || p == ENGINE_BYTE : p > ENGINE_CONSTANT;
    if (!both &&
        fabs(a->slopes.of[p] - b->slopes.of[p]) * (p == ENGINE_MESSAGE ? 1e-6 * SLOW : slow.of[p]) > 1e-10 * a->seconds)
      return false;
  }
  return true;
}

static void compare(struct engine_machine *machine, const struct subject *subject, const char *name,
                    struct tally *tally)
{
  const struct timed here = run(machine, &slow, subject);
  double sum = 0;
  for (int p = 0; p <= ENGINE_CONSTANT; p++)
    sum += slow.of[p] * here.slopes.of[p];
  if (fabs(sum - here.seconds) > 1e-9 * here.seconds)
    fail_msg("%s on %s: the parts are %.15g, the time is %.15g", name, machine->platform, sum, here.seconds);
  for (int p = 0; p < ENGINE_PARAMETERS; p++) {
    if (p == ENGINE_CONSTANT || (p > ENGINE_CONSTANT && here.slopes.of[p] == 0))
      continue;
    const double step = p == ENGINE_MESSAGE ? 1e-6 * SLOW : 1e-4 * slow.of[p];
    struct timed sides[2];
    for (int i = 0; i < 2; i++) {
      struct engine_change change = slow;
      change.of[p] += (2 * i - 1) * step;
      sides[i] = run(machine, &change, subject);
    }
    if (!are_alike(&sides[0], &here, p) || !are_alike(&sides[1], &here, p)) {
      tally->bent++;
      continue;
    }
    const double expected = 2 * step * here.slopes.of[p], difference = sides[1].seconds - sides[0].seconds;
    if (fabs(difference - expected) > 1e-6 * fabs(expected) + 2e-12 * here.seconds)
      fail_msg("%s on %s: by parameter %d %.12g, by differences %.12g", name, machine->platform, p, here.slopes.of[p],
               difference / (2 * step));
    tally->compared++;
  }
}

/* Links that carry one flow at a time; links that are shared; both of a torus, a fat tree and a dragonfly. */
static const char *const platforms[] = {"grig_mx", "jaguar_xt4",   "grig_mx_ob1",
                                        "bgp",     "hdr_fat_tree", "slingshot_dragonfly"};

static const char *const methods[] = {"bcast/binomial",
                                      "bcast/pipeline/1KB",
                                      "bcast/split-binary/4KB",
                                      "reduce/binomial",
                                      "allreduce/ring",
                                      "allreduce/rabenseifner",
                                      "allreduce/recursive-doubling",
                                      "alltoall/linear",
                                      "alltoall/pairwise",
                                      "allgather/ring",
                                      "allgather/bruck",
                                      "gather/linear-sync/1KB",
                                      "scatter/binomial",
                                      "barrier/bruck",
                                      "scan/linear"};

TEST(test_schedules)
{
  struct tally tally = {0, 0};
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_machine(platforms[i], &machine);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m += UNLESS_WATCHED(1, 4)) { /* all without sanitizers */
      tutti_method method;
      assert_ok(tutti_method_parse(methods[m], &method, REASON), error);
      const bool barrier = method.algorithm->collective == TUTTI_COLL_BARRIER;
      const struct subject subject = {.method = &method,
                                      .ranks = UNLESS_WATCHED(11, 5),
                                      .bytes = barrier ? 0 : 1 + tutti_splitmix64_next(&seed) % 20000};
      compare(&machine, &subject, methods[m], &tally);
    }
  }
  print_message("%d derivatives compared, %d where the order changes\n", tally.compared, tally.bent);
  assert_true(tally.compared > UNLESS_WATCHED(300, 75) && 4 * tally.bent < tally.compared);
}

/* Loopbacks are apart: no factor of all links, but one of their level, has them. */
TEST(test_nodes)
{
  static const char *const nodes[] = {"cisco_infiniband", "slingshot_dragonfly"};
  struct tally tally = {0, 0};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_machine(nodes[i], &machine);
    machine.ranks_per_node = 3;
    for (size_t m = 0; m < sizeof methods / sizeof *methods - 2; m += 2) {
      tutti_method method;
      assert_ok(tutti_method_parse(methods[m], &method, REASON), error);
      const struct subject subject = {.method = &method, .ranks = UNLESS_WATCHED(11, 5), .bytes = 5000 + 1000 * m};
      compare(&machine, &subject, methods[m], &tally);
    }
  }
  print_message("%d derivatives compared, %d where the order changes\n", tally.compared, tally.bent);
  assert_true(tally.compared > 40);
}

/* ---- single links ---- */

struct linked {
  struct engine_machine *machine;
  const struct subject *subject;
};

/* On the slow machine. */
static tutti_status time_slow(const void *context, const struct engine_change *change, double *seconds,
                              struct engine_slope *slopes, tutti_error *reason)
{
  const struct linked *linked = context;
  struct engine_change slowed = *change;
  (void)reason;
  for (int p = 0; p < ENGINE_CONSTANT; p++)
    slowed.of[p] = slow.of[p];
  const struct timed timed = run(linked->machine, &slowed, linked->subject);
  *seconds = timed.seconds;
  *slopes = timed.slopes;
  return TUTTI_OK;
}

/* To the side of longer times: on the other one an equally long chain without the link is often the longest. */
static void compare_link(const struct linked *linked, const struct link_slope *link, bool byte, struct tally *tally)
{
  const int p = byte ? ENGINE_LEVEL_BYTE : ENGINE_LEVEL_LATENCY;
  const double step = 1e-4, slope = byte ? link->byte : link->latency;
  uint8_t *sets = calloc(linked->machine->network.link_count, 1);
  struct timed sides[2];
  for (int i = 0; i < 2; i++) {
    struct engine_change change = tutti_link_slopes_change(linked->machine, link->link, sets);
    change.of[p] += i * step;
    assert_ok(time_slow(linked, &change, &sides[i].seconds, &sides[i].slopes, REASON), error);
  }
  free(sets);
  assert_float_equal(sides[0].slopes.of[p], slope, 1e-12 * sides[0].seconds);
  if (!are_alike(&sides[1], &sides[0], p)) {
    tally->bent++;
    return;
  }
  const double difference = sides[1].seconds - sides[0].seconds;
  if (fabs(difference - step * slope) > 1e-6 * step * slope + 2e-12 * sides[0].seconds)
    fail_msg("%s, link %u, %s: by derivative %.12g, by differences %.12g", linked->machine->platform,
             (unsigned)link->link, byte ? "bandwidth" : "latency", slope, difference / step);
  tally->compared++;
}

/* The links of the largest derivatives, changed one by one. Bandwidths where links carry a message at a time: of others
   it depends on who else waits for them. */
TEST(test_links)
{
  struct tally tally = {0, 0};
  uint64_t seed = 5;
  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_machine(platforms[i], &machine);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m += UNLESS_WATCHED(3, 6)) {
      tutti_method method;
      assert_ok(tutti_method_parse(methods[m], &method, REASON), error);
      const struct subject subject = {
          .method = &method, .ranks = UNLESS_WATCHED(11, 5), .bytes = 1 + tutti_splitmix64_next(&seed) % 20000};
      const struct linked linked = {&machine, &subject};
      struct link_slopes found;
      assert_ok(tutti_link_slopes_find(&machine, time_slow, &linked, &found, REASON), error);
      assert_true(found.count > 0 && found.passes <= 9 * LINK_SLOPES);
      for (int l = 0; l < found.count; l++) {
        assert_true(l == 0 || found.items[l].latency + found.items[l].byte <=
                                  found.items[l - 1].latency + found.items[l - 1].byte);
        if (tutti_network_kind(&machine.network, found.items[l].link)->apart)
          continue; /* is not slow, so that events happen together */
        compare_link(&linked, &found.items[l], false, &tally);
        if (machine.one_flow_a_link)
          compare_link(&linked, &found.items[l], true, &tally);
      }
    }
  }
  print_message("%d derivatives by links compared, %d where the order changes\n", tally.compared, tally.bent);
  assert_true(tally.compared > UNLESS_WATCHED(100, 30) && tally.bent < tally.compared);
}

enum { RANKS = 6, ROUNDS = 5 };

/* In each round every rank computes, then all send to a rank at a drawn distance and receive from there. */
static void write_program(const char *path, uint64_t seed)
{
  FILE *file = fopen(path, "w");
  uint64_t distances[ROUNDS], sizes[ROUNDS];
  assert_non_null(file);
  for (int i = 0; i < ROUNDS; i++) {
    distances[i] = 1 + tutti_splitmix64_next(&seed) % (RANKS - 1);
    sizes[i] = 1 + tutti_splitmix64_next(&seed) % 100000;
  }
  fprintf(file, "num_ranks %d\n", RANKS);
  for (unsigned r = 0; r < RANKS; r++) {
    fprintf(file, "rank %u {\n", r);
    for (int i = 0; i < ROUNDS; i++) {
      const unsigned to = (unsigned)((r + distances[i]) % RANKS), from = (unsigned)((r + RANKS - distances[i]) % RANKS);
      fprintf(file, "w%d: calc %llu\ns%d: send %llub to %u tag %d\nr%d: recv %llub from %u tag %d\n", i,
              (unsigned long long)(tutti_splitmix64_next(&seed) % 200000 * 10000), i, (unsigned long long)sizes[i], to,
              i, i, (unsigned long long)sizes[i], from, i);
      fprintf(file, "s%d requires w%d\nr%d requires w%d\n", i, i, i, i);
      if (i > 0)
        fprintf(file, "w%d requires s%d\nw%d requires r%d\n", i, i - 1, i, i - 1);
    }
    fprintf(file, "}\n");
  }
  fclose(file);
}

TEST(test_programs)
{
  struct tally tally = {0, 0};
  char path[] = "slopes.XXXXXX", name[32];
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  for (int i = 0; i < UNLESS_WATCHED(36, 12); i++) {
    struct workload workload;
    tutti_passed passed = {.strict = false};
    FREED_BY(tutti_machine_free) struct engine_machine machine;
    read_machine(platforms[(size_t)i % (sizeof platforms / sizeof *platforms)], &machine);
    write_program(path, (uint64_t)i);
    assert_ok(tutti_workload_read(path, &workload, &passed, REASON), error);
    assert_int_equal(passed.count, 0);
    tutti_passed_free(&passed);
    snprintf(name, sizeof name, "program %d", i);
    compare(&machine, &(struct subject){.workload = &workload, .ranks = RANKS}, name, &tally);
    tutti_workload_free(&workload);
  }
  unlink(path);
  print_message("%d derivatives compared, %d where the order changes\n", tally.compared, tally.bent);
  assert_true(tally.compared > 5 * tally.bent);
}

/* One message between two hosts: its latency, its bytes with their envelope, and what sending it costs. */
TEST(test_by_hand)
{
  FREED_BY(tutti_machine_free) struct engine_machine machine;
  tutti_method method;
  read_machine("grig_mx", &machine);
  assert_ok(tutti_method_parse("bcast/linear", &method, REASON), error);
  const struct timed timed = run(&machine, NULL, &(struct subject){.method = &method, .ranks = 2, .bytes = 100000});
  struct engine_route route;
  assert_true(tutti_network_route(&machine.network, 0, 1, &route));
  const double sent = tutti_pieces_overhead(&machine.send_overhead, 100000);
  assert_true(timed.slopes.of[ENGINE_MESSAGE] == 1);
  assert_float_equal(timed.slopes.of[ENGINE_LATENCY],
                     route.latency * tutti_pieces_factor(&machine.latency_factor, 100016), 1e-15);
  assert_float_equal(timed.slopes.of[ENGINE_OVERHEAD], sent, 1e-15);
  assert_true(timed.slopes.of[ENGINE_BYTE] > 0.99 * (timed.seconds - sent - timed.slopes.of[ENGINE_LATENCY]));
}
