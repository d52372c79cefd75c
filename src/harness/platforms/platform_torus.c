/* A torus without some of its cables: hosts, cables and the shortest routes over them, where a <cluster> has all. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_plan.h"
#include "harness/platforms/routing.h"

/* To the next host of each dimension; of two hosts in a ring there is one. */
static void list_cables(const struct topology *topology, struct torus_cables *cables)
{
  for (long host = 0; host < topology->hosts; host++)
    for (long d = 0, stride = 1; d < topology->levels; stride *= topology->sizes[d++]) {
      const long size = topology->sizes[d], place = host / stride % size;
      const long next = host + (place + 1 < size ? stride : stride - stride * size);
      if (size > 2 || next > host)
        tutti_xpush(cables, ((struct torus_cable){host, next}));
    }
}

/* "n4" or "4"; -1: neither. */
static long read_host(const char *text, char after, const char **end)
{
  char *stop;
  const char *digits = *text == 'n' ? text + 1 : text;
  const long host = strtol(digits, &stop, 10);
  *end = stop;
  return *digits >= '0' && *digits <= '9' && (*stop == after || (after == ',' && *stop == '\0')) ? host : -1;
}

static tutti_status remove_cable(struct torus_cables *cables, long one, long other, tutti_error *error)
{
  for (size_t i = 0; i < cables->count; i++) {
    const struct torus_cable c = cables->items[i];
    if ((c.from == one && c.to == other) || (c.from == other && c.to == one)) {
      memmove(&cables->items[i], &cables->items[i + 1], (--cables->count - i) * sizeof c);
      return TUTTI_OK;
    }
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "broken links: %ld:%ld: there is no cable between these, or it is named twice", one, other);
}

static tutti_status check_reached(const struct torus_cables *cables, long hosts, tutti_error *error)
{
  bool *reached = tutti_xcalloc((size_t)hosts, sizeof *reached), more = true;
  long count = reached[0] = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < cables->count; i++) {
      const struct torus_cable c = cables->items[i];
      if (reached[c.from] != reached[c.to]) {
        reached[c.from] = reached[c.to] = more = true;
        count++;
      }
    }
  }
  free(reached);
  return count == hosts ? TUTTI_OK
                        : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                     "broken links: %ld of %ld hosts are not reached from host 0 over the others",
                                     hosts - count, hosts);
}

tutti_status tutti_torus_without(const struct machine_plan *plan, struct torus_cables *cables, tutti_error *error)
{
  const struct topology *topology = &plan->topology;
  if (topology->kind != TOPOLOGY_TORUS)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "broken links are those of a torus: in others cables between hosts and switches have no other way");
  if (plan->hosts > NET_MAX_FLOYD)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "broken links: in a torus of up to %d hosts, and this has %ld",
                      NET_MAX_FLOYD, plan->hosts);
  list_cables(topology, cables);
  tutti_status status = TUTTI_OK;
  for (const char *at = plan->machine->broken, *end; status == TUTTI_OK && at; at = *end ? end + 1 : NULL) {
    const long one = read_host(at, ':', &end), other = one < 0 ? -1 : read_host(end + 1, ',', &end);
    if (other < 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "broken links: '%.40s' is no pair of hosts, such as 0:1", at);
    status = remove_cable(cables, one, other, error);
  }
  return status == TUTTI_OK ? check_reached(cables, plan->hosts, error) : status;
}

void tutti_torus_print(const struct machine_plan *plan, const struct torus_cables *cables, FILE *stream)
{
  for (long i = 0; i < plan->hosts; i++)
    fprintf(stream, "    <host id=\"n%ld\" speed=\"%.9gf\" core=\"%d\"/>\n", i, 1 / plan->machine->gamma, plan->ranks);
  for (size_t i = 0; i < cables->count; i++)
    fprintf(stream,
            "    <link id=\"n%ld:n%ld\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"/>\n",
            cables->items[i].from, cables->items[i].to, plan->machine->bandwidth, 1e6 * plan->link);
  if (plan->ranks > 1)
    fprintf(stream, "    <link id=\"loop\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"FATPIPE\"/>\n",
            plan->loopback_bandwidth, 1e6 * plan->loopback_link);
  for (size_t i = 0; i < cables->count; i++) {
    const struct torus_cable c = cables->items[i];
    fprintf(stream, "    <route src=\"n%ld\" dst=\"n%ld\"><link_ctn id=\"n%ld:n%ld\" direction=\"UP\"/></route>\n",
            c.from, c.to, c.from, c.to);
  }
  for (long i = 0; plan->ranks > 1 && i < plan->hosts; i++)
    fprintf(stream, "    <route src=\"n%ld\" dst=\"n%ld\" symmetrical=\"NO\"><link_ctn id=\"loop\"/></route>\n", i, i);
}
