#include "algorithms/catalogue/msccl/program.h"

#include <stdlib.h>

#include "tutti/plugin.h"

static bool is_rooted(tutti_collective collective)
{
  return tutti_collective_traits(collective) & TUTTI_HAS_ROOT;
}

/* A file does not name its root: the only rank that receives nothing where data go from it, or that sends nothing where
   they go to it; else 0. */
static int find_root(const struct msccl_file *file)
{
  const bool from = file->collective == TUTTI_COLL_BCAST || file->collective == TUTTI_COLL_SCATTER;
  int root = 0, found = 0;
  for (int r = 0; is_rooted(file->collective) && r < file->size; r++) {
    bool idle = true;
    for (size_t b = 0; b < file->ranks[r].count; b++)
      idle = idle && (from ? file->ranks[r].items[b].recv : file->ranks[r].items[b].send) < 0;
    if (idle && file->ranks[r].count > 0 && found++ == 0)
      root = r;
  }
  return found == 1 ? root : 0;
}

tutti_status tutti_msccl_compile(const char *path, const struct msccl_file *file, struct msccl_algorithm *algorithm,
                                 tutti_error *error)
{
  const tutti_call one = {.size = file->size, .count = 1};
  const int blocks = (int)tutti_msccl_elements(file->collective, &one);
  *algorithm = (struct msccl_algorithm){
      .collective = file->collective, .size = file->size, .root = find_root(file), .chunks = file->chunks};
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
