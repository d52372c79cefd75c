/* MPICH as a library: what it is called, what it reads and writes. */
#include "libraries/mpich/mpich.h"

#include <stdlib.h>

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "libraries/mpich/codes.def"
#undef CODE
};

/* JSON that is not Open MPI's. */
static bool recognize(const char *text, size_t length, tutti_library_version *version)
{
  (void)version;
  return tutti_tuning_first(text, length) == '{';
}

static tutti_status read_rules(struct tuning_file *file, void **rules, tutti_error *error)
{
  *rules = calloc(1, sizeof(struct mpich_selection));
  if (!*rules)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  tutti_mpich_read(file, *rules);
  return TUTTI_OK;
}

static void free_rules(void *rules)
{
  tutti_mpich_selection_free(rules);
  free(rules);
}

static void print_use(const char *path, FILE *stream)
{
  fprintf(stream, "export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE='%s'\n", path);
}

static const tutti_target targets[] = {
    {
        .name = "mpich-4.0",
        .summary = "collective selection of MPICH 4.0",
        .unit = tutti_mpich_unit,
        .supports = tutti_mpich_supports,
        .write = tutti_mpich_write_4_0,
        .print_use = print_use,
    },
    {
        .name = "mpich-4.1",
        .summary = "collective selection of MPICH 4.1 and later",
        .since = 401,
        .unit = tutti_mpich_unit,
        .supports = tutti_mpich_supports,
        .write = tutti_mpich_write_4_1,
        .print_use = print_use,
    },
    {0},
};

static const struct default_rules defaults[] = {
    {"library:mpich-4.0", tutti_mpich_decide_4_0, NULL},
    {"library:mpich2-1.0", tutti_mpich_decide_1_0, NULL},
    {0},
};

const tutti_library tutti_library_mpich = {
    .name = "mpich",
    .targets = targets,
    .defaults = defaults,
    .versions = "mpich-4.0 to mpich-5",
    .min_version = 400,
    .max_version = 599,
    .default_version = {4, 0, 2},
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .recognize = recognize,
    .lint = tutti_mpich_lint,
    .read = read_rules,
    .free_rules = free_rules,
    .explain = tutti_mpich_explain,
};
