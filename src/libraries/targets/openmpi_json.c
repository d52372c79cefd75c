/* Rules files of Open MPI 6: JSON (coll_tuned_dynamic_file.c of its branch; the classic form means something else
   there). Ranges are inclusive; where no rule matches Open MPI chooses itself. */
#include <inttypes.h>

#include "libraries/targets/blocks.h"
#include "libraries/targets/openmpi.h"

/* Commas stand before all items but the first. */
static const char *comma(bool *first)
{
  const char *text = *first ? "" : ",";
  *first = false;
  return text;
}

static void write_rule(const tutti_step_table *table, const struct target_block *block, int index, FILE *stream)
{
  const tutti_method *method = &table->methods[block->rules[index].method];
  struct openmpi_cell cell;
  (void)tutti_openmpi_cell_of(method, block->ranks, true, &cell);
  fprintf(stream, "\n          { \"msg_size_min\": %" PRIu64 ", \"msg_size_max\": ", block->rules[index].most);
  if (index + 1 < block->count)
    fprintf(stream, "%" PRIu64, block->rules[index + 1].most - 1);
  else
    fprintf(stream, "\"inf\"");
  fprintf(stream, ", \"alg\": %d, \"faninout\": %d, \"seg_size\": %" PRIu64 ", \"reqs\": %d }", cell.algorithm,
          cell.faninout, cell.segment_bytes, cell.max_requests);
}

static bool answers(const struct target_block *block)
{
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method >= 0)
      return true;
  return false;
}

static void write_block(const tutti_step_table *table, const struct target_blocks *blocks, int index, FILE *stream)
{
  const struct target_block *block = &blocks->items[index];
  bool first = true;
  fprintf(stream, "\n      { \"comm_size_min\": %d,", index ? block->ranks : 0);
  if (index + 1 < blocks->count)
    fprintf(stream, " \"comm_size_max\": %d,", blocks->items[index + 1].ranks - 1);
  fprintf(stream, "\n        \"rules\": [");
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method >= 0) {
      fprintf(stream, "%s", comma(&first));
      write_rule(table, block, i, stream);
    }
  fprintf(stream, " ] }");
}

static tutti_status write_part(const tutti_handover *part, FILE *stream, tutti_error *error)
{
  const tutti_step_table *table = &part->table;
  struct target_blocks blocks;
  bool first = true;
  tutti_status status =
      tutti_target_blocks_create(table, tutti_openmpi_unit(table->collective), INT64_MAX, &blocks, error);
  fprintf(stream, "\n    \"%s\": [", tutti_collective_name(table->collective));
  for (int i = 0; status == TUTTI_OK && i < blocks.count; i++)
    if (answers(&blocks.items[i])) {
      fprintf(stream, "%s", comma(&first));
      write_block(table, &blocks, i, stream);
    }
  fprintf(stream, " ]");
  tutti_target_blocks_free(&blocks);
  return status;
}

/* JSON has no comments. */
static tutti_status write_json(const tutti_handover *parts, int count, const char *comment, FILE *stream,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool first = true;
  (void)comment;
  fprintf(stream, "{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {");
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    fprintf(stream, "%s", comma(&first));
    status = write_part(&parts[i], stream, error);
  }
  fprintf(stream, "\n  }\n}\n");
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}

static bool knows(const tutti_method *method, int ranks)
{
  struct openmpi_cell cell;
  return tutti_openmpi_cell_of(method, ranks, true, &cell);
}

static void print_use(const char *path, FILE *stream)
{
  tutti_openmpi_print_use(path, stream);
  tutti_openmpi_print_no_han(stream);
}

const tutti_target tutti_target_openmpi_6 = {
    .name = "openmpi-6",
    .summary = "rules of coll/tuned in Open MPI 6, JSON",
    .unit = tutti_openmpi_unit,
    .knows = knows,
    .write = write_json,
    .print_use = print_use,
};
