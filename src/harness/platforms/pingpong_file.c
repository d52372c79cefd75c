/* Measured ping-pongs: "SIZE MICROSECONDS" as osu_latency prints them, IMB's table, or records of tutti-pingpong. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"
#include "tutti/parameters.h"
#include "tutti/platform.h"

struct trips {
  TUTTI_VECTOR(tutti_parameter);
};

static bool parse_record(const char *line, uint64_t *bytes, double *seconds)
{
  return sscanf(line, "tutti-pingpong v=1 bytes=%" SCNu64 " time_s=%lf", bytes, seconds) == 2;
}

/* In IMB output the time comes after the number of repetitions, as its header shows. */
static bool parse_columns(const char *line, bool imb, uint64_t *bytes, double *seconds)
{
  char size[24], second[32], third[32];
  int words = sscanf(line, "%23s %31s %31s", size, second, third);
  if (words < 2 + imb || !tutti_parse_integer(size, 0, UINT64_MAX, bytes) ||
      !tutti_parse_real(imb ? third : second, seconds))
    return false;
  *seconds *= 1e-6;
  return true;
}

static void read_line(struct tutti_lines *lines, struct trips *trips, bool *imb)
{
  tutti_parameter trip = {.quantity = TUTTI_QUANTITY_HALF_TRIP};
  const char *line = tutti_skip_label(lines->text);
  line += strspn(line, " \t");
  *imb |= strstr(line, "t[usec]") != NULL;
  if (*line == '\0' || *line == '#' || strncmp(line, "tutti-pingpong-fit ", 19) == 0 ||
      strncmp(line, "tutti-end ", 10) == 0)
    return;
  if (!parse_record(line, &trip.bytes, &trip.value) && !parse_columns(line, *imb, &trip.bytes, &trip.value))
    tutti_lines_fault(lines, "expected a size in bytes and half a round trip in microseconds, or '#' and a comment");
  else if (!(trip.value > 0))
    tutti_lines_fault(lines, "half a round trip is above 0 us");
  else
    tutti_xpush(trips, trip);
}

/* False for a fit to times close to 0. */
static bool is_positive(double value)
{
  return value > 0 && isfinite(value) && isfinite(1 / value);
}

/* Find where the times of the machine differ most from the measured ones. */
static tutti_machine_fit judge(const struct trips *trips, const tutti_hockney *hockney)
{
  tutti_machine_fit worst = {.sizes = trips->count};
  for (size_t i = 0; i < trips->count; i++) {
    const tutti_parameter *trip = &trips->items[i];
    double error = (hockney->alpha + hockney->beta * (double)trip->bytes) / trip->value - 1;
    if (i == 0 || fabs(error) > fabs(worst.error)) {
      worst.error = error;
      worst.bytes = trip->bytes;
    }
  }
  return worst;
}

static tutti_status fit(const char *path, const struct trips *trips, tutti_machine *machine, tutti_machine_fit *found,
                        tutti_error *error)
{
  tutti_parameter_set set;
  tutti_error ignored;
  tutti_status status = tutti_parameter_set_derive(trips->items, trips->count, &set, &ignored);
  if (status != TUTTI_OK || !set.has[TUTTI_MODEL_HOCKNEY] || !is_positive(set.hockney.alpha) ||
      !is_positive(set.hockney.beta))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "%s: %zu size%s with half a round trip do not give a latency and a bandwidth", path,
                        trips->count, tutti_plural(trips->count));
  else {
    machine->latency = set.hockney.alpha;
    machine->bandwidth = 1 / set.hockney.beta;
    *found = judge(trips, &set.hockney);
  }
  tutti_parameter_set_free(&set);
  return status;
}

tutti_status tutti_machine_read_pingpong(const char *path, tutti_machine *machine, tutti_machine_fit *found,
                                         tutti_error *error)
{
  struct tutti_lines lines;
  struct trips trips = {0};
  bool imb = false;
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  while (tutti_lines_next(&lines))
    read_line(&lines, &trips, &imb);
  tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK)
    status = fit(path, &trips, machine, found, error);
  tutti_vector_free(&trips);
  return status;
}
