/* Process groups of Chakra: named by collectives, and defined by what heads and nodes of metadata say of all, by a list
   of ranks at the collective, or by the ranks that call on them. */
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/engine/trace/workload_chakra.h"

enum { MAX_LEVELS = 32 };

/* ---- by their names ---- */

static struct chakra_group *group_of(struct chakra *chakra, const void *key, size_t length, const char *name)
{
  uint32_t *number = tutti_pair_number(&chakra->group_numbers, tutti_digest(key, length), length);
  if (*number == 0) {
    const struct chakra_group group = {.name = tutti_xprintf("%.*s", (int)(length < 80 ? length : 80), name)};
    tutti_xpush(&chakra->groups, group);
    *number = (uint32_t)chakra->groups.count;
  }
  return &chakra->groups.items[*number - 1];
}

uint32_t tutti_chakra_group(struct chakra *chakra, const char *name, size_t length)
{
  return (uint32_t)(group_of(chakra, name, length, name) - chakra->groups.items) + 1;
}

/* Its members, as some file says; another one that says otherwise leaves it without. */
static void define(struct chakra_group *group, const uint64_t *ranks, size_t count)
{
  bool same = group->members.count == count;
  for (size_t r = 0; r < count && same; r++)
    same = group->members.items[r] == ranks[r];
  group->contradicted |= group->members.count > 0 && !same;
  for (size_t r = 0; r < count && group->members.count < count && !group->contradicted; r++)
    tutti_xpush(&group->members, ranks[r]);
}

/* ---- definitions ---- */

static void define_by(struct chakra *chakra, const char *name, const struct json *ranks)
{
  chakra->list.count = 0;
  for (size_t r = 0; r < ranks->count; r++) {
    uint64_t rank = UINT64_MAX;
    if (!ranks->items[r].text || !tutti_parse_integer(ranks->items[r].text, 0, UINT32_MAX, &rank))
      return;
    tutti_xpush(&chakra->list, rank);
  }
  if (chakra->list.count > 0) /* PyTorch leaves out the ranks of the group of all */
    define(group_of(chakra, name, strlen(name), name), chakra->list.items, chakra->list.count);
}

void tutti_chakra_define(struct chakra *chakra, const struct json *value)
{
  for (size_t g = 0; g < value->count; g++) {
    const struct json *item = &value->items[g];
    if (value->kind == JSON_OBJECT && item->kind == JSON_ARRAY)
      define_by(chakra, item->key, item);
    if (value->kind != JSON_ARRAY || item->kind != JSON_OBJECT)
      continue;
    const struct json *name = tutti_json_member_of(item, "pg_name"), *ranks = tutti_json_member_of(item, "ranks");
    if (name && name->text && ranks && ranks->kind == JSON_ARRAY)
      define_by(chakra, name->text, ranks);
  }
}

void tutti_chakra_define_text(struct chakra *chakra, const char *text, size_t length)
{
  const char *begin = memmem(text, length, "[{", 2);
  if (!begin || !memmem(text, length, "pg_name", 7))
    return;
  char *copy = tutti_xprintf("%.*s", (int)(length - (size_t)(begin - text)), begin);
  const struct json_style style = {.levels = MAX_LEVELS};
  struct json_fault fault = {.after = false};
  struct json_liberty liberty;
  struct json root;
  if (tutti_json_parse(copy, strlen(copy), &style, &root, &fault, &liberty) || fault.after)
    tutti_chakra_define(chakra, &root);
  tutti_json_free(&root);
  free(copy);
}

/* ---- lists of an attribute ---- */

void tutti_chakra_set_list(struct chakra *chakra, struct chakra_node *node, const char *name, size_t length)
{
  static const char *const members[] = {"comm_group", "involved_ranks", "ranks", "pg_ranks"};
  for (size_t r = 0; tutti_chakra_is(name, length, "involved_dim") && r < chakra->list.count; r++)
    node->in_part |= chakra->list.items[r] == 0;
  for (size_t m = 0; m < sizeof members / sizeof *members; m++)
    if (tutti_chakra_is(name, length, members[m]) && chakra->list.count > 0) {
      const size_t bytes = chakra->list.count * sizeof *chakra->list.items;
      struct chakra_group *group = group_of(chakra, chakra->list.items, bytes, "of a list of ranks");
      define(group, chakra->list.items, chakra->list.count);
      node->group = (uint32_t)(group - chakra->groups.items) + 1;
    }
}

/* ---- all files have been read ---- */

void tutti_chakra_use(struct chakra *chakra, uint32_t number, uint64_t size)
{
  struct chakra_group *group = &chakra->groups.items[number - 1];
  if (group->users.count == 0 || group->users.items[group->users.count - 1] != chakra->rank)
    tutti_xpush(&group->users, chakra->rank);
  group->contradicted |= size > 0 && group->size > 0 && group->size != size;
  group->size = size > 0 ? size : group->size;
}

/* Whether they are different ranks of the trace; then their places are noted. */
static bool place_members(struct chakra *chakra, const struct chakra_group *group)
{
  const uint64_t number = (uint64_t)(group - chakra->groups.items) + 1;
  bool known = true;
  for (size_t m = 0; m < group->members.count && known; m++) {
    const uint64_t rank = group->members.items[m];
    uint32_t *place = tutti_pair_number(&chakra->places, number, rank);
    known = rank < chakra->workload->rank_count && *place == 0;
    *place = (uint32_t)m + 1;
  }
  return known;
}

static const char *resolve(struct chakra *chakra, struct chakra_group *group)
{
  if (group->contradicted)
    return "a collective of a group that files define differently";
  for (size_t u = 0; u < group->users.count && !group->defined; u++) {
    const uint64_t rank = group->users.items[u];
    tutti_xpush(&group->members, rank);
  }
  if (group->size > 0 && group->size != group->members.count)
    return "a collective of a group whose members are not in the trace";
  if (!place_members(chakra, group))
    return "a collective of a group of ranks whose files are not there";
  struct workload_communicator made = {.size = (uint32_t)group->members.count};
  made.members = tutti_xcalloc(made.size, sizeof *made.members);
  for (uint32_t r = 0; r < made.size; r++)
    made.members[r] = (uint32_t)group->members.items[r];
  group->communicator = (uint32_t)chakra->workload->communicators.count;
  tutti_xpush(&chakra->workload->communicators, made);
  return NULL;
}

void tutti_chakra_resolve(struct chakra *chakra)
{
  for (size_t g = 0; g < chakra->groups.count; g++) {
    struct chakra_group *group = &chakra->groups.items[g];
    group->defined = group->members.count > 0;
    group->why = group->users.count > 0 ? resolve(chakra, group) : NULL;
  }
}

void tutti_chakra_free_groups(struct chakra *chakra)
{
  for (size_t g = 0; g < chakra->groups.count; g++) {
    free(chakra->groups.items[g].name);
    tutti_vector_free(&chakra->groups.items[g].members);
    tutti_vector_free(&chakra->groups.items[g].users);
  }
  tutti_vector_free(&chakra->groups);
  tutti_vector_free(&chakra->list);
  tutti_pairs_free(&chakra->group_numbers);
  tutti_pairs_free(&chakra->places);
}
