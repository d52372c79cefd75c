/* Operations that wait for each other, as text formats have them. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix64.h"
#include "harness/engine/trace/workload_read.h"

uint32_t tutti_graph_add(struct workload_graph *graph, struct workload_op op)
{
  tutti_xpush(&graph->ops, op);
  return (uint32_t)graph->ops.count - 1;
}

void tutti_graph_order(struct workload_graph *graph, uint32_t before, uint32_t after, bool posted)
{
  tutti_xpush(&graph->edges, (struct workload_edge){before, after, posted});
}

void tutti_graph_end_segment(struct workload_graph *graph)
{
  if (graph->ops.count > workload_segment_begin(graph, graph->segments.count).ops)
    tutti_xpush(&graph->segments, (struct workload_segment){graph->ops.count, graph->edges.count});
}

/* ---- one after the other ---- */

uint32_t tutti_writer_add(struct workload_writer *writer, struct workload_op op)
{
  const uint32_t added = tutti_graph_add(writer->graph, op);
  if (writer->before != WORKLOAD_UNKNOWN)
    tutti_graph_order(writer->graph, writer->before, added, writer->posted);
  writer->before = added;
  writer->posted = false;
  return added;
}

void tutti_writer_work(struct workload_writer *writer, uint64_t nanoseconds)
{
  if (nanoseconds > 0)
    (void)tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_WORK, .amount = nanoseconds});
}

void tutti_writer_start(struct workload_writer *writer, struct workload_op op, uint64_t request)
{
  tutti_xpush(&writer->requests, (struct workload_request){.number = request, .op = tutti_writer_add(writer, op)});
  writer->posted = true;
}

void tutti_writer_wait(struct workload_writer *writer, size_t place, uint32_t end)
{
  tutti_graph_order(writer->graph, writer->requests.items[place].op, end, false);
  writer->requests.items[place] = writer->requests.items[--writer->requests.count];
}

void tutti_writer_end(struct workload_writer *writer)
{
  if (writer->requests.count > 0)
    return;
  tutti_graph_end_segment(writer->graph);
  writer->before = WORKLOAD_UNKNOWN;
}

/* ---- circles (Kahn 1962) ---- */

struct workload_order tutti_graph_order_of(const struct workload_graph *graph)
{
  const size_t ops = graph->ops.count, edges = graph->edges.count;
  struct workload_order order = {tutti_xcalloc(ops + 1, sizeof *order.pending),
                                 tutti_xcalloc(ops + 2, sizeof *order.first),
                                 tutti_xcalloc(edges + 1, sizeof *order.edges)};
  for (size_t e = 0; e < edges; e++)
    order.first[graph->edges.items[e].before + 2]++;
  for (size_t o = 2; o < ops + 2; o++)
    order.first[o] += order.first[o - 1];
  for (size_t e = 0; e < edges; e++) {
    order.edges[order.first[graph->edges.items[e].before + 1]++] = (uint32_t)e;
    order.pending[graph->edges.items[e].after]++;
  }
  return order;
}

void tutti_order_free(struct workload_order *order)
{
  free(order->pending);
  free(order->first);
  free(order->edges);
}

bool tutti_graph_is_acyclic(const struct workload_graph *graph)
{
  struct workload_order order = tutti_graph_order_of(graph);
  const size_t ops = graph->ops.count;
  uint32_t *ready = tutti_xcalloc(ops + 1, sizeof *ready);
  size_t done = 0, found = 0;
  for (size_t o = 0; o < ops; o++)
    if (order.pending[o] == 0)
      ready[found++] = (uint32_t)o;
  for (; done < found; done++)
    for (uint32_t e = order.first[ready[done]]; e < order.first[ready[done] + 1]; e++)
      if (--order.pending[graph->edges.items[order.edges[e]].after] == 0)
        ready[found++] = graph->edges.items[order.edges[e]].after;
  free(ready);
  tutti_order_free(&order);
  return found == ops;
}

/* ---- pairs ---- */

static struct workload_pair *find(const struct workload_pairs *pairs, uint64_t first, uint64_t second)
{
  uint32_t place = (uint32_t)tutti_splitmix64(first ^ tutti_splitmix64(second)) & (pairs->capacity - 1);
  while (pairs->slots[place].number && (pairs->slots[place].first != first || pairs->slots[place].second != second))
    place = (place + 1) & (pairs->capacity - 1);
  return &pairs->slots[place];
}

static void grow(struct workload_pairs *pairs)
{
  const struct workload_pairs old = *pairs;
  pairs->capacity = old.capacity ? 2 * old.capacity : 64;
  pairs->slots = tutti_xcalloc(pairs->capacity, sizeof *pairs->slots);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.slots[i].number)
      *find(pairs, old.slots[i].first, old.slots[i].second) = old.slots[i];
  free(old.slots);
}

uint32_t *tutti_pair_number(struct workload_pairs *pairs, uint64_t first, uint64_t second)
{
  if (2 * (pairs->used + 1) > pairs->capacity)
    grow(pairs);
  struct workload_pair *pair = find(pairs, first, second);
  if (pair->number == 0) {
    pair->first = first;
    pair->second = second;
    pairs->used++;
  }
  return &pair->number;
}

uint32_t *tutti_pair_find(const struct workload_pairs *pairs, uint64_t first, uint64_t second)
{
  struct workload_pair *pair = pairs->capacity ? find(pairs, first, second) : NULL;
  return pair && pair->number ? &pair->number : NULL;
}

void tutti_pairs_free(struct workload_pairs *pairs)
{
  free(pairs->slots);
  *pairs = (struct workload_pairs){.slots = NULL};
}

uint32_t tutti_channel_of(struct workload_pairs *channels, uint64_t communicator, uint64_t tag)
{
  uint32_t *number = tutti_pair_number(channels, communicator, tag);
  if (*number == 0)
    *number = channels->used;
  return *number;
}

void tutti_writer_both(struct workload_writer *writer, struct workload_op out, struct workload_op in)
{
  tutti_writer_start(writer, in, UINT64_MAX);
  (void)tutti_writer_add(writer, out);
  const uint32_t end = tutti_writer_add(writer, (struct workload_op){.kind = WORKLOAD_WORK});
  tutti_writer_wait(writer, writer->requests.count - 1, end);
  tutti_writer_end(writer);
}
