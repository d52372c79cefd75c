/* UCC as a library: its targets, and how its files are read. */
#include "decision/libraries/ucc/ucc.h"

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/ucc/codes.def"
#undef CODE
};

/* Open MPI calls UCC only if it is told so (docs/user_guide.md of UCC). */
static const char use[] = "export OMPI_MCA_coll_ucc_enable=1\nexport OMPI_MCA_coll_ucc_priority=100\n. %s";

static const tutti_target targets[] = {
    {
        .name = "ucc",
        .summary = "UCC_TL_UCP_TUNE of UCC 1.9, a variable",
        .own_choice = true,
        .use = use,
        .unit = tutti_ucc_unit,
        .supports = tutti_ucc_supports,
        .write = tutti_ucc_write,
    },
    {
        .name = "ucc-conf",
        .summary = "configuration of UCC 1.9, with sections for teams and with radixes",
        .own_choice = true,
        .kind = "ucc-sections",
        .unit = tutti_ucc_unit,
        .supports = tutti_ucc_supports_sections,
        .write = tutti_ucc_write_sections,
    },
    {0},
};

const tutti_library tutti_library_ucc = {
    .name = "ucc",
    .targets = targets,
    .versions = "ucc",
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .rules_bytes = sizeof(struct ucc_rules),
    .read = tutti_ucc_read,
    .free_rules = tutti_ucc_rules_free,
    .explain = tutti_ucc_explain,
};
