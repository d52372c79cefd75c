/* Rules files of coll/tuned for Open MPI 4.1 and 5 (numbers), and 6 (JSON). */
#include <inttypes.h>

#include "libraries/openmpi/openmpi.h"

/* ---- what coll/tuned can be told: coll_tuned_*_decision.c, coll_tuned_decision_dynamic.c of v4.1 ---- */

/* A cell of a rules file. Algorithm 0: Open MPI's own choice. */
struct openmpi_cell {
  int algorithm, faninout, max_requests;
  uint64_t segment_bytes;
};

enum {
  BASIC_LINEAR = 1,
  NONOVERLAPPING = 2,
  CHAIN = 2,
  KNOMIAL = 7,
  KNOMIAL_RADIX = 4,
  LINEAR_SYNC = 4,
  BRUCK_RADIX = 2
};

/* Parameter k: the fan-out of chains is told, all others must be what Open MPI does anyway. */
static bool express_k(const tutti_method *method, int ranks, bool requests, struct openmpi_cell *cell)
{
  int k = method->parameters.k, id = method->algorithm->openmpi_id;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    if (id == KNOMIAL)
      return k == KNOMIAL_RADIX; /* coll_tuned_bcast_algorithm_knomial_radix; rules do not set it */
    break;
  case TUTTI_COLL_REDUCE:
    break;
  case TUTTI_COLL_ALLTOALL:
    if (id != LINEAR_SYNC)
      return k == BRUCK_RADIX;
    cell->max_requests = requests ? k : 0; /* 0: as many as there are */
    return requests || k >= ranks - 1;
  default:
    return false;
  }
  cell->faninout = k;
  return id == CHAIN;
}

bool tutti_openmpi_is_linear(const tutti_method *method)
{
  const tutti_algorithm *algorithm = method->algorithm;
  tutti_method linear = tutti_method_default(algorithm);
  if (algorithm->collective != TUTTI_COLL_ALLREDUCE || algorithm->openmpi_id != OPENMPI_NONOVERLAPPING)
    return false;
  for (int i = 0; i < TUTTI_MAX_PARTS && algorithm->parts[i].name; i++) {
    tutti_method part = tutti_method_default(tutti_algorithm_find(algorithm->parts[i].collective, "linear"));
    library_set_part(&linear, i, &part);
  }
  return tutti_method_compare(&linear, method) == 0;
}

/* The cell of a method; false if coll/tuned cannot run it as it is, whatever parts it picks. `requests`: can limits of
   requests be told? */
static bool cell_of(const tutti_method *method, int ranks, bool requests, struct openmpi_cell *cell)
{
  const tutti_algorithm *algorithm = method->algorithm;
  uint64_t segment = method->parameters.segment_bytes;
  int collective = tutti_openmpi_collective(algorithm->collective);
  *cell = (struct openmpi_cell){.algorithm = algorithm->openmpi_id, .segment_bytes = segment};
  if (tutti_openmpi_is_linear(method))
    cell->algorithm = OPENMPI_BASIC_LINEAR;
  if (algorithm->openmpi_id == 0 || collective < 0 || !tutti_target_is_plain(method))
    return false;
  if (segment && !tutti_openmpi_uses(collective, algorithm->openmpi_id, FIELD_SEGMENT))
    return false;
  if (segment > INT32_MAX || !tutti_target_applies(method, ranks))
    return false;
  return !(algorithm->parameters & TUTTI_TAKES_K) || express_k(method, ranks, requests, cell);
}

bool tutti_openmpi_supports(const tutti_method *method, int ranks)
{
  struct openmpi_cell cell;
  return cell_of(method, ranks, false, &cell);
}

bool tutti_openmpi_supports_json(const tutti_method *method, int ranks)
{
  struct openmpi_cell cell;
  return cell_of(method, ranks, true, &cell);
}

/* ---- numbers: nested counts (coll_tuned_dynamic_file.c). A rule holds for its communicator size, or message size, and
   all larger ones up to the next rule; the first message size of a block must be 0 ---- */

static void write_rule(const tutti_step_table *table, const struct size_block *block, const struct size_rule *rule,
                       FILE *stream)
{
  char name[TUTTI_METHOD_LENGTH] = "Open MPI's own choice";
  struct openmpi_cell cell = {0};
  if (rule->method >= 0) {
    (void)cell_of(&table->methods[rule->method], block->ranks, false, &cell);
    tutti_method_format(&table->methods[rule->method], name);
  }
  fprintf(stream, "%" PRIu64 " %d %d %" PRIu64 "  # %s\n", rule->max, cell.algorithm, cell.faninout, cell.segment_bytes,
          name);
}

static void write_blocks(const tutti_step_table *table, const struct size_blocks *blocks, FILE *stream)
{
  fprintf(stream, "%d  # %s\n%d  # communicator sizes\n", tutti_openmpi_collective(table->collective),
          tutti_collective_name(table->collective), blocks->count);
  for (int i = 0; i < blocks->count; i++) {
    const struct size_block *block = &blocks->items[i];
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

static tutti_status write_part(const tutti_export_part *part, FILE *stream, tutti_error *error)
{
  struct size_blocks blocks = {0};
  tutti_status status =
      tutti_size_blocks_create(&part->table, tutti_openmpi_unit(part->table.collective), INT64_MAX, &blocks, error);
  if (status == TUTTI_OK)
    write_blocks(&part->table, &blocks, stream);
  tutti_size_blocks_free(&blocks);
  return status;
}

tutti_status tutti_openmpi_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
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

/* ---- JSON (coll_tuned_dynamic_file.c of version 6; numbers mean something else there). Ranges are inclusive; where no
   rule matches Open MPI chooses itself ---- */

/* Commas stand before all items but the first. */
static const char *comma(bool *first)
{
  const char *text = *first ? "" : ",";
  *first = false;
  return text;
}

static void write_json_rule(const tutti_step_table *table, const struct size_block *block, int index, FILE *stream)
{
  const tutti_method *method = &table->methods[block->rules[index].method];
  struct openmpi_cell cell;
  (void)cell_of(method, block->ranks, true, &cell);
  fprintf(stream, "\n          { \"msg_size_min\": %" PRIu64 ", \"msg_size_max\": ", block->rules[index].max);
  if (index + 1 < block->count)
    fprintf(stream, "%" PRIu64, block->rules[index + 1].max - 1);
  else
    fprintf(stream, "\"inf\"");
  fprintf(stream, ", \"alg\": %d, \"faninout\": %d, \"seg_size\": %" PRIu64 ", \"reqs\": %d }", cell.algorithm,
          cell.faninout, cell.segment_bytes, cell.max_requests);
}

static bool answers(const struct size_block *block)
{
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method >= 0)
      return true;
  return false;
}

static void write_json_block(const tutti_step_table *table, const struct size_blocks *blocks, int index, FILE *stream)
{
  const struct size_block *block = &blocks->items[index];
  bool first = true;
  fprintf(stream, "\n      { \"comm_size_min\": %d,", index ? block->ranks : 0);
  if (index + 1 < blocks->count)
    fprintf(stream, " \"comm_size_max\": %d,", blocks->items[index + 1].ranks - 1);
  fprintf(stream, "\n        \"rules\": [");
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method >= 0) {
      fprintf(stream, "%s", comma(&first));
      write_json_rule(table, block, i, stream);
    }
  fprintf(stream, " ] }");
}

static tutti_status write_json_part(const tutti_export_part *part, FILE *stream, tutti_error *error)
{
  const tutti_step_table *table = &part->table;
  struct size_blocks blocks;
  bool first = true;
  tutti_status status =
      tutti_size_blocks_create(table, tutti_openmpi_unit(table->collective), INT64_MAX, &blocks, error);
  fprintf(stream, "\n    \"%s\": [", tutti_collective_name(table->collective));
  for (int i = 0; status == TUTTI_OK && i < blocks.count; i++)
    if (answers(&blocks.items[i])) {
      fprintf(stream, "%s", comma(&first));
      write_json_block(table, &blocks, i, stream);
    }
  fprintf(stream, " ]");
  tutti_size_blocks_free(&blocks);
  return status;
}

/* JSON has no comments. */
tutti_status tutti_openmpi_write_json(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                      tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool first = true;
  (void)comment;
  fprintf(stream, "{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {");
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    fprintf(stream, "%s", comma(&first));
    status = write_json_part(&parts[i], stream, error);
  }
  fprintf(stream, "\n  }\n}\n");
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}
