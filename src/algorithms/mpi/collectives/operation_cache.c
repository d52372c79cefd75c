/* Kept operations: what may be kept, how it is found again, and what gives way. */
#include "algorithms/mpi/collectives/operation_cache.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/elements.h"

enum { SLOTS = 64 };

/* Bytes: of the operations of a cache, of all caches of a process, and of the scratch memory that one operation may
   want. */
enum { MAX_OPERATIONS = 1 << 20, MAX_PROCESS = 1 << 25, MAX_SCRATCH = 1 << 22 };

/* ---- arguments ---- */

static bool is_irregular(const struct operation_key *key)
{
  return key->words[0] & 64 * TUTTI_KEY_IRREGULAR;
}

static bool are_same_keys(const struct operation_key *left, const struct operation_key *right)
{
  uint64_t difference = 0;
  for (int i = 0; i < KEY_WORDS; i++)
    difference |= left->words[i] ^ right->words[i];
  return difference == 0;
}

/* Hashes the first few items of arrays: the comparison covers all. */
static uint64_t hash_items(const struct user_buffer *b, int size)
{
  enum { FEW = 8 };
  uint64_t hash = 0;
  for (int r = 0; b->counts && r < size && r < FEW; r++)
    hash = hash * 31 + (uint64_t)tutti_count_at(b, r);
  for (int r = 0; b->displacements && r < size && r < FEW; r++)
    hash = hash * 37 + (uint64_t)tutti_displacement_at(b, r);
  return hash;
}

static uint64_t hash_arrays(const struct arguments *a, int size)
{
  return hash_items(&a->input, size) + 5 * hash_items(&a->output, size);
}

static uint32_t hash_of(const struct operation_key *key, const struct arguments *a, int size)
{
  const uint64_t *w = key->words;
  uint64_t hash = (w[0] ^ w[0] >> 29) + 3 * w[1] + 5 * w[2] + 7 * w[3] + 9 * w[4] + 11 * w[5];
  if (is_irregular(key))
    hash += hash_arrays(a, size);
  return (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool are_same_items(const void *left, const void *right, size_t item, int size)
{
  return left == right || (left && right && memcmp(left, right, item * (size_t)size) == 0);
}

static bool are_same_arrays(const struct user_buffer *left, const struct user_buffer *right, int size)
{
  return are_same_items(left->counts, right->counts, tutti_count_size(left), size) &&
         are_same_items(left->displacements, right->displacements, tutti_displacement_size(left), size) &&
         are_same_items(left->types, right->types, sizeof *left->types, size);
}

bool tutti_cache_fits_arrays(const struct cached_operation *c, const struct arguments *a)
{
  return are_same_arrays(&c->arguments.input, &a->input, c->view.size) &&
         are_same_arrays(&c->arguments.output, &a->output, c->view.size);
}

/* ---- views ---- */

bool tutti_same_ranks(const tutti_view *left, const tutti_view *right)
{
  return left->comm == right->comm && left->first == right->first && left->stride == right->stride &&
         left->size == right->size && left->lookup == right->lookup && left->map_first == right->map_first &&
         left->map_stride == right->map_stride;
}

static bool is_same_view(const tutti_view *left, const tutti_view *right)
{
  return tutti_same_ranks(left, right) && left->rank == right->rank && left->first_tag == right->first_tag &&
         left->nodes == right->nodes && left->levels == right->levels && left->noise_hook == right->noise_hook;
}

/* ---- what may be kept ---- */

static bool is_lasting(const struct user_buffer *b, int size)
{
  if (b->types) {
    for (int r = 0; r < size; r++)
      if (tutti_count_at(b, r) > 0 && !tutti_type_is_predefined(b->types[r]))
        return false;
    return true;
  }
  return (b->count == 0 && !b->counts) || tutti_type_is_predefined(b->type);
}

/* Simulated ranks are many and have little memory, and the simulated time of an operation does not depend on it. */
bool tutti_operation_is_cacheable(const struct arguments *arguments, const tutti_view *view)
{
#ifdef SMPI_HELPERS_H
  (void)view;
  return arguments->collective == TUTTI_COLL_BARRIER;
#endif
  if (arguments->near)
    return false;
  if (tutti_collective_traits(arguments->collective) & TUTTI_REDUCES)
    return tutti_operation_is_predefined(arguments->op) && tutti_type_is_predefined(arguments->output.type);
  return is_lasting(&arguments->input, view->size) && is_lasting(&arguments->output, view->size);
}

/* ---- the order in which they give way ---- */

static void unlink_from_order(struct operation_cache *cache, struct cached_operation *c)
{
  *(c->newer ? &c->newer->older : &cache->newest) = c->older;
  *(c->older ? &c->older->newer : &cache->oldest) = c->newer;
}

static void make_newest(struct operation_cache *cache, struct cached_operation *c)
{
  c->newer = NULL;
  c->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = c;
  cache->newest = c;
}

/* ---- memory ---- */

static struct cache_budget *budget_of(struct operation_cache *cache)
{
  return cache->budget ? cache->budget : &cache->own;
}

static struct cached_operation **slot_of(const struct operation_cache *cache, uint32_t hash)
{
  return &cache->slots[hash % SLOTS];
}

/* The operation itself is not freed if messages of it may be in flight. */
static void drop(struct operation_cache *cache, struct cached_operation *c)
{
  struct cached_operation **place = slot_of(cache, c->hash);
  while (*place != c)
    place = &(*place)->next;
  *place = c->next;
  unlink_from_order(cache, c);
  cache->memory -= c->memory;
  budget_of(cache)->used -= c->memory;
  budget_of(cache)->dropped++;
  if (!c->operation->run.broken)
    tutti_operation_free(c->operation);
  free(c);
}

/* Evict the oldest, but move those used since they were queued to the end once more (a second chance: Corbato 1968):
   moving an operation at each use would take as long as the rest of a small call. False if the space is too small even
   without them. */
static bool make_room(struct operation_cache *cache, size_t bytes)
{
  struct cache_budget *budget = budget_of(cache);
  while (cache->oldest && (cache->memory + bytes > MAX_OPERATIONS || budget->used + bytes > MAX_PROCESS)) {
    struct cached_operation *c = cache->oldest;
    if (!c->used) {
      drop(cache, c);
      continue;
    }
    c->used = false;
    unlink_from_order(cache, c);
    make_newest(cache, c);
  }
  return cache->memory + bytes <= MAX_OPERATIONS && budget->used + bytes <= MAX_PROCESS;
}

/* Old contents are of no use. */
static bool enlarge_scratch(struct operation_cache *cache, size_t bytes)
{
  struct cache_budget *budget = budget_of(cache);
  if (bytes <= cache->scratch_bytes)
    return true;
  if (bytes > MAX_SCRATCH || budget->used + bytes - cache->scratch_bytes > MAX_PROCESS)
    return false;
  char *larger = malloc(bytes);
  if (!larger)
    return false;
  free(cache->scratch);
  budget->used += bytes - cache->scratch_bytes;
  cache->scratch = larger;
  cache->scratch_bytes = bytes;
  return true;
}

void tutti_cache_free(struct operation_cache *cache)
{
  while (cache->oldest)
    drop(cache, cache->oldest);
  budget_of(cache)->used -= cache->scratch_bytes;
  free(cache->scratch);
  free(cache->slots);
  *cache = (struct operation_cache){.budget = cache->budget};
}

/* ---- finding ---- */

static bool fits_method(const struct cached_operation *c, const tutti_method *method, const tutti_view *view)
{
  return is_same_view(&c->view, view) && tutti_method_compare(&c->wanted, method) == 0;
}

struct cached_operation *tutti_cache_find(struct operation_cache *cache, const struct arguments *arguments,
                                          const tutti_method *method, const tutti_view *view)
{
  if (!cache->newest)
    return NULL;
  const struct operation_key key = tutti_operation_key(arguments);
  const uint32_t hash = hash_of(&key, arguments, view->size);
  struct cached_operation *c = *slot_of(cache, hash);
  while (c &&
         !(c->hash == hash && are_same_keys(&c->key, &key) && c->view.size == view->size &&
           (!is_irregular(&key) || tutti_cache_fits_arrays(c, arguments)) && (!method || fits_method(c, method, view))))
    c = c->next;
  if (c)
    tutti_cache_use(cache, c, arguments->input.base, arguments->output.base);
  return c;
}

/* ---- preparing ---- */

static bool copy_items(tutti_arena *arena, size_t bytes, const void *items, void *copy)
{
  void *memory = items ? tutti_arena_alloc(arena, bytes) : NULL;
  if (memory)
    memcpy(memory, items, bytes);
  memcpy(copy, &memory, sizeof memory);
  return !items || memory;
}

static bool copy_arrays(tutti_arena *arena, struct user_buffer *b, size_t size)
{
  return copy_items(arena, size * tutti_count_size(b), b->counts, &b->counts) &&
         copy_items(arena, size * tutti_displacement_size(b), b->displacements, &b->displacements) &&
         copy_items(arena, size * sizeof *b->types, b->types, &b->types);
}

/* The arguments of the operation with arrays of its own. */
static bool keep_arguments(struct cached_operation *c, const struct arguments *arguments, int size)
{
  tutti_arena *arena = &c->operation->arena;
  c->arguments = *arguments;
  return copy_arrays(arena, &c->arguments.input, (size_t)size) &&
         copy_arrays(arena, &c->arguments.output, (size_t)size);
}

/* The packs of the operation refer to the copies. */
static void use_kept_arrays(struct cached_operation *c)
{
  struct pack *input = &c->operation->input, *output = &c->operation->output;
  const struct user_buffer *in = input->of_output ? &c->arguments.output : &c->arguments.input,
                           *out = &c->arguments.output;
  if (input->user_buffer.counts) {
    input->user_buffer.counts = in->counts;
    input->user_buffer.displacements = in->displacements;
    input->user_buffer.types = in->types;
  }
  if (output->user_buffer.counts) {
    output->user_buffer.counts = out->counts;
    output->user_buffer.displacements = out->displacements;
    output->user_buffer.types = out->types;
  }
}

static bool has_slots(struct operation_cache *cache)
{
  if (!cache->slots)
    cache->slots = calloc(SLOTS, sizeof(struct cached_operation *));
  return cache->slots;
}

/* False without space. */
static bool keep(struct operation_cache *cache, struct cached_operation *c, const struct arguments *arguments)
{
  int size = c->view.size;
  if (!keep_arguments(c, arguments, size))
    return false;
  use_kept_arrays(c);
  tutti_operation_find_steps(c->operation);
  c->memory = sizeof *c + c->operation->arena.reserved;
  if (!has_slots(cache) || !enlarge_scratch(cache, c->operation->scratch_bytes) || !make_room(cache, c->memory))
    return false;
  c->key = tutti_operation_key(arguments);
  c->hash = hash_of(&c->key, arguments, size);
  struct cached_operation **slot = slot_of(cache, c->hash);
  c->next = *slot;
  *slot = c;
  make_newest(cache, c);
  cache->memory += c->memory;
  budget_of(cache)->used += c->memory;
  tutti_cache_use(cache, c, arguments->input.base, arguments->output.base);
  return true;
}

tutti_status tutti_cache_prepare(struct operation_cache *cache, const tutti_method *method,
                                 const struct arguments *arguments, uint64_t bytes, const tutti_view *view,
                                 bool serving, struct cached_operation **cached, tutti_error *error)
{
  *cached = NULL;
  struct cached_operation *c = calloc(1, sizeof *c);
  if (!c)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an operation", view->rank);
  *c = (struct cached_operation){.bytes = bytes, .wanted = *method, .method = *method, .view = *view};
  tutti_status status = tutti_operation_lay_out(method, arguments, view, view->first_tag, serving ? &c->method : NULL,
                                                &c->operation, error);
  if (status == TUTTI_OK && keep(cache, c, arguments)) {
    *cached = c;
    return TUTTI_OK;
  }
  if (status == TUTTI_OK)
    tutti_operation_free(c->operation);
  free(c);
  return status;
}

tutti_status tutti_cache_end(struct operation_cache *cache, struct cached_operation *cached, tutti_status status)
{
  if (status != TUTTI_OK)
    drop(cache, cached);
  return status;
}
