#include "harness/measure/sort/sort_check.h"

#include <math.h>
#include <stdbool.h>

#include "tutti/collectives.h"

/* ---- on one process ---- */

enum fault { FAULT_NONE, FAULT_ORDER, FAULT_BETWEEN, FAULT_PLACES, FAULT_ELEMENTS };

static const char *const fault_names[] = {
    [FAULT_ORDER] = "elements are not in order",
    [FAULT_BETWEEN] = "the first element comes before one of a lower rank",
    [FAULT_PLACES] = "not as many elements as the process has places",
    [FAULT_ELEMENTS] = "the elements are not those of the input",
};

static uint64_t key_at(const struct sorted *s, uint64_t index)
{
  size_t bytes = sort_kind_type((enum sort_kind)s->point->kind).size;
  return sort_key_of((enum sort_kind)s->point->kind, (const char *)s->output + index * bytes);
}

static bool is_ascending(const struct sorted *s)
{
  for (uint64_t i = 1; i < s->output_count; i++)
    if (key_at(s, i - 1) > key_at(s, i))
      return false;
  return true;
}

static tutti_method method_of(tutti_collective collective, const char *name)
{
  return tutti_method_default(tutti_algorithm_find(collective, name));
}

/* The largest key of the previous processes, or 0. */
static tutti_status find_before(const tutti_view *view, const struct sorted *s, uint64_t *before, tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_EXSCAN, "binomial");
  uint64_t own = s->output_count > 0 ? key_at(s, s->output_count - 1) : 0;
  *before = 0;
  return tutti_exscan(&method, &own, before, 1, MPI_UINT64_T, MPI_MAX, view, error);
}

/* ---- on all ---- */

enum { SUM_INPUT, SUM_ELEMENTS, SUM_PRINT, SUM_MESSAGES, SUM_BYTES, SUMS };

/* Largest values, exact as they are below 2^53. A fault is 2^32 times its number, plus the rank. */
enum { MAX_FAULT, MAX_LEVELS, MAX_JANUS, MAX_GROUPS, MAX_SENT, MAX_RECEIVED, MAX_ELEMENTS, MAX_LEAST, MAX_END, MAXIMA };

static tutti_status add_up(const tutti_view *view, const struct sorted *s, uint64_t sums[SUMS], tutti_error *error)
{
  enum sort_kind kind = (enum sort_kind)s->point->kind;
  tutti_method method = method_of(TUTTI_COLL_ALLREDUCE, "recursive-doubling");
  const uint64_t own[SUMS] = {[SUM_INPUT] = s->input_count,
                              [SUM_ELEMENTS] = s->output_count,
                              [SUM_PRINT] = sort_fingerprint(kind, s->input, s->input_count) -
                                            sort_fingerprint(kind, s->output, s->output_count),
                              [SUM_MESSAGES] = s->tally.sent,
                              [SUM_BYTES] = s->tally.sent_bytes};
  return tutti_allreduce(&method, own, sums, SUMS, MPI_UINT64_T, MPI_SUM, view, error);
}

static enum fault find_fault(const tutti_view *view, const struct sorted *s, uint64_t before, const uint64_t *sums)
{
  uint64_t n = sums[SUM_INPUT];
  if (!is_ascending(s))
    return FAULT_ORDER;
  if (s->output_count > 0 && key_at(s, 0) < before)
    return FAULT_BETWEEN;
  if (s->point->algorithm == TUTTI_SORT_JANUS &&
      s->output_count !=
          tutti_sort_first_place(n, view->size, view->rank + 1) - tutti_sort_first_place(n, view->size, view->rank))
    return FAULT_PLACES;
  return sums[SUM_ELEMENTS] != n || sums[SUM_PRINT] != 0 ? FAULT_ELEMENTS : FAULT_NONE;
}

static tutti_status find_largest(const tutti_view *view, const struct sorted *s, enum fault fault,
                                 double largest[MAXIMA], tutti_error *error)
{
  tutti_method method = method_of(TUTTI_COLL_REDUCE, "binomial");
  const tutti_sort_tally *tally = &s->tally;
  const double own[MAXIMA] = {[MAX_FAULT] = fault == FAULT_NONE ? 0 : ldexp((double)fault, 32) + view->rank,
                              [MAX_LEVELS] = tally->levels,
                              [MAX_JANUS] = tally->janus_levels,
                              [MAX_GROUPS] = tally->groups,
                              [MAX_SENT] = tally->max_sent,
                              [MAX_RECEIVED] = tally->max_received,
                              [MAX_ELEMENTS] = (double)s->output_count,
                              [MAX_LEAST] = -(double)s->output_count,
                              [MAX_END] = s->end};
  return tutti_reduce(&method, own, largest, MAXIMA, MPI_DOUBLE, MPI_MAX, 0, view, error);
}

static void report_on(const uint64_t *sums, const double *largest, struct sort_report *report)
{
  *report = (struct sort_report){.end = largest[MAX_END],
                                 .elements = sums[SUM_ELEMENTS],
                                 .messages = sums[SUM_MESSAGES],
                                 .sent_bytes = sums[SUM_BYTES],
                                 .levels = (uint64_t)largest[MAX_LEVELS],
                                 .janus_levels = (uint64_t)largest[MAX_JANUS],
                                 .groups = (uint64_t)largest[MAX_GROUPS],
                                 .most_sent = (uint64_t)largest[MAX_SENT],
                                 .most_received = (uint64_t)largest[MAX_RECEIVED],
                                 .least_elements = (uint64_t)-largest[MAX_LEAST],
                                 .most_elements = (uint64_t)largest[MAX_ELEMENTS]};
}

tutti_status sort_check(const tutti_view *view, const struct sorted *sorted, struct sort_report *report,
                        tutti_error *error)
{
  uint64_t before, sums[SUMS];
  double largest[MAXIMA] = {0};
  tutti_status status = find_before(view, sorted, &before, error);
  if (status == TUTTI_OK)
    status = add_up(view, sorted, sums, error);
  if (status == TUTTI_OK)
    status = find_largest(view, sorted, find_fault(view, sorted, before, sums), largest, error);
  if (status != TUTTI_OK || view->rank != 0)
    return status;
  report_on(sums, largest, report);
  if (largest[MAX_FAULT] == 0)
    return TUTTI_OK;
  double fault = floor(ldexp(largest[MAX_FAULT], -32));
  return tutti_fail(error, TUTTI_ERR_FAULT, "rank %.0f: %s", largest[MAX_FAULT] - ldexp(fault, 32),
                    fault_names[(int)fault]);
}
