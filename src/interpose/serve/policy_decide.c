/* The answer of the policy for a call: the method, or the candidates. */
#include "interpose/serve/policy.h"
#include "tutti/reproducible.h"

static bool answers(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  return decision->decide && decision->decide(decision, question, method);
}

static bool decide(const struct policy *policy, const tutti_question *question, tutti_method *method)
{
  const struct override *override = &policy->overrides[question->collective];
  if (override->given) {
    *method = override->method;
    return !override->native;
  }
  return answers(&policy->file, question, method) || (!policy->native && answers(&policy->builtin, question, method));
}

bool tutti_policy_decide(const struct policy *policy, const tutti_question *question, tutti_method *method)
{
  bool decided = decide(policy, question, method);
  if (tutti_policy_keeps(policy, question->collective) && (!decided || tutti_method_is_native(method))) {
    const tutti_method library = {.algorithm = tutti_algorithm_find(question->collective, "native")};
    *method = tutti_method_reproducing(&library, policy->reproducible);
    decided = !tutti_method_is_native(method);
  }
  return decided;
}

tutti_method tutti_policy_rounding(const struct policy *policy, const tutti_method *method, bool rounds)
{
  const tutti_method same = tutti_method_rounding(method, rounds);
  return rounds && policy->reproducible ? tutti_method_reproducing(&same, policy->reproducible) : same;
}

/* ---- candidates ---- */

struct candidates {
  const struct policy *policy;
  const tutti_question *question;
  bool rounds;
  tutti_method *methods;
  int count, most;
};

/* Whether trying it would be useless: a substitute would run, or a candidate does the same. */
static bool is_idle(const struct candidates *candidates, const tutti_method *method)
{
  const tutti_question *question = candidates->question;
  const tutti_call call = {.size = question->ranks,
                           .count = question->rank_bytes,
                           .type_size = 1,
                           .commutative = true,
                           .parameters = method->parameters};
  for (int i = 0; i < candidates->count; i++)
    if (tutti_method_same_on(&candidates->methods[i], method, question->ranks))
      return true;
  return !tutti_method_is_native(method) && !tutti_method_needs_places(method) &&
         tutti_method_check(method, &call, NULL) != TUTTI_OK;
}

static void add_candidate(struct candidates *candidates, const tutti_method *wanted)
{
  const tutti_method method = tutti_policy_rounding(candidates->policy, wanted, candidates->rounds);
  if (candidates->count < candidates->most && method.algorithm->collective == candidates->question->collective &&
      !is_idle(candidates, &method))
    candidates->methods[candidates->count++] = method;
}

/* All rules of a decision, or those that match. */
static void add_rules(struct candidates *candidates, const tutti_decision *decision, bool matching)
{
  const tutti_question *question = candidates->question;
  const tutti_rule *rule;
  for (size_t r = 0; (rule = tutti_decision_rule_at(decision, r)); r++)
    if (!matching || tutti_rule_matches(rule, question->ranks, question->rank_bytes))
      add_candidate(candidates, &rule->method);
}

int tutti_policy_candidates(const struct policy *policy, const tutti_question *question, bool rounds,
                            tutti_method *methods, int most)
{
  struct candidates candidates = {
      .policy = policy, .question = question, .rounds = rounds, .methods = methods, .most = most};
  const tutti_method library = {.algorithm = tutti_algorithm_find(question->collective, "native")};
  if (!tutti_policy_decide(policy, question, &methods[0]))
    methods[0] = library;
  methods[0] = tutti_policy_rounding(policy, &methods[0], rounds);
  candidates.count = 1;
  if (policy->overrides[question->collective].given)
    return 1;
  if (policy->candidates.decide) {
    add_rules(&candidates, &policy->candidates, true);
    return candidates.count;
  }
  add_candidate(&candidates, &library);
  add_rules(&candidates, &policy->file, false);
  add_rules(&candidates, &policy->builtin, false);
  return candidates.count;
}

/* Any class of a tree may. */
static bool decision_may_need_places(const tutti_decision *decision)
{
  const tutti_rule *rule = tutti_decision_rule_at(decision, 0);
  if (!rule)
    return decision->decide;
  for (size_t r = 1; rule && !tutti_method_needs_places(&rule->method); r++)
    rule = tutti_decision_rule_at(decision, r);
  return rule;
}

bool tutti_policy_may_need_places(const struct policy *policy)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const struct override *override = &policy->overrides[c];
    if (override->given && !override->native && tutti_method_needs_places(&override->method))
      return true;
  }
  return decision_may_need_places(&policy->file) || decision_may_need_places(&policy->candidates);
}
