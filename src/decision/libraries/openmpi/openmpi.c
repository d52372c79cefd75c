/* Open MPI as a library; and the collectives and algorithms of coll/tuned by version (coll_base_functions.h,
 * coll_tuned_*_decision.c). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decision/libraries/openmpi/openmpi.h"

/* Bits of ids. */
#define TO(first, last) ((2u << (last)) - (1u << (first)))
#define ONLY(id)        TO(id, id)

const struct openmpi_collective tutti_openmpi_collectives[OPENMPI_COLLECTIVES] = {
    {"allgather", SIZE_OF_ALL, .two = 6, .power = 3, .even = 5, .radix = 2, .since = {[7] = 500, [8] = 600},
     .algorithms = {"", "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
                    "direct-messaging"}},
    {"allgatherv", SIZE_OF_RANK, .two = 5, .even = 4, .since = {[6] = 500},
     .algorithms = {"", "default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}},
    {"allreduce", SIZE_OF_RANK, .uses = {[FIELD_SEGMENT] = ONLY(5)}, .reorders = TO(4, 5), .since = {[7] = 600},
     .algorithms = {"", "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
                    "rabenseifner", "allgather_reduce"}},
    {"alltoall", SIZE_OF_ALL, .uses = {[FIELD_REQUESTS] = ONLY(4)}, .two = 5,
     .algorithms = {"", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
    {"alltoallv", SIZE_ZERO, .algorithms = {"", "basic_linear", "pairwise"}},
    {"alltoallw", SIZE_ZERO, .algorithms = {""}},
    {"barrier", SIZE_ZERO, .two = 5,
     .algorithms = {"", "linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
    {"bcast", SIZE_OF_RANK, .uses = {[FIELD_SEGMENT] = TO(2, 7), [FIELD_FANOUT] = ONLY(2)},
     .algorithms = {"", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial",
                    "scatter_allgather", "scatter_allgather_ring"}},
    {"exscan", SIZE_TYPE_BY_RANKS, .algorithms = {"", "linear", "recursive_doubling"}},
    {"gather", SIZE_OF_ALL, .uses = {[FIELD_SEGMENT] = ONLY(3)},
     .algorithms = {"", "basic_linear", "binomial", "linear_sync"}},
    {"gatherv", SIZE_ZERO, .algorithms = {""}},
    {"reduce", SIZE_OF_RANK,
     .uses = {[FIELD_SEGMENT] = TO(2, 6), [FIELD_FANOUT] = ONLY(2), [FIELD_REQUESTS] = TO(2, 6)}, .reorders = ONLY(4),
     .since = {[8] = 600},
     .algorithms = {"", "linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner",
                    "knomial"}},
    {"reduce_scatter", SIZE_OF_ALL, .reorders = TO(2, 3),
     .algorithms = {"", "non-overlapping", "recursive_halving", "ring", "butterfly"}},
    {"reduce_scatter_block", SIZE_OF_ALL, .reorders = ONLY(3),
     .algorithms = {"", "basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
    {"scan", SIZE_TYPE_BY_RANKS, .algorithms = {"", "linear", "recursive_doubling"}},
    {"scatter", SIZE_OF_ALL, .algorithms = {"", "basic_linear", "binomial", "linear_nb"}},
    {"scatterv", SIZE_ZERO, .algorithms = {""}},
    {"neighbor_allgather", SIZE_ZERO, .algorithms = {""}},
    {"neighbor_allgatherv", SIZE_ZERO, .algorithms = {""}},
    {"neighbor_alltoall", SIZE_ZERO, .algorithms = {""}},
    {"neighbor_alltoallv", SIZE_ZERO, .algorithms = {""}},
    {"neighbor_alltoallw", SIZE_ZERO, .algorithms = {""}},
};

int tutti_openmpi_collective_id(const char *name)
{
  for (int i = 0; i < OPENMPI_COLLECTIVES; i++)
    if (strcmp(tutti_openmpi_collectives[i].name, name) == 0)
      return i;
  return -1;
}

int tutti_openmpi_collective(tutti_collective collective)
{
  int id = tutti_openmpi_collective_id(tutti_collective_name(collective));
  return id >= 0 && tutti_openmpi_collectives[id].algorithms[1] ? id : -1;
}

/* For scan and exscan the count is left out: they ignore the message. */
tutti_size_unit tutti_openmpi_unit(tutti_collective collective)
{
  static const tutti_size_unit units[] = {
      [SIZE_OF_RANK] = TUTTI_UNIT_RANK,
      [SIZE_OF_ALL] = TUTTI_UNIT_TOTAL,
      [SIZE_ZERO] = TUTTI_UNIT_NONE,
      [SIZE_TYPE_BY_RANKS] = TUTTI_UNIT_NONE,
  };
  int id = tutti_openmpi_collective(collective);
  return id < 0 ? TUTTI_UNIT_ABSENT : units[tutti_openmpi_collectives[id].size];
}

const char *tutti_openmpi_algorithm_name(const tutti_library_version *version, long collective, long id)
{
  const struct openmpi_collective *of = &tutti_openmpi_collectives[collective];
  if (id == 0)
    return "ignore";
  if (id < 0 || id > OPENMPI_MAX_ID || !of->algorithms[id] || !tutti_library_between(version, of->since[id], 0))
    return NULL;
  if (tutti_openmpi_has_radix(version, collective, id))
    return "bruck-k-fanout";
  return of->algorithms[id];
}

long tutti_openmpi_algorithm_id(const tutti_library_version *version, long collective, const char *text)
{
  char *end;
  long id = strtol(text, &end, 0);
  if (end != text && !*end)
    return id;
  for (id = OPENMPI_MAX_ID; id >= 0; id--) {
    const char *name = tutti_openmpi_algorithm_name(version, collective, id);
    if (name && strcasecmp(name, text) == 0)
      break;
  }
  return id;
}

int tutti_openmpi_algorithm_count(const tutti_library_version *version, long collective)
{
  int count = 0;
  while (count < OPENMPI_MAX_ID && tutti_openmpi_algorithm_name(version, collective, count + 1))
    count++;
  return count;
}

bool tutti_openmpi_uses(long collective, long id, enum openmpi_field field)
{
  return id >= 0 && id <= OPENMPI_MAX_ID && tutti_openmpi_collectives[collective].uses[field] >> id & 1;
}

bool tutti_openmpi_has_radix(const tutti_library_version *version, long collective, long id)
{
  return id != 0 && id == tutti_openmpi_collectives[collective].radix && tutti_library_since(version, 6, 0, 0);
}

/* ---- the library: what it is called, what it reads and writes ---- */

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/openmpi/codes.def"
#undef CODE
};

/* JSON is of version 6, and rules of coll/han may be of 5 or 6; numbers are of the others. */
static void refine(const char *text, size_t length, tutti_library_version *version)
{
  const bool numbers = isdigit((unsigned char)tutti_tuning_first(text, length));
  const tutti_tuning_kind *kind = numbers ? tutti_tuning_recognize_for(version, text, length) : NULL;
  const bool han = kind && strcmp(kind->name, "openmpi-han") == 0;
  const int since = han ? tutti_openmpi_han_since(text, length) : tutti_tuning_first(text, length) == '{' ? 6 : 0;
  if (since == 0)
    return;
  version->major = since;
  version->minor = version->patch = -1;
}

const char *const tutti_openmpi_placements[OPENMPI_PLACEMENTS] = {"any", "one-per-node", "single-node"};

static unsigned placements_of(const tutti_tuning *tuning, tutti_collective collective)
{
  const struct openmpi_rules *rules = tuning->rules;
  int id = tutti_openmpi_collective(collective);
  unsigned placements = 0;
  for (size_t i = 0; id >= 0 && !rules->dropped && i < rules->collectives[id].count; i++)
    placements |= 1u << rules->blocks.items[rules->collectives[id].first + i].placement;
  return placements & ~(1u << TUTTI_PLACED_ANYHOW);
}

static tutti_status read_rules(struct tuning_file *file, void *rules, tutti_error *error)
{
  (void)error;
  tutti_openmpi_read(file, rules);
  return TUTTI_OK;
}

static void free_rules(void *rules)
{
  tutti_openmpi_rules_free(rules);
}

/* From 5.0 on coll/han goes before coll/tuned and hides it. */
static const struct library_variable variables[] = {
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", .tuned = "1", .untuned = "0"},
    {"OMPI_MCA_coll_tuned_dynamic_rules_filename", .tuned = ""},
    {"OMPI_MCA_coll", .tuned = "^han", .kept = true, .since = 500},
    {0},
};

static tutti_library_span span_of(const tutti_algorithm *algorithm)
{
  const int id = tutti_openmpi_collective(algorithm->collective);
  return (tutti_library_span){.since = tutti_openmpi_collectives[id].since[algorithm->openmpi_id]};
}

/* Settings take a number, or the name of the algorithm. */
static bool means(const tutti_library_version *version, tutti_collective collective, const char *value,
                  const char *told)
{
  const int id = tutti_openmpi_collective(collective);
  return id >= 0 && tutti_openmpi_algorithm_id(version, id, value) == atol(told);
}

static const tutti_target targets[] = {
    {
        .name = "openmpi-4.1",
        .summary = "rules file of coll/tuned in Open MPI 4.0 and 4.1",
        .own_choice = true,
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports_4_1,
        .write = tutti_openmpi_write_4_1,
    },
    {
        .name = "openmpi-5",
        .summary = "the same for Open MPI 5.0",
        .since = 500,
        .own_choice = true,
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports_5,
        .write = tutti_openmpi_write_5,
    },
    {
        .name = "openmpi-6",
        .summary = "rules of coll/tuned in Open MPI 6, JSON",
        .since = 600,
        .own_choice = true,
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports_6,
        .write = tutti_openmpi_write_json,
    },
    {
        .name = "openmpi-han-4.1",
        .summary = "rules file of coll/han in Open MPI 4.1: components",
        .kind = "openmpi-han",
        .own_choice = true,
        .unit = tutti_openmpi_han_unit_4_1,
        .supports = tutti_openmpi_han_supports,
        .write = tutti_openmpi_write_han_4_1,
    },
    {
        .name = "openmpi-han-5",
        .summary = "the same for Open MPI 5.0",
        .since = 500,
        .kind = "openmpi-han",
        .own_choice = true,
        .unit = tutti_openmpi_han_unit_5,
        .supports = tutti_openmpi_han_supports,
        .write = tutti_openmpi_write_han_5,
    },
    {0},
};

static const struct default_rules defaults[] = {
    {.name = "library:openmpi-4.1", .pick = tutti_openmpi_decide_4_1, .explain = tutti_openmpi_explain_4_1},
    {.name = "library:openmpi-1.x", .pick = tutti_openmpi_decide_1_x, .former = true},
    {0},
};

const tutti_library tutti_library_openmpi = {
    .name = "openmpi",
    .targets = targets,
    .defaults = defaults,
    .span = span_of,
    .force = tutti_openmpi_force,
    .means = means,
    .variables = variables,
    .versions = "openmpi-4.0, openmpi-4.1, openmpi-5, openmpi-6",
    .min_version = 400,
    .max_version = 699,
    .last_before_gap = 401,
    .gap_end = 500,
    .default_version = {4, 1, 4},
    .own_choice_until = 500, /* from then on coll/han goes first */
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .refine = refine,
    .lint = tutti_openmpi_lint,
    .rules_bytes = sizeof(struct openmpi_rules),
    .read = read_rules,
    .free_rules = free_rules,
    .explain = tutti_openmpi_explain,
    .placements = placements_of,
    .pick_parts = tutti_openmpi_pick_parts,
};
