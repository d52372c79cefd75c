#include <string.h>

#include "mpi/collectives/pack.h"
#include "mpi/elements.h"
#include "mpi/simulation.h"

static tutti_status type_failed(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MPI, "a datatype of the call is not valid");
}

static tutti_status out_of_memory(uint64_t bytes, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %llu bytes of a collective operation",
                    (unsigned long long)bytes);
}

/* ---- blocks of a call ---- */

/* SMPI's MPI_BOTTOM is not the address 0 that its datatypes are relative to. */
static void *address_of(void *base)
{
  return base == MPI_BOTTOM ? NULL : base;
}

tutti_status tutti_side_block(const struct side *side, int index, struct side *block, tutti_error *error)
{
  MPI_Aint lower, extent = 1, offset;
  *block = (struct side){.base = side->base,
                         .count = side->counts ? (uint64_t)side->counts[index] : side->count,
                         .type = side->types ? side->types[index] : side->type};
  if (!side->types && (index > 0 || side->displacements) &&
      MPI_Type_get_extent(side->type, &lower, &extent) != MPI_SUCCESS)
    return type_failed(error);
  offset = side->displacements ? side->displacements[index] : (MPI_Aint)block->count * index;
  block->base = (char *)address_of(side->base) + offset * extent;
  return TUTTI_OK;
}

tutti_status tutti_side_bytes(const struct side *side, uint64_t *bytes, tutti_error *error)
{
  MPI_Count size; /* an element may have more than 2^31 bytes */
  *bytes = 0;
  if (side->count == 0)
    return TUTTI_OK;
  if (MPI_Type_size_x(side->type, &size) != MPI_SUCCESS || size < 0)
    return type_failed(error);
  if (__builtin_mul_overflow(side->count, (uint64_t)size, bytes) || *bytes > INT64_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu elements of %lld bytes are more than memory can hold",
                      (unsigned long long)side->count, (long long)size);
  return TUTTI_OK;
}

/* ---- bytes ---- */

/* Offsets of the blocks from the address of the buffer, and their bytes. */
struct extents {
  uint64_t *counts, *firsts; /* [blocks] */
  uint64_t total;
  bool dense;     /* all of them */
  bool known;     /* the one type of all blocks was looked into */
  MPI_Aint lower; /* of the type looked into last */
};

static bool is_irregular(const struct side *side)
{
  return side->counts || side->displacements || side->types;
}

static tutti_status measure_block(const struct side *side, int index, struct extents *extents, tutti_error *error)
{
  struct side block;
  tutti_status status = tutti_side_block(side, index, &block, error);
  if (status == TUTTI_OK)
    status = tutti_side_bytes(&block, &extents->counts[index], error);
  if (status != TUTTI_OK)
    return status;
  if (extents->counts[index] > 0 && !extents->known) {
    extents->dense = tutti_type_is_dense(block.type, 2, &extents->lower) && extents->dense;
    extents->known = !side->types;
  }
  extents->firsts[index] = (uint64_t)((char *)block.base + extents->lower - (char *)side->base);
  extents->total += extents->counts[index];
  return TUTTI_OK;
}

/* The buffer begins with the block that lies first, so that no offset is negative. Returns where that is. */
static MPI_Aint shift(struct extents *extents, int blocks)
{
  MPI_Aint least = 0;
  bool found = false;
  for (int b = 0; b < blocks; b++)
    if (extents->counts[b] > 0 && (!found || (MPI_Aint)extents->firsts[b] < least)) {
      least = (MPI_Aint)extents->firsts[b];
      found = true;
    }
  for (int b = 0; b < blocks; b++)
    extents->firsts[b] = extents->counts[b] > 0 ? extents->firsts[b] - (uint64_t)least : 0;
  return least;
}

static void line_up(struct extents *extents, int blocks)
{
  uint64_t at = 0;
  for (int b = 0; b < blocks; b++) {
    extents->firsts[b] = at;
    at += extents->counts[b];
  }
}

static tutti_status put_apart(struct stage *stage, uint64_t bytes, tutti_arena *arena, tutti_error *error)
{
  stage->memory = bytes < SIZE_MAX / 2 ? tutti_arena_alloc(arena, bytes) : NULL;
  stage->base = stage->memory;
  return stage->memory ? TUTTI_OK : out_of_memory(bytes, error);
}

static tutti_status stage_irregular(struct stage *stage, const struct staging *wanted, tutti_arena *arena,
                                    tutti_error *error)
{
  size_t bytes = (size_t)wanted->blocks * sizeof(uint64_t);
  struct extents extents = {
      .counts = tutti_arena_alloc(arena, bytes), .firsts = tutti_arena_alloc(arena, bytes), .dense = true};
  tutti_status status = TUTTI_OK;
  if (!extents.counts || !extents.firsts)
    return out_of_memory(2 * bytes, error);
  for (int b = 0; b < wanted->blocks && status == TUTTI_OK; b++)
    status = measure_block(&stage->side, b, &extents, error);
  if (status != TUTTI_OK)
    return status;
  stage->layout = (tutti_layout){extents.counts, extents.firsts};
  if (extents.dense && !wanted->apart) {
    stage->base = (char *)stage->side.base + shift(&extents, wanted->blocks);
    return TUTTI_OK;
  }
  line_up(&extents, wanted->blocks);
  return put_apart(stage, extents.total, arena, error);
}

static tutti_status stage_regular(struct stage *stage, const struct staging *wanted, tutti_arena *arena,
                                  tutti_error *error)
{
  struct side all = stage->side;
  MPI_Aint lower = 0;
  uint64_t bytes;
  if (__builtin_mul_overflow(all.count, (uint64_t)wanted->blocks, &all.count))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d blocks of %llu elements are more than memory can hold",
                      wanted->blocks, (unsigned long long)stage->side.count);
  tutti_status status = tutti_side_bytes(&all, &bytes, error);
  if (status != TUTTI_OK)
    return status;
  if (!wanted->apart && (bytes == 0 || tutti_type_is_dense(all.type, all.count, &lower))) {
    stage->base = (char *)all.base + lower;
    return TUTTI_OK;
  }
  return put_apart(stage, bytes, arena, error);
}

tutti_status tutti_stage_bytes(struct stage *stage, const struct side *side, const struct staging *wanted,
                               tutti_arena *arena, tutti_error *error)
{
  *stage = (struct stage){
      .type = MPI_BYTE, .side = *side, .blocks = wanted->blocks, .load = wanted->load, .store = wanted->store};
  return is_irregular(side) ? stage_irregular(stage, wanted, arena, error) : stage_regular(stage, wanted, arena, error);
}

/* ---- elements ---- */

tutti_status tutti_stage_elements(struct stage *stage, const struct side *side, uint64_t count,
                                  const struct staging *wanted, tutti_arena *arena, tutti_error *error)
{
  MPI_Aint before;
  *stage =
      (struct stage){.base = address_of(side->base), .type = side->type, .side = *side, .elements = true, .load = true};
  stage->side.base = stage->base;
  if (!wanted->apart)
    return TUTTI_OK;
  stage->side.count = count;
  stage->memory = tutti_elements_alloc(arena, count, side->type, &before);
  if (!stage->memory)
    return out_of_memory(count, error);
  stage->base = stage->memory + before;
  return TUTTI_OK;
}

/* Moving data between the buffers of a call and the memory that stands for them. */

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
