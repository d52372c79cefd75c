/*
 * tutti-pingpong: half a round trip between ranks 0 and 1, for a list of sizes.
 *
 *     tutti-pingpong [all] [SIZE...]    sizes as in methods (1000, 8KB); default 0, 1, 2, 4, ... 1MB
 *
 * Prints one record a size, the least-squares fit alpha + beta * bytes, and a closing record. Every receive is posted
 * before its message is sent, so the figures are those of an expected message. Further ranks only start and end; with
 * the word "all" rank 0 does the same with each of them, one after the other.
 */
#include <float.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "tutti/algorithm.h"

/* In simulation one repetition is exact. */
#if defined(SMPI_H) || defined(SMPI_HELPERS_H)
enum { WARMUP = 1, REPETITIONS = 1 };
#else
enum { WARMUP = 20, REPETITIONS = 200 };
#endif

enum { TAG = 1, DEFAULT_SIZE_COUNT = 22 };

/* State of both partners. */
struct pingpong {
  int rank;
  int last; /* partner of rank 0: the first is rank 1 */
  int size_count;
  uint64_t *sizes;
  char *outgoing;
  char *incoming;
};

/* Weighted sums of the normal equations of time = alpha + beta * bytes. */
struct fit {
  double weight, bytes, time, bytes_bytes, bytes_time;
  uint64_t smallest, largest;
};

static void fit_add(struct fit *fit, uint64_t size, double time)
{
  /* Relative errors count: else the largest size alone would decide. */
  double weight = time > 0 ? 1 / (time * time) : 1, bytes = (double)size;
  fit->smallest = fit->weight > 0 && fit->smallest < size ? fit->smallest : size;
  fit->largest = fit->largest > size ? fit->largest : size;
  fit->weight += weight;
  fit->bytes += weight * bytes;
  fit->time += weight * time;
  fit->bytes_bytes += weight * bytes * bytes;
  fit->bytes_time += weight * bytes * time;
}

static void fit_print(const struct fit *fit)
{
  if (fit->smallest == fit->largest)
    return; /* one size has no slope */
  double determinant = fit->weight * fit->bytes_bytes - fit->bytes * fit->bytes;
  double beta = (fit->weight * fit->bytes_time - fit->bytes * fit->time) / determinant;
  double alpha = (fit->time - beta * fit->bytes) / fit->weight;
  printf("tutti-pingpong-fit v=1 alpha_s=%.12g beta_s_per_B=%.12g\n", alpha, beta);
}

/* Rank 0: one round trip; the reply's receive is posted before the message leaves. Returns half its seconds. */
static double ping(const struct pingpong *self, int partner, int size)
{
  MPI_Request requests[2];
  MPI_Status statuses[2]; /* asked for because GCC takes MPICH's MPI_STATUSES_IGNORE for an array of no size */
  MPI_Irecv(self->incoming, size, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, &requests[0]);
  double start = MPI_Wtime();
  MPI_Isend(self->outgoing, size, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  return (MPI_Wtime() - start) / 2;
}

/* The partner: answer @p rounds messages; the next receive is posted before the answer that calls for it. */
static void pong(const struct pingpong *self, int size, int rounds)
{
  MPI_Request receive, send;
  MPI_Irecv(self->incoming, size, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &receive);
  for (int round = 0; round < rounds; round++) {
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if (round + 1 < rounds)
      MPI_Irecv(self->incoming, size, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &receive);
    MPI_Isend(self->outgoing, size, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
}

static double fastest_ping(const struct pingpong *self, int partner, int size)
{
  double fastest = DBL_MAX;
  for (int round = 0; round < WARMUP + REPETITIONS; round++) {
    double time = ping(self, partner, size);
    if (round >= WARMUP && time < fastest)
      fastest = time;
  }
  return fastest;
}

static void run_with(const struct pingpong *self, int partner)
{
  struct fit fit = {0};
  for (int i = 0; i < self->size_count; i++) {
    double time = fastest_ping(self, partner, (int)self->sizes[i]);
    printf("tutti-pingpong v=1 bytes=%" PRIu64 " time_s=%.12g\n", self->sizes[i], time);
    fit_add(&fit, self->sizes[i], time);
  }
  fit_print(&fit);
}

static void run_pingpong(const struct pingpong *self)
{
  for (int partner = 1; self->rank == 0 && partner <= self->last; partner++)
    run_with(self, partner);
  for (int i = 0; self->rank > 0 && i < self->size_count; i++)
    pong(self, (int)self->sizes[i], WARMUP + REPETITIONS);
  if (self->rank == 0)
    printf("tutti-end v=1 measurements=%d\n", self->last * self->size_count);
}

static tutti_status parse_sizes(struct pingpong *self, int count, char **words, tutti_error *error)
{
  self->size_count = count > 0 ? count : DEFAULT_SIZE_COUNT;
  self->sizes = calloc((size_t)self->size_count, sizeof *self->sizes);
  if (!self->sizes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d sizes", self->size_count);
  for (int i = 0; i < self->size_count; i++) {
    if (count == 0) {
      self->sizes[i] = i == 0 ? 0 : UINT64_C(1) << (i - 1);
      continue;
    }
    tutti_status status = tutti_size_parse(words[i], &self->sizes[i], error);
    if (status != TUTTI_OK)
      return status;
    if (self->sizes[i] > INT32_MAX)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "size %s is more than one MPI message can carry", words[i]);
  }
  return TUTTI_OK;
}

static tutti_status allocate_buffers(struct pingpong *self, tutti_error *error)
{
  uint64_t largest = 1;
  for (int i = 0; i < self->size_count; i++)
    largest = self->sizes[i] > largest ? self->sizes[i] : largest;
  self->outgoing = calloc(largest, 1);
  self->incoming = calloc(largest, 1);
  if (!self->outgoing || !self->incoming)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for messages of %" PRIu64 " bytes", largest);
  return TUTTI_OK;
}

static tutti_status prepare(struct pingpong *self, int argc, char **argv, tutti_error *error)
{
  int ranks = 0, all = argc > 1 && strcmp(argv[1], "all") == 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  self->last = all ? ranks - 1 : 1;
  if (ranks < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two ranks are needed, not %d", ranks);
  tutti_status status = parse_sizes(self, argc - 1 - all, argv + 1 + all, error);
  return status != TUTTI_OK || self->rank > self->last ? status : allocate_buffers(self, error);
}

/* Under smpirun -h or --usage: SimGrid answers --help. */
static bool asks_for_help(const char *word)
{
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "--usage") == 0;
}

static int print_help(const struct pingpong *self)
{
  if (self->rank == 0)
    puts("Usage: tutti-pingpong [all] [SIZE...]\nMeasure half a round trip between ranks 0 and 1, with 'all' between "
         "rank 0 and each other.");
  return MPI_Finalize();
}

int main(int argc, char **argv)
{
  struct pingpong self = {0};
  tutti_error error;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  if (argc > 1 && asks_for_help(argv[1]))
    return print_help(&self);
  tutti_status status = prepare(&self, argc, argv, &error);
  if (status != TUTTI_OK && status != TUTTI_ERR_MEMORY) {
    if (self.rank == 0)
      tutti_say(stderr, "tutti-pingpong: %s\n", error.message);
  } else if (status == TUTTI_ERR_MEMORY) {
    tutti_say(stderr, "tutti-pingpong: rank %d: %s\n", self.rank, error.message);
    MPI_Abort(MPI_COMM_WORLD, 1); /* the partner would wait for ever */
  } else if (self.rank <= self.last) {
    run_pingpong(&self);
  }
  free(self.sizes);
  free(self.outgoing);
  free(self.incoming);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
