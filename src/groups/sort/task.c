#include "groups/sort/task.h"

#include <stdlib.h>
#include <string.h>

void tutti_sort_task_init(struct task *task, struct sort *sort, const struct sort_places *places,
                          struct sort_interval all)
{
  *task = (struct task){.sort = sort, .places = places, .all = all, .made = MPI_COMM_NULL, .step = STEP_OVER};
  task->seed = tutti_sort_task_seed(sort->random, all.low, all.high);
}

/* ---- what the steps share ---- */

static tutti_method plain(tutti_collective collective, const char *name)
{
  return tutti_method_default(tutti_algorithm_find(collective, name));
}

/* Replace the values of this process by the sum over all processes. */
static tutti_status add_up(struct task *task, uint64_t *values, tutti_request **request)
{
  tutti_method method = plain(TUTTI_COLL_ALLREDUCE, "recursive-doubling");
  return tutti_iallreduce(&method, task->mine, values, SIDES, MPI_UINT64_T, MPI_SUM, &task->view, request,
                          task->sort->error);
}

/* Replace the values of this process by the sum over the previous processes. */
static tutti_status look_ahead(struct task *task, uint64_t *values, tutti_request **request)
{
  tutti_method method = plain(TUTTI_COLL_EXSCAN, "binomial");
  values[0] = values[1] = 0; /* at rank 0 */
  return tutti_iexscan(&method, task->mine, values, SIDES, MPI_UINT64_T, MPI_SUM, &task->view, request,
                       task->sort->error);
}

static bool combines(const struct task *task)
{
  return task->sort->how->assignment == TUTTI_SORT_DETERMINISTIC && task->combining.threshold > 1;
}

/* ---- sample ---- */

static void draw_samples(struct task *task)
{
  const struct sort *sort = task->sort;
  uint64_t n = sort_length(task->all), samples = (uint64_t)task->sample_count;
  uint64_t next = tutti_sort_samples_before(task->seed, n, samples, task->before);
  uint64_t end = tutti_sort_samples_before(task->seed, n, samples, task->before + task->own.count);
  for (; next < end; next++) {
    uint64_t position = tutti_sort_sample_position(task->seed, next, task->own.count);
    memcpy(sort_at(sort->type, task->samples, next), sort_at(sort->type, task->own.data, position), sort->type->size);
  }
}

/* Each process can compute which samples are its own and their numbers. So the samples are combined by one allreduce of
   bytes, which are zero elsewhere, and all have all: fewer start-ups than a gather and a broadcast, and no list of the
   p counts, most of them zero, at a root. */
tutti_status tutti_sort_task_begin(struct task *task)
{
  struct sort *sort = task->sort;
  task->step = STEP_SAMPLE;
  task->combining.threshold = tutti_sort_threshold(task->places);
  task->sample_count = tutti_sort_sample_count(sort->how, sort_length(task->all), task->view.size);
  uint64_t bytes = (uint64_t)task->sample_count * sort->type->size;
  task->samples = tutti_sort_room(sort, (uint64_t)task->sample_count);
  if (!task->samples)
    return TUTTI_ERR_MEMORY;
  memset(task->samples, 0, (size_t)bytes);
  draw_samples(task);
  const uint64_t short_message = 4096;
  tutti_method method = plain(TUTTI_COLL_ALLREDUCE, bytes < short_message ? "recursive-doubling" : "rabenseifner");
  return tutti_iallreduce(&method, MPI_IN_PLACE, task->samples, bytes, MPI_BYTE, MPI_BOR, &task->view,
                          &task->awaited[0], sort->error);
}

/* ---- count ---- */

/* The median becomes sample 0. */
static void pick_pivot(struct task *task)
{
  const tutti_sort_type *type = task->sort->type;
  uint64_t samples = (uint64_t)task->sample_count, median = samples / 2;
  tutti_sort_select(type, task->samples, samples, median);
  for (uint64_t i = median + 1; i < samples; i++)
    if (type->compare(sort_at(type, task->samples, i), sort_at(type, task->samples, median), type->context) < 0)
      memcpy(sort_at(type, task->samples, median), sort_at(type, task->samples, i), type->size);
  memmove(task->samples, sort_at(type, task->samples, median), type->size);
  tutti_sort_charge(task->sort, samples);
}

static tutti_status count(struct task *task)
{
  const struct sort *sort = task->sort;
  task->step = STEP_COUNT;
  pick_pivot(task);
  task->parted = tutti_sort_room(sort, task->own.count);
  if (!task->parted)
    return TUTTI_ERR_MEMORY;
  struct sort_counts counts =
      tutti_sort_partition(sort->type, task->own.data, task->own.count, task->samples, task->parted);
  tutti_sort_charge(sort, task->own.count);
  task->mine[0] = counts.less;
  task->mine[1] = counts.equal;
  tutti_status status = add_up(task, task->sums, &task->awaited[0]);
  if (status == TUTTI_OK && !combines(task))
    status = look_ahead(task, task->prefix, &task->awaited[1]);
  return status;
}

bool tutti_sort_is_small(const struct task *task, const char *element)
{
  int order = task->sort->type->compare(element, task->samples, task->sort->type->context);
  return order < 0 || (order == 0 && task->cut.with_equal);
}

/* ---- what follows from the counts ---- */

static uint64_t small_of(const struct task *task, const uint64_t *counts)
{
  return counts[0] + (task->cut.with_equal ? counts[1] : 0);
}

/* Nothing is to be sorted, and all elements are where they belong from the first exchange on. */
static tutti_status end_equal(struct task *task)
{
  task->parts[SMALL] = task->own;
  task->own = (struct sort_elements){NULL, 0};
  task->step = STEP_OVER;
  return TUTTI_OK;
}

static tutti_status cut(struct task *task)
{
  const tutti_sort_type *type = task->sort->type;
  task->cut = tutti_sort_cut(task->sums[0], task->sums[1], sort_length(task->all));
  if (task->cut.done && task->level > 0)
    return end_equal(task);
  uint64_t small = small_of(task, task->mine), prefix = small_of(task, task->prefix);
  task->sides[SMALL] = (struct sort_side){task->parted, small, prefix};
  task->sides[LARGE] =
      (struct sort_side){sort_at(type, task->parted, small), task->own.count - small, task->before - prefix};
  return combines(task) ? tutti_sort_combine_begin(task) : tutti_sort_exchange_begin(task);
}

/* The pieces are combined: what is in front of them now? */
static tutti_status find_prefix(struct task *task)
{
  tutti_status status = tutti_sort_combine_next(task);
  if (status != TUTTI_OK)
    return status;
  task->step = STEP_PREFIX;
  task->mine[SMALL] = task->sides[SMALL].count;
  task->mine[LARGE] = task->sides[LARGE].count;
  return look_ahead(task, task->prefix, &task->awaited[0]);
}

static tutti_status fill(struct task *task)
{
  task->sides[SMALL].prefix = task->prefix[SMALL];
  task->sides[LARGE].prefix = task->prefix[LARGE];
  return tutti_sort_exchange_begin(task);
}

/* ---- the machine ---- */

static tutti_status next_step(struct task *task)
{
  switch (task->step) {
  case STEP_SAMPLE:
    return count(task);
  case STEP_COUNT:
    return cut(task);
  case STEP_COMBINE:
    return find_prefix(task);
  case STEP_PREFIX:
    return fill(task);
  default:
    return tutti_sort_exchange_end(task);
  }
}

tutti_request **tutti_sort_task_request(struct task *task)
{
  for (task->current = 0; task->current < 2; task->current++)
    if (task->awaited[task->current])
      return &task->awaited[task->current];
  return task->step == STEP_EXCHANGE && task->send_done < task->sends.count ? &task->sends.items[task->send_done]
                                                                            : NULL;
}

tutti_status tutti_sort_task_advance(struct task *task, const MPI_Status *status)
{
  tutti_status result = TUTTI_OK;
  if (task->current == 2)
    task->send_done++;
  else if (task->step == STEP_COMBINE)
    task->combining.counts[task->current] = tutti_sort_received(task, status);
  else if (task->step == STEP_EXCHANGE)
    result = tutti_sort_exchange_take(task, status);
  while (result == TUTTI_OK && task->step != STEP_OVER && !tutti_sort_task_request(task))
    result = next_step(task);
  return result;
}

void tutti_sort_task_free(struct task *task)
{
  free(task->own.data);
  free(task->samples);
  free(task->parted);
  tutti_vector_free(&task->sends);
  free(task->combining.come[0]);
  free(task->combining.come[1]);
  free(task->combining.up);
  free(task->combining.kept);
  free(task->arrivals.data);
  tutti_vector_free(&task->arrivals.list);
  free(task->parts[SMALL].data);
  free(task->parts[LARGE].data);
}
