/* The rows and samples of all ranks, put together in ceil(log2 P) steps, as a binomial reduction. */
#include <math.h>
#include <string.h>

#include "base/machine.h"
#include "base/numbers.h"
#include "interpose/record/profile.h"

void tutti_profile_part_free(struct profile_part *part)
{
  tutti_vector_free(&part->rows);
  tutti_vector_free(&part->samples);
}

uint64_t tutti_profile_digest(const tutti_result *row)
{
  char text[TUTTI_RESULT_POINT_LENGTH];
  tutti_result_format_point(row, text);
  return tutti_digest(text, strlen(text));
}

/* ---- merging ---- */

static int by_operation(const void *left, const void *right)
{
  const struct profile_sample *a = left, *b = right;
  if (a->communicator != b->communicator)
    return THREE_WAY(a->communicator, b->communicator);
  if (a->index != b->index)
    return THREE_WAY(a->index, b->index);
  return THREE_WAY(a->row, b->row);
}

static void add_sample(struct profile_sample *sum, const struct profile_sample *sample)
{
  sum->seen += sample->seen;
  sum->sum += sample->sum;
  sum->first_time = fmin(sum->first_time, sample->first_time);
  if (sample->last_time > sum->last_time || (sample->last_time == sum->last_time && sample->last < sum->last)) {
    sum->last_time = sample->last_time;
    sum->last = sample->last;
  }
}

/* Whether two samples are of one operation. Two ranks may call it from different places, as a root does: the sample
   then belongs to the row with the smallest digest. */
static bool is_same_operation(const struct profile_sample *left, const struct profile_sample *right)
{
  return left->communicator == right->communicator && left->index == right->index;
}

void tutti_profile_merge(struct profile_part *part)
{
  size_t merged = 0;
  part->rows.count = tutti_profile_merge_rows(part->rows.items, part->rows.count);
  tutti_vector_sort(&part->samples, by_operation);
  for (size_t i = 0; i < part->samples.count; i++)
    if (merged > 0 && is_same_operation(&part->samples.items[merged - 1], &part->samples.items[i]))
      add_sample(&part->samples.items[merged - 1], &part->samples.items[i]);
    else
      part->samples.items[merged++] = part->samples.items[i];
  part->samples.count = merged;
}

/* ---- gathering ---- */

enum { TAG = 0 };

static void send_items(MPI_Comm comm, int rank, const void *items, size_t count, size_t bytes)
{
  uint64_t length = count;
  PMPI_Send(&length, 1, MPI_UINT64_T, rank, TAG, comm);
  PMPI_Send(items, (int)(count * bytes), MPI_BYTE, rank, TAG, comm);
}

/* Append to a vector. Without memory, items are received and dropped, because the sender waits. */
static bool receive_items(MPI_Comm comm, int rank, void *items, size_t *count, size_t *capacity, size_t bytes)
{
  uint64_t length;
  PMPI_Recv(&length, 1, MPI_UINT64_T, rank, TAG, comm, MPI_STATUS_IGNORE);
  if (!tutti_grow(items, *count, capacity, length + 1, bytes)) {
    PMPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, comm, MPI_STATUS_IGNORE);
    return false;
  }
  char *begin;
  memcpy(&begin, items, sizeof begin);
  PMPI_Recv(begin + *count * bytes, (int)(length * bytes), MPI_BYTE, rank, TAG, comm, MPI_STATUS_IGNORE);
  *count += length;
  return true;
}

bool tutti_profile_gather(MPI_Comm comm, struct profile_part *part)
{
  int rank, size;
  bool complete = true;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  tutti_profile_merge(part);
  for (int step = 1; step < size; step *= 2) {
    if (rank & step) {
      send_items(comm, rank - step, part->rows.items, part->rows.count, sizeof *part->rows.items);
      send_items(comm, rank - step, part->samples.items, part->samples.count, sizeof *part->samples.items);
      break;
    }
    if (rank + step < size) {
      bool rows = receive_items(comm, rank + step, &part->rows.items, &part->rows.count, &part->rows.capacity,
                                sizeof *part->rows.items);
      bool samples = receive_items(comm, rank + step, &part->samples.items, &part->samples.count,
                                   &part->samples.capacity, sizeof *part->samples.items);
      complete = complete && rows && samples;
      tutti_profile_merge(part);
    }
  }
  return complete;
}

/* ---- waiting times ---- */

/* Sums over the samples of a row, each weighted by the inverse of its probability. */
struct waiting {
  double weight, waiting, spread;
  uint64_t samples;
  int last;        /* the rank that was last most often */
  uint64_t most;   /* how often */
  uint64_t streak; /* of the current last rank: samples of a row are sorted by it */
};

static int by_row(const void *left, const void *right)
{
  const struct profile_sample *a = left, *b = right;
  return a->row != b->row ? THREE_WAY(a->row, b->row) : THREE_WAY(a->last, b->last);
}

static void add_waiting(struct waiting *sum, const struct profile_sample *sample, bool same_last)
{
  const double weight = 1 / tutti_profile_probability(sample->index);
  sum->weight += weight;
  sum->waiting += weight * fmax(0, sample->last_time - sample->sum / sample->size);
  sum->spread += weight * (sample->last_time - sample->first_time);
  sum->samples++;
  sum->streak = same_last ? sum->streak + 1 : 1;
  if (sum->streak > sum->most) {
    sum->most = sum->streak;
    sum->last = sample->last;
  }
}

/* Samples of whole operations, sorted by row. */
static size_t keep_whole(struct profile_sample *samples, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (samples[i].seen == samples[i].size)
      samples[kept++] = samples[i];
  qsort(samples, kept, sizeof *samples, by_row);
  return kept;
}

static size_t first_of_row(const struct profile_sample *samples, size_t count, uint64_t row)
{
  return TUTTI_PARTITION_POINT(size_t, i, 0, count, samples[i].row < row);
}

static void set_waiting(tutti_result *row, const struct profile_sample *samples, size_t count)
{
  const uint64_t digest = tutti_profile_digest(row);
  const size_t first = first_of_row(samples, count, digest);
  struct waiting sum = {.weight = 0};
  for (size_t i = first; i < count && samples[i].row == digest; i++)
    add_waiting(&sum, &samples[i], i > first && samples[i - 1].last == samples[i].last);
  tutti_value *values = row->values;
  values[TUTTI_CALL_FIELD_SAMPLES].integer = sum.samples;
  if (sum.samples == 0)
    return;
  /* No rank waits longer than its call takes. */
  values[TUTTI_CALL_FIELD_WAITING].seconds =
      fmin(values[TUTTI_CALL_FIELD_TOTAL].seconds,
           sum.waiting / sum.weight * (double)values[TUTTI_CALL_FIELD_CALLS].integer);
  values[TUTTI_CALL_FIELD_SPREAD].seconds = sum.spread / sum.weight;
  values[TUTTI_CALL_FIELD_LAST].integer = (uint64_t)sum.last;
}

void tutti_profile_set_waiting(struct profile_part *part)
{
  const size_t count = keep_whole(part->samples.items, part->samples.count);
  for (size_t r = 0; r < part->rows.count; r++)
    set_waiting(&part->rows.items[r], part->samples.items, count);
}
