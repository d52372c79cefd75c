/* Look-ups in rules of Open MPI's coll/tuned, and its own decision without a rule. */
#include <inttypes.h>
#include <string.h>

#include "decision/libraries/openmpi/openmpi.h"

#include "base/text.h"

static const struct openmpi_rules *rules_of(const struct explaining *explaining)
{
  return explaining->tuning->rules;
}

/* ---- sizes ---- */

/* The bytes compared, and, where they grow with the call, the factor per byte of a rank. */
static long compared(const tutti_explained_call *call, int collective, uint64_t *factor)
{
  uint64_t type = tutti_explain_type_bytes(call), ranks = (uint64_t)call->ranks, bytes = 0;
  *factor = 0;
  switch (tutti_openmpi_collectives[collective].size) {
  case SIZE_OF_RANK:
    *factor = 1;
    bytes = call->rank_bytes;
    break;
  case SIZE_OF_ALL:
    *factor = ranks;
    bytes = call->rank_bytes > LONG_MAX / ranks ? LONG_MAX : call->rank_bytes * ranks;
    break;
  case SIZE_ZERO:
    break;
  case SIZE_TYPE_BY_RANKS:
    bytes = type * ranks;
    break;
  }
  return bytes > LONG_MAX ? LONG_MAX : (long)bytes;
}

static void step_size(struct explaining *explaining, int collective, long bytes)
{
  static const char *const how[] = {"the size of the message, or of a rank's block", "a rank's block times the ranks",
                                    "always 0 for this collective", "the size of the datatype times the ranks"};
  tutti_explain_step(explaining, NO_PLACE, "coll/tuned compares %ld byte%s: %s", bytes, tutti_plural((uint64_t)bytes),
                     how[tutti_openmpi_collectives[collective].size]);
}

static void narrow(struct explaining *explaining, long min, long max, uint64_t factor)
{
  if (factor == 0)
    return;
  if (min > 0)
    tutti_explain_at_least(explaining, ((uint64_t)min + factor - 1) / factor);
  if (max != LONG_MAX)
    tutti_explain_at_most(explaining, (uint64_t)max / factor);
}

/* ---- what runs ---- */

/* Parts are calls of the communicator: they are looked up in the file, too. */
static bool look_up_parts(struct explaining *explaining, tutti_method *method, tutti_error *error)
{
  const tutti_algorithm *algorithm = method->algorithm;
  bool known = true;
  for (int i = 0; known && i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    tutti_explained_call call = *explaining->call;
    call.collective = algorithm->parts[i].collective;
    known = tutti_explain_part(explaining, &call,
                               tutti_openmpi_part_factor(algorithm->collective, call.ranks, call.collective), i, method,
                               error);
  }
  return known;
}

bool tutti_openmpi_pick_parts(struct explaining *explaining, tutti_method *method, tutti_error *error)
{
  return tutti_openmpi_is_linear(method) || look_up_parts(explaining, method, error);
}

/* Enough elements for any algorithm. */
#define LARGE_MESSAGE (UINT64_C(1) << 40)

static void set_method(struct explaining *explaining, const struct openmpi_pick *pick, long fanout, long requests)
{
  tutti_explanation *answer = explaining->answer;
  tutti_question question = tutti_explain_question(explaining->call);
  question.rank_bytes = explaining->literal ? LARGE_MESSAGE : question.rank_bytes;
  int served = tutti_openmpi_served(&question, pick), id = tutti_openmpi_collective(question.collective);
  const tutti_library_version *version = &explaining->tuning->file.version;
  char name[TUTTI_METHOD_LENGTH];
  answer->known = tutti_openmpi_picked(tutti_openmpi_decision_4_1, &question, pick, &answer->method);
  if (answer->known && !(question.collective == TUTTI_COLL_ALLREDUCE && served == OPENMPI_BASIC_LINEAR))
    answer->known = look_up_parts(explaining, &answer->method, NULL);
  if (!answer->known)
    return;
  if (fanout > 0 && tutti_openmpi_uses(id, pick->id, FIELD_FANOUT))
    answer->method.parameters.k = (int)fanout;
  if (requests > 0 && tutti_openmpi_uses(id, pick->id, FIELD_REQUESTS) && question.collective == TUTTI_COLL_ALLTOALL)
    answer->method.parameters.k = (int)requests;
  if (served != pick->id)
    tutti_explain_step(explaining, NO_PLACE, "%s does not serve this call as it is: coll/base runs %s",
                       tutti_openmpi_algorithm_name(version, id, pick->id), tutti_method_format(&answer->method, name));
}

/* Collectives that coll/tuned leaves to coll/basic. */
static void run_basic(struct explaining *explaining)
{
  tutti_question question = tutti_explain_question(explaining->call);
  explaining->answer->known = tutti_openmpi_decide_4_1(&question, &explaining->answer->method);
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "coll/basic");
  tutti_explain_step(explaining, NO_PLACE, "coll/tuned does not decide on %s; coll/basic or coll/base run it",
                     tutti_collective_name(question.collective));
}

static void step_rung(struct explaining *explaining, int id, const struct openmpi_rung *rung)
{
  static const tutti_library_version version = {&tutti_library_openmpi, 4, 1, 4};
  const char *name = tutti_openmpi_algorithm_name(&version, tutti_openmpi_collective(explaining->call->collective), id);
  char ranks[40] = "", bytes[40] = "";
  if (rung->max_ranks != INT_MAX)
    snprintf(ranks, sizeof ranks, " to %d", rung->max_ranks);
  if (rung->max_bytes != UINT64_MAX)
    snprintf(bytes, sizeof bytes, " to %" PRIu64, rung->max_bytes);
  tutti_explain_step(explaining, NO_PLACE,
                     "Open MPI decides itself, as 4.1 does: from %d%s ranks, from %" PRIu64 "%s bytes: %d (%s)",
                     rung->min_ranks, ranks, rung->min_bytes, bytes, id, name);
}

/* Reduce_scatter is decided on by the bytes of all blocks. */
static int climb(const tutti_explained_call *call, uint64_t *factor, struct openmpi_rung *rung)
{
  *factor = call->collective == TUTTI_COLL_REDUCE_SCATTER ? (uint64_t)call->ranks : 1;
  return tutti_openmpi_ladder(call->collective, call->ranks, library_product(call->rank_bytes, (int)*factor), rung);
}

bool tutti_openmpi_explain_4_1(struct explaining *explaining)
{
  struct openmpi_rung rung;
  uint64_t factor;
  int id = climb(explaining->call, &factor, &rung);
  if (id)
    step_rung(explaining, id, &rung);
  return id;
}

void tutti_openmpi_run_own_choice(struct explaining *explaining)
{
  int collective = tutti_openmpi_collective(explaining->call->collective);
  struct openmpi_rung rung;
  uint64_t factor;
  struct openmpi_pick pick = {.id = climb(explaining->call, &factor, &rung)};
  explaining->answer->own_choice = true;
  if (pick.id == 0) {
    run_basic(explaining);
    return;
  }
  const char *name = tutti_openmpi_algorithm_name(&explaining->tuning->file.version, collective, pick.id);
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "%s", name ? name : "?");
  step_rung(explaining, pick.id, &rung);
  tutti_explain_at_least(explaining, (rung.min_bytes + factor - 1) / factor);
  if (rung.max_bytes != UINT64_MAX)
    tutti_explain_at_most(explaining, rung.max_bytes / factor);
  set_method(explaining, &pick, 0, 0);
}

/* The line of the catalogue that has the id for any radix; the first one has it for 2. */
static void set_radix(struct explaining *explaining, int id, int radix)
{
  const tutti_algorithm *algorithm;
  explaining->answer->known = false;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == explaining->call->collective && algorithm->openmpi_id == id &&
        algorithm->parameters & TUTTI_TAKES_K) {
      explaining->answer->method = tutti_method_default(algorithm);
      explaining->answer->method.parameters.k = radix;
      explaining->answer->known = true;
    }
}

void tutti_openmpi_run_rule(struct explaining *explaining, int collective, const struct openmpi_rule *rule)
{
  tutti_explanation *answer = explaining->answer;
  long id = rule->values[FIELD_ALGORITHM], segment = rule->values[FIELD_SEGMENT];
  const char *name = tutti_openmpi_algorithm_name(&explaining->tuning->file.version, collective, id);
  if (!name || (strcmp(name, "two_proc") == 0 && explaining->call->ranks != 2)) {
    snprintf(answer->algorithm, sizeof answer->algorithm, "%s", name ? name : "no such algorithm");
    answer->fails = true;
    tutti_explain_step(explaining, rule->at[FIELD_ALGORITHM], "the call fails with %s",
                       name ? "MPI_ERR_UNSUPPORTED_OPERATION" : "MPI_ERR_ARG");
    return;
  }
  long fanout = rule->values[FIELD_FANOUT];
  bool radix = tutti_openmpi_has_radix(&explaining->tuning->file.version, collective, id);
  int length = snprintf(answer->algorithm, sizeof answer->algorithm, "%s", name);
  if (segment && tutti_openmpi_uses(collective, id, FIELD_SEGMENT))
    length +=
        snprintf(answer->algorithm + length, sizeof answer->algorithm - (size_t)length, ", segments of %ld B", segment);
  if (fanout && (radix || tutti_openmpi_uses(collective, id, FIELD_FANOUT)))
    snprintf(answer->algorithm + length, sizeof answer->algorithm - (size_t)length, ", fan-out %ld", fanout);
  if (radix && fanout < OPENMPI_MIN_RADIX) {
    answer->fails = true;
    tutti_explain_step(explaining, rule->at[FIELD_FANOUT], "the call fails: with a radix of %ld it never ends", fanout);
    return;
  }
  struct openmpi_pick pick = {.id = (int)id, .segment = (int)segment};
  set_method(explaining, &pick, fanout, rule->values[FIELD_REQUESTS]);
  if (radix && fanout > OPENMPI_MIN_RADIX)
    set_radix(explaining, pick.id, (int)fanout);
}

bool tutti_openmpi_forced(const tutti_tuning *untuned, const tutti_explained_call *call, int id, tutti_method *method)
{
  tutti_explanation answer = {.max = UINT64_MAX};
  struct explaining explaining = {.tuning = untuned, .call = call, .answer = &answer, .silent = true};
  const int collective = tutti_openmpi_collective(call->collective);
  const struct openmpi_rule rule = {.values = {[FIELD_ALGORITHM] = id}};
  method->algorithm = NULL;
  if (collective < 0 || !tutti_openmpi_algorithm_name(&untuned->file.version, collective, id))
    return false;
  tutti_openmpi_run_rule(&explaining, collective, &rule);
  if (answer.known && !answer.fails)
    *method = answer.method;
  return true;
}

/* ---- looking up ---- */

static void step_block(struct explaining *explaining, const struct openmpi_block *block)
{
  char end[40] = " on";
  if (block->max < INT_MAX)
    snprintf(end, sizeof end, " to %ld", block->max);
  tutti_explain_step(explaining, block->at, "%d ranks: the block of %ld, which serves from %ld%s",
                     explaining->call->ranks, block->ranks, block->min, end);
}

static void step_rule(struct explaining *explaining, int collective, const struct openmpi_rule *rule)
{
  const char *name =
      tutti_openmpi_algorithm_name(&explaining->tuning->file.version, collective, rule->values[FIELD_ALGORITHM]);
  char end[40] = " on";
  if (rule->max != LONG_MAX)
    snprintf(end, sizeof end, " to %ld", rule->max);
  tutti_explain_step(explaining, rule->at[FIELD_BYTES], "the rule from %ld%s bytes: algorithm %ld (%s)", rule->min, end,
                     rule->values[FIELD_ALGORITHM], name ? name : "none");
}

/* Between which sizes no rule of a block matches: rules of JSON leave gaps. */
static void narrow_gap(struct explaining *explaining, const struct openmpi_block *block, long bytes, uint64_t factor)
{
  const struct openmpi_rule *rules = openmpi_block_rules(rules_of(explaining), block);
  for (size_t i = 0; i < block->count; i++) {
    if (rules[i].disabled || rules[i].min > rules[i].max)
      continue;
    if (rules[i].min > bytes)
      narrow(explaining, 0, rules[i].min - 1, factor);
    else if (rules[i].max < bytes)
      narrow(explaining, rules[i].max + 1, LONG_MAX, factor);
  }
}

/* Earlier rules hide parts of the range of a rule of JSON. */
static void narrow_rule(struct explaining *explaining, const struct openmpi_block *block,
                        const struct openmpi_rule *rule, long bytes, uint64_t factor)
{
  narrow(explaining, rule->min, rule->max, factor);
  for (const struct openmpi_rule *earlier = openmpi_block_rules(rules_of(explaining), block); earlier < rule; earlier++)
    if (!earlier->disabled && earlier->min > bytes && earlier->min <= earlier->max)
      narrow(explaining, 0, earlier->min - 1, factor);
    else if (!earlier->disabled && earlier->max < bytes && earlier->min <= earlier->max)
      narrow(explaining, earlier->max + 1, LONG_MAX, factor);
}

/* Parameters choose one algorithm for all sizes. */
static void run_parameters(struct explaining *explaining, int collective)
{
  struct openmpi_rule rule;
  if (tutti_openmpi_chosen(explaining, collective, &rule))
    tutti_openmpi_run_rule(explaining, collective, &rule);
  else
    tutti_openmpi_run_own_choice(explaining);
}

static void look_up(struct explaining *explaining, int collective)
{
  const tutti_explained_call *call = explaining->call;
  uint64_t factor;
  long bytes = compared(call, collective, &factor);
  struct openmpi_found found = tutti_openmpi_look(rules_of(explaining), collective, call->ranks,
                                                  library_placement(call->ranks, call->ranks_per_node), bytes);
  step_size(explaining, collective, bytes);
  if (!found.collective && !rules_of(explaining)->dropped)
    tutti_explain_step(explaining, NO_PLACE, "the file has no rules for %s",
                       tutti_openmpi_collectives[collective].name);
  else if (found.collective && !found.block)
    tutti_explain_step(explaining, found.collective->at, "no block for %d ranks", explaining->call->ranks);
  else if (found.block)
    step_block(explaining, found.block);
  if (found.block && !found.rule) {
    tutti_explain_step(explaining, found.block->at, "no rule for %ld byte%s", bytes, tutti_plural((uint64_t)bytes));
    narrow_gap(explaining, found.block, bytes, factor);
  }
  if (!found.rule) {
    tutti_openmpi_run_own_choice(explaining);
    return;
  }
  step_rule(explaining, collective, found.rule);
  narrow_rule(explaining, found.block, found.rule, bytes, factor);
  if (found.rule->values[FIELD_ALGORITHM] == 0)
    tutti_openmpi_run_own_choice(explaining);
  else
    tutti_openmpi_run_rule(explaining, collective, found.rule);
}

tutti_status tutti_openmpi_explain(struct explaining *explaining, tutti_error *error)
{
  (void)error;
  int collective = tutti_openmpi_collective(explaining->call->collective);
  const tutti_library_version *version = &explaining->tuning->file.version;
  if (rules_of(explaining)->form == FORM_HAN) {
    tutti_openmpi_explain_han(explaining);
    return TUTTI_OK;
  }
  if (version->major >= 5 && rules_of(explaining)->form == FORM_TUNED)
    tutti_explain_step(explaining, NO_PLACE,
                       "from 5.0 on coll/han goes before coll/tuned: this holds with OMPI_MCA_coll=^han");
  if (rules_of(explaining)->dropped)
    tutti_explain_step(explaining, NO_PLACE, "the file is dropped: %s",
                       explaining->tuning->fault ? explaining->tuning->fault : "it cannot be read");
  else if (explaining->tuning->fault)
    tutti_explain_step(explaining, NO_PLACE, "the file has a fault: %s", explaining->tuning->fault);
  if (collective < 0 || explaining->call->ranks == 1) {
    explaining->answer->own_choice = true;
    run_basic(explaining);
  } else if (rules_of(explaining)->form == FORM_PARAMETERS)
    run_parameters(explaining, collective);
  else if (rules_of(explaining)->form == FORM_FUJITSU)
    tutti_openmpi_explain_fujitsu(explaining);
  else
    look_up(explaining, collective);
  return TUTTI_OK;
}
