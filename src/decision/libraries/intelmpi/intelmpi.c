/* Intel MPI as a library: its target, and how its variables are read. */
#include "decision/libraries/intelmpi/intelmpi.h"

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/intelmpi/codes.def"
#undef CODE
};

static tutti_size_unit unit(tutti_collective collective)
{
  const struct intelmpi_collective *found = tutti_intelmpi_collective(collective);
  return found ? found->unit : TUTTI_UNIT_ABSENT;
}

static bool supports(const tutti_method *method, int ranks)
{
  return tutti_intelmpi_id(method, ranks) > 0;
}

static const tutti_target targets[] = {
    {
        .name = "intelmpi",
        .summary = "variables I_MPI_ADJUST_... of Intel MPI",
        .own_choice = true,
        .use = ". %s",
        .unit = unit,
        .supports = supports,
        .write = tutti_intelmpi_write,
    },
    {0},
};

const tutti_library tutti_library_intelmpi = {
    .name = "intelmpi",
    .targets = targets,
    .versions = "intelmpi",
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .rules_bytes = sizeof(struct intelmpi_rules),
    .read = tutti_intelmpi_read,
    .free_rules = tutti_intelmpi_rules_free,
    .explain = tutti_intelmpi_explain,
};
