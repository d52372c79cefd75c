#include "algorithms/catalogue/msccl/program.h"

#include <stdlib.h>

#include "tutti/plugin.h"

static bool is_rooted(tutti_collective collective)
{
  return tutti_collective_traits(collective) & TUTTI_HAS_ROOT;
}

static bool is_idle(const struct msccl_rank *rank, bool from)
{
  bool idle = rank->count > 0;
  for (size_t b = 0; b < rank->count; b++)
    idle = idle && (from ? rank->items[b].recv : rank->items[b].send) < 0;
  return idle;
}

/* A file does not name its root: the only rank that has what only a root has, the blocks of all ranks or the result;
   else the only one that receives nothing where data go from it, or that sends nothing where they go to it; else 0. */
static int find_root(const struct msccl_file *file)
{
  const tutti_collective collective = file->collective;
  const bool from = collective == TUTTI_COLL_BCAST || collective == TUTTI_COLL_SCATTER;
  int root[2] = {0}, found[2] = {0};
  for (int r = 0; is_rooted(collective) && r < file->size; r++) {
    const struct msccl_rank *rank = &file->ranks[r];
    const bool marks[2] = {collective != TUTTI_COLL_BCAST && rank->chunks[from ? MSCCL_INPUT : MSCCL_OUTPUT] > 0,
                           is_idle(rank, from)};
    for (int m = 0; m < 2; m++)
      if (marks[m] && found[m]++ == 0)
        root[m] = r;
  }
  return found[0] == 1 ? root[0] : found[1] == 1 ? root[1] : 0;
}

tutti_status tutti_msccl_compile(const char *path, const struct msccl_file *file, struct msccl_algorithm *algorithm,
                                 tutti_error *error)
{
  const tutti_call one = {.size = file->size, .count = 1};
  const int blocks = (int)tutti_msccl_elements(file->collective, &one);
  *algorithm = (struct msccl_algorithm){.collective = file->collective,
                                        .size = file->size,
                                        .root = find_root(file),
                                        .chunks = file->chunks,
                                        .window = file->window,
                                        .sums = file->sums,
                                        .waits = file->waits,
                                        .numbered = file->numbered};
  if (file->chunks % blocks != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: nchunksperloop=\"%d\" is no multiple of the %d ranks", path,
                      file->chunks, blocks);
  algorithm->programs = calloc((size_t)file->size, sizeof *algorithm->programs);
  if (!algorithm->programs)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  tutti_status status = TUTTI_OK;
  size_t work = 0;
  for (int r = 0; r < file->size && status == TUTTI_OK; r++)
    status = tutti_msccl_compile_rank(path, file, r, algorithm->root, &work, &algorithm->programs[r], error);
  return status == TUTTI_OK ? tutti_msccl_sort(algorithm, error) : status;
}

void tutti_msccl_algorithm_free(struct msccl_algorithm *algorithm)
{
  for (int r = 0; algorithm->programs && r < algorithm->size; r++) {
    tutti_vector_free(&algorithm->programs[r]);
    tutti_vector_free(&algorithm->programs[r].waits);
  }
  free(algorithm->programs);
  algorithm->programs = NULL;
}
