/* Which method runs for a call of a trace. */
#include "cli/replay/replay.h"

const struct option_row replay_table[] = {
    OPTION_STRINGS("decision", "DECISION", struct replay_setting, decisions,
                   "run the methods that this chooses: a file, a method, library:NAME; may be given several times, and "
                   "the first that has an answer for a call counts",
                   .otherwise = "what was recorded"),
    OPTION_STRING("untuned", "DECISION", struct replay_setting, untuned,
                  "what calls run that the library served itself",
                  .otherwise = "library:openmpi-4.1 or library:mpich-4.0, as the library of the trace"),
    OPTION_FLAG("rounds-apart", struct replay_setting, rounds_apart,
                "no call of the trace rounds, which a trace does not say: methods whose ranks may get sums that differ "
                "in their last bits (swing-latency, census, trivance-latency and its form on a torus) run where a "
                "decision names them"),
    OPTION_NUMBER("ranks-per-node", "N", struct replay_setting, ranks_per_node,
                  "put N ranks of the program on a node, fewer than the platform has: 1 spreads them", .min = 1,
                  .max = 1000000, .otherwise = "as many as the platform has", .everyday = true),
    OPTION_END};

const char *replay_part_name(int part)
{
  return part == WORKLOAD_MESSAGES ? "messages" : tutti_collective_name((tutti_collective)part);
}

double replay_mean(const struct workload *workload, double seconds_of_all)
{
  return seconds_of_all / workload->rank_count;
}

double replay_compute(const struct workload *workload, double factor, double speed)
{
  return workload->flops ? factor * 1e9 / speed : factor;
}

/* ---- reading ---- */

static void read_chosen(const char *name, struct replay_decisions *decisions)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    bool decides;
    tutti_decision decision = {.name = NULL};
    must(decision_argument_read_for(name, (tutti_collective)c, &decision, &decides, &failure));
    if (decides)
      tutti_xpush(&decisions->chosen[c], decision);
  }
}

static void read_untuned(const char *name, struct replay_decisions *decisions)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    bool decides;
    must(decision_argument_read_for(name, (tutti_collective)c, &decisions->untuned[c], &decides, &failure));
    if (!decides)
      decisions->untuned[c] = (tutti_decision){.name = NULL};
  }
}

void replay_decisions_read(const struct replay_setting *setting, const struct workload *workload,
                           struct replay_decisions *decisions)
{
  const char *untuned = setting->untuned                         ? setting->untuned
                        : strcmp(workload->flavor, "mpich") == 0 ? "library:mpich-4.0"
                                                                 : "library:openmpi-4.1";
  decisions->rounds_apart = setting->rounds_apart;
  for (size_t i = 0; i < setting->decisions.count; i++)
    read_chosen(setting->decisions.items[i], decisions);
  read_untuned(untuned, decisions);
}

void replay_decisions_free(struct replay_decisions *decisions)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    for (size_t i = 0; i < decisions->chosen[c].count; i++)
      tutti_decision_free(&decisions->chosen[c].items[i]);
    tutti_vector_free(&decisions->chosen[c]);
    tutti_decision_free(&decisions->untuned[c]);
  }
}

/* ---- deciding ---- */

/* The algorithm of ours that it names; false: it leaves the call to a library. */
static bool take(const tutti_method *answer, tutti_method *method)
{
  *method = tutti_method_as(answer, TUTTI_IMPLEMENTATION_TUTTI);
  return !tutti_method_is_library(method);
}

static bool answers(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  tutti_method answer;
  return decision->decide && decision->decide(decision, question, &answer) &&
         answer.algorithm->collective == question->collective && take(&answer, method);
}

static bool decide(void *context, const struct replay_choice *choice, tutti_method *method)
{
  const struct replay_decisions *decisions = context;
  const tutti_question question = {choice->collective, choice->ranks, 0, choice->bytes};
  for (size_t i = 0; i < decisions->chosen[choice->collective].count; i++)
    if (answers(&decisions->chosen[choice->collective].items[i], &question, method))
      return true;
  return take(choice->recorded, method) || answers(&decisions->untuned[choice->collective], &question, method);
}

struct replay_question replay_question_of(const struct replay_decisions *decisions, const tutti_places *places,
                                          double compute)
{
  return (struct replay_question){.decide = decide,
                                  .context = (void *)(uintptr_t)decisions,
                                  .compute = compute,
                                  .places = {.ranks_per_host = places->ranks_per_host, .torus = places->torus},
                                  .rounds_apart = decisions->rounds_apart};
}
