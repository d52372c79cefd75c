/* Moving data between the buffers of a call and the memory that stands for them. */
#include <string.h>

#include "mpi/collectives/dense.h"
#include "mpi/collectives/stage.h"
#include "mpi/charge.h"
#include "mpi/copy.h"
#include "mpi/pack.h"

/* MPI_Pack() counts bytes in an int. SMPI 3.32 takes the elements of a resized type from wrong places unless it gets
   them one by one. */
#ifdef SMPI_HELPERS_H
enum { MOST_BYTES = 1 };
#else
enum { MOST_BYTES = 1 << 30 };
#endif

static int move_packed(const struct side *block, char *packed, uint64_t bytes, bool load, MPI_Comm comm)
{
  MPI_Aint lower, extent;
  uint64_t size = bytes / block->count;
  uint64_t at_once = size < MOST_BYTES ? MOST_BYTES / size : 1;
  int result = MPI_Type_get_extent(block->type, &lower, &extent);
  for (uint64_t done = 0; done < block->count && result == MPI_SUCCESS; done += at_once) {
    uint64_t some = block->count - done < at_once ? block->count - done : at_once;
    result = tutti_pack_or_unpack((char *)block->base + (MPI_Aint)done * extent, (int)some, block->type,
                                  packed + done * size, (int)(some * size), load, comm);
  }
  return result;
}

static int move(const struct side *block, char *packed, uint64_t bytes, bool load, MPI_Comm comm)
{
  MPI_Aint lower;
  if (!tutti_type_is_dense(block->type, block->count, &lower))
    return move_packed(block, packed, bytes, load, comm);
  char *there = (char *)block->base + lower;
  memcpy(load ? packed : there, load ? there : packed, bytes);
  return MPI_SUCCESS;
}

static tutti_status move_block(const struct stage *stage, int index, uint64_t *at, bool load, MPI_Comm comm,
                               tutti_error *error)
{
  struct side block;
  uint64_t bytes;
  tutti_status status = tutti_side_block(&stage->side, index, &block, error);
  if (status == TUTTI_OK)
    status = tutti_side_bytes(&block, &bytes, error);
  if (status != TUTTI_OK || bytes == 0)
    return status;
  if (move(&block, stage->memory + *at, bytes, load, comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "%s %llu elements of block %d failed", load ? "packing" : "unpacking",
                      (unsigned long long)block.count, index);
  tutti_charge(TUTTI_COPY, bytes);
  *at += bytes;
  return TUTTI_OK;
}

static tutti_status move_blocks(const struct stage *stage, bool load, MPI_Comm comm, tutti_error *error)
{
  uint64_t at = 0;
  tutti_status status = TUTTI_OK;
  for (int b = 0; b < stage->blocks && status == TUTTI_OK; b++)
    status = move_block(stage, b, &at, load, comm, error);
  return status;
}

static tutti_status load_elements(const struct stage *stage, MPI_Comm comm, tutti_error *error)
{
  uint64_t bytes;
  tutti_status status = tutti_side_bytes(&stage->side, &bytes, error);
  if (status != TUTTI_OK || bytes == 0)
    return status;
  if (tutti_copy_local(stage->side.base, stage->type, stage->base, stage->type, stage->side.count, comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "copying %llu elements failed", (unsigned long long)stage->side.count);
  tutti_charge(TUTTI_COPY, bytes);
  return TUTTI_OK;
}

tutti_status tutti_stage_load(const struct stage *stage, MPI_Comm comm, tutti_error *error)
{
  if (!stage->memory || !stage->load)
    return TUTTI_OK;
  return stage->elements ? load_elements(stage, comm, error) : move_blocks(stage, true, comm, error);
}

tutti_status tutti_stage_store(const struct stage *stage, MPI_Comm comm, tutti_error *error)
{
  return stage->memory && stage->store ? move_blocks(stage, false, comm, error) : TUTTI_OK;
}
