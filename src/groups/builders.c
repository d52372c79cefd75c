#include "groups/group_protocol.h"

#include <stdio.h>
#include <string.h>

static const tutti_group_builder *const builders[] = {
    &tutti_centralized, &tutti_balance_child, &tutti_balance_leaf, &tutti_hash_none,
    &tutti_hash_child,  &tutti_hash_leaf,     &tutti_chain,
};

enum { BUILDERS = sizeof builders / sizeof builders[0] };

const tutti_group_builder *tutti_group_builder_at(int index)
{
  return index >= 0 && index < BUILDERS ? builders[index] : NULL;
}

const char *tutti_group_builder_name(const tutti_group_builder *builder)
{
  return builder->protocol.name;
}

bool tutti_group_builder_ranks(const tutti_group_builder *builder)
{
  return builder != &tutti_balance_child && builder != &tutti_balance_leaf;
}

bool tutti_group_builder_hashes(const tutti_group_builder *builder)
{
  return builder->hashes;
}

const tutti_group_builder *tutti_group_builder_find(const char *name, tutti_error *error)
{
  char known[256] = "";
  for (int b = 0; b < BUILDERS; b++) {
    if (strcmp(builders[b]->protocol.name, name) == 0)
      return builders[b];
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", b > 0 ? ", " : "", builders[b]->protocol.name);
  }
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown builder '%s': known are %s", name, known);
  return NULL;
}
