/* The deterministic assignment: small pieces are combined on their way (assignment.h). */
#include <string.h>

#include "sort/task.h"

/* ---- up ---- */

/* The own pieces that are passed up lie beside each other: they are the first side, the second, or all. */
static struct sort_side pass_own(struct task *task)
{
  struct sort_side up = {task->parted, 0, 0};
  for (int s = SIDES - 1; s >= 0; s--) {
    struct sort_side *side = &task->sides[s];
    if (side->count == 0 || side->count >= task->combining.threshold)
      continue;
    up.data = side->data;
    up.count += side->count;
    side->count = 0;
  }
  return up;
}

static tutti_status receive_child(struct task *task, int child, const struct sort_side *own)
{
  struct sort *sort = task->sort;
  struct combining *c = &task->combining;
  uint64_t most = 2 * (c->threshold - 1);
  c->come[child] = tutti_sort_room(sort, most);
  if (!c->come[child])
    return TUTTI_ERR_MEMORY;
  if (c->node.children[child] == task->view.rank) { /* as a leaf */
    memcpy(c->come[child], own->data, (size_t)(own->count * sort->type->size));
    c->counts[child] = own->count;
    return TUTTI_OK;
  }
  task->received++;
  return tutti_irecv(c->come[child], most * sort->type->size, MPI_BYTE, c->node.children[child],
                     sort_tag(&task->view, TAG_COMBINE), &task->view, &task->awaited[child], sort->error);
}

tutti_status tutti_sort_combine_begin(struct task *task)
{
  struct combining *c = &task->combining;
  tutti_status status = TUTTI_OK;
  task->step = STEP_COMBINE;
  c->node = tutti_sort_node(task->view.size, task->view.rank);
  struct sort_side own = pass_own(task);
  for (int child = 0; child < 2 && c->node.inner && status == TUTTI_OK; child++)
    status = receive_child(task, child, &own);
  if (status == TUTTI_OK && c->node.leaf_parent != task->view.rank)
    status = tutti_sort_send(task, own.data, own.count, c->node.leaf_parent, TAG_COMBINE);
  return status;
}

/* ---- at an inner node ---- */

/* Elements from a child: small ones first. */
static uint64_t count_small(const struct task *task, int child)
{
  const struct combining *c = &task->combining;
  uint64_t count = 0;
  while (count < c->counts[child] && tutti_sort_is_small(task, sort_at(task->sort->type, c->come[child], count)))
    count++;
  return count;
}

static uint64_t append(const struct task *task, char *to, uint64_t at, const char *from, uint64_t count)
{
  const tutti_sort_type *type = task->sort->type;
  memcpy(sort_at(type, to, at), from, (size_t)(count * type->size));
  return at + count;
}

/* Elements of a side from both children behind what is in `to`. */
static uint64_t append_side(const struct task *task, char *to, uint64_t at, int side, const uint64_t *small)
{
  const struct combining *c = &task->combining;
  for (int child = 0; child < 2; child++) {
    uint64_t first = side == SMALL ? 0 : small[child];
    uint64_t count = side == SMALL ? small[child] : c->counts[child] - small[child];
    at = append(task, to, at, sort_at(task->sort->type, c->come[child], first), count);
  }
  return at;
}

/* Sort out what is kept, behind the own elements of its side, and what goes on. */
static uint64_t sort_out(struct task *task, const uint64_t *small)
{
  struct combining *c = &task->combining;
  uint64_t sums[SIDES] = {small[0] + small[1], c->counts[0] + c->counts[1] - small[0] - small[1]};
  uint64_t up = 0, kept = 0;
  for (int s = 0; s < SIDES; s++) {
    struct sort_side *side = &task->sides[s];
    uint64_t first = kept;
    kept = append(task, c->kept, kept, side->data, side->count);
    if (tutti_sort_keeps(&c->node, c->threshold, sums[s]))
      kept = append_side(task, c->kept, kept, s, small);
    else
      up = append_side(task, c->up, up, s, small);
    side->data = sort_at(task->sort->type, c->kept, first);
    side->count = kept - first;
  }
  return up;
}

tutti_status tutti_sort_combine_next(struct task *task)
{
  struct combining *c = &task->combining;
  if (!c->node.inner)
    return TUTTI_OK;
  uint64_t come = c->counts[0] + c->counts[1];
  uint64_t small[2] = {count_small(task, 0), count_small(task, 1)};
  c->up = tutti_sort_room(task->sort, come);
  c->kept = tutti_sort_room(task->sort, come + task->own.count);
  if (!c->up || !c->kept)
    return TUTTI_ERR_MEMORY;
  uint64_t up = sort_out(task, small);
  tutti_sort_charge(task->sort, come);
  return c->node.parent < 0 ? TUTTI_OK : tutti_sort_send(task, c->up, up, c->node.parent, TAG_COMBINE);
}
