/* Measurements: names of schemes, and what belongs together beyond the columns; names, units and order of measured
   quantities. Linked into the measuring programs, as the records are. */
#include "tutti/measurement.h"

#include <string.h>

#include "base/words.h"
#include "decision/results/row.h"

/* ---- schemes ---- */

static const char *const schemes[TUTTI_SCHEME_COUNT] = {
    [TUTTI_SCHEME_OCC] = "occ", [TUTTI_SCHEME_WINDOW] = "window", [TUTTI_SCHEME_OSU] = "osu",
    [TUTTI_SCHEME_IMB] = "imb", [TUTTI_SCHEME_REPRO] = "repro",   [TUTTI_SCHEME_PICO] = "pico",
    [TUTTI_SCHEME_NCCL] = "nccl", [TUTTI_SCHEME_OMPI] = "ompi",   [TUTTI_SCHEME_CSV] = "csv",
};

const char *tutti_scheme_name(tutti_scheme scheme)
{
  return tutti_word_of(schemes, TUTTI_SCHEME_COUNT, (int)scheme);
}

tutti_status tutti_scheme_parse(const char *name, tutti_scheme *scheme, tutti_error *error)
{
  int found = tutti_word_find(schemes, TUTTI_SCHEME_COUNT, name);
  if (found < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "unknown measuring scheme '%s'%s: known are occ, window, and of imports osu, imb, repro, pico, nccl, "
                      "ompi, csv",
                      name, tutti_word_meant(schemes, TUTTI_SCHEME_COUNT, name, (char[2 * TUTTI_GUESS_LENGTH]){0}));
  *scheme = (tutti_scheme)found;
  return TUTTI_OK;
}

tutti_status tutti_scheme_parse_ours(const char *name, tutti_scheme *scheme, tutti_error *error)
{
  int value;
  tutti_status status = tutti_word_parse(schemes, TUTTI_SCHEME_OURS, "measuring scheme", name, &value, error);
  if (status == TUTTI_OK)
    *scheme = (tutti_scheme)value;
  return status;
}

/* ---- sizes ---- */

bool tutti_flavor_is_simulated(const char *flavor)
{
  return strcmp(flavor, "smpi") == 0 || tutti_flavor_is_engine(flavor);
}

const char *tutti_engine_library(const char *flavor)
{
  return strcmp(flavor, TUTTI_FLAVOR_FLOW) == 0 ? TUTTI_FLOW_LIBRARY : TUTTI_FAST_LIBRARY;
}

double tutti_flavor_tolerance(const char *flavor)
{
  return flavor && strcmp(flavor, TUTTI_FLAVOR_FLOW) == 0 ? TUTTI_FLOW_TOLERANCE : 0;
}

bool tutti_flavor_is_engine(const char *flavor)
{
  return strcmp(flavor, TUTTI_FLAVOR_FAST) == 0 || strcmp(flavor, TUTTI_FLAVOR_FLOW) == 0;
}

bool tutti_total_bytes(const tutti_measurement *measurement, uint64_t *total)
{
  unsigned traits = tutti_collective_traits(measurement->method.algorithm->collective);
  uint64_t blocks = traits & TUTTI_HAS_BLOCKS ? (uint64_t)measurement->ranks : 1;
  if (!__builtin_mul_overflow(measurement->rank_bytes, blocks, total) && *total <= INT64_MAX)
    return true;
  *total = 0;
  return false;
}

void tutti_measurement_set_time(tutti_measurement *measurement, double seconds)
{
  measurement->repetitions = 1;
  measurement->minimum = measurement->median = measurement->mean = measurement->maximum = seconds;
  tutti_total_bytes(measurement, &measurement->total_bytes);
}

static tutti_status fail(tutti_error *error, const char *sentence)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tutti-measurement: %s", sentence);
}

tutti_status tutti_measurement_derive(void *row, tutti_error *error)
{
  tutti_measurement *measurement = row;
  if (__builtin_mul_overflow(measurement->count, measurement->type_size, &measurement->rank_bytes) ||
      measurement->rank_bytes > INT64_MAX)
    return fail(error, "count times type_B is too large");
  if (!tutti_total_bytes(measurement, &measurement->total_bytes))
    return fail(error, "count times type_B times ranks is too large");
  return TUTTI_OK;
}

/* ---- what belongs together ---- */

tutti_status tutti_measurement_check_keys(const void *row, tutti_error *error)
{
  const tutti_measurement *point = row;
  if (point->root < 0 || point->root >= point->ranks)
    return fail(error, "the root is not one of the ranks");
  if (point->type_size == 0 && point->count > 0)
    return fail(error, "the elements have no bytes: type_B=0");
  return TUTTI_OK;
}

tutti_status tutti_measurement_check(const void *row, tutti_error *error)
{
  const tutti_measurement *point = row;
  tutti_measurement sizes = *point;
  tutti_status status = tutti_measurement_derive(&sizes, error);
  if (status != TUTTI_OK)
    return status;
  if (sizes.rank_bytes != point->rank_bytes)
    return fail(error, "rank_B is not count times type_B");
  if (sizes.total_bytes != point->total_bytes)
    return fail(error, "total_B does not follow from rank_B");
  /* Only the OCC scheme subtracts (the time of its barrier), so only there noise can push a time below zero. */
  if (point->scheme != TUTTI_SCHEME_OCC && (point->minimum < 0 || point->mean < 0))
    return fail(error, "a negative time, which only the scheme occ can bring about");
  return TUTTI_OK;
}

/* ---- quantities ---- */

static const struct {
  const char *name, *unit;
} quantities[TUTTI_QUANTITIES] = {
    [TUTTI_QUANTITY_HALF_TRIP] = {"half-trip", "s"},
    [TUTTI_QUANTITY_GAP] = {"gap", "s"},
    [TUTTI_QUANTITY_SEND_OVERHEAD] = {"send-overhead", "s"},
    [TUTTI_QUANTITY_RECEIVE_OVERHEAD] = {"receive-overhead", "s"},
    [TUTTI_QUANTITY_GAMMA] = {"gamma", "s/B"},
    [TUTTI_QUANTITY_DELTA] = {"delta", "s/B"},
};

const char *tutti_quantity_name(tutti_quantity quantity)
{
  return (unsigned)quantity < TUTTI_QUANTITIES ? quantities[quantity].name : NULL;
}

const char *tutti_quantity_unit(tutti_quantity quantity)
{
  return (unsigned)quantity < TUTTI_QUANTITIES ? quantities[quantity].unit : NULL;
}

tutti_status tutti_quantity_parse(const char *name, tutti_quantity *quantity, tutti_error *error)
{
  for (int i = 0; i < TUTTI_QUANTITIES; i++)
    if (strcmp(quantities[i].name, name) == 0) {
      *quantity = (tutti_quantity)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown quantity '%s': known are half-trip, gap, send-overhead, receive-overhead, gamma, delta",
                    name);
}

int tutti_parameter_compare(const void *left_item, const void *right_item)
{
  const tutti_parameter *left = left_item, *right = right_item;
  if (left->quantity != right->quantity)
    return left->quantity < right->quantity ? -1 : 1;
  int order = strcmp(left->of, right->of);
  return order ? order : (left->bytes > right->bytes) - (left->bytes < right->bytes);
}
