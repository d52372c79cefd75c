/* C source of decisions: a function a collective, and the table of their collectives. It compiles on its own. */
#include <inttypes.h>
#include <limits.h>

#include "decision/libraries/c/c_source.h"
#include "decision/libraries/libraries.h"

static void print_signature(const tutti_export_part *part, FILE *stream)
{
  bool but_empty;
  const tutti_decision_tree *tree = tutti_c_tree_of(part, &but_empty);
  fprintf(stream, "int tutti_%s(int " C_RANKS ", unsigned long long " C_BYTES,
          tutti_collective_name(part->table.collective));
  fprintf(stream, tree && tutti_c_tree_needs_nodes(tree) ? ", int " C_NODES ")" : ")");
}

/* Without what would end the comment, or begin another one. */
static void print_comment(const char *comment, FILE *stream)
{
  for (const char *c = comment; c && *c; c++) {
    fprintf(stream, "%s%c", c == comment || c[-1] == '\n' ? "   " : "", *c == '*' || *c == '\\' ? '?' : *c);
  }
}

static void print_head(const tutti_export_part *parts, int count, const char *comment, FILE *stream)
{
  bool math = false, but_empty;
  fprintf(stream, "/* Which algorithm a collective operation should use.\n");
  print_comment(comment, stream);
  fprintf(stream,
          "   Arguments: size of the communicator, bytes of the message or of one rank's block, ranks per node\n"
          "   where the decision looks at them. Returned is an index into the table at the end, or -1: no answer.\n"
          "*/\n");
  for (int i = 0; i < count; i++) {
    const tutti_decision_tree *tree = tutti_c_tree_of(&parts[i], &but_empty);
    math = math || (tree && tutti_c_tree_needs_math(tree));
  }
  fprintf(stream, "%s#include <stddef.h>\n\n", math ? "#include <math.h>\n" : "");
  fprintf(stream, "struct tutti_choice {\n"
                  "  const char *method; /* its name in Tutti, with all parameters */\n"
                  "  const char *collective, *algorithm;\n"
                  "  unsigned long long segment_bytes; /* 0: not segmented */\n"
                  "  int k; /* chains, fan-out, radix, ...; 0: none */\n"
                  "};\n\n");
  for (int i = 0; i < count; i++) {
    print_signature(&parts[i], stream);
    fprintf(stream, ";\n");
  }
  fprintf(stream, "const struct tutti_choice *tutti_choice_at(int index);\n");
}

/* Outside of the measured range the source makes no claim. */
static void print_bounds(const tutti_range *range, FILE *stream)
{
  if (range->extend)
    return;
  fprintf(stream, "  if (" C_RANKS " < %d || " C_RANKS " > %d", range->min_ranks, range->max_ranks);
  if (range->min_bytes > 0)
    fprintf(stream, " || " C_BYTES " < %" PRIu64 "ULL", range->min_bytes);
  if (range->max_bytes < UINT64_MAX)
    fprintf(stream, " || " C_BYTES " > %" PRIu64 "ULL", range->max_bytes);
  fprintf(stream, ")\n    return -1;\n");
}

/* The numbers that expressions calculate with. */
static void print_numbers(const tutti_decision_tree *tree, FILE *stream)
{
  if (tutti_c_tree_needs_nodes(tree))
    fprintf(stream, "  if (" C_NODES " < 1)\n    return -1;\n  const double ranks_per_node = " C_NODES ";\n");
  if (tutti_c_tree_calculates(tree))
    fprintf(stream, "  const double ranks = " C_RANKS ", bytes = (double)" C_BYTES ";\n"
                    "  (void)ranks;\n  (void)bytes;\n");
}

/* Some decisions ignore some arguments. */
static void print_unused(FILE *stream)
{
  fprintf(stream, "  (void)" C_RANKS ";\n  (void)" C_BYTES ";\n");
}

static void print_tree_body(struct c_source *source, const tutti_export_part *part, const tutti_decision_tree *tree,
                            bool but_empty)
{
  const uint64_t empty = 0;
  print_bounds(&part->range, source->stream);
  if (but_empty) {
    fprintf(source->stream, "  if (" C_BYTES " == 0) {\n");
    tutti_c_steps(source, &part->table, &empty);
    fprintf(source->stream, "  }\n");
  }
  print_numbers(tree, source->stream);
  print_unused(source->stream);
  tutti_c_tree(source, tree, part->table.collective);
}

static void print_function(struct c_source *source, const tutti_export_part *part)
{
  bool but_empty;
  const tutti_decision_tree *tree = tutti_c_tree_of(part, &but_empty);
  fprintf(source->stream, "\n");
  print_signature(part, source->stream);
  fprintf(source->stream, "\n{\n");
  if (tutti_c_grid_fits(&part->table) && (!tree || !tutti_c_tree_calculates(tree))) {
    print_unused(source->stream);
    tutti_c_grid(source, &part->table);
  } else if (tree)
    print_tree_body(source, part, tree, but_empty);
  else {
    print_unused(source->stream);
    tutti_c_steps(source, &part->table, NULL);
  }
  fprintf(source->stream, "}\n");
}

static void print_table(const struct c_source *source)
{
  char name[TUTTI_METHOD_LENGTH];
  fprintf(source->stream, "\nstatic const struct tutti_choice tutti_choices[] = {\n");
  for (int i = 0; i < source->table.method_count; i++) {
    const tutti_method *method = &source->table.methods[i];
    fprintf(source->stream, "  {\"%s\", \"%s\", \"%s\", %" PRIu64 "ULL, %d}, /* %d */\n",
            tutti_method_format(method, name), tutti_collective_name(method->algorithm->collective),
            method->algorithm->name, method->parameters.segment_bytes, method->parameters.k, i);
  }
  fprintf(source->stream, "};\n\n"
                          "const struct tutti_choice *tutti_choice_at(int index)\n{\n"
                          "  const int count = (int)(sizeof tutti_choices / sizeof *tutti_choices);\n"
                          "  return index >= 0 && index < count ? &tutti_choices[index] : NULL;\n}\n");
}

static tutti_status write_c(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                            tutti_error *error)
{
  struct c_source source = {.stream = stream};
  print_head(parts, count, comment, stream);
  for (int i = 0; i < count; i++)
    print_function(&source, &parts[i]);
  print_table(&source);
  tutti_step_table_free(&source.table);
  return tutti_target_written(stream, error);
}

static const tutti_target targets[] = {
    {
        .name = "c",
        .summary = "C99 source, a function a collective",
        .trees = true,
        .unit = tutti_target_unit_rank,
        .supports = tutti_target_supports_all,
        .write = write_c,
        .use = "cc -std=c99 -O2 -c %s  # link with -lm",
    },
    {0},
};

const tutti_library tutti_library_c = {.name = "c", .targets = targets};
