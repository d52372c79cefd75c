#include "interpose/record/profile.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/collectives/arguments.h"
#include "algorithms/mpi/elements.h"
#include "base/machine.h"
#include "base/numbers.h"
#include "base/splitmix64.h"
#include "interpose/record/leaders.h"
#include "interpose/serve/communicator.h"

enum {
  EXACT = PROFILE_ROWS / 2, /* after this many rows sizes are rounded up to powers of two */
  SLOTS = 4 * PROFILE_ROWS, /* a power of two */
  ROWS_AT_ONCE = 64,        /* for which room is made on the disk */
  SAMPLES = 2048,           /* maximum of a rank, */
  ALL_SAMPLES = 1 << 22     /* and of all ranks */
};

/* ---- beginning ---- */

double tutti_profile_now(MPI_Comm comm, struct clock *clock)
{
  tutti_view view;
  if (tutti_view_of(comm, &view, NULL) == TUTTI_OK)
    tutti_clock_synchronize(&view, clock, NULL);
  return PMPI_Wtime();
}

/* Rows are in a file, if one can be made, and else in memory. */
static void make_rows(struct profile *profile, const char *path, int size)
{
  const size_t length = PROFILE_ROWS * sizeof *profile->rows;
  tutti_rank_writer_open(&profile->file, path, "profile", profile->comm, tutti_ranks_per_node(profile->leaders, size));
  profile->rows = profile->file.head ? tutti_rank_writer_map(&profile->file, RANK_FILE_HEAD, length) : NULL;
  if (!profile->rows) {
    tutti_rank_writer_close(&profile->file);
    profile->rows = malloc(length);
  }
  profile->head = profile->file.head ? profile->file.head : &profile->none;
  profile->head->row = sizeof *profile->rows;
  profile->head->seen = offsetof(struct profile_row, seen);
}

/* Whether there is space for one more. On a full disk the rows are in memory from then on. */
static bool reserve_row(struct profile *profile)
{
  const size_t used = profile->row_count * sizeof *profile->rows;
  if (profile->row_count == PROFILE_ROWS)
    return false;
  if (profile->head != &profile->none && profile->row_count % ROWS_AT_ONCE == 0 &&
      !tutti_rank_writer_reserve(&profile->file, RANK_FILE_HEAD + used + ROWS_AT_ONCE * sizeof *profile->rows)) {
    tutti_rank_writer_forget(profile->rows, used, PROFILE_ROWS * sizeof *profile->rows);
    profile->head = &profile->none;
  }
  return true;
}

void tutti_profile_begin(struct profile *profile, MPI_Comm comm, const char *path)
{
  int size;
  *profile = (struct profile){.comm = comm};
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_group(comm, &profile->world);
  profile->leaders = tutti_find_leaders(comm, size);
  make_rows(profile, path, size);
  profile->slots = calloc(SLOTS, sizeof *profile->slots);
  profile->sample_max = ALL_SAMPLES / size < SAMPLES ? ALL_SAMPLES / (uint32_t)size : SAMPLES;
  profile->samples = malloc(SAMPLES * sizeof *profile->samples);
  if (!profile->samples)
    profile->sample_max = 0;
  profile->begun = profile->ended = tutti_profile_now(comm, &profile->clock);
  profile->fresh = true;
  profile->head->begun = profile->head->ended = profile->begun;
}

/* ---- communicators ---- */

/* How many nodes the members are on; 1 where that is not known. */
static int count_nodes(const struct profile *profile, int *members, int size)
{
  if (!profile->leaders)
    return 1;
  for (int r = 0; r < size; r++)
    members[r] = profile->leaders[members[r]];
  return (int)tutti_ints_unique(members, (size_t)size);
}

/* Communicators of the same members are distinguished by their number: all ranks create them in one order. */
static uint64_t next_id(struct profile *profile, uint64_t digest)
{
  enum { COMMUNICATORS = 1024 };
  uint64_t before = 0;
  for (size_t i = 0; i < profile->ids.count; i++)
    before += profile->ids.items[i] == digest;
  if (profile->ids.count == COMMUNICATORS || !tutti_vector_push(&profile->ids, digest))
    return 0;
  return tutti_splitmix64(digest + before);
}

void tutti_profile_set_word(char *word, const char *text)
{
  snprintf(word, TUTTI_RESULT_WORD, "%s", *text ? text : "-");
  for (char *c = word; *c; c++)
    if (*c <= ' ')
      *c = '_';
}

static int shape_of(struct profile *profile, const struct profile_shape *shape)
{
  for (size_t i = 0; i < profile->shapes.count; i++) {
    const struct profile_shape *other = &profile->shapes.items[i];
    if (other->ranks == shape->ranks && other->nodes == shape->nodes && strcmp(other->name, shape->name) == 0)
      return (int)i;
  }
  return tutti_vector_push(&profile->shapes, *shape) ? (int)profile->shapes.count - 1 : -1;
}

static void look_at(struct profile *profile, struct profile_communicator *communicator, MPI_Comm comm, int size)
{
  char name[MPI_MAX_OBJECT_NAME];
  int length, *members = malloc((size_t)size * sizeof *members);
  struct profile_shape shape = {.ranks = size, .nodes = 1};
  tutti_profile_set_word(shape.name, PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS ? name : "");
  *communicator = (struct profile_communicator){.known = true};
  if (members && tutti_communicator_ranks(comm, profile->world, size, members)) {
    communicator->id = next_id(profile, tutti_digest(members, (size_t)size * sizeof *members));
    shape.nodes = count_nodes(profile, members, size);
  }
  communicator->shape = shape_of(profile, &shape);
  free(members);
}

/* ---- rows ---- */

static uint64_t hash_of(const struct profile_row *key)
{
  uint64_t words[4] = {(uintptr_t)key->site, (uint64_t)key->shape << 8 | key->executor.collective, key->bytes, 0};
  memcpy(&words[3], &key->type, sizeof key->type);
  uint64_t hash = 0;
  for (int w = 0; w < 4; w++)
    hash = (hash ^ words[w]) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static bool is_row(const struct profile_row *row, const struct profile_row *key)
{
  return row->site == key->site && row->bytes == key->bytes && row->type == key->type && row->op == key->op &&
         row->shape == key->shape && row->executor.collective == key->executor.collective &&
         row->executor.native == key->executor.native && row->executor.form == key->executor.form &&
         (row->executor.native || tutti_method_compare(&row->executor.method, &key->executor.method) == 0);
}

static struct profile_row *append(struct profile *profile, uint32_t *slot, const struct profile_row *key)
{
  struct profile_row *row = &profile->rows[profile->row_count];
  *row = *key;
  row->seen.least = INFINITY;
  tutti_profile_name_row(profile, row);
  *slot = ++profile->row_count;
  profile->head->used = profile->row_count;
  return row;
}

/* NULL: no space. */
static struct profile_row *row_of(struct profile *profile, const struct profile_row *key)
{
  uint32_t slot = (uint32_t)hash_of(key) % SLOTS;
  for (; profile->slots[slot]; slot = (slot + 1) % SLOTS)
    if (is_row(&profile->rows[profile->slots[slot] - 1], key))
      return &profile->rows[profile->slots[slot] - 1];
  return reserve_row(profile) ? append(profile, &profile->slots[slot], key) : NULL;
}

static uint64_t round_up(uint64_t bytes)
{
  return bytes < 2 || bytes > UINT64_C(1) << 62 ? bytes : UINT64_C(1) << (64 - __builtin_clzll(bytes - 1));
}

/* ---- calls ---- */

/* The row of a call, which is made if it is the first one. */
static struct profile_row *find_row(struct profile *profile, const struct profile_communicator *communicator,
                                    const struct profile_call *call)
{
  const struct arguments *arguments = call->arguments;
  const MPI_Datatype type = arguments->input.type != (MPI_Datatype)0 ? arguments->input.type : arguments->output.type;
  const uint64_t bytes = profile->row_count < EXACT ? call->bytes : round_up(call->bytes);
  const struct profile_row key = {.site = call->site,
                                  .shape = communicator->shape,
                                  .executor = *call->executor,
                                  .bytes = bytes,
                                  .type = type,
                                  .op = arguments->op,
                                  .seen = {.root_least = arguments->root, .root_most = arguments->root, .size = bytes}};
  struct profile_row *row = communicator->shape < 0 ? NULL : row_of(profile, &key);
  if (row) {
    row->seen.root_least = arguments->root < row->seen.root_least ? arguments->root : row->seen.root_least;
    row->seen.root_most = arguments->root > row->seen.root_most ? arguments->root : row->seen.root_most;
  }
  return row;
}

struct profile_row *tutti_profile_add(struct profile *profile, struct profile_communicator *communicator,
                                      const struct profile_call *call, double end)
{
  if (!profile->rows || !profile->slots)
    return NULL;
  if (!communicator->known)
    look_at(profile, communicator, call->comm, call->size);
  struct profile_row *row = call->row ? call->row : find_row(profile, communicator, call);
  if (row)
    tutti_profile_add_time(profile, communicator, call, row, end);
  else {
    profile->head->left_out = ++profile->left_out;
    communicator->calls++;
  }
  profile->ended = profile->head->ended = end;
  profile->fresh = true;
  return row;
}
