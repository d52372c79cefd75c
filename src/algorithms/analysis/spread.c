/* Spreading at the highest speed: the broadcast tree of LogP (Karp, Sahay, Santos, Schauser 1993). */
#include <stdlib.h>

#include "tutti/certificate.h"

/* A heap of the next arrivals, one for each node that has something to send. */
static void sink(double *heap, int count, int place)
{
  const double value = heap[place];
  for (int child; (child = 2 * place + 1) < count; place = child) {
    child += child + 1 < count && heap[child + 1] < heap[child];
    if (heap[child] >= value)
      break;
    heap[place] = heap[child];
  }
  heap[place] = value;
}

static void rise(double *heap, int place, double value)
{
  for (; place > 0 && heap[(place - 1) / 2] > value; place = (place - 1) / 2)
    heap[place] = heap[(place - 1) / 2];
  heap[place] = value;
}

void tutti_spread_times(tutti_spread spread, int nodes, double *times)
{
  const double message = spread.base + spread.gap;
  double *heap = spread.gap > 0 ? malloc((size_t)nodes * sizeof *heap) : NULL;
  times[0] = 0;
  for (int i = 1; i < nodes; i++) /* without memory a bound is lower, and still one */
    times[i] = message;
  if (!heap)
    return;
  heap[0] = message;
  for (int have = 1; have < nodes; have++) {
    times[have] = heap[0];
    heap[0] += spread.gap;
    sink(heap, have, 0);
    rise(heap, have, times[have] + message);
  }
  free(heap);
}

double tutti_spread_time(tutti_spread spread, int nodes)
{
  double *times = malloc((size_t)nodes * sizeof *times);
  if (!times)
    return nodes > 1 ? spread.base + spread.gap : 0;
  tutti_spread_times(spread, nodes, times);
  const double last = times[nodes - 1];
  free(times);
  return last;
}
