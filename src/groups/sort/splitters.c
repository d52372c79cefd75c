#include "groups/sort/sorting.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "tutti/collectives.h"

/* Message of a process: the number of its elements, and samples of them. */
enum { HEAD = sizeof(uint64_t) };

static uint64_t samples_of(const struct sort_sampling *sampling, uint64_t count)
{
  return count < sampling->most ? count : sampling->most;
}

static char *room(const struct sort *sort, uint64_t items, uint64_t bytes)
{
  char *made = bytes == 0 || items < SIZE_MAX / bytes ? calloc(items ? items : 1, bytes ? bytes : 1) : NULL;
  if (!made)
    tutti_fail(sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for %llu samples", sort->view.rank,
               (unsigned long long)items);
  return made;
}

static void take_samples(const struct sort *sort, const struct sort_sampling *sampling, const void *data,
                         uint64_t count, char *block)
{
  uint64_t samples = samples_of(sampling, count),
           random = tutti_splitmix64(sort->how->seed) + (uint64_t)sort->view.rank;
  memcpy(block, &count, HEAD);
  for (uint64_t s = 0; s < samples; s++) {
    uint64_t index = samples == count ? s : tutti_splitmix64_next(&random) % count;
    if (sampling->ordered)
      index = (uint64_t)((2. * (double)s + 1) / (2. * (double)samples) * (double)count);
    memcpy(block + HEAD + s * sort->type->size, sort_at(sort->type, data, index), sort->type->size);
  }
}

/* ---- at rank 0 ---- */

/* A sample with its weight, the number of elements that it represents. The element comes first, so that the order of
   elements is that of records. */
struct records {
  char *data;
  uint64_t count;
  tutti_sort_type type;
};

static double *weight_of(const struct records *records, uint64_t index)
{
  return (double *)(void *)(records->data + (index + 1) * records->type.size - sizeof(double));
}

/* Append the samples of one process; returns the number of its elements. */
static uint64_t unpack(const struct sort *sort, const struct sort_sampling *sampling, const char *block,
                       struct records *records)
{
  uint64_t count, samples;
  memcpy(&count, block, HEAD);
  samples = samples_of(sampling, count);
  for (uint64_t s = 0; s < samples; s++) {
    char *record = sort_at(&records->type, records->data, records->count);
    memcpy(record, block + HEAD + s * sort->type->size, sort->type->size);
    *weight_of(records, records->count++) = (double)count / (double)samples;
  }
  return count;
}

/* Splitter number i is the first sample up to which there are i / parts of all elements. */
static void choose(const struct sort *sort, const struct sort_sampling *sampling, const struct records *records,
                   struct sort_splitters *splitters)
{
  double sum = 0, total = (double)splitters->total;
  uint64_t next = 0;
  for (int i = 1; i < sampling->parts && records->count > 0; i++) {
    while (next < records->count && (next == 0 || sum < total * i / sampling->parts))
      sum += *weight_of(records, next++);
    memcpy(sort_at(sort->type, splitters->elements, (uint64_t)i - 1), sort_at(&records->type, records->data, next - 1),
           sort->type->size);
  }
}

static tutti_status divide(const struct sort *sort, const tutti_view *view, const struct sort_sampling *sampling,
                           const char *blocks, uint64_t block_size, struct sort_splitters *splitters)
{
  size_t padded = (sort->type->size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
  struct records records = {.type = {padded + sizeof(double), sort->type->compare, sort->type->context}};
  records.data = room(sort, (uint64_t)view->size * sampling->most, records.type.size);
  if (!records.data)
    return TUTTI_ERR_MEMORY;
  for (int rank = 0; rank < view->size; rank++)
    splitters->total += unpack(sort, sampling, blocks + (uint64_t)rank * block_size, &records);
  struct sort wide = *sort;
  wide.type = &records.type;
  tutti_sort_locally(&wide, records.data, records.count);
  choose(sort, sampling, &records, splitters);
  free(records.data);
  return TUTTI_OK;
}

/* ---- the splitters ---- */

static tutti_status gather(struct sort *sort, const tutti_view *view, const struct sort_sampling *sampling,
                           const void *data, uint64_t count, struct sort_splitters *splitters)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_GATHER, "binomial"));
  uint64_t size = HEAD + sampling->most * sort->type->size;
  char *block = room(sort, 1, size), *blocks = view->rank == 0 ? room(sort, (uint64_t)view->size, size) : NULL;
  tutti_status status = block && (blocks || view->rank != 0) ? TUTTI_OK : TUTTI_ERR_MEMORY;
  if (status == TUTTI_OK) {
    take_samples(sort, sampling, data, count, block);
    status = tutti_gather(&method, block, size, MPI_BYTE, blocks, size, MPI_BYTE, 0, view, sort->error);
  }
  if (status == TUTTI_OK && view->rank == 0)
    status = divide(sort, view, sampling, blocks, size, splitters);
  free(block);
  free(blocks);
  return status;
}

tutti_status tutti_sort_split(struct sort *sort, const tutti_view *view, const struct sort_sampling *sampling,
                              const void *data, uint64_t count, struct sort_splitters *splitters)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  uint64_t bytes = HEAD + (uint64_t)(sampling->parts - 1) * sort->type->size;
  *splitters = (struct sort_splitters){.memory = room(sort, 1, bytes)};
  if (!splitters->memory)
    return TUTTI_ERR_MEMORY;
  splitters->elements = splitters->memory + HEAD;
  tutti_status status = gather(sort, view, sampling, data, count, splitters);
  memcpy(splitters->memory, &splitters->total, HEAD);
  if (status == TUTTI_OK)
    status = tutti_bcast(&method, splitters->memory, bytes, MPI_BYTE, 0, view, sort->error);
  memcpy(&splitters->total, splitters->memory, HEAD);
  return status;
}
