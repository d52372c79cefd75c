/* Methods of Fugaku's own network interface that send on several of its ports (NAME-UTOFU-SEGMENT-PORTS of PICO). They
   have no schedule; what is known of them is the method on one port. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/calibrate/evidence_rows.h"

/* What a port more adds, as a share of the time of the smallest messages: each part of a message is sent by itself.
   Seen on 2 x 2 x 2 nodes: 0.85 with 3 ports, 0.65 with 6. */
static const double PORT_SHARE = 0.7;

/* Of NAME-UTOFU-SEGMENT-PORTS; 1 of others. */
static int count_ports(const char *name)
{
  const int ports = strstr(name, "-UTOFU-") ? atoi(strrchr(name, '-') + 1) : 1;
  return ports > 1 ? ports : 1;
}

/* The neighbours of a node of a torus "8x8x2": two in each direction, one where the other is the same. */
static int count_neighbours(const char *nodes)
{
  int count = 0;
  for (const char *side = nodes; side; side = strchr(side, 'x') ? strchr(side, 'x') + 1 : NULL)
    count += atoi(side) > 2 ? 2 : atoi(side) - 1;
  return count > 1 ? count : 1;
}

static bool is_of_job(const struct call_row *row, const struct call_row *one)
{
  return row->ranks == one->ranks && row->collective == one->collective && !isnan(row->simulated) &&
         strcmp(row->name, one->name) == 0 && strcmp(row->nodes, one->nodes) == 0 && strcmp(row->run, one->run) == 0;
}

double tutti_evidence_ports_longer(const struct evidence_rows *rows, const struct call_row *call,
                                   const struct call_row *one)
{
  const int ports = count_ports(call->name), neighbours = count_neighbours(call->nodes);
  const double bytes = (double)one->bytes / (ports < neighbours ? ports : neighbours);
  const struct call_row *below = NULL, *above = one, *least = one;
  if (ports == 1)
    return 0;
  for (size_t i = 0; i < rows->count; i++) {
    const struct call_row *row = &rows->items[i].call;
    if (row->bytes > one->bytes || !is_of_job(row, one))
      continue;
    if (row->bytes < least->bytes)
      least = row;
    if ((double)row->bytes <= bytes && (!below || row->bytes > below->bytes))
      below = row;
    if ((double)row->bytes > bytes && row->bytes < above->bytes)
      above = row;
  }
  const struct call_row *from = below ? below : least;
  const double share =
      below && above->bytes > below->bytes ? (bytes - (double)below->bytes) / (double)(above->bytes - below->bytes) : 0;
  const double part = from->simulated + share * (above->simulated - from->simulated);
  return log((part + (ports - 1) * PORT_SHARE * least->simulated) / one->simulated);
}
