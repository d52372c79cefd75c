/* Tutti itself, as a library: its interposer and its command read decision files. */
#include "libraries/tutti/tutti.h"

#include <stdlib.h>

#include "tutti/decision_tree.h"

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "libraries/tutti/codes.def"
#undef CODE
};

/* What looks like no other library's file. */
static bool recognize(const char *text, size_t length, tutti_library_version *version)
{
  (void)text, (void)length, (void)version;
  return true;
}

/* From the path: what the interposer reads, too. */
static tutti_status read_decision(struct tuning_file *file, void **rules, tutti_error *error)
{
  tutti_decision *decision = calloc(1, sizeof *decision);
  if (!decision)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  *rules = decision;
  return tutti_decision_read(file->path, decision, error);
}

static void free_decision(void *rules)
{
  tutti_decision_free(rules);
  free(rules);
}

static void print_use(const char *path, FILE *stream)
{
  fprintf(stream, "export TUTTI_DECISION='%s'\n", path);
}

static const tutti_target targets[] = {
    {
        .name = "tutti",
        .summary = "decision file of Tutti's interposer",
        .trees = true,
        .unit = tutti_target_unit_rank,
        .supports = tutti_target_supports_all,
        .write = tutti_file_write,
        .print_use = print_use,
    },
    {0},
};

const tutti_library tutti_library_tutti = {
    .name = "tutti",
    .targets = targets,
    .versions = "tutti",
    .default_version = {-1, -1, -1},
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .recognize = recognize,
    .lint = tutti_file_lint,
    .read = read_decision,
    .free_rules = free_decision,
    .explain = tutti_file_explain,
};
