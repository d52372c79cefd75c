#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/mpi/simulation.h"
#include "harness/measure/params/params.h"

/* Bytes of an array. On a real machine twice the last cache, within bounds. */
enum { CHARGED_BYTES = 1 << 20, MIN_BYTES = 32 << 20, MAX_BYTES = 128 << 20 };

/* The first one touches the pages. */
enum { PASSES = 4 };

/* An operation on a type, or a copy. */
struct task {
  const char *name; /* "sum/double"; NULL: a copy */
  MPI_Op op;
  MPI_Datatype type;
};

struct arrays {
  size_t bytes;
  char *input, *output;
};

static size_t array_bytes(void)
{
  if (tutti_clock_is_simulated())
    return CHARGED_BYTES;
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache < MIN_BYTES / 2)
    return MIN_BYTES;
  return cache < MAX_BYTES / 2 ? 2 * (size_t)cache & ~(size_t)4095 : MAX_BYTES;
}

/* Ones, which no operation turns into numbers that are slow to compute with. */
static void fill(char *array, size_t bytes, MPI_Datatype type)
{
  for (size_t at = 0; at < bytes;) {
    if (type == MPI_INT) {
      memcpy(array + at, &(int){1}, sizeof(int));
      at += sizeof(int);
    } else if (type == MPI_FLOAT) {
      memcpy(array + at, &(float){1}, sizeof(float));
      at += sizeof(float);
    } else {
      memcpy(array + at, &(double){1}, sizeof(double));
      at += sizeof(double);
    }
  }
}

/* Schedules reduce and copy with the same calls, and charge the same in simulation. */
static int work(const struct arrays *arrays, const struct task *task)
{
  int size, result = MPI_SUCCESS;
  if (tutti_clock_is_simulated()) {
    tutti_charge(task->name ? TUTTI_REDUCE : TUTTI_COPY, arrays->bytes);
    return result;
  }
  if (!task->name) {
    memcpy(arrays->output, arrays->input, arrays->bytes);
    return result;
  }
  result = MPI_Type_size(task->type, &size);
  if (result != MPI_SUCCESS)
    return result;
  return MPI_Reduce_local(arrays->input, arrays->output, (int)(arrays->bytes / (size_t)size), task->type, task->op);
}

static tutti_status measure(const struct arrays *arrays, const struct task *task, double *seconds, tutti_error *error)
{
  int passes = tutti_clock_is_simulated() ? 1 : PASSES;
  *seconds = INFINITY;
  for (int pass = 0; pass < passes; pass++) {
    double start = MPI_Wtime();
    int result = work(arrays, task);
    double time = MPI_Wtime() - start;
    if (result != MPI_SUCCESS)
      return tutti_fail(error, TUTTI_ERR_MPI, "reducing with %s failed", task->name);
    *seconds = fmin(*seconds, time);
  }
  return TUTTI_OK;
}

static tutti_status allocate(struct arrays *arrays, tutti_error *error)
{
  arrays->bytes = array_bytes();
  if (tutti_clock_is_simulated())
    return TUTTI_OK;
  arrays->input = malloc(arrays->bytes);
  arrays->output = malloc(arrays->bytes);
  if (arrays->input && arrays->output)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for two arrays of %zu bytes", arrays->bytes);
}

static void prepare(const struct arrays *arrays, const struct task *task)
{
  if (tutti_clock_is_simulated())
    return;
  fill(arrays->input, arrays->bytes, task->type);
  fill(arrays->output, arrays->bytes, task->type);
}

tutti_status compute_measure(tutti_status (*report)(void *context, const tutti_parameter *parameter,
                                                    tutti_error *error),
                             void *context, tutti_error *error)
{
  const struct task tasks[] = {
      {"sum/int", MPI_SUM, MPI_INT},       {"prod/int", MPI_PROD, MPI_INT},       {"max/int", MPI_MAX, MPI_INT},
      {"sum/float", MPI_SUM, MPI_FLOAT},   {"prod/float", MPI_PROD, MPI_FLOAT},   {"max/float", MPI_MAX, MPI_FLOAT},
      {"sum/double", MPI_SUM, MPI_DOUBLE}, {"prod/double", MPI_PROD, MPI_DOUBLE}, {"max/double", MPI_MAX, MPI_DOUBLE},
      {NULL, MPI_OP_NULL, MPI_DOUBLE},
  };
  struct arrays arrays = {0};
  tutti_status status = allocate(&arrays, error);
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks && status == TUTTI_OK; i++) {
    const struct task *task = &tasks[i];
    tutti_parameter parameter = {.quantity = task->name ? TUTTI_QUANTITY_GAMMA : TUTTI_QUANTITY_DELTA,
                                 .bytes = arrays.bytes};
    double seconds;
    snprintf(parameter.of, sizeof parameter.of, "%s", task->name ? task->name : "");
    prepare(&arrays, task);
    status = measure(&arrays, task, &seconds, error);
    parameter.value = seconds / (double)arrays.bytes;
    if (status == TUTTI_OK)
      status = report(context, &parameter, error);
  }
  free(arrays.input);
  free(arrays.output);
  return status;
}
