/**
 * @file schedule.h
 * @ingroup schedule
 * A schedule: the part of one rank in one collective operation, as plain data.
 *
 * A schedule is a directed acyclic graph. Each vertex sends, receives, reduces or copies one block, and starts as soon
 * as the vertices it waits for are complete. It names no MPI object and no address: a block is (buffer, first element,
 * count), bound to real memory only when the schedule is run (run.h). So one schedule can be run, verified (analysis.h)
 * and counted (analysis.h).
 *
 * Matching: messages from rank a to rank b match in vertex order, the i-th send vertex of a to b with the i-th receive
 * vertex of b from a. The executor of a schedule posts the sends to one peer, and the receives from one peer, in
 * vertex order, for any order in which their prerequisites complete. This needs no tags and holds on every
 * transport that keeps the order of messages between two ranks.
 *
 * Building: create, add vertices and edges, seal. Additions never fail visibly: the first failure is remembered and
 * reported by tutti_schedule_seal(), so that an algorithm reads like its description.
 */
#ifndef TUTTI_SCHEDULE_H
#define TUTTI_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/counted_memory.h"
#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The action of a vertex. */
typedef enum tutti_kind {
  TUTTI_SEND,   /**< send the block to the peer */
  TUTTI_RECV,   /**< receive the block from the peer; exactly count elements */
  TUTTI_REDUCE, /**< target[i] = source[i] op target[i]: the source is the left operand, as in MPI_Reduce_local */
  TUTTI_COPY,   /**< target[i] = source[i] */
} tutti_kind;

/** Names a buffer within an operation. */
typedef uint16_t tutti_buffer;
#define TUTTI_INPUT  ((tutti_buffer)0) /**< the caller's contribution; read only */
#define TUTTI_OUTPUT ((tutti_buffer)1) /**< receives the result; for broadcast also the source at the root */
/** Temporaries are numbered from here, in the order of tutti_schedule_temporary(). */
#define TUTTI_FIRST_TEMPORARY ((tutti_buffer)2)

/** Consecutive elements of a buffer. The unit is one element of the datatype bound to the buffer, never a byte. */
typedef struct tutti_block {
  tutti_buffer buffer;
  uint64_t first; /**< index of the first element */
  uint64_t count; /**< number of elements; 0 is a message without data */
} tutti_block;

/** Index of a vertex in its schedule. */
typedef uint32_t tutti_vertex_id;
/** No vertex: as a prerequisite it means "nothing to wait for". */
#define TUTTI_NO_VERTEX UINT32_MAX

/** One vertex of a sealed schedule. */
typedef struct tutti_vertex {
  uint16_t kind;       /**< a tutti_kind */
  tutti_buffer buffer; /**< buffer sent from, received into, or the source of a reduction or copy */
  int32_t peer;        /**< rank in the group; for TUTTI_REDUCE and TUTTI_COPY the target's buffer instead */
  uint64_t first;
  uint64_t count;
  uint64_t target_first; /**< first element in the target buffer; only TUTTI_REDUCE and TUTTI_COPY */
} tutti_vertex;

/** One rank's schedule. Read-only once sealed; all arrays live in the arena given to tutti_schedule_seal(). */
typedef struct tutti_schedule {
  int size;                            /**< ranks of the group */
  int rank;                            /**< the rank whose part this is */
  uint32_t vertex_count;               /**< V */
  uint32_t edge_count;                 /**< E */
  uint32_t temporary_count;            /**< T */
  const tutti_vertex *vertices;        /**< [V] every prerequisite precedes its dependant */
  const uint32_t *successor_first;     /**< [V+1] index into successors */
  const tutti_vertex_id *successors;   /**< [E] vertices that wait for the vertex, by vertex; each once */
  const uint32_t *prerequisites;       /**< [V] number of edges into the vertex, plus one if it has a channel
                                            predecessor: an earlier vertex of the same kind and peer, which must have
                                            been posted (not completed) before */
  const tutti_vertex_id *channel_next; /**< [V] next vertex of the same kind and peer, or TUTTI_NO_VERTEX */
  const uint64_t *temporary_counts;    /**< [T] elements of each temporary */
} tutti_schedule;

/** Memory of so many bytes comes from the kernel anew in each call, and its pages are made when they are touched first:
    mmap(2) serves malloc(3) from there on (M_MMAP_THRESHOLD of glibc). */
enum { TUTTI_FRESH_BYTES = 128 * 1024 };

/** Bytes of temporaries that a call touches first: those that have TUTTI_FRESH_BYTES or more. */
uint64_t tutti_schedule_fresh_bytes(const tutti_schedule *schedule, uint64_t type_size);

/** A schedule under construction. Opaque; heap memory, freed by tutti_builder_free(). */
typedef struct tutti_builder tutti_builder;

/**
 * Begin the schedule of @p rank in a group of @p size ranks (size >= 1, 0 <= rank < size; anything else is reported
 * when sealing). Returns NULL if the allocation fails.
 */
tutti_builder *tutti_builder_create(int size, int rank);

/** Free a builder, sealed or not. NULL is allowed. */
void tutti_builder_free(tutti_builder *builder);

/** Maximum vertices, and edges, of one rank's schedule: as many as fit into 4 GiB. */
#define TUTTI_MAX_VERTICES (UINT64_C(1) << 27)

/**
 * Room for @p vertices and @p edges in advance; saves reallocations. False, and a fault, if they are more than a
 * schedule can have or memory has: an algorithm whose number of vertices grows with the message ends then.
 */
bool tutti_builder_reserve(tutti_builder *builder, uint64_t vertices, uint64_t edges);

/** Declare a temporary of @p count elements of the datatype of TUTTI_OUTPUT; returns the name of its buffer. A schedule
 * has at most 65,533; one more fails the build with TUTTI_ERR_UNSUPPORTED. */
tutti_buffer tutti_builder_temporary(tutti_builder *builder, uint64_t count);

/** Report a fault while building; tutti_schedule_seal() will return it, unless there is an earlier one. */
void tutti_builder_fault(tutti_builder *builder, const tutti_error *fault);

/** Add a vertex without prerequisites. @p peer is a rank of the group other than the own one. @{ */
tutti_vertex_id tutti_add_send(tutti_builder *builder, int peer, tutti_block block);
tutti_vertex_id tutti_add_recv(tutti_builder *builder, int peer, tutti_block block);
/** @} */

/**
 * Add a reduction or copy of source.count elements from @p source to @p target, whose count must be the same. The
 * two blocks must not overlap. @{
 */
tutti_vertex_id tutti_add_reduce(tutti_builder *builder, tutti_block source, tutti_block target);
tutti_vertex_id tutti_add_copy(tutti_builder *builder, tutti_block source, tutti_block target);
/** @} */

/**
 * A part of a schedule in which an algorithm runs among some of the ranks and on other buffers: for algorithms made of
 * others (reduce, then broadcast; between nodes, then within each). Lives on the stack of the caller.
 */
typedef struct tutti_scope {
  int size;              /**< ranks of the part */
  int rank;              /**< own rank in it */
  const int *ranks;      /**< [size] their ranks in the enclosing group, or NULL: first + i * stride */
  int first, stride;     /**< only if ranks is NULL */
  tutti_block input;     /**< meaning of TUTTI_INPUT: buffer and first element; its count is not used */
  tutti_block output;    /**< meaning of TUTTI_OUTPUT */
  tutti_vertex_id after; /**< everything in the part waits for this vertex of the enclosing part, or TUTTI_NO_VERTEX */
  struct tutti_scope *outer; /**< private, as the rest */
  uint32_t first_vertex, first_edge;
} tutti_scope;

/**
 * Until tutti_builder_leave(), peers are ranks of the part and TUTTI_INPUT and TUTTI_OUTPUT mean its buffers;
 * temporaries and vertices keep their names. Parts may be nested. @p scope must stay valid until then.
 */
void tutti_builder_enter(tutti_builder *builder, tutti_scope *scope);

/** End the part entered last. Returns a vertex that is complete when the part is; scope->after if the part is empty. */
tutti_vertex_id tutti_builder_leave(tutti_builder *builder);

/** The scope of the whole group, with the buffers of the operation: begin with it and change what differs. */
tutti_scope tutti_scope_of_all(const tutti_builder *builder, tutti_vertex_id after);

/** The vertex that will be added next. Vertices are numbered in the order in which they are added. */
tutti_vertex_id tutti_builder_next(const tutti_builder *builder);

/** @p bytes of memory that lives as long as the builder; NULL, and a fault, without memory. */
void *tutti_builder_scratch(tutti_builder *builder, uint64_t bytes);

/**
 * @p vertex starts only when @p prerequisite is complete. The prerequisite must have been added earlier (so no cycle
 * within a rank can be written down). TUTTI_NO_VERTEX as either one does nothing, and so does saying it again.
 */
void tutti_add_after(tutti_builder *builder, tutti_vertex_id vertex, tutti_vertex_id prerequisite);

/** A block; shorthand for a compound literal. */
static inline tutti_block tutti_block_of(tutti_buffer buffer, uint64_t first, uint64_t count)
{
  tutti_block block = {buffer, first, count};
  return block;
}

/** The block of a message that carries nothing. */
static inline tutti_block tutti_no_data(void)
{
  return tutti_block_of(TUTTI_OUTPUT, 0, 0);
}

/**
 * Add a vertex that does nothing (a copy of no elements): where all of many vertices must complete before any of many
 * others, it joins them with a sum instead of a product of edges.
 */
static inline tutti_vertex_id tutti_add_join(tutti_builder *builder)
{
  return tutti_add_copy(builder, tutti_no_data(), tutti_no_data());
}

/**
 * Finish: lay out the sealed schedule in @p arena in exactly as much memory as it needs and fill in @p schedule. The
 * builder is not changed and can be sealed again.
 * @return TUTTI_ERR_MEMORY, or TUTTI_ERR_ARGUMENT with the first fault made while building (peer outside the group or
 *         the own rank, prerequisite not added before, unequal counts, unknown buffer).
 */
tutti_status tutti_schedule_seal(const tutti_builder *builder, tutti_arena *arena, tutti_schedule *schedule,
                                 tutti_error *error);

/** Check the invariants stated above on a sealed schedule of any origin. TUTTI_ERR_FAULT names vertex and rank. */
tutti_status tutti_schedule_validate(const tutti_schedule *schedule, tutti_error *error);

/** The target block of a TUTTI_REDUCE or TUTTI_COPY vertex. */
static inline tutti_block tutti_vertex_target(const tutti_vertex *vertex)
{
  return tutti_block_of((tutti_buffer)vertex->peer, vertex->target_first, vertex->count);
}

/** Longest text of tutti_vertex_format(), terminating zero included. */
#define TUTTI_VERTEX_LENGTH 160

/** A vertex in words: "send to 3: output[0..7]", "reduce: temporary 0[0..7] -> output[0..7]". Returns @p text. */
char *tutti_vertex_format(const tutti_vertex *vertex, char text[TUTTI_VERTEX_LENGTH]);

#ifdef __cplusplus
}
#endif
#endif
