/* Rules files of coll/han: for each communicator and message the component, or the algorithm of coll/han itself, that
   runs on all ranks. Rules for what runs within and among the nodes are not written: 4.1 never asks them. */
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "decision/libraries/openmpi/openmpi.h"

/* It reads rules for allgatherv, too, and is never asked for one on all ranks. */
bool tutti_openmpi_han_serves(const char *collective)
{
  return tutti_word_is_listed("allgather allreduce barrier bcast gather reduce scatter", ' ', collective);
}

static tutti_size_unit unit_of(tutti_collective collective)
{
  if (!tutti_openmpi_han_serves(tutti_collective_name(collective)))
    return TUTTI_UNIT_ABSENT;
  return collective == TUTTI_COLL_BARRIER ? TUTTI_UNIT_NONE : TUTTI_UNIT_RANK;
}

/* An allreduce of 4.1.4 survives no other component than coll/han: there is no choice. */
tutti_size_unit tutti_openmpi_han_unit_4_1(tutti_collective collective)
{
  return collective == TUTTI_COLL_ALLREDUCE ? TUTTI_UNIT_ABSENT : unit_of(collective);
}

tutti_size_unit tutti_openmpi_han_unit_5(tutti_collective collective)
{
  return unit_of(collective);
}

/* Components that are there for communicators of several nodes; the others serve one node, or have too low a priority.
 */
bool tutti_openmpi_han_supports(const tutti_method *method, int ranks)
{
  const char *name = tutti_method_is_native(method) ? tutti_selector_name(method->parameters.k) : NULL;
  (void)ranks;
  return name && tutti_word_is_listed("tuned basic han", ' ', name) &&
         unit_of(method->algorithm->collective) != TUTTI_UNIT_ABSENT;
}

/* ---- writing ---- */

/* A file on its way: what is written, and the component that runs without a file. */
struct han_file {
  FILE *stream;
  const char *own;
};

static const char *component_of(const struct han_file *file, const tutti_step_table *table,
                                const struct size_rule *rule)
{
  return rule->method < 0 ? file->own : tutti_selector_name(table->methods[rule->method].parameters.k);
}

/* Whether it says something else than the rule before it. */
static bool is_new(const struct han_file *file, const tutti_step_table *table, const struct size_block *block, int i)
{
  return i == 0 ||
         strcmp(component_of(file, table, &block->rules[i]), component_of(file, table, &block->rules[i - 1])) != 0;
}

static void write_block(const struct han_file *file, const tutti_step_table *table, const struct size_block *block,
                        int ranks)
{
  int count = 0;
  for (int i = 0; i < block->count; i++)
    count += is_new(file, table, block, i);
  fprintf(file->stream, "%d  # ranks\n%d  # rules\n", ranks, count);
  for (int i = 0; i < block->count; i++)
    if (is_new(file, table, block, i))
      fprintf(file->stream, "%" PRIu64 " %s\n", block->rules[i].max, component_of(file, table, &block->rules[i]));
}

/* The first size of a level must be 1. */
static void write_part(const struct han_file *file, const tutti_export_part *part)
{
  const tutti_step_table *table = &part->table;
  struct size_blocks blocks = tutti_size_blocks_create(table, unit_of(table->collective), INT64_MAX);
  const int first = blocks.count > 1 && blocks.items[1].ranks <= 2;
  fprintf(file->stream, "%s\n1  # levels\n2  # all ranks\n%d  # communicator sizes\n",
          tutti_collective_name(table->collective), blocks.count - first);
  for (int i = first; i < blocks.count; i++)
    write_block(file, table, &blocks.items[i], i == first ? 1 : blocks.items[i].ranks);
  tutti_size_blocks_free(&blocks);
}

static bool is_decided(const tutti_export_part *parts, int count, tutti_collective collective)
{
  for (int i = 0; i < count; i++)
    if (parts[i].table.collective == collective)
      return true;
  return false;
}

static void begin_file(const char *target, const char *comment, int count, FILE *stream)
{
  fprintf(stream, TUTTI_TUNING_TARGET "%s\n", target);
  tutti_target_print_comment(comment, "# ", stream);
  fprintf(stream,
          "# A rule: message size in bytes (a rank's block where there are blocks), the component that runs on all "
          "ranks.\n%d  # collectives\n",
          count);
}

/* Collectives without rules coll/han runs itself, once it goes before others: those that are not decided on get the
   rule for what would run without it. */
tutti_status tutti_openmpi_write_han_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                         tutti_error *error)
{
  const struct han_file file = {stream, "tuned"};
  int served = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    served += tutti_openmpi_han_unit_4_1((tutti_collective)c) != TUTTI_UNIT_ABSENT;
  begin_file("openmpi-han-4.1", comment, served, stream);
  fprintf(stream,
          "# There are no rules for allreduce, which coll/han runs: 4.1.4 dies under one for another component.\n");
  for (int i = 0; i < count; i++)
    write_part(&file, &parts[i]);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tutti_openmpi_han_unit_4_1((tutti_collective)c) != TUTTI_UNIT_ABSENT &&
        !is_decided(parts, count, (tutti_collective)c))
      fprintf(stream, "%s\n1\n2\n1\n1\n1\n0 tuned\n", tutti_collective_name((tutti_collective)c));
  return tutti_target_written(stream, error);
}

/* From 5.0 on coll/han goes first anyway. */
tutti_status tutti_openmpi_write_han_5(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                       tutti_error *error)
{
  const struct han_file file = {stream, "han"};
  begin_file("openmpi-han-5", comment, count, stream);
  for (int i = 0; i < count; i++)
    write_part(&file, &parts[i]);
  return tutti_target_written(stream, error);
}
