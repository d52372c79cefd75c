/* Which message sizes are measured: powers of two, and more where a function bends or jumps. */
#include "harness/measure/params/adaptive.h"
#include "unit/test.h"

enum { LARGEST = 1 << 20 };

#define TOLERANCE 0.01

/* A machine: its gap by message size; overheads are a tenth and zero. */
struct machine {
  double (*gap)(double bytes);
  int measured;
  int fail_at; /* 0: never */
};

static tutti_status measure(void *context, uint64_t bytes, double values[ADAPTIVE_VALUES], tutti_error *error)
{
  struct machine *machine = context;
  if (++machine->measured == machine->fail_at)
    return tutti_fail(error, TUTTI_ERR_MPI, "no answer");
  values[0] = machine->gap((double)bytes);
  values[1] = values[0] / 10;
  values[2] = 0;
  return TUTTI_OK;
}

static struct adaptive run(struct machine *machine)
{
  struct adaptive adaptive = {.largest = LARGEST, .tolerance = TOLERANCE, .measure = measure, .context = machine};
  assert_int_equal(adaptive_run(&adaptive, NULL), TUTTI_OK);
  for (size_t i = 1; i < adaptive.count; i++)
    assert_true(adaptive.points[i - 1].bytes < adaptive.points[i].bytes);
  assert_true(adaptive.points[0].bytes == 0 && adaptive.points[adaptive.count - 1].bytes == LARGEST);
  return adaptive;
}

/* What the points say of a size in between. */
static double interpolate(const struct adaptive *adaptive, uint64_t bytes)
{
  size_t i = 0;
  while (adaptive->points[i + 1].bytes < bytes)
    i++;
  const struct adaptive_point *p = &adaptive->points[i];
  double weight = (double)(bytes - p->bytes) / (double)(p[1].bytes - p->bytes);
  return p->values[0] + weight * (p[1].values[0] - p->values[0]);
}

static double line(double bytes)
{
  return 5e-6 + 1e-9 * bytes;
}

/* Steeper beyond 100000 bytes. */
static double bend(double bytes)
{
  return 5e-6 + 1e-9 * bytes + 3e-9 * fmax(0, bytes - 100000);
}

/* Another protocol from 12000 bytes on. */
static double jump(double bytes)
{
  return line(bytes) + (bytes >= 12000 ? 40e-6 : 0);
}

/* Off by up to a fifth, at random. */
static double noise(double bytes)
{
  uint64_t hash = ((uint64_t)bytes + 1) * 0x9E3779B97F4A7C15U;
  hash = (hash ^ hash >> 31) * 0xBF58476D1CE4E5B9U;
  return line(bytes) * (0.8 + 0.4 * (double)(hash >> 32) / 0x1p32);
}

TEST(a_line_needs_no_more_than_powers_of_two)
{
  struct machine machine = {.gap = line};
  struct adaptive adaptive = run(&machine);
  assert_int_equal(adaptive.count, 22); /* 0, 1, 2, ..., 2^20 */
  /* and the middle of the 16 intervals from 16 bytes on; the largest twice more */
  assert_int_equal(machine.measured, 22 + 16 + 2);
  free(adaptive.points);
}

/* But for the interval with the bend, which is not halved for ever, points are on the straight lines. */
TEST(a_bend_is_closed_in_on)
{
  struct machine machine = {.gap = bend};
  struct adaptive adaptive = run(&machine);
  assert_uint_in_range(adaptive.count, 23, 30);
  for (size_t i = 1; i < adaptive.count; i++) {
    const struct adaptive_point *p = &adaptive.points[i - 1];
    uint64_t width = p[1].bytes - p[0].bytes, middle = p->bytes + width / 2;
    double miss = fabs(interpolate(&adaptive, middle) - bend((double)middle));
    bool bends = p[0].bytes < 100000 && p[1].bytes > 100000;
    assert_true(bends ? width <= p->bytes / ADAPTIVE_PARTS : miss <= TOLERANCE * bend((double)middle));
  }
  free(adaptive.points);
}

/* The interval that a jump is in is halved to a sixteenth of its lower end, and nothing else is. */
TEST(a_jump_is_closed_in_on)
{
  struct machine machine = {.gap = jump};
  struct adaptive adaptive = run(&machine);
  assert_uint_in_range(adaptive.count, 25, 27);
  for (size_t i = 1; i < adaptive.count; i++)
    if (adaptive.points[i - 1].bytes < 12000 && adaptive.points[i].bytes >= 12000)
      assert_true(adaptive.points[i].bytes - adaptive.points[i - 1].bytes <= 12000 / ADAPTIVE_PARTS);
  free(adaptive.points);
}

TEST(noise_comes_to_an_end)
{
  struct machine machine = {.gap = noise};
  struct adaptive adaptive = run(&machine);
  assert_uint_in_range(adaptive.count, 100, 22 + 16 * 2 * ADAPTIVE_PARTS);
  free(adaptive.points);
}

/* Every third measurement is disturbed. */
static tutti_status measure_disturbed(void *context, uint64_t bytes, double values[ADAPTIVE_VALUES], tutti_error *error)
{
  const struct machine *machine = context;
  tutti_status status = measure(context, bytes, values, error);
  if (machine->measured % 3 == 0)
    values[0] *= 50;
  return status;
}

TEST(what_was_disturbed_is_measured_again)
{
  struct machine machine = {.gap = line};
  struct adaptive adaptive = {
      .largest = LARGEST, .tolerance = TOLERANCE, .measure = measure_disturbed, .context = &machine};
  assert_int_equal(adaptive_run(&adaptive, NULL), TUTTI_OK);
  for (size_t i = 0; i < adaptive.count; i++)
    assert_true(adaptive.points[i].values[0] == line((double)adaptive.points[i].bytes));
  free(adaptive.points);
}

TEST(sizes_end_with_the_largest)
{
  struct machine machine = {.gap = line};
  static const uint64_t largest[] = {1, 2, 3, 8, 100};
  static const size_t counts[] = {2, 3, 4, 5, 9};
  for (int i = 0; i < 5; i++) {
    struct adaptive adaptive = {.largest = largest[i], .tolerance = 0.01, .measure = measure, .context = &machine};
    assert_int_equal(adaptive_run(&adaptive, NULL), TUTTI_OK);
    assert_int_equal(adaptive.count, counts[i]);
    assert_int_equal(adaptive.points[adaptive.count - 1].bytes, largest[i]);
    free(adaptive.points);
  }
}

TEST(a_failure_ends_the_search)
{
  static const int at[] = {1, 7, 22, 23, 30};
  for (int i = 0; i < 5; i++) {
    struct machine machine = {.gap = bend, .fail_at = at[i]};
    struct adaptive adaptive = {.largest = LARGEST, .tolerance = TOLERANCE, .measure = measure, .context = &machine};
    assert_int_equal(adaptive_run(&adaptive, REASON), TUTTI_ERR_MPI);
    assert_int_equal(machine.measured, at[i]);
    assert_string_equal(error.message, "no answer");
    free(adaptive.points);
  }
}
