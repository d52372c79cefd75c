/* NCCL and NCCLX as libraries. */
#include "decision/libraries/nccl/nccl.h"

#define CODE(identifier, ...) {__VA_ARGS__},
static const tutti_lint_code codes[] = {
#include "decision/libraries/nccl/codes.def"
};
static const tutti_lint_code codes_x[] = {
#include "decision/libraries/nccl/codes_x.def"
};
#undef CODE

static tutti_size_unit unit(tutti_collective collective)
{
  return !tutti_nccl_collective_word(collective) ? TUTTI_UNIT_ABSENT
         : tutti_nccl_counts_all(collective)     ? TUTTI_UNIT_TOTAL
                                                 : TUTTI_UNIT_RANK;
}

/* NCCLX divides all by the ranks. */
static tutti_size_unit unit_per_rank(tutti_collective collective)
{
  return tutti_nccl_collective_word(collective) ? TUTTI_UNIT_RANK : TUTTI_UNIT_ABSENT;
}

/* NCCL cuts messages as it likes. */
static bool supports(const tutti_method *method, int ranks)
{
  const tutti_method plain = tutti_method_default(method->algorithm);
  return tutti_nccl_theirs(method->algorithm) >= 0 && tutti_target_applies(method, ranks) &&
         tutti_method_compare(&plain, method) == 0;
}

static void free_rules(void *rules)
{
  tutti_vector_free((struct nccl_rules *)rules);
}

static const tutti_target targets[] = {
    {
        .name = "nccl",
        .summary = "table of the tuner plug-in of NCCL and RCCL",
        .own_choice = true,
        .unit = unit,
        .supports = supports,
        .write = tutti_nccl_write,
    },
    {0},
};

static const tutti_target targets_x[] = {
    {
        .name = "ncclx",
        .summary = "rules of NCCLX, by the bytes of a rank",
        .own_choice = true,
        .unit = unit_per_rank,
        .supports = supports,
        .write = tutti_ncclx_write,
    },
    {0},
};

static const struct library_variable variables[] = {
    {"NCCL_TUNER_PLUGIN", .tuned = "libnccl-tuner-example.so"}, {"NCCL_TUNER_CONFIG_FILE", .tuned = ""}, {0}};

static const struct library_variable variables_x[] = {{"NCCLX_TUNER_CONFIG_FILE", .tuned = ""}, {0}};

const tutti_library tutti_library_nccl = {
    .name = "nccl",
    .targets = targets,
    .variables = variables,
    .versions = "nccl",
    .codes = codes,
    .code_count = NCCL_CODES,
    .lint = tutti_nccl_lint,
    .rules_bytes = sizeof(struct nccl_rules),
    .read = tutti_nccl_read,
    .free_rules = free_rules,
    .explain = tutti_nccl_explain,
};

const tutti_library tutti_library_ncclx = {
    .name = "ncclx",
    .targets = targets_x,
    .variables = variables_x,
    .versions = "ncclx",
    .codes = codes_x,
    .code_count = NCCLX_CODES,
    .lint = tutti_ncclx_lint,
    .rules_bytes = sizeof(struct nccl_rules),
    .read = tutti_ncclx_read,
    .free_rules = free_rules,
    .explain = tutti_nccl_explain,
};
