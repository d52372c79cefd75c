/* What is wrong with rules beyond their form. */
#include <stdlib.h>

#include "base/memory.h"
#include "decision/libraries/nccl/nccl.h"

/* Counted from 0, as boxes are. */
static uint64_t shifted(int64_t value)
{
  return value < 0 ? 0 : value > INT32_MAX ? INT32_MAX : (uint64_t)value;
}

/* The collective is the upper half of the side of the nodes. */
static struct tutti_box box_of(const struct nccl_rule *rule)
{
  const uint64_t collective = (uint64_t)rule->collective << 32;
  return (struct tutti_box){{{rule->bytes[0], rule->bytes[1]},
                             {collective + shifted(rule->nodes[0]), collective + shifted(rule->nodes[1])},
                             {shifted(rule->ranks[0]), shifted(rule->ranks[1])}}};
}

static bool is_general(const struct nccl_rule *rule)
{
  return rule->pipe_ops == NCCL_ANY && rule->registered == NCCL_ANY;
}

/* Ranks of NCCLX are those of a node, of which there may be any number. */
static const char *never(const struct nccl_rules *rules, const struct nccl_rule *rule)
{
  if (rule->bytes[0] > rule->bytes[1])
    return "its sizes end before they begin";
  if (rule->nodes[1] < 1 || rule->ranks[1] < 1 || rule->nodes[0] > rule->nodes[1] || rule->ranks[0] > rule->ranks[1])
    return "there are no such nodes or ranks";
  if (!rules->per_rank && rule->nodes[0] > rule->ranks[1])
    return "there are more nodes than ranks";
  return NULL;
}

/* Of rules that ask for operations or registered memory it is not said which ones hide them, nor do they hide others.
 */
static void check(struct tuning_file *file, const struct nccl_rules *rules)
{
  struct {
    TUTTI_VECTOR(struct tutti_box);
  } boxes = {.items = NULL};
  struct {
    TUTTI_VECTOR(const struct nccl_rule *);
  } general = {.items = NULL};
  for (size_t i = 0; i < rules->count; i++) {
    const char *why = never(rules, &rules->items[i]);
    if (why)
      tutti_tuning_report(file, rules->per_rank ? (int)LINT_NCCLX_NEVER : (int)LINT_NCCL_NEVER, rules->items[i].at,
                          "%s", why);
    else if (is_general(&rules->items[i])) {
      tutti_xpush(&boxes, box_of(&rules->items[i]));
      tutti_xpush(&general, &rules->items[i]);
    }
  }
  struct tuning_place place = {0};
  size_t *hiding = tutti_tuning_hiding(boxes.items, boxes.count);
  for (size_t i = 0; i < general.count; i++)
    if (hiding[i] < i) {
      tutti_tuning_move(file, general.items[hiding[i]]->at, &place);
      tutti_tuning_report(file, rules->per_rank ? (int)LINT_NCCLX_HIDDEN : (int)LINT_NCCL_HIDDEN, general.items[i]->at,
                          "line %d answers for all of it", place.line);
    }
  free(hiding);
  tutti_vector_free(&boxes);
  tutti_vector_free(&general);
}

static void lint(struct tuning_file *file,
                 tutti_status (*read)(struct tuning_file *file, void *rules, tutti_error *error))
{
  struct nccl_rules rules = {.count = 0};
  read(file, &rules, NULL);
  check(file, &rules);
  tutti_vector_free(&rules);
}

void tutti_nccl_lint(struct tuning_file *file)
{
  lint(file, tutti_nccl_read);
}

void tutti_ncclx_lint(struct tuning_file *file)
{
  lint(file, tutti_ncclx_read);
}
