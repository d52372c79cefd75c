/* Where the ranks of a pricing are kept. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/price_state.h"

struct price_block {
  struct price_block *next;
  size_t capacity;
  alignas(64) char bytes[];
};

static struct price_block *add_block(struct price_chunk *chunk, size_t bytes)
{
  enum { USUAL = 32 << 10 };
  size_t capacity = bytes < USUAL ? USUAL : bytes;
  struct price_block *block = aligned_alloc(64, sizeof *block + capacity);
  if (!block)
    return NULL;
  *block = (struct price_block){.next = chunk->blocks, .capacity = capacity};
  chunk->blocks = block;
  chunk->used = 0;
  return block;
}

void *tutti_price_take(struct price_chunk *chunk, size_t bytes, uint64_t *taken)
{
  struct price_block *block = chunk->blocks;
  if (!block || block->capacity - chunk->used < bytes) {
    block = add_block(chunk, bytes);
    *taken += block ? sizeof *block + block->capacity : 0;
  }
  if (!block)
    return NULL;
  chunk->used += bytes;
  return block->bytes + chunk->used - bytes;
}

static void free_chunk(struct price_chunk *chunk)
{
  while (chunk->blocks) {
    struct price_block *block = chunk->blocks;
    chunk->blocks = block->next;
    free(block);
  }
}

void tutti_price_retire(struct price_state *state, uint32_t rank)
{
  struct price_chunk *chunk = &state->chunks[rank / PRICE_CHUNK];
  state->ranks[rank].vertices = NULL;
  if (--chunk->left == 0)
    free_chunk(chunk);
}

bool tutti_price_make_ranks(struct price_state *state)
{
  size_t size = (size_t)state->size, chunks = (size + PRICE_CHUNK - 1) / PRICE_CHUNK;
  state->chunks = calloc(chunks, sizeof *state->chunks);
  state->ranks = aligned_alloc(64, size * sizeof *state->ranks);
  state->asides = calloc(size, sizeof *state->asides);
  state->is_dirty = calloc(size, sizeof *state->is_dirty);
  if (state->options->path)
    state->trails = calloc(size, sizeof *state->trails);
  state->bytes = size * (sizeof *state->ranks + sizeof *state->asides + sizeof *state->is_dirty +
                         (state->trails ? sizeof *state->trails : 0)) +
                 chunks * sizeof *state->chunks;
  if (state->ranks)
    memset(state->ranks, 0, size * sizeof *state->ranks);
  return state->chunks && state->ranks && state->asides && state->is_dirty && (state->trails || !state->options->path);
}

void tutti_price_unload(struct price_state *state)
{
  for (int r = 0; r < state->size && state->chunks; r += PRICE_CHUNK)
    free_chunk(&state->chunks[r / PRICE_CHUNK]);
  for (int r = 0; r < state->size && state->trails; r++)
    free(state->trails[r].notes);
  free(state->chunks);
  free(state->ranks);
  free(state->asides);
  free(state->trails);
  free(state->is_dirty);
  free(state->complete.items);
  free(state->dirty.items);
  free(state->departed.items);
  tutti_calendar_free(&state->calendar);
}
