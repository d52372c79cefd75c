/*
 * tutti-params: measures the inputs of the parameters of point-to-point models (parameters.h), between rank 0 and the
 * first rank on another node, or rank 1 without another node. Further ranks only start and end.
 *
 * Prints one record a value, and a closing record. Rank 0 reads and writes; it never opens a database.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/params/adaptive.h"
#include "harness/measure/params/params.h"
#include "harness/measure/program.h"

/* State of rank 0. */
struct survey {
  struct pair *pair;
  const struct points *points;
  size_t printed;
};

static void print(struct survey *survey, tutti_quantity quantity, uint64_t bytes, double value)
{
  tutti_record record = {.kind = TUTTI_RECORD_PARAMETER,
                         .parameter = {.quantity = quantity, .bytes = bytes, .value = value}};
  tutti_program_print(&record);
  survey->printed++;
}

static tutti_status check_messages(const struct survey *survey, uint64_t bytes, tutti_error *error)
{
  if (survey->pair->result == MPI_SUCCESS)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MPI, "messages of %" PRIu64 " bytes between ranks 0 and %d failed", bytes,
                    survey->pair->peer);
}

/* ---- Hockney: as NetPIPE does, sizes around powers of two ---- */

enum { AROUND = 3, MAX_TRIPS = 128 };

/* On a real machine rounds through all sizes, so that short noise does not hit all repetitions of one size. */
static int rounds(void)
{
  return tutti_clock_is_simulated() ? 1 : 3;
}

struct trips {
  int count;
  struct {
    uint64_t bytes;
    double seconds;
  } items[MAX_TRIPS];
};

static void add_trip(struct trips *trips, uint64_t bytes, uint64_t largest)
{
  if (bytes > largest)
    return;
  trips->items[trips->count].bytes = bytes;
  trips->items[trips->count++].seconds = INFINITY;
}

/* Sizes up to 8 have their neighbors among themselves. */
static void choose_trips(struct trips *trips, uint64_t largest)
{
  uint64_t small = 2 * AROUND + 2;
  for (uint64_t bytes = 0; bytes <= small; bytes++)
    add_trip(trips, bytes, largest);
  for (uint64_t power = 2 * small; power <= largest; power *= 2)
    for (int around = -AROUND; around <= AROUND; around += AROUND)
      add_trip(trips, power + (uint64_t)around, largest);
}

static tutti_status measure_trips(struct survey *survey, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  struct trips *trips = calloc(1, sizeof *trips);
  if (!trips)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d message sizes", MAX_TRIPS);
  choose_trips(trips, survey->points->largest);
  for (int round = 0; round < rounds(); round++)
    for (int i = 0; i < trips->count && status == TUTTI_OK; i++) {
      double seconds = pair_half_trip(survey->pair, trips->items[i].bytes);
      trips->items[i].seconds = fmin(trips->items[i].seconds, seconds);
      status = check_messages(survey, trips->items[i].bytes, error);
    }
  for (int i = 0; i < trips->count && status == TUTTI_OK; i++)
    print(survey, TUTTI_QUANTITY_HALF_TRIP, trips->items[i].bytes, trips->items[i].seconds);
  free(trips);
  return status;
}

/* ---- PLogP ---- */

static tutti_status measure_size(void *context, uint64_t bytes, double values[ADAPTIVE_VALUES], tutti_error *error)
{
  struct survey *survey = context;
  values[0] = pair_gap(survey->pair, bytes);
  values[1] = pair_send_overhead(survey->pair, bytes);
  values[2] = pair_receive_overhead(survey->pair, bytes);
  return check_messages(survey, bytes, error);
}

static tutti_status measure_sizes(struct survey *survey, tutti_error *error)
{
  static const tutti_quantity quantities[ADAPTIVE_VALUES] = {TUTTI_QUANTITY_GAP, TUTTI_QUANTITY_SEND_OVERHEAD,
                                                             TUTTI_QUANTITY_RECEIVE_OVERHEAD};
  struct adaptive adaptive = {.largest = survey->points->largest,
                              .tolerance = survey->points->tolerance,
                              .measure = measure_size,
                              .context = survey};
  tutti_status status = adaptive_run(&adaptive, error);
  for (size_t i = 0; i < adaptive.count && status == TUTTI_OK; i++)
    for (int value = 0; value < ADAPTIVE_VALUES; value++)
      print(survey, quantities[value], adaptive.points[i].bytes, adaptive.points[i].values[value]);
  free(adaptive.points);
  return status;
}

/* ---- all ---- */

static tutti_status print_computation(void *context, const tutti_parameter *parameter, tutti_error *error)
{
  struct survey *survey = context;
  tutti_record record = {.kind = TUTTI_RECORD_PARAMETER, .parameter = *parameter};
  (void)error;
  tutti_program_print(&record);
  survey->printed++;
  return TUTTI_OK;
}

static tutti_status drive(struct survey *survey, bool apart, tutti_error *error)
{
  printf("tutti-pair v=1 ranks=0,%d nodes=%d\n", survey->pair->peer, apart ? 2 : 1);
  tutti_status status = measure_trips(survey, error);
  if (status == TUTTI_OK)
    status = measure_sizes(survey, error);
  if (status == TUTTI_OK)
    pair_dismiss(survey->pair);
  if (status == TUTTI_OK)
    status = compute_measure(print_computation, survey, error);
  if (status == TUTTI_OK)
    tutti_program_print_end(survey->printed);
  return status;
}

/* The first rank that does not share the memory of rank 0; else 1. */
static tutti_status find_partner(tutti_view *view, int *partner, bool *apart, tutti_error *error)
{
  int *nodes = calloc((size_t)view->size, sizeof *nodes);
  if (!nodes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %d ranks", view->rank, view->size);
  tutti_status status = tutti_view_find_nodes(view, nodes, error);
  *partner = 1;
  *apart = false;
  for (int rank = 1; rank < view->size && status == TUTTI_OK && !*apart; rank++)
    if (nodes[rank] != nodes[0]) {
      *partner = rank;
      *apart = true;
    }
  free(nodes);
  return status;
}

static tutti_status measure_pair(const tutti_view *view, int partner, bool apart, const struct points *points,
                                 tutti_error *error)
{
  struct pair pair;
  tutti_status status = pair_open(&pair, view->comm, view->rank == 0 ? partner : 0, points->largest, error);
  if (status == TUTTI_OK && view->rank == 0) {
    struct survey survey = {.pair = &pair, .points = points};
    status = drive(&survey, apart, error);
  } else if (status == TUTTI_OK) {
    pair_serve(&pair);
  }
  if (status == TUTTI_OK && pair.result != MPI_SUCCESS)
    status = tutti_fail(error, TUTTI_ERR_MPI, "rank %d: a message between ranks 0 and %d failed", view->rank, partner);
  pair_close(&pair);
  return status;
}

static const char program_name[] = "tutti-params";

static tutti_status measure(const tutti_view *all, const struct points *points, tutti_error *error)
{
  tutti_view view = *all;
  int partner;
  bool apart;
  if (view.size < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two ranks are needed, not %d", view.size);
  tutti_status status = tutti_program_print_run(all, program_name, 1, error);
  if (status == TUTTI_OK)
    status = find_partner(&view, &partner, &apart, error);
  if (status != TUTTI_OK || (view.rank != 0 && view.rank != partner))
    return status;
  return measure_pair(&view, partner, apart, points, error);
}

/* ---- the command line and the points file, which is one line ---- */

enum { LARGEST, TOLERANCE, OPTIONS };

/* Receives have int counts, and their memory is that of four messages. */
#define LARGEST_BYTES (UINT64_C(1) << 28)

#ifdef SMPI_HELPERS_H
#define DEFAULT_TOLERANCE "0.01"
#else
#define DEFAULT_TOLERANCE "0.1"
#endif

static const struct program_option list[OPTIONS] = {
    [LARGEST] = OPTION_KEY("largest", 'l', "SIZE", "1MB", "largest_B", "Largest message"),
    [TOLERANCE] = OPTION_KEY("tolerance", 't', "FRACTION", DEFAULT_TOLERANCE, "tolerance",
                             "Measure more message sizes where interpolation misses by more (default 0.1, in "
                             "simulation 0.01)"),
};

static const struct option_table option_table = {
    .name = program_name,
    .doc = "Measure what the parameters of point-to-point models are derived from; one record a value on standard "
           "output.\vRun it under smpirun or mpiexec, with ranks on two nodes at least.",
    .points_help = "Do what FILE says (written by tutti params)",
    .count = OPTIONS,
    .options = list,
    .done = "measured",
};

static const char *refuse(const struct points *points)
{
  bool possible =
      points->largest >= 1 && points->largest <= LARGEST_BYTES && points->tolerance > 0 && points->tolerance < 1;
  return possible ? NULL : "v=1, a largest_B from 1 to 268435456 and a tolerance between 0 and 1";
}

int main(int argc, char **argv)
{
  static const struct points_key header[] = {{"largest_B", KEY_SIZE, offsetof(struct points, largest)},
                                             {"tolerance", KEY_REAL, offsetof(struct points, tolerance)},
                                             {NULL, 0, 0}};
  const struct points_kind kind = {
      .defaults = {.measure = {.repetitions_max = 1}, .ranks_per_node = 1}, .header = header, .refuse = refuse};
  const struct program program = {.options = &option_table, .points = &kind, .run = measure};
  return tutti_program_run(&program, argc, argv);
}
