/* Open MPI as a library: what it is called, what it reads and writes. */
#include "libraries/openmpi/openmpi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "libraries/openmpi/codes.def"
#undef CODE
};

/* JSON with "collectives" is of version 6; numbers are of the others. */
static bool recognize(const char *text, size_t length, tutti_library_version *version)
{
  char first = tutti_tuning_first(text, length);
  if (first != '{')
    return isdigit((unsigned char)first) || (length > 9 && memcmp(text, "rule-file", 9) == 0);
  version->major = 6;
  version->minor = version->patch = -1;
  return memmem(text, length, "\"collectives\"", strlen("\"collectives\""));
}

static tutti_status read_rules(struct tuning_file *file, void **rules, tutti_error *error)
{
  *rules = calloc(1, sizeof(struct openmpi_rules));
  if (!*rules)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  tutti_openmpi_read(file, *rules);
  return TUTTI_OK;
}

static void free_rules(void *rules)
{
  tutti_openmpi_rules_free(rules);
  free(rules);
}

static void print_use(const char *path, FILE *stream)
{
  fprintf(stream,
          "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
          "export OMPI_MCA_coll_tuned_dynamic_rules_filename='%s'\n",
          path);
}

/* From 5.0 on coll/han goes before coll/tuned and hides it. */
static void print_use_5(const char *path, FILE *stream)
{
  print_use(path, stream);
  fprintf(stream, "export OMPI_MCA_coll=^han\n");
}

static const tutti_target targets[] = {
    {
        .name = "openmpi-4.1",
        .summary = "rules file of coll/tuned in Open MPI 4.0 and 4.1",
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports,
        .write = tutti_openmpi_write,
        .print_use = print_use,
    },
    {
        .name = "openmpi-5",
        .summary = "the same for Open MPI 5.0",
        .since = 500,
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports,
        .write = tutti_openmpi_write,
        .print_use = print_use_5,
    },
    {
        .name = "openmpi-6",
        .summary = "rules of coll/tuned in Open MPI 6, JSON",
        .since = 600,
        .unit = tutti_openmpi_unit,
        .supports = tutti_openmpi_supports_json,
        .write = tutti_openmpi_write_json,
        .print_use = print_use_5,
    },
    {0},
};

static const struct default_rules defaults[] = {
    {"library:openmpi-4.1", tutti_openmpi_decide_4_1, tutti_openmpi_explain_4_1},
    {"library:openmpi-1.x", tutti_openmpi_decide_1_x, NULL},
    {0},
};

const tutti_library tutti_library_openmpi = {
    .name = "openmpi",
    .targets = targets,
    .defaults = defaults,
    .versions = "openmpi-4.0 to openmpi-6",
    .min_version = 400,
    .max_version = 699,
    .default_version = {4, 1, 4},
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .recognize = recognize,
    .lint = tutti_openmpi_lint,
    .read = read_rules,
    .free_rules = free_rules,
    .explain = tutti_openmpi_explain,
};
