/* Calls of DUMPI about requests: persistent ones, waiting and tests. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_dumpi.h"

/* Item `at` of "[1, 2, 3]". */
static bool item_of(const char *text, uint64_t at, uint64_t *number)
{
  for (; at > 0 && text; at--) {
    text = strchr(text, ',');
    text = text ? text + 1 + strspn(text + 1, " ") : NULL;
  }
  return text && tutti_dumpi_number(text, number);
}

static void wait_for(struct trace_lines *trace, uint64_t request, double *from, double to)
{
  char *field = tutti_xprintf("%llu", (unsigned long long)request);
  tutti_dumpi_take(trace, "MPI_Wait", &field, 1, *from, to);
  *from = to;
  free(field);
}

void tutti_dumpi_keep(struct trace_lines *trace, const struct arguments *call)
{
  struct dumpi *dumpi = trace->dumpi;
  struct persistent persistent = {.name = call->as};
  uint64_t request;
  if (!tutti_dumpi_number(tutti_dumpi_value(dumpi, "request"), &request))
    return;
  (void)tutti_dumpi_compose(trace, call->arguments, persistent.fields);
  tutti_xpush(&dumpi->persistent, persistent);
  *tutti_pair_number(&dumpi->kept, request, 0) = (uint32_t)dumpi->persistent.count;
}

static void start(struct trace_lines *trace, uint64_t request, double *from, double to)
{
  const struct dumpi *dumpi = trace->dumpi;
  const uint32_t *place = tutti_pair_find(&dumpi->kept, request, 0);
  if (!place) {
    tutti_lines_pass(trace, "a start of a request that is not known", "%llu", (unsigned long long)request);
    return;
  }
  const struct persistent *persistent = &dumpi->persistent.items[*place - 1];
  char *fields[7];
  memcpy(fields, persistent->fields, sizeof persistent->fields);
  fields[6] = tutti_xprintf("%llu", (unsigned long long)request);
  tutti_dumpi_take(trace, persistent->name, fields, 7, *from, to);
  free(fields[6]);
  *from = to;
}

/* For each request of the call, or for those at the places of `indices`. */
static void each_request(struct trace_lines *trace, const char *indices,
                         void (*visit)(struct trace_lines *trace, uint64_t request, double *from, double to), double to)
{
  const char *requests = tutti_dumpi_value(trace->dumpi, "requests");
  const char *next = indices ? indices : requests;
  double from = trace->dumpi->from;
  uint64_t number;
  for (; next && tutti_dumpi_number(next, &number);
       next = strchr(next, ',') ? strchr(next, ',') + 1 + strspn(strchr(next, ',') + 1, " ") : NULL)
    if (!indices || item_of(requests, number, &number))
      visit(trace, number, &from, to);
}

static bool is_set(const struct dumpi *dumpi, const char *flag)
{
  uint64_t set;
  return tutti_dumpi_number(tutti_dumpi_value(dumpi, flag), &set) && set > 0;
}

bool tutti_dumpi_read_request(struct trace_lines *trace, double to)
{
  const struct dumpi *dumpi = trace->dumpi;
  const char *name = dumpi->name;
  const bool tests = strncmp(name, "MPI_Test", 8) == 0;
  double from = dumpi->from;
  uint64_t request;
  if (tests && strcmp(name, "MPI_Testsome") != 0 && !is_set(dumpi, "flag"))
    return true;
  if (strcmp(name, "MPI_Start") == 0 || strcmp(name, "MPI_Wait") == 0 || strcmp(name, "MPI_Test") == 0) {
    if (tutti_dumpi_number(tutti_dumpi_value(dumpi, "request"), &request))
      (strcmp(name, "MPI_Start") == 0 ? start : wait_for)(trace, request, &from, to);
    return true;
  }
  if (strcmp(name, "MPI_Startall") == 0)
    return each_request(trace, NULL, start, to), true;
  if (strcmp(name, "MPI_Waitall") == 0 || strcmp(name, "MPI_Testall") == 0)
    return each_request(trace, NULL, wait_for, to), true;
  if (strcmp(name, "MPI_Waitany") == 0 || strcmp(name, "MPI_Testany") == 0)
    return each_request(trace, tutti_dumpi_value(dumpi, "index"), wait_for, to), true;
  if (strcmp(name, "MPI_Waitsome") == 0 || strcmp(name, "MPI_Testsome") == 0)
    return each_request(trace, tutti_dumpi_value(dumpi, "indices"), wait_for, to), true;
  return false;
}
