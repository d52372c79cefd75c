#include "interpose/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/splitmix64.h"
#include "interpose/communicator.h"
#include "mpi/collectives/arguments.h"
#include "mpi/elements.h"

enum {
  ROWS = 1024,          /* of a rank at most */
  EXACT = ROWS / 2,     /* behind so many rows sizes are rounded up to powers of two */
  SLOTS = 4 * ROWS,     /* a power of two */
  SAMPLES = 2048,       /* of a rank at most, */
  ALL_SAMPLES = 1 << 22 /* and of all ranks */
};

/* ---- beginning ---- */

void tutti_profile_find_leaders(struct profile *profile, int size)
{
  int leader;
  profile->leaders = malloc((size_t)size * sizeof *profile->leaders);
  int known = tutti_node_leader(profile->comm, &leader) == MPI_SUCCESS && profile->leaders;
  PMPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, profile->comm);
  if (known)
    PMPI_Allgather(&leader, 1, MPI_INT, profile->leaders, 1, MPI_INT, profile->comm);
  else {
    free(profile->leaders);
    profile->leaders = NULL;
  }
}

double tutti_profile_now(MPI_Comm comm, struct clock *clock)
{
  tutti_view view;
  if (tutti_view_of(comm, &view, NULL) == TUTTI_OK)
    tutti_clock_synchronize(&view, clock, NULL);
  return PMPI_Wtime();
}

void tutti_profile_begin(struct profile *profile, MPI_Comm comm)
{
  int size;
  *profile = (struct profile){.comm = comm};
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_group(comm, &profile->world);
  tutti_profile_find_leaders(profile, size);
  profile->rows = malloc(ROWS * sizeof *profile->rows);
  profile->slots = calloc(SLOTS, sizeof *profile->slots);
  profile->sample_max = ALL_SAMPLES / size < SAMPLES ? ALL_SAMPLES / (uint32_t)size : SAMPLES;
  profile->samples = malloc(SAMPLES * sizeof *profile->samples);
  if (!profile->samples)
    profile->sample_max = 0;
  profile->begun = profile->ended = tutti_profile_now(comm, &profile->clock);
  profile->fresh = true;
}

/* ---- communicators ---- */

static int compare_ints(const void *left, const void *right)
{
  const int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

/* How many nodes the members are on; 1 where that is not known. */
static int count_nodes(const struct profile *profile, int *members, int size)
{
  int nodes = 0;
  if (!profile->leaders)
    return 1;
  for (int r = 0; r < size; r++)
    members[r] = profile->leaders[members[r]];
  qsort(members, (size_t)size, sizeof *members, compare_ints);
  for (int r = 0; r < size; r++)
    nodes += r == 0 || members[r] != members[r - 1];
  return nodes;
}

int tutti_profile_ranks_per_node(const struct profile *profile)
{
  int size, most = 1;
  PMPI_Comm_size(profile->comm, &size);
  int *counts = profile->leaders ? calloc((size_t)size, sizeof *counts) : NULL;
  for (int r = 0; counts && r < size; r++)
    most = ++counts[profile->leaders[r]] > most ? counts[profile->leaders[r]] : most;
  free(counts);
  return most;
}

/* Communicators of the same members are told apart by their number among these: all ranks see them in one order. */
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
  int length;
  char name[MPI_MAX_OBJECT_NAME];
  struct profile_row *row = &profile->rows[profile->row_count];
  *row = *key;
  row->least = INFINITY;
  tutti_profile_set_word(row->type_name, "-");
  if (key->type != (MPI_Datatype)0 && key->type != MPI_DATATYPE_NULL) {
    bool named = tutti_type_is_predefined(key->type) && PMPI_Type_get_name(key->type, name, &length) == MPI_SUCCESS;
    tutti_profile_set_word(row->type_name, named && *name ? name : "derived");
    PMPI_Type_size(key->type, &row->type_size);
  }
  *slot = ++profile->row_count;
  return row;
}

/* NULL: there is no room. */
static struct profile_row *row_of(struct profile *profile, const struct profile_row *key)
{
  uint32_t slot = (uint32_t)hash_of(key) % SLOTS;
  for (; profile->slots[slot]; slot = (slot + 1) % SLOTS)
    if (is_row(&profile->rows[profile->slots[slot] - 1], key))
      return &profile->rows[profile->slots[slot] - 1];
  return profile->row_count < ROWS ? append(profile, &profile->slots[slot], key) : NULL;
}

static uint64_t round_up(uint64_t bytes)
{
  return bytes < 2 || bytes > UINT64_C(1) << 62 ? bytes : UINT64_C(1) << (64 - __builtin_clzll(bytes - 1));
}

enum { DENSE = 32 };

double tutti_profile_probability(uint32_t index)
{
  return index <= DENSE ? 1 : (double)DENSE / index;
}

/* ---- which calls are timed ---- */

enum { MATURE = 64, EVERY = 16 };
static const double SHORT = 2e-6; /* seconds */

/* With tutti_profile_probability(), without a division. */
static bool is_sample(uint32_t index, uint64_t hash)
{
  return (double)(hash >> 11) * index < DENSE * 0x1p53;
}

/* The collective with that number on the communicator will be a sample of who comes last. */
static bool takes_sample(const struct profile *profile, const struct profile_communicator *communicator, uint32_t index,
                         uint64_t hash)
{
  return communicator->id != 0 && profile->sample_count < profile->sample_max && is_sample(index, hash);
}

/* The longest call may be the first one, or an interruption. */
static bool is_short(const struct profile_row *row)
{
  const uint64_t timed = row->calls - row->skipped;
  return timed >= MATURE && row->total - row->most < SHORT * (double)(timed - 1);
}

static bool is_drawn(uint64_t hash)
{
  return hash % EVERY == 0;
}

bool tutti_profile_skip(struct profile *profile, struct profile_communicator *communicator, struct profile_row *row)
{
  const uint32_t index = communicator->calls + 1;
  const uint64_t hash = tutti_splitmix64(index);
  if (!is_short(row) || is_drawn(hash) || takes_sample(profile, communicator, index, hash))
    return false;
  communicator->calls = index;
  row->calls++;
  row->skipped++;
  if (profile->fresh) {
    row->followed++;
    row->between += fmax(0, PMPI_Wtime() - profile->ended);
    profile->fresh = false;
  }
  return true;
}

/* Seconds in the calls that were not timed, before they are scaled. */
static double estimate_total(const struct profile_row *row)
{
  const double mean =
      row->drawn ? row->drawn_total / (double)row->drawn : row->total / (double)(row->calls - row->skipped);
  return row->skipped ? (double)row->skipped * mean : 0;
}

/* Of those behind calls that were not timed. */
static double estimate_between(const struct profile_row *row)
{
  return row->followed ? row->between / (double)row->followed * (double)(row->calls - row->followed) : 0;
}

double tutti_profile_total(const struct profile *profile, const struct profile_row *row)
{
  return row->total + profile->scale * estimate_total(row);
}

double tutti_profile_between(const struct profile *profile, const struct profile_row *row)
{
  return row->between + profile->scale * estimate_between(row);
}

/* A few long calls say little about many. But all calls, and the time between them, are the time that passed. */
void tutti_profile_set_scale(struct profile *profile)
{
  double known = 0, estimated = 0;
  for (uint32_t r = 0; r < profile->row_count; r++) {
    const struct profile_row *row = &profile->rows[r];
    known += row->total + row->between;
    estimated += estimate_total(row) + estimate_between(row);
  }
  const double rest = fmax(0, profile->ended - profile->begun - known);
  profile->scale = estimated > 0 ? rest / estimated : 0;
}

/* ---- calls ---- */

static void add_time(struct profile *profile, struct profile_communicator *communicator,
                     const struct profile_call *call, struct profile_row *row, double end)
{
  const double seconds = end - call->start;
  const uint32_t index = ++communicator->calls;
  const uint64_t hash = tutti_splitmix64(index);
  if (is_short(row) && is_drawn(hash)) {
    row->drawn++;
    row->drawn_total += seconds;
  }
  row->calls++;
  row->total += seconds;
  row->least = fmin(row->least, seconds);
  row->most = fmax(row->most, seconds);
  if (profile->fresh) {
    row->followed++;
    row->between += fmax(0, call->start - profile->ended);
  }
  if (takes_sample(profile, communicator, index, hash))
    profile->samples[profile->sample_count++] = (struct profile_sample){.communicator = communicator->id,
                                                                        .index = index,
                                                                        .size = call->size,
                                                                        .row = (uint64_t)(row - profile->rows),
                                                                        .seen = 1,
                                                                        .first_time = call->start};
}

/* The row of a call, which is made if it is the first one. */
static struct profile_row *find_row(struct profile *profile, const struct profile_communicator *communicator,
                                    const struct profile_call *call)
{
  const struct arguments *arguments = call->arguments;
  const MPI_Datatype type = arguments->input.type != (MPI_Datatype)0 ? arguments->input.type : arguments->output.type;
  const struct profile_row key = {.site = call->site,
                                  .shape = communicator->shape,
                                  .executor = *call->executor,
                                  .bytes = profile->row_count < EXACT ? call->bytes : round_up(call->bytes),
                                  .type = type,
                                  .op = arguments->op,
                                  .root_least = arguments->root,
                                  .root_most = arguments->root};
  struct profile_row *row = communicator->shape < 0 ? NULL : row_of(profile, &key);
  if (row) {
    row->root_least = arguments->root < row->root_least ? arguments->root : row->root_least;
    row->root_most = arguments->root > row->root_most ? arguments->root : row->root_most;
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
    add_time(profile, communicator, call, row, end);
  else {
    profile->left_out++;
    communicator->calls++;
  }
  profile->ended = end;
  profile->fresh = true;
  return row;
}
