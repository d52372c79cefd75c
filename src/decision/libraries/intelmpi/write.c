/* Writing variables of Intel MPI: for each collective the ids that it needs, each with its conditions. */
#include <inttypes.h>

#include "decision/libraries/export/export.h"
#include "decision/libraries/intelmpi/intelmpi.h"

static int id_at(const tutti_step_table *table, const struct size_block *block, int rule)
{
  const int method = block->rules[rule].method;
  return method < 0 ? 0 : tutti_intelmpi_id(&table->methods[method], block->ranks);
}

static uint64_t min(uint64_t number)
{
  return number < INTELMPI_MAX ? number : INTELMPI_MAX;
}

/* The conditions of one id; whether there is one. */
static bool write_id(const tutti_step_table *table, const struct size_blocks *blocks, int id, bool first, FILE *stream)
{
  bool any = false;
  for (int b = 0; b < blocks->count; b++) {
    const struct size_block *block = &blocks->items[b];
    const int last = b + 1 < blocks->count ? blocks->items[b + 1].ranks - 1 : INTELMPI_MAX;
    for (int r = 0; r < block->count; r++) {
      const bool end = r + 1 == block->count;
      if (id_at(table, block, r) != id || last < 2)
        continue;
      if (any)
        fprintf(stream, ",");
      else
        fprintf(stream, "%s%d:", first ? "" : ";", id);
      any = true;
      fprintf(stream, "%" PRIu64 "-%" PRIu64 "@%d-%d", block->rules[r].max,
              end ? (uint64_t)INTELMPI_MAX : min(block->rules[r + 1].max - 1), b ? block->ranks : 2, last);
    }
  }
  return any;
}

static void write_part(const tutti_export_part *part, FILE *stream)
{
  const tutti_step_table *table = &part->table;
  struct size_blocks blocks =
      tutti_size_blocks_create(table, tutti_intelmpi_collective(table->collective)->unit, INTELMPI_MAX);
  bool any = false;
  fprintf(stream, "export I_MPI_ADJUST_");
  for (const char *letter = tutti_collective_name(table->collective); *letter; letter++)
    fputc(*letter == '_' ? '_' : *letter - 'a' + 'A', stream);
  fprintf(stream, "='");
  for (int id = 1; id < INTELMPI_IDS; id++)
    any = write_id(table, &blocks, id, !any, stream) || any;
  fprintf(stream, "'\n");
  tutti_size_blocks_free(&blocks);
}

tutti_status tutti_intelmpi_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                  tutti_error *error)
{
  fprintf(stream, TUTTI_TUNING_TARGET "intelmpi\n");
  tutti_target_print_comment(comment, "# ", stream);
  for (int i = 0; i < count; i++)
    if (tutti_step_table_answers(&parts[i].table))
      write_part(&parts[i], stream);
  return tutti_target_written(stream, error);
}
