/* Messages of a task, the exchange that sends its elements to the owners of their places, and in the deterministic
   assignment small pieces that are combined on their way (assignment.h). */
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/elements.h"
#include "groups/sort/task.h"

static tutti_status no_memory(const struct task *task, size_t count, const char *what)
{
  return tutti_fail(task->sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for %zu %s", task->sort->view.rank, count,
                    what);
}

/* Begin to send `count` elements; waited for at the end of the task. */
static tutti_status send(struct task *task, const char *data, uint64_t count, int rank, int tag)
{
  uint64_t bytes = count * task->sort->type->size;
  if (!tutti_vector_reserve(&task->sends, 1))
    return no_memory(task, task->sends.count + 1, "messages");
  tutti_status status = tutti_isend(data, bytes, MPI_BYTE, rank, sort_tag(&task->view, tag), &task->view,
                                    &task->sends.items[task->sends.count], task->sort->error);
  if (status != TUTTI_OK)
    return status;
  task->sends.count++;
  task->sent++;
  task->sort->tally.sent_bytes += bytes;
  return TUTTI_OK;
}

uint64_t tutti_sort_received(const struct task *task, const MPI_Status *status)
{
  uint64_t bytes = 0;
  (void)tutti_status_bytes(status, &bytes);
  return bytes / task->sort->type->size;
}

/* ---- the exchange of a task: elements go to the owners of their places ---- */

/* ---- arrivals ---- */

static tutti_status note(struct task *task, int side, int source, uint64_t count)
{
  struct arrivals *a = &task->arrivals;
  if (!tutti_vector_push(&a->list, (struct arrival){side, source, a->count, count}))
    return no_memory(task, a->list.count + 1, "arrivals");
  a->count += count;
  return TUTTI_OK;
}

static int tag_for(int receiver)
{
  return receiver == 0 ? TAG_TO_FIRST : TAG_TO_OTHERS;
}

/* One receive at a time, as long as more is to come: the number of messages that bring it is unknown. Its room is all
   that is left, which no message exceeds. */
static tutti_status receive(struct task *task)
{
  const tutti_sort_type *type = task->sort->type;
  struct arrivals *a = &task->arrivals;
  if (a->count == a->wanted)
    return TUTTI_OK;
  return tutti_irecv_exclusive(sort_at(type, a->data, a->count), (a->wanted - a->count) * type->size, MPI_BYTE,
                               sort_tag(&task->view, tag_for(task->view.rank)), &task->view, &task->awaited[0],
                               task->sort->error);
}

tutti_status tutti_sort_exchange_take(struct task *task, const MPI_Status *status)
{
  const char *data = sort_at(task->sort->type, task->arrivals.data, task->arrivals.count);
  uint64_t count = tutti_sort_received(task, status);
  if (count == 0 || count > task->arrivals.wanted - task->arrivals.count)
    return tutti_fail(task->sort->error, TUTTI_ERR_FAULT, "rank %d: %llu elements from rank %d of a group of %d",
                      task->sort->view.rank, (unsigned long long)count, status->MPI_SOURCE, task->view.size);
  task->received++;
  tutti_status noted = note(task, tutti_sort_is_small(task, data) ? SMALL : LARGE, status->MPI_SOURCE, count);
  return noted == TUTTI_OK ? receive(task) : noted;
}

/* ---- sending ---- */

static tutti_status send_elements(struct task *task, int side, int rank, const char *data, uint64_t count)
{
  const tutti_sort_type *type = task->sort->type;
  struct arrivals *a = &task->arrivals;
  if (rank != task->view.rank)
    return send(task, data, count, rank, tag_for(rank));
  memcpy(sort_at(type, a->data, a->count), data, (size_t)(count * type->size));
  return note(task, side, rank, count);
}

/* The places of the own elements of a side follow from those in front: greedily filled. */
static tutti_status send_side(struct task *task, int side)
{
  const struct sort_side *own = &task->sides[side];
  uint64_t low = tutti_sort_side_of(task, side).low + own->prefix, done = 0;
  struct sort_interval rest = {low, low + own->count};
  tutti_status status = TUTTI_OK;
  while (sort_length(rest) > 0 && status == TUTTI_OK) {
    int owner;
    struct sort_interval piece = tutti_sort_next_piece(task->places, &rest, &owner);
    status =
        send_elements(task, side, owner - task->first, sort_at(task->sort->type, own->data, done), sort_length(piece));
    done += sort_length(piece);
  }
  return status;
}

/* The part of the own share that is on a side. */
static uint64_t share_of(const struct task *task, int side)
{
  return sort_length(tutti_sort_share(task->places, tutti_sort_side_of(task, side), task->first + task->view.rank));
}

tutti_status tutti_sort_exchange_begin(struct task *task)
{
  struct arrivals *a = &task->arrivals;
  task->step = STEP_EXCHANGE;
  a->wanted = share_of(task, SMALL) + share_of(task, LARGE);
  a->data = tutti_sort_room(task->sort, a->wanted);
  if (!a->data)
    return TUTTI_ERR_MEMORY;
  tutti_status status = send_side(task, SMALL);
  if (status == TUTTI_OK)
    status = send_side(task, LARGE);
  return status == TUTTI_OK ? receive(task) : status;
}

/* ---- the end ---- */

static int by_side_and_source(const void *left, const void *right)
{
  const struct arrival *l = left, *r = right;
  return l->side != r->side ? l->side - r->side : l->source - r->source;
}

/* Order of sources, which is independent of the order of arrivals. */
static tutti_status put_in_order(struct task *task)
{
  const tutti_sort_type *type = task->sort->type;
  struct arrivals *a = &task->arrivals;
  tutti_vector_sort(&a->list, by_side_and_source);
  const uint64_t room[SIDES] = {share_of(task, SMALL), share_of(task, LARGE)};
  for (int side = 0; side < SIDES; side++)
    if (!(task->parts[side].data = tutti_sort_room(task->sort, room[side])))
      return TUTTI_ERR_MEMORY;
  for (size_t i = 0; i < a->list.count; i++) {
    const struct arrival *arrival = &a->list.items[i];
    struct sort_elements *part = &task->parts[arrival->side];
    if (part->count + arrival->count > room[arrival->side])
      return tutti_fail(task->sort->error, TUTTI_ERR_FAULT, "rank %d: too many elements on a side of a group of %d",
                        task->sort->view.rank, task->view.size);
    memcpy(sort_at(type, part->data, part->count), sort_at(type, a->data, arrival->first),
           (size_t)(arrival->count * type->size));
    part->count += arrival->count;
  }
  return TUTTI_OK;
}

static void add_to_tally(const struct task *task)
{
  tutti_sort_tally *tally = &task->sort->tally;
  tally->sent += (uint64_t)task->sent;
  tally->received += (uint64_t)task->received;
  if (task->sent > tally->max_sent)
    tally->max_sent = task->sent;
  if (task->received > tally->max_received)
    tally->max_received = task->received;
}

tutti_status tutti_sort_exchange_end(struct task *task)
{
  task->step = STEP_OVER;
  add_to_tally(task);
  return put_in_order(task);
}

/* ---- the deterministic assignment ---- */

/* ---- up ---- */

/* The own pieces that are passed up are contiguous: the first side, the second, or all. */
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
    status = send(task, own.data, own.count, c->node.leaf_parent, TAG_COMBINE);
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

/* Append elements of a side from both children to those in `to`. */
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

/* Separate the elements that are kept, after the own elements of its side, from those that are passed on. */
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
  return c->node.parent < 0 ? TUTTI_OK : send(task, c->up, up, c->node.parent, TAG_COMBINE);
}
