/* Buffers of a call as buffers of a schedule: how they are laid out, packed and unpacked. */
#include <string.h>

#include "algorithms/mpi/collectives/pack.h"
#include "algorithms/mpi/elements.h"
#include "algorithms/mpi/run_state.h"
#include "algorithms/mpi/simulation.h"
#include "base/numbers.h"

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

#if MPI_VERSION < 4 /* its name before */
#define MPI_Type_size_c MPI_Type_size_x
#endif

tutti_status tutti_user_buffer_bytes(const struct user_buffer *user_buffer, uint64_t *bytes, tutti_error *error)
{
  MPI_Count size; /* an element may have more than 2^31 bytes */
  *bytes = 0;
  if (user_buffer->count == 0)
    return TUTTI_OK;
  if (MPI_Type_size_c(user_buffer->type, &size) != MPI_SUCCESS || size < 0)
    return type_failed(error);
  if (__builtin_mul_overflow(user_buffer->count, (uint64_t)size, bytes) || *bytes > INT64_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu elements of %lld bytes are more than memory can hold",
                      (unsigned long long)user_buffer->count, (long long)size);
  return TUTTI_OK;
}

tutti_status tutti_user_buffer_block(const struct user_buffer *user_buffer, int index, struct user_buffer *block,
                                     uint64_t *bytes, tutti_error *error)
{
  MPI_Aint lower, extent = 1, offset;
  *block = (struct user_buffer){.base = user_buffer->base,
                                .count = user_buffer->counts ? (uint64_t)tutti_count_at(user_buffer, index)
                                                             : user_buffer->count,
                                .type = user_buffer->types ? user_buffer->types[index] : user_buffer->type};
  if (!user_buffer->types && (index > 0 || user_buffer->displacements) &&
      MPI_Type_get_extent(user_buffer->type, &lower, &extent) != MPI_SUCCESS)
    return type_failed(error);
  offset = user_buffer->displacements ? tutti_displacement_at(user_buffer, index) : (MPI_Aint)block->count * index;
  block->base = (char *)address_of(user_buffer->base) + offset * extent;
  return tutti_user_buffer_bytes(block, bytes, error);
}

/* ---- bytes ---- */

/* The blocks of a buffer. */
struct extents {
  uint64_t *offsets; /* [blocks + 1] of their layout */
  MPI_Aint *places;  /* [blocks] where they are, in bytes from the address of the buffer */
  bool dense;        /* all of them */
  bool known;        /* the one type of all blocks was looked into */
  MPI_Aint lower;    /* of the last analyzed type */
};

static bool is_irregular(const struct user_buffer *user_buffer)
{
  return user_buffer->counts || user_buffer->displacements || user_buffer->types;
}

static tutti_status measure_block(const struct user_buffer *user_buffer, int index, struct extents *extents,
                                  tutti_error *error)
{
  struct user_buffer block;
  uint64_t bytes;
  tutti_status status = tutti_user_buffer_block(user_buffer, index, &block, &bytes, error);
  if (status != TUTTI_OK)
    return status;
  if (__builtin_add_overflow(extents->offsets[index], bytes, &extents->offsets[index + 1]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the blocks of a call are more than memory can hold");
  if (bytes > 0 && !extents->known) {
    extents->dense = tutti_type_is_dense(block.type, 2, &extents->lower) && extents->dense;
    extents->known = !user_buffer->types;
  }
  extents->places[index] = (MPI_Aint)((uintptr_t)block.base - (uintptr_t)user_buffer->base) + extents->lower;
  return TUTTI_OK;
}

static uint64_t bytes_of_block(const struct extents *extents, int block)
{
  return extents->offsets[block + 1] - extents->offsets[block];
}

/* How far the first block with data is from where the layout has it; true if that holds for all. */
static bool lies_as_laid_out(const struct extents *extents, int blocks, MPI_Aint *shift)
{
  bool found = false;
  *shift = 0;
  for (int b = 0; b < blocks; b++) {
    const MPI_Aint own = extents->places[b] - (MPI_Aint)extents->offsets[b];
    if (bytes_of_block(extents, b) == 0)
      continue;
    if (found && own != *shift)
      return false;
    *shift = own;
    found = true;
  }
  return true;
}

static tutti_status put_apart(struct pack *pack, uint64_t bytes, struct pack_memory *memory, tutti_error *error)
{
  size_t offset;
  if (!tutti_scratch_reserve(&memory->scratch, bytes, &offset))
    return out_of_memory(bytes, error);
  pack->apart = true;
  pack->places = NULL;
  pack->base = pack->memory = tutti_moved(NULL, offset);
  return TUTTI_OK;
}

static tutti_status pack_irregular(struct pack *pack, const struct pack_options *wanted, struct pack_memory *memory,
                                   tutti_error *error)
{
  const size_t blocks = (size_t)wanted->blocks, bytes = (2 * blocks + 1) * sizeof(uint64_t);
  struct extents extents = {.offsets = tutti_arena_alloc(memory->arena, (blocks + 1) * sizeof *extents.offsets),
                            .places = tutti_arena_alloc(memory->arena, blocks * sizeof *extents.places),
                            .dense = true};
  tutti_status status = TUTTI_OK;
  MPI_Aint shift = 0;
  if (!extents.offsets || !extents.places)
    return out_of_memory(bytes, error);
  extents.offsets[0] = 0;
  for (int b = 0; b < wanted->blocks && status == TUTTI_OK; b++)
    status = measure_block(&pack->user_buffer, b, &extents, error);
  if (status != TUTTI_OK)
    return status;
  pack->layout = (tutti_layout){extents.offsets};
  if (!extents.dense || wanted->apart)
    return put_apart(pack, extents.offsets[blocks], memory, error);
  if (lies_as_laid_out(&extents, wanted->blocks, &shift))
    pack->base = tutti_moved(pack->user_buffer.base, (uintptr_t)shift);
  else {
    pack->base = pack->user_buffer.base;
    pack->places = extents.places;
  }
  return TUTTI_OK;
}

static tutti_status pack_regular(struct pack *pack, const struct pack_options *wanted, struct pack_memory *memory,
                                 tutti_error *error)
{
  struct user_buffer all = pack->user_buffer;
  MPI_Aint lower = 0;
  uint64_t bytes;
  if (__builtin_mul_overflow(all.count, (uint64_t)wanted->blocks, &all.count))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d blocks of %llu elements are more than memory can hold",
                      wanted->blocks, (unsigned long long)pack->user_buffer.count);
  tutti_status status = tutti_user_buffer_bytes(&all, &bytes, error);
  if (status != TUTTI_OK)
    return status;
  if (!wanted->apart && (bytes == 0 || tutti_type_is_dense(all.type, all.count, &lower))) {
    pack->base = (char *)all.base + lower;
    return TUTTI_OK;
  }
  return put_apart(pack, bytes, memory, error);
}

tutti_status tutti_pack_bytes(struct pack *pack, const struct user_buffer *user_buffer,
                              const struct pack_options *wanted, struct pack_memory *memory, tutti_error *error)
{
  *pack = (struct pack){.type = MPI_BYTE,
                        .user_buffer = *user_buffer,
                        .blocks = wanted->blocks,
                        .load = wanted->load,
                        .store = wanted->store};
  return is_irregular(user_buffer) ? pack_irregular(pack, wanted, memory, error)
                                   : pack_regular(pack, wanted, memory, error);
}

/* ---- placing ---- */

/* The block in which an element of the layout is; among those that begin there the last one, which has data. */
static int block_at(const struct pack *pack, uint64_t first)
{
  return TUTTI_PARTITION_POINT(int, b, 1, pack->blocks, pack->layout.offsets[b] <= first) - 1;
}

static MPI_Aint distance_of(const struct pack *pack, int block)
{
  return pack->places[block] - (MPI_Aint)pack->layout.offsets[block];
}

/* Move `first` to where `count` bytes from there on are in memory. False if they are not one after the other. */
static bool place(const struct pack *pack, uint64_t *first, uint64_t count)
{
  if (count == 0)
    return true;
  int block = block_at(pack, *first);
  const MPI_Aint distance = distance_of(pack, block);
  const uint64_t end = *first + count;
  while (++block < pack->blocks && pack->layout.offsets[block] < end)
    if (tutti_layout_count(&pack->layout, block) > 0 && distance_of(pack, block) != distance)
      return false;
  *first += (uint64_t)distance;
  return true;
}

/* The ends of a vertex that are in the buffer, placed. */
static bool place_vertex(const struct pack *pack, tutti_buffer buffer, tutti_vertex *vertex)
{
  const bool local = vertex->kind == TUTTI_REDUCE || vertex->kind == TUTTI_COPY;
  return (vertex->buffer != buffer || place(pack, &vertex->first, vertex->count)) &&
         (!local || vertex->peer != buffer || place(pack, &vertex->target_first, vertex->count));
}

static bool can_place(const struct pack *pack, tutti_buffer buffer, const tutti_vertex *vertices, uint32_t count)
{
  for (uint32_t v = 0; v < count; v++) {
    tutti_vertex vertex = vertices[v];
    if (!place_vertex(pack, buffer, &vertex))
      return false;
  }
  return true;
}

tutti_status tutti_pack_place(struct pack *pack, tutti_buffer buffer, tutti_vertex *vertices, uint32_t count,
                              struct pack_memory *memory, tutti_error *error)
{
  if (!pack->places)
    return TUTTI_OK;
  if (!can_place(pack, buffer, vertices, count))
    return put_apart(pack, tutti_layout_sum(&pack->layout, pack->blocks), memory, error);
  for (uint32_t v = 0; v < count; v++)
    place_vertex(pack, buffer, &vertices[v]);
  return TUTTI_OK;
}

/* ---- elements ---- */

tutti_status tutti_pack_elements(struct pack *pack, const struct user_buffer *user_buffer, uint64_t count,
                                 const struct pack_options *wanted, struct pack_memory *memory, tutti_error *error)
{
  MPI_Aint before;
  size_t bytes, offset;
  *pack = (struct pack){.base = address_of(user_buffer->base),
                        .type = user_buffer->type,
                        .user_buffer = *user_buffer,
                        .elements = true,
                        .load = true};
  pack->user_buffer.base = pack->base;
  if (!wanted->apart)
    return TUTTI_OK;
  pack->user_buffer.count = count;
  if (!tutti_elements_room(count, user_buffer->type, &bytes, &before) ||
      !tutti_scratch_reserve(&memory->scratch, bytes, &offset))
    return out_of_memory(count, error);
  pack->apart = true;
  pack->memory = tutti_moved(NULL, offset);
  pack->base = tutti_moved(pack->memory, (uintptr_t)before);
  return TUTTI_OK;
}

void tutti_pack_move(struct pack *pack, uintptr_t buffer_by, uintptr_t scratch_by)
{
  pack->user_buffer.base = tutti_moved(pack->user_buffer.base, buffer_by);
  pack->base = tutti_moved(pack->base, pack->apart ? scratch_by : buffer_by);
  pack->memory = tutti_moved(pack->memory, pack->apart ? scratch_by : 0);
}

/* ---- moving data between the buffers of a call and the memory that replaces them ---- */

/* MPI_Pack() counts bytes in an int. SMPI 3.32 takes the elements of a resized type from wrong places unless it gets
   them one by one. */
#ifdef SMPI_HELPERS_H
enum { MAX_BYTES = 1 };
#else
enum { MAX_BYTES = 1 << 30 };
#endif

static int move_packed(const struct user_buffer *block, char *packed, uint64_t bytes, bool load, MPI_Comm comm)
{
  MPI_Aint lower, extent;
  uint64_t size = bytes / block->count;
  uint64_t at_once = size < MAX_BYTES ? MAX_BYTES / size : 1;
  int result = MPI_Type_get_extent(block->type, &lower, &extent);
  for (uint64_t done = 0; done < block->count && result == MPI_SUCCESS; done += at_once) {
    uint64_t some = block->count - done < at_once ? block->count - done : at_once;
    result = tutti_pack_or_unpack((char *)block->base + (MPI_Aint)done * extent, (int)some, block->type,
                                  packed + done * size, (int)(some * size), load, comm);
  }
  return result;
}

static int move(const struct user_buffer *block, char *packed, uint64_t bytes, bool load, MPI_Comm comm)
{
  MPI_Aint lower;
  if (!tutti_type_is_dense(block->type, block->count, &lower))
    return move_packed(block, packed, bytes, load, comm);
  char *there = (char *)block->base + lower;
  memcpy(load ? packed : there, load ? there : packed, bytes);
  return MPI_SUCCESS;
}

static tutti_status move_block(const struct pack *pack, int index, uint64_t *at, bool load, MPI_Comm comm,
                               tutti_error *error)
{
  struct user_buffer block;
  uint64_t bytes;
  tutti_status status = tutti_user_buffer_block(&pack->user_buffer, index, &block, &bytes, error);
  if (status != TUTTI_OK || bytes == 0)
    return status;
  if (move(&block, pack->memory + *at, bytes, load, comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "%s %llu elements of block %d failed", load ? "packing" : "unpacking",
                      (unsigned long long)block.count, index);
  tutti_charge(TUTTI_COPY, bytes);
  *at += bytes;
  return TUTTI_OK;
}

static tutti_status move_blocks(const struct pack *pack, bool load, MPI_Comm comm, tutti_error *error)
{
  uint64_t at = 0;
  tutti_status status = TUTTI_OK;
  for (int b = 0; b < pack->blocks && status == TUTTI_OK; b++)
    status = move_block(pack, b, &at, load, comm, error);
  return status;
}

static tutti_status load_elements(const struct pack *pack, MPI_Comm comm, tutti_error *error)
{
  uint64_t bytes;
  tutti_status status = tutti_user_buffer_bytes(&pack->user_buffer, &bytes, error);
  if (status != TUTTI_OK || bytes == 0)
    return status;
  if (tutti_copy_local(pack->user_buffer.base, pack->type, pack->base, pack->type, pack->user_buffer.count, comm) !=
      MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "copying %llu elements failed",
                      (unsigned long long)pack->user_buffer.count);
  tutti_charge(TUTTI_COPY, bytes);
  return TUTTI_OK;
}

tutti_status tutti_pack_load(const struct pack *pack, MPI_Comm comm, tutti_error *error)
{
  if (!pack->apart || !pack->load)
    return TUTTI_OK;
  return pack->elements ? load_elements(pack, comm, error) : move_blocks(pack, true, comm, error);
}

tutti_status tutti_pack_store(const struct pack *pack, MPI_Comm comm, tutti_error *error)
{
  return pack->apart && pack->store ? move_blocks(pack, false, comm, error) : TUTTI_OK;
}
