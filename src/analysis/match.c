#include "analysis/match.h"

#include <stdlib.h>

/* One end of a message. */
struct end {
  int from, to;
  size_t vertex;
};

struct ends {
  struct end *items;
  size_t count;
};

static struct ends collect(const struct ensemble *e, tutti_kind kind)
{
  struct ends ends = {malloc((e->first[e->size] + 1) * sizeof *ends.items), 0};
  for (int r = 0; ends.items && r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++) {
      const tutti_vertex *v = tutti_ensemble_vertex(e, r, g);
      if (v->kind != kind)
        continue;
      struct end end = kind == TUTTI_SEND ? (struct end){r, v->peer, g} : (struct end){v->peer, r, g};
      ends.items[ends.count++] = end;
    }
  return ends;
}

static int key(const struct end *end, bool by_receiver)
{
  return by_receiver ? end->to : end->from;
}

/* Stable counting sort. `start` has size + 1 entries, `out` room for all. */
static void sort(struct ends *ends, struct end *out, size_t *start, int size, bool by_receiver)
{
  for (int r = 0; r <= size; r++)
    start[r] = 0;
  for (size_t i = 0; i < ends->count; i++)
    start[key(&ends->items[i], by_receiver) + 1]++;
  for (int r = 0; r < size; r++)
    start[r + 1] += start[r];
  for (size_t i = 0; i < ends->count; i++)
    out[start[key(&ends->items[i], by_receiver)]++] = ends->items[i];
  for (size_t i = 0; i < ends->count; i++)
    ends->items[i] = out[i];
}

static int compare(const struct end *send, const struct end *receive)
{
  if (send->to != receive->to)
    return send->to < receive->to ? -1 : 1;
  return (send->from > receive->from) - (send->from < receive->from);
}

static tutti_status unmatched(const struct ensemble *e, const struct end *end, bool is_send, tutti_error *error)
{
  if (is_send)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %zu: its send to rank %d has no receive", end->from,
                      end->vertex - e->first[end->from], end->to);
  return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %zu: its receive from rank %d has no send", end->to,
                    end->vertex - e->first[end->to], end->from);
}

static tutti_status pair(struct ensemble *e, const struct end *send, const struct end *receive, tutti_error *error)
{
  uint64_t sent = tutti_ensemble_vertex(e, send->from, send->vertex)->count;
  uint64_t expected = tutti_ensemble_vertex(e, receive->to, receive->vertex)->count;
  if (sent != expected)
    return tutti_fail(error, TUTTI_ERR_FAULT,
                      "rank %d, vertex %zu sends %llu elements to rank %d, whose vertex %zu receives %llu", send->from,
                      send->vertex - e->first[send->from], (unsigned long long)sent, send->to,
                      receive->vertex - e->first[receive->to], (unsigned long long)expected);
  e->partner[send->vertex] = receive->vertex;
  e->partner[receive->vertex] = send->vertex;
  return TUTTI_OK;
}

/* Both lists are in the order of (receiver, sender, vertex): they must be equal end by end. */
static tutti_status pair_all(struct ensemble *e, const struct ends *sends, const struct ends *receives,
                             tutti_error *error)
{
  size_t common = sends->count < receives->count ? sends->count : receives->count;
  for (size_t i = 0; i < common; i++) {
    int order = compare(&sends->items[i], &receives->items[i]);
    if (order != 0)
      return unmatched(e, order < 0 ? &sends->items[i] : &receives->items[i], order < 0, error);
    tutti_status status = pair(e, &sends->items[i], &receives->items[i], error);
    if (status != TUTTI_OK)
      return status;
  }
  if (sends->count > common)
    return unmatched(e, &sends->items[common], true, error);
  if (receives->count > common)
    return unmatched(e, &receives->items[common], false, error);
  return TUTTI_OK;
}

tutti_status tutti_match(struct ensemble *e, tutti_error *error)
{
  tutti_status status = TUTTI_ERR_MEMORY;
  struct ends sends = collect(e, TUTTI_SEND), receives = collect(e, TUTTI_RECV);
  size_t largest = sends.count > receives.count ? sends.count : receives.count;
  struct end *scratch = malloc((largest + 1) * sizeof *scratch);
  size_t *start = malloc(((size_t)e->size + 1) * sizeof *start);
  if (sends.items && receives.items && scratch && start) {
    sort(&sends, scratch, start, e->size, true); /* collected by sender already */
    sort(&receives, scratch, start, e->size, false);
    sort(&receives, scratch, start, e->size, true);
    status = pair_all(e, &sends, &receives, error);
  } else {
    tutti_fail(error, status, "out of memory while matching messages");
  }
  free(sends.items);
  free(receives.items);
  free(scratch);
  free(start);
  return status;
}
