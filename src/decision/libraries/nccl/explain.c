/* Look-ups in rules of NCCL and NCCLX. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "decision/libraries/nccl/nccl.h"

/* Nodes of the communicator, 0: not known; and the ranks that a rule compares. */
struct asked {
  uint64_t key;
  int64_t nodes, ranks;
};

static struct asked ask(const struct nccl_rules *rules, const tutti_explained_call *call)
{
  struct asked asked = {.key = tutti_nccl_key(rules, call)};
  asked.nodes = tutti_nccl_nodes(call);
  asked.ranks = !rules->per_rank ? call->ranks : asked.nodes > 0 ? call->ranks / asked.nodes : 0;
  return asked;
}

static bool within(const int64_t range[2], int64_t value)
{
  return (range[0] == INT64_MIN && range[1] == INT64_MAX) || (value > 0 && range[0] <= value && value <= range[1]);
}

/* Calls are taken as one operation on memory that is not registered. */
static bool serves(const struct nccl_rule *rule, const tutti_explained_call *call, const struct asked *asked)
{
  return rule->collective == call->collective && within(rule->nodes, asked->nodes) &&
         within(rule->ranks, asked->ranks) && (rule->pipe_ops == NCCL_ANY || rule->pipe_ops == 1) &&
         (rule->registered == NCCL_ANY || rule->registered == 0);
}

static bool matches(const struct nccl_rule *rule, uint64_t key)
{
  return rule->bytes[0] <= key && key <= rule->bytes[1];
}

/* The rule that answers, or NULL; the sizes with the same answer are narrowed. */
static const struct nccl_rule *find(struct explaining *explaining, const struct asked *asked, size_t *passed)
{
  const struct nccl_rules *rules = explaining->tuning->rules;
  const tutti_explained_call *call = explaining->call;
  const struct nccl_rule *found = NULL;
  uint64_t least = 0, most = UINT64_MAX;
  for (size_t i = 0; i < rules->count && !found; i++) {
    const struct nccl_rule *rule = &rules->items[i];
    if (!serves(rule, call, asked) || rule->bytes[0] > rule->bytes[1]) {
      *passed += rule->collective == call->collective;
      continue;
    }
    if (matches(rule, asked->key)) {
      found = rule;
      least = rule->bytes[0] > least ? rule->bytes[0] : least;
      most = rule->bytes[1] < most ? rule->bytes[1] : most;
    } else {
      *passed += 1;
      if (rule->bytes[0] > asked->key)
        most = rule->bytes[0] - 1 < most ? rule->bytes[0] - 1 : most;
      else
        least = rule->bytes[1] + 1 > least ? rule->bytes[1] + 1 : least;
    }
  }
  tutti_explain_at_least(explaining, tutti_nccl_least(rules, call, least));
  tutti_explain_at_most(explaining, tutti_nccl_most(rules, call, most));
  return found;
}

static void step_key(struct explaining *explaining, const struct asked *asked)
{
  const struct nccl_rules *rules = explaining->tuning->rules;
  const bool all = tutti_nccl_counts_all(explaining->call->collective);
  const char *what = rules->per_rank ? (all ? "a rank's block" : "the message divided by the ranks")
                                     : (all ? "a rank's block times the ranks" : "the message");
  tutti_explain_step(explaining, NO_PLACE, "%s compares %" PRIu64 " byte%s: %s",
                     rules->per_rank ? "NCCLX" : "the tuner plug-in", asked->key, tutti_plural(asked->key), what);
  if (asked->nodes == 0)
    tutti_explain_step(explaining, NO_PLACE, "the nodes are not known: no rule that asks for them matches");
}

static void own_choice(struct explaining *explaining, const char *why)
{
  tutti_explain_step(explaining, NO_PLACE, "%s: NCCL decides itself by its model of the machine", why);
  tutti_explain_name(explaining, "the own choice of NCCL");
  explaining->answer->own_choice = true;
}

static void run_rule(struct explaining *explaining, const struct nccl_rule *rule)
{
  tutti_explanation *answer = explaining->answer;
  char channels[32] = "", chunk[40] = "";
  const tutti_algorithm *ours = tutti_nccl_ours(rule->collective, rule->algorithm);
  if (rule->channels != NCCL_ANY)
    snprintf(channels, sizeof channels, ", %ld channel%s", rule->channels, rule->channels == 1 ? "" : "s");
  if (rule->chunk_bytes > 0)
    snprintf(chunk, sizeof chunk, ", chunks of %" PRIu64 " B", rule->chunk_bytes);
  tutti_explain_name(explaining, "%s, %s%s%s", tutti_nccl_algorithm_word(rule->algorithm),
                     tutti_nccl_protocol_word(rule->protocol), channels, chunk);
  tutti_explain_step(explaining, rule->at,
                     "the first rule that matches; if the communicator does not support it, the next one");
  answer->known = ours != NULL;
  if (ours)
    answer->method = tutti_method_default(ours);
}

tutti_status tutti_nccl_explain(struct explaining *explaining, tutti_error *error)
{
  const struct nccl_rules *rules = explaining->tuning->rules;
  const tutti_collective collective = explaining->call->collective;
  size_t passed = 0;
  (void)error;
  if (rules->refused) {
    tutti_explain_failure(explaining);
    tutti_explain_step(explaining, NO_PLACE, "no communicator can be made: %s",
                       explaining->tuning->fault ? explaining->tuning->fault : "the file has a fault");
    return TUTTI_OK;
  }
  if (!tutti_nccl_collective_word(collective) || explaining->call->ranks == 1) {
    own_choice(explaining, explaining->call->ranks == 1 ? "one rank" : "no rule can name this collective");
    return TUTTI_OK;
  }
  const struct asked asked = ask(rules, explaining->call);
  step_key(explaining, &asked);
  const struct nccl_rule *rule = find(explaining, &asked, &passed);
  if (passed > 0)
    tutti_explain_step(explaining, NO_PLACE, "%zu rule%s for %s before it do%s not match", passed, tutti_plural(passed),
                       tutti_nccl_collective_word(collective), passed == 1 ? "es" : "");
  if (rule)
    run_rule(explaining, rule);
  else
    own_choice(explaining, "no rule matches");
  return TUTTI_OK;
}
