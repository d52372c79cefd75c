/* The cost of computation and of a message-driven runtime in simulated time; nothing on a real machine. */
#include "algorithms/mpi/simulation.h"
#include "base/say.h"

#ifdef SMPI_HELPERS_H

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/version.h>
#include <simgrid/zone.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

/* From SimGrid 4.0 on the outermost zone of the platform file is in a root that SimGrid makes. */
static const char *property_value(const char *property)
{
  const char *text = sg_zone_get_property_value(sg_zone_get_root(), property);
#if SIMGRID_VERSION >= 40000
  int count = 0;
  sg_netzone_t *zones = sg_zone_get_childs(sg_zone_get_root(), &count);
  for (int i = 0; i < count && !text; i++)
    text = sg_zone_get_property_value(zones[i], property);
  free(zones);
#endif
  return text;
}

#ifndef TUTTI_SIMGRID_NONLINEAR

void tutti_contend(const char *(*property)(const char *name))
{
  static const char *const names[] = {"tutti/backbone-contention", "tutti/port-contention", "tutti/messages-a-cable"};
  for (int i = 0; i < 3; i++)
    if (property(names[i])) {
      tutti_say(stderr, "platform: %s needs a Tutti that was built with a C++ compiler\n", names[i]);
      exit(2);
    }
}

#endif

/* Before a program's first message, also one that it sends without Tutti: when smpirun loads it. */
__attribute__((constructor)) static void set_contention(void)
{
  tutti_contend(property_value);
}

/* The command has checked the file: a number above 0. */
static double copy_cost(void)
{
  const char *text = property_value("tutti/copy-cost");
  return text ? strtod(text, NULL) : 1.0;
}

/* Platform files set the speed of a host to 1 / gamma flop/s: reducing one byte is one flop. */
void tutti_charge(tutti_kind kind, uint64_t bytes)
{
  if (kind == TUTTI_REDUCE && bytes > 0)
    smpi_execute_flops_benched((double)bytes);
  else if (kind == TUTTI_COPY && bytes > 0)
    smpi_execute_flops_benched((double)bytes * copy_cost());
}

/* The command has checked it, too. */
static double receive_gap(void)
{
  const char *text = property_value("tutti/receive-gap-s");
  return text ? strtod(text, NULL) : 0.0;
}

bool tutti_has_receive_gap(void)
{
  return receive_gap() > 0;
}

/* Computed as the engine does. */
void tutti_keep_receive_gap(double *next)
{
  const double gap = receive_gap();
  if (gap == 0)
    return;
  const double now = simgrid_get_clock(), rest = *next > now ? *next - now : 0;
  *next = now + rest + gap;
  tutti_runtime_pause(rest);
}

void tutti_touch_fresh(uint64_t bytes)
{
  const char *text = bytes > 0 ? property_value("tutti/first-touch-s") : NULL;
  if (text)
    tutti_runtime_pause((double)bytes * strtod(text, NULL));
}

static tutti_status read_time(const char *property, double *seconds, tutti_error *error)
{
  const char *text = property_value(property);
  char *end;
  *seconds = 0;
  if (!text)
    return TUTTI_OK;
  *seconds = strtod(text, &end);
  if (end == text || *end != '\0' || !(*seconds >= 0 && *seconds < 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "platform: %s is '%s', not a time of 0 to 1 seconds", property, text);
  return TUTTI_OK;
}

tutti_status tutti_runtime_cost_read(struct runtime_cost *cost, tutti_error *error)
{
  const struct {
    const char *property;
    double *seconds;
  } costs[] = {{"tutti/actor-start-s", &cost->start},     {"tutti/actor-send-s", &cost->send},
               {"tutti/actor-receive-s", &cost->receive}, {"tutti/actor-byte-s", &cost->byte},
               {"tutti/actor-entry-s", &cost->entry},     {"tutti/actor-candidate-s", &cost->candidate}};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sizeof costs / sizeof *costs && status == TUTTI_OK; i++)
    status = read_time(costs[i].property, costs[i].seconds, error);
  return status;
}

/* A sleep, not an execution: five times cheaper to simulate, and the other ranks of a node do not matter to it as long
   as the platform does not limit the concurrency of processors, which it may with one rank a host only. */
void tutti_runtime_pause(double seconds)
{
  if (seconds > 0)
    sg_actor_sleep_for(seconds);
}

#else

void tutti_touch_fresh(uint64_t bytes)
{
  (void)bytes;
}

bool tutti_has_receive_gap(void)
{
  return false;
}

void tutti_keep_receive_gap(double *next)
{
  (void)next;
}

void tutti_charge(tutti_kind kind, uint64_t bytes)
{
  (void)kind;
  (void)bytes;
}

tutti_status tutti_runtime_cost_read(struct runtime_cost *cost, tutti_error *error)
{
  (void)error;
  *cost = (struct runtime_cost){0};
  return TUTTI_OK;
}

void tutti_runtime_pause(double seconds)
{
  (void)seconds;
}

#endif
