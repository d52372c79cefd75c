/* Splits one after the other, again within what stands, and many at once. */
#include "bed.h"

enum { AT_ONCE = 5 };

/* ---- making and freeing ---- */

static void begin(struct bed *bed, struct asked *asked, tutti_group *parent)
{
  tutti_error error = {.message = ""};
  if (asked->takes_part)
    must(bed,
         tutti_group_isplit(bed->endpoint, parent, &asked->how, asked->color[bed->view.rank], &asked->group, &error),
         name_of(asked), &error);
}

static void complete(struct bed *bed, struct asked *asked)
{
  tutti_error error = {.message = ""};
  bool done = false;
  if (!asked->takes_part)
    return;
  for (int tries = below(&bed->own, 4); tries > 0 && !done; tries--)
    must(bed, tutti_group_test(asked->group, &done, &error), name_of(asked), &error);
  must(bed, tutti_group_wait(asked->group, &error), name_of(asked), &error);
}

static void finish(struct bed *bed, struct asked *asked)
{
  tutti_error error = {.message = ""};
  must(bed, tutti_group_free(asked->group, &error), "free", &error);
  free(asked->color);
}

/* ---- one after the other, and again within what stands ---- */

static void split_again(struct bed *bed, const struct asked *parent, const tutti_group_builder *builder, int depth)
{
  tutti_error error = {.message = ""};
  struct asked asked = ask_for(bed, builder, 1 + below(&bed->seed, 4), parent->color, 0);
  if (!splits_again(builder)) {
    if (asked.takes_part)
      refused(bed, TUTTI_ERR_UNSUPPORTED,
              tutti_group_isplit(bed->endpoint, parent->group, &asked.how, 0, &asked.group, &error), "a nested chain");
    free(asked.color);
    return;
  }
  begin(bed, &asked, parent->group);
  complete(bed, &asked);
  validate_split(bed, &asked);
  use_split(bed, &asked);
  if (depth > 0)
    split_again(bed, &asked, builder, depth - 1);
  if (asked.takes_part)
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_free(parent->group, &error), "freeing a parent");
  finish(bed, &asked);
}

static void split(struct bed *bed, const tutti_group_builder *builder, int kind)
{
  struct asked asked = ask_for(bed, builder, kind, NULL, 0);
  begin(bed, &asked, NULL);
  complete(bed, &asked);
  validate_split(bed, &asked);
  use_split(bed, &asked);
  split_again(bed, &asked, builder, 1);
  finish(bed, &asked);
  bed->trial++;
}

/* ---- many at once ---- */

static void shuffle(uint64_t *seed, int *order, int count)
{
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = below(seed, i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

/* Some split all processes, some a group that stands; a process that is not in the parent leaves those out. */
static void split_many(struct bed *bed)
{
  struct asked parent = ask_for(bed, any_builder(bed, true), 4, NULL, 0), asked[AT_ONCE];
  int order[AT_ONCE];
  begin(bed, &parent, NULL);
  complete(bed, &parent);
  for (int i = 0; i < AT_ONCE; i++) {
    bool nested = below(&bed->seed, 2);
    asked[i] = ask_for(bed, any_builder(bed, nested), below(&bed->seed, SETS), nested ? parent.color : NULL, 0);
    begin(bed, &asked[i], nested ? parent.group : NULL);
  }
  shuffle(&bed->own, order, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++)
    complete(bed, &asked[order[i]]);
  for (int i = 0; i < AT_ONCE; i++)
    validate_split(bed, &asked[i]);
  for (int i = 0; i < AT_ONCE; i++)
    use_split(bed, &asked[i]);
  for (int i = 0; i < AT_ONCE; i++)
    finish(bed, &asked[order[i]]);
  finish(bed, &parent);
  bed->trial++;
}

void split_all(struct bed *bed, int many)
{
  for (int b = 0; tutti_group_builder_at(b); b++)
    for (int kind = 0; kind < SETS; kind++)
      split(bed, tutti_group_builder_at(b), kind);
  for (int i = 0; i < many; i++)
    split_many(bed);
}
