/* Rules files of Open MPI 4.1 and 5: nested counts, then numbers (coll_tuned_dynamic_file.c). A rule holds for its
   communicator size, or message size, and all larger ones up to the next rule; the first message size of a block must
   be 0; algorithm 0 is Open MPI's own choice. */
#include <inttypes.h>

#include "libraries/targets/blocks.h"
#include "libraries/targets/openmpi.h"

static void write_rule(const tutti_step_table *table, const struct target_block *block, const struct target_rule *rule,
                       FILE *stream)
{
  char name[TUTTI_METHOD_LENGTH] = "Open MPI's own choice";
  struct openmpi_cell cell = {0};
  if (rule->method >= 0) {
    (void)tutti_openmpi_cell_of(&table->methods[rule->method], block->ranks, false, &cell);
    tutti_method_format(&table->methods[rule->method], name);
  }
  fprintf(stream, "%" PRIu64 " %d %d %" PRIu64 "  # %s\n", rule->most, cell.algorithm, cell.faninout,
          cell.segment_bytes, name);
}

static void write_blocks(const tutti_step_table *table, const struct target_blocks *blocks, FILE *stream)
{
  fprintf(stream, "%d  # %s\n%d  # communicator sizes\n", tutti_openmpi_collective(table->collective),
          tutti_collective_name(table->collective), blocks->count);
  for (int i = 0; i < blocks->count; i++) {
    const struct target_block *block = &blocks->items[i];
    fprintf(stream, "%d  # ranks\n%d\n", block->ranks, block->count);
    for (int j = 0; j < block->count; j++)
      write_rule(table, block, &block->rules[j], stream);
  }
}

/* Rules hold for operations that do not commute, too, and Open MPI does not look (its issue 7765). */
static bool needs_commuting(const tutti_step_table *table)
{
  for (int i = 0; i < table->method_count; i++)
    if (table->methods[i].algorithm->domain & TUTTI_NEEDS_COMMUTATIVE)
      return true;
  return false;
}

static tutti_status write_part(const tutti_handover *part, FILE *stream, tutti_error *error)
{
  struct target_blocks blocks = {0};
  tutti_status status =
      tutti_target_blocks_create(&part->table, tutti_openmpi_unit(part->table.collective), INT64_MAX, &blocks, error);
  if (status == TUTTI_OK)
    write_blocks(&part->table, &blocks, stream);
  tutti_target_blocks_free(&blocks);
  return status;
}

static tutti_status write_classic(const tutti_handover *parts, int count, const char *comment, FILE *stream,
                                  tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_target_print_comment(comment, "# ", stream);
  fprintf(stream,
          "# A rule: message size in bytes (of all ranks' blocks where there are blocks), algorithm, fan-out, "
          "segment size.\n%d  # collectives\n",
          count);
  for (int i = 0; i < count; i++)
    if (needs_commuting(&parts[i].table))
      fprintf(stream, "# Not for programs whose own operations do not commute: %s has algorithms that reorder.\n",
              tutti_collective_name(parts[i].table.collective));
  for (int i = 0; i < count && status == TUTTI_OK; i++)
    status = write_part(&parts[i], stream, error);
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}

static bool knows(const tutti_method *method, int ranks)
{
  struct openmpi_cell cell;
  return tutti_openmpi_cell_of(method, ranks, false, &cell);
}

const tutti_target tutti_target_openmpi_41 = {
    .name = "openmpi-4.1",
    .summary = "rules file of coll/tuned in Open MPI 4.0 and 4.1",
    .unit = tutti_openmpi_unit,
    .knows = knows,
    .write = write_classic,
    .print_use = tutti_openmpi_print_use,
};

static void print_use_5(const char *path, FILE *stream)
{
  tutti_openmpi_print_use(path, stream);
  tutti_openmpi_print_no_han(stream);
}

const tutti_target tutti_target_openmpi_5 = {
    .name = "openmpi-5",
    .summary = "the same for Open MPI 5.0",
    .unit = tutti_openmpi_unit,
    .knows = knows,
    .write = write_classic,
    .print_use = print_use_5,
};
