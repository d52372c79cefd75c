/* Base cases: tasks of one or two processes (section VII). */
#include <stdlib.h>
#include <string.h>

#include "sort/janus.h"

/* Where places of this process lie in its output. */
static char *output_of(const struct janus *janus, const struct base *base)
{
  struct sort_interval share = tutti_sort_share(&janus->places, base->all, janus->sort->view.rank);
  return sort_at(janus->sort->type, janus->output, share.low - janus->own.low);
}

static uint64_t share_of(const struct janus *janus, const struct base *base, int process)
{
  return sort_length(tutti_sort_share(&janus->places, base->all, process));
}

tutti_status tutti_sort_put_aside(struct janus *janus, struct sort_interval all, int first, int members,
                                  struct sort_elements *own)
{
  struct base *base = calloc(1, sizeof *base);
  if (!base)
    return tutti_fail(janus->sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for a base case",
                      janus->sort->view.rank);
  *base = (struct base){.next = janus->bases, .all = all, .first = first, .members = members, .own = *own};
  *own = (struct sort_elements){NULL, 0};
  janus->bases = base;
  return TUTTI_OK;
}

/* ---- two processes ---- */

/* Number of elements that the first of two processes has. */
static uint64_t count_of_first(const struct janus *janus, const struct base *base)
{
  bool first = janus->sort->view.rank == base->first;
  return first ? base->own.count : sort_length(base->all) - base->own.count;
}

/* Each sends all it has to the other; both then have the same elements in the same order. */
static tutti_status swap(struct janus *janus, struct base *base)
{
  struct sort *sort = janus->sort;
  bool first = sort->view.rank == base->first;
  int partner = first ? base->first + 1 : base->first, tag = sort_tag(&sort->view, TAG_PAIR);
  uint64_t boundary = count_of_first(janus, base), others = sort_length(base->all) - base->own.count;
  uint64_t bytes = base->own.count * sort->type->size;
  tutti_status status = TUTTI_OK;
  base->together = tutti_sort_room(sort, sort_length(base->all));
  if (!base->together)
    return TUTTI_ERR_MEMORY;
  if (others > 0)
    status = tutti_irecv(sort_at(sort->type, base->together, first ? boundary : 0), others * sort->type->size, MPI_BYTE,
                         partner, tag, &sort->view, &base->requests[0], sort->error);
  if (status == TUTTI_OK && base->own.count > 0)
    status = tutti_isend(base->own.data, bytes, MPI_BYTE, partner, tag, &sort->view, &base->requests[1], sort->error);
  memcpy(sort_at(sort->type, base->together, first ? 0 : boundary), base->own.data, (size_t)bytes);
  sort->tally.received += others > 0;
  sort->tally.sent += base->own.count > 0;
  sort->tally.sent_bytes += bytes;
  return status;
}

/* Of the same elements in the same order both choose the same ones. */
static tutti_status choose(struct janus *janus, struct base *base)
{
  const struct sort *sort = janus->sort;
  uint64_t small = share_of(janus, base, base->first), all = sort_length(base->all);
  bool first = sort->view.rank == base->first;
  tutti_status status = tutti_waitall(2, base->requests, sort->error);
  if (status != TUTTI_OK)
    return status;
  tutti_sort_select(sort->type, base->together, all, small);
  tutti_sort_charge(sort, all);
  uint64_t count = first ? small : all - small;
  memcpy(output_of(janus, base), sort_at(sort->type, base->together, first ? 0 : small),
         (size_t)(count * sort->type->size));
  return TUTTI_OK;
}

/* ---- all ---- */

static tutti_status finish(struct janus *janus, struct base *base)
{
  const struct sort *sort = janus->sort;
  tutti_status status = TUTTI_OK;
  if (base->members == 1)
    memcpy(output_of(janus, base), base->own.data, (size_t)(base->own.count * sort->type->size));
  else
    status = choose(janus, base);
  if (status == TUTTI_OK)
    tutti_sort_locally(sort, output_of(janus, base), share_of(janus, base, sort->view.rank));
  return status;
}

tutti_status tutti_sort_bases(struct janus *janus)
{
  tutti_status status = TUTTI_OK;
  for (struct base *base = janus->bases; base && status == TUTTI_OK; base = base->next)
    if (base->members == 2)
      status = swap(janus, base);
  while (janus->bases && status == TUTTI_OK) {
    struct base *base = janus->bases;
    status = finish(janus, base);
    if (status != TUTTI_OK)
      return status;
    janus->bases = base->next;
    free(base->own.data);
    free(base->together);
    free(base);
  }
  return status;
}
