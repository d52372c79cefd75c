/* What Intel MPI runs for a call: the first condition that matches. */
#include <inttypes.h>
#include <string.h>

#include "decision/libraries/intelmpi/intelmpi.h"

struct look {
  struct explaining *explaining;
  uint64_t key, factor; /* the size that is compared, of so many times that of a rank; 0: none is */
};

/* Narrow the sizes to those between these, or, if the size is not among them, to those on its side. */
static void narrow(struct look *look, uint64_t min, uint64_t max, bool inside)
{
  if (look->factor == 0)
    return;
  if (!inside) {
    const bool above = look->key > max;
    const uint64_t end = above ? max + 1 : min - 1;
    min = above ? end : 0;
    max = above ? UINT64_MAX : end;
  }
  tutti_explain_at_least(look->explaining, min / look->factor + (min % look->factor != 0));
  if (max != UINT64_MAX)
    tutti_explain_at_most(look->explaining, max / look->factor);
}

static const struct intelmpi_rule *find(struct look *look)
{
  const struct intelmpi_rules *rules = look->explaining->tuning->rules;
  const tutti_explained_call *call = look->explaining->call;
  for (size_t i = 0; i < rules->count; i++) {
    const struct intelmpi_rule *rule = &rules->items[i];
    if (rule->collective->ours != call->collective || (uint64_t)call->ranks < rule->ranks[0] ||
        (uint64_t)call->ranks > rule->ranks[1])
      continue;
    const bool inside = look->factor == 0 || (look->key >= rule->sizes[0] && look->key <= rule->sizes[1]);
    narrow(look, rule->sizes[0], rule->sizes[1], inside);
    if (inside)
      return rule;
  }
  return NULL;
}

static void run(struct look *look, const struct intelmpi_rule *rule)
{
  tutti_explanation *answer = look->explaining->answer;
  const struct intelmpi_collective *collective = rule->collective;
  const bool known = rule->id < INTELMPI_IDS && collective->names[rule->id];
  tutti_explain_step(look->explaining, rule->at, "algorithm %ld for %.*s", rule->id,
                     (int)(rule->length < 80 ? rule->length : 80), look->explaining->tuning->file.text + rule->at);
  tutti_explain_name(look->explaining, "%s", known ? collective->names[rule->id] : "an algorithm without a name");
  const char *ours = known ? collective->methods[rule->id] : NULL;
  const tutti_algorithm *algorithm = ours ? tutti_algorithm_find(collective->ours, ours) : NULL;
  if (!algorithm)
    return;
  const int node = 0, ranks = look->explaining->call->ranks;
  const tutti_call call = {
      .size = ranks, .count = (uint64_t)ranks, .type_size = 1, .commutative = true, .nodes = &node};
  answer->method = tutti_method_default(algorithm);
  answer->known = tutti_method_fault(&answer->method, &call) == NULL;
}

tutti_status tutti_intelmpi_explain(struct explaining *explaining, tutti_error *error)
{
  const tutti_explained_call *call = explaining->call;
  const struct intelmpi_rules *rules = explaining->tuning->rules;
  const struct intelmpi_collective *collective = tutti_intelmpi_collective(call->collective);
  struct look look = {.explaining = explaining};
  (void)error;
  if (collective)
    look.factor = collective->unit == TUTTI_UNIT_TOTAL  ? (uint64_t)call->ranks
                  : collective->unit == TUTTI_UNIT_RANK ? 1
                                                        : 0;
  look.key = library_product(call->rank_bytes, (int)look.factor);
  tutti_settings_step_launch(explaining, &rules->settings);
  const struct intelmpi_rule *rule = collective ? find(&look) : NULL;
  if (rule && rule->id > 0)
    run(&look, rule);
  else {
    tutti_explain_step(explaining, rule ? rule->at : NO_PLACE, rule ? "0: Intel MPI decides" : "no condition matches");
    explaining->answer->own_choice = true;
    tutti_explain_name(explaining, "%s", "Intel MPI's own choice");
  }
  return TUTTI_OK;
}
