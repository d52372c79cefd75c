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
#include "interpose/process.h"
#include "interpose/serve/serve.h"

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

void tutti_profile_begin(struct process *process)
{
  const MPI_Comm comm = process->known.shadow;
  const char *path = process->policy->profile;
  struct profile *profile = &process->profile;
  int size;
  if (!path)
    return;
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
  tutti_profile_now(comm, &profile->clock);
  profile->fresh = true;
  tutti_profile_start(profile, PMPI_Wtime());
}

void tutti_profile_start(struct profile *profile, double now)
{
  if (profile->comm != MPI_COMM_NULL)
    profile->begun = profile->ended = profile->head->begun = profile->head->ended = now;
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
    if (other->ranks == shape->ranks && other->nodes == shape->nodes && other->neighbors == shape->neighbors &&
        strcmp(other->name, shape->name) == 0)
      return (int)i;
  }
  return tutti_vector_push(&profile->shapes, *shape) ? (int)profile->shapes.count - 1 : -1;
}

static void look_at(struct profile *profile, struct communicator *communicator)
{
  enum { COMMUNICATORS = 1024 };
  char name[MPI_MAX_OBJECT_NAME];
  const int size = communicator->view.size;
  int length;
  uint64_t digest, before;
  int *members = tutti_communicator_see(&profile->seen, communicator->comm, profile->world, size, &digest, &before);
  struct profile_shape shape = {.ranks = size,
                                .nodes = members ? count_nodes(profile, members, size) : 1,
                                .neighbors = communicator->neighbors.most};
  tutti_profile_set_word(shape.name, PMPI_Comm_get_name(communicator->comm, name, &length) == MPI_SUCCESS ? name : "");
  communicator->profile = (struct profile_communicator){
      .known = true,
      .id = members && profile->seen.count <= COMMUNICATORS ? tutti_splitmix64(digest + before) : 0,
      .shape = shape_of(profile, &shape)};
  free(members);
}

/* ---- rows ---- */

static uint64_t hash_of(const struct profile_row *key)
{
  uint64_t words[4] = {(uintptr_t)key->site, (uint64_t)key->shape << 8 | key->executor.collective, key->bytes, 0};
  memcpy(&words[3], &key->type, sizeof key->type);
  return tutti_hash_words(words, 4);
}

static bool is_row(const struct profile_row *row, const struct profile_row *key)
{
  return row->site == key->site && row->bytes == key->bytes && row->type == key->type && row->op == key->op &&
         row->shape == key->shape && tutti_executor_is(&row->executor, &key->executor);
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
static struct profile_row *find_row(struct profile *profile, const struct call *call, const struct executor *executor)
{
  const int shape = call->communicator->profile.shape;
  const struct arguments *arguments = call->arguments;
  const MPI_Datatype type = arguments->input.type != (MPI_Datatype)0 ? arguments->input.type : arguments->output.type;
  const uint64_t bytes = profile->row_count < EXACT ? call->bytes : round_up(call->bytes);
  const struct profile_row key = {.site = call->site,
                                  .shape = shape,
                                  .executor = *executor,
                                  .bytes = bytes,
                                  .type = type,
                                  .op = arguments->op,
                                  .seen = {.root_least = arguments->root, .root_most = arguments->root, .size = bytes}};
  struct profile_row *row = shape < 0 ? NULL : row_of(profile, &key);
  if (row) {
    row->seen.root_least = arguments->root < row->seen.root_least ? arguments->root : row->seen.root_least;
    row->seen.root_most = arguments->root > row->seen.root_most ? arguments->root : row->seen.root_most;
  }
  return row;
}

static void end_call(struct profile *profile, double end)
{
  profile->ended = profile->head->ended = end;
  profile->fresh = true;
}

void tutti_profile_again(struct profile *profile, const struct call *call, struct profile_row *row, double end)
{
  tutti_profile_add_time(profile, call, row, end);
  end_call(profile, end);
}

void tutti_profile_call(struct process *process, struct call *call, const struct executor *executor, double end)
{
  struct profile *profile = &process->profile;
  if (profile->comm == MPI_COMM_NULL || call->ranks == 0 || !profile->rows || !profile->slots)
    return;
  if (!call->communicator->profile.known)
    look_at(profile, call->communicator);
  if (!call->row)
    call->row = find_row(profile, call, executor);
  if (call->row)
    tutti_profile_add_time(profile, call, call->row, end);
  else {
    profile->head->left_out = ++profile->left_out;
    call->communicator->profile.calls++;
  }
  end_call(profile, end);
}
