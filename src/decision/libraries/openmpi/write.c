/* Rules files of coll/tuned for Open MPI 4.1 and 5 (numbers), and 6 (JSON). */
#include <inttypes.h>

#include "decision/libraries/openmpi/openmpi.h"

/* ---- the options of coll/tuned: coll_tuned_*_decision.c, coll_tuned_decision_dynamic.c of v4.1 ---- */

/* A cell of a rules file. Algorithm 0: Open MPI's own choice. */
struct openmpi_cell {
  int algorithm, faninout, max_requests;
  uint64_t segment_bytes;
};

enum { CHAIN = 2, KNOMIAL = 7, REDUCE_KNOMIAL = 8, KNOMIAL_RADIX = 4, LINEAR_SYNC = 4, BRUCK_RADIX = 2 };

/* Versions of the formats. */
static const tutti_library_version version_4_1 = {.major = 4, .minor = 1}, version_5 = {.major = 5},
                                   version_6 = {.major = 6};

/* Parameter k: files contain the fan-out of chains, and the radix of version 6; others must be Open MPI's values. */
static bool express_k(const tutti_method *method, int ranks, const tutti_library_version *version, bool json,
                      struct openmpi_cell *cell)
{
  int k = method->parameters.k, id = method->algorithm->openmpi_id;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    if (id == KNOMIAL)
      return k == KNOMIAL_RADIX; /* coll_tuned_bcast_algorithm_knomial_radix; rules do not set it */
    break;
  case TUTTI_COLL_REDUCE:
    if (id == REDUCE_KNOMIAL)
      return k == KNOMIAL_RADIX;
    break;
  case TUTTI_COLL_ALLGATHER:
    if (!tutti_openmpi_has_radix(version, tutti_openmpi_collective(TUTTI_COLL_ALLGATHER), id))
      return k == BRUCK_RADIX;
    cell->faninout = k;
    return true;
  case TUTTI_COLL_ALLTOALL:
    if (id != LINEAR_SYNC)
      return k == BRUCK_RADIX;
    cell->max_requests = json ? k : 0; /* 0: all */
    return json || k >= ranks - 1;
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

/* The cell of a method; false if coll/tuned of that version cannot run it as it is, whatever parts it picks. JSON, and
   settings that force one algorithm, can contain limits of requests, and must contain radixes. */
static bool cell_of(const tutti_method *method, int ranks, const tutti_library_version *version, bool json,
                    struct openmpi_cell *cell)
{
  const tutti_algorithm *algorithm = method->algorithm;
  uint64_t segment = method->parameters.segment_bytes;
  int collective = tutti_openmpi_collective(algorithm->collective);
  *cell = (struct openmpi_cell){.algorithm = algorithm->openmpi_id, .segment_bytes = segment};
  if (tutti_openmpi_is_linear(method))
    cell->algorithm = OPENMPI_BASIC_LINEAR;
  if (algorithm->openmpi_id == 0 || collective < 0 || !tutti_target_is_plain(method) ||
      !tutti_openmpi_algorithm_name(version, collective, algorithm->openmpi_id))
    return false;
  if (segment && !tutti_openmpi_uses(collective, algorithm->openmpi_id, FIELD_SEGMENT))
    return false;
  if (segment > INT32_MAX || !tutti_target_applies(method, ranks))
    return false;
  if (json && cell->algorithm == tutti_openmpi_collectives[collective].radix)
    cell->faninout = BRUCK_RADIX;
  return !(algorithm->parameters & TUTTI_TAKES_K) || express_k(method, ranks, version, json, cell);
}

static bool supports(const tutti_method *method, int ranks, const tutti_library_version *version)
{
  struct openmpi_cell cell;
  return cell_of(method, ranks, version, tutti_library_since(version, 6, 0, 0), &cell);
}

bool tutti_openmpi_supports_4_1(const tutti_method *method, int ranks)
{
  return supports(method, ranks, &version_4_1);
}

bool tutti_openmpi_supports_5(const tutti_method *method, int ranks)
{
  return supports(method, ranks, &version_5);
}

bool tutti_openmpi_supports_6(const tutti_method *method, int ranks)
{
  return supports(method, ranks, &version_6);
}

/* ---- one algorithm for all calls: coll_tuned_COLLECTIVE_algorithm and its parameters ---- */

static void add_parameter(tutti_directives *directives, const tutti_method *method, const char *name, uint64_t value)
{
  char variable[sizeof directives->items->name];
  snprintf(variable, sizeof variable, "OMPI_MCA_coll_tuned_%s_algorithm%s",
           tutti_collective_name(method->algorithm->collective), name);
  tutti_directives_add_number(directives, variable, value);
}

/* A component before all others. */
static bool prefer(const char *component, tutti_directives *directives)
{
  char variable[sizeof directives->items->name];
  snprintf(variable, sizeof variable, "OMPI_MCA_coll_%s_priority", component);
  tutti_directives_add(directives, variable, "100");
  return true;
}

/* The radix of k-nomial trees can be set, though rules do not set it. No other component may take the call: coll/han of
   version 5 goes before coll/tuned. Fields that an algorithm uses are set even if 0, or the user's own setting would
   stay in force; a file of rules would even go before the algorithm. */
bool tutti_openmpi_force(const tutti_method *method, int ranks, const tutti_library_version *version,
                         tutti_directives *directives)
{
  struct openmpi_cell cell;
  tutti_method plain = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  int id = method->algorithm->openmpi_id, collective = tutti_openmpi_collective(method->algorithm->collective);
  const bool knomial = (method->algorithm->collective == TUTTI_COLL_BCAST && id == KNOMIAL) ||
                       (method->algorithm->collective == TUTTI_COLL_REDUCE && id == REDUCE_KNOMIAL);
  if (tutti_method_is_native(method))
    return prefer(tutti_selector_name(method->parameters.k), directives);
  if (knomial)
    plain.parameters.k = KNOMIAL_RADIX;
  if (!cell_of(&plain, ranks, version, true, &cell) ||
      !(tutti_openmpi_is_linear(&plain) || tutti_method_has_default_parts(&plain)))
    return false;
  tutti_directives_add(directives, "OMPI_MCA_coll_tuned_use_dynamic_rules", "1");
  tutti_directives_add(directives, "OMPI_MCA_coll_tuned_dynamic_rules_filename", "");
  prefer("tuned", directives);
  add_parameter(directives, method, "", (uint64_t)cell.algorithm);
  if (tutti_openmpi_uses(collective, cell.algorithm, FIELD_SEGMENT))
    add_parameter(directives, method, "_segmentsize", cell.segment_bytes);
  /* For a chain; for an allgather the radix of Open MPI 6. */
  const char *fanout = method->algorithm->collective == TUTTI_COLL_ALLGATHER ? "_tree_fanout" : "_chain_fanout";
  if (cell.faninout)
    add_parameter(directives, method, fanout, (uint64_t)cell.faninout);
  if (tutti_openmpi_uses(collective, cell.algorithm, FIELD_REQUESTS))
    add_parameter(directives, method, "_max_requests", (uint64_t)cell.max_requests);
  if (knomial)
    add_parameter(directives, method, "_knomial_radix", (uint64_t)method->parameters.k);
  return true;
}

/* ---- numbers: nested counts (coll_tuned_dynamic_file.c). A rule holds for its communicator size, or message size, and
   all larger ones up to the next rule; the first message size of a block must be 0 ---- */

static void write_rule(const tutti_step_table *table, const struct size_block *block, const struct size_rule *rule,
                       FILE *stream)
{
  char name[TUTTI_METHOD_LENGTH] = "Open MPI's own choice";
  struct openmpi_cell cell = {0};
  if (rule->method >= 0) {
    (void)cell_of(&table->methods[rule->method], block->ranks, &version_5, false, &cell);
    tutti_method_format(&table->methods[rule->method], name);
  }
  fprintf(stream, "%" PRIu64 " %d %d %" PRIu64 "  # %s\n", rule->max, cell.algorithm, cell.faninout, cell.segment_bytes,
          name);
}

/* The first block holds for smaller communicators, too; those of one rank do not come to coll/tuned. */
static int first_block(const struct size_blocks *blocks)
{
  return blocks->count > 1 && blocks->items[1].ranks <= 2;
}

static void write_blocks(const tutti_step_table *table, const struct size_blocks *blocks, FILE *stream)
{
  int first = first_block(blocks);
  fprintf(stream, "%d  # %s\n%d  # communicator sizes\n", tutti_openmpi_collective(table->collective),
          tutti_collective_name(table->collective), blocks->count - first);
  for (int i = first; i < blocks->count; i++) {
    const struct size_block *block = &blocks->items[i];
    fprintf(stream, "%d  # ranks\n%d\n", block->ranks, block->count);
    for (int j = 0; j < block->count; j++)
      write_rule(table, block, &block->rules[j], stream);
  }
}

/* Rules hold for operations that do not commute, too, and Open MPI does not look (its issue 7765). */
static bool needs_commuting(const tutti_step_table *table)
{
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++) {
      const int method = table->rows[i].steps[j].method; /* the table may know more methods, which were replaced */
      if (method >= 0 && table->methods[method].algorithm->domain & TUTTI_NEEDS_COMMUTATIVE)
        return true;
    }
  return false;
}

static void write_part(const tutti_export_part *part, FILE *stream)
{
  struct size_blocks blocks =
      tutti_size_blocks_create(&part->table, tutti_openmpi_unit(part->table.collective), INT64_MAX);
  write_blocks(&part->table, &blocks, stream);
  tutti_size_blocks_free(&blocks);
}

/* A collective that is left to Open MPI needs no rules: looking them up takes time. */
static int count_answered(const tutti_export_part *parts, int count)
{
  int answered = 0;
  for (int i = 0; i < count; i++)
    answered += tutti_step_table_answers(&parts[i].table);
  return answered;
}

/* The first line names the target: tutti_tuning_guess() reads it. */
static tutti_status write_numbers(const char *target, const tutti_export_part *parts, int count, const char *comment,
                                  FILE *stream, tutti_error *error)
{
  fprintf(stream, TUTTI_TUNING_TARGET "%s\n", target);
  tutti_target_print_comment(comment, "# ", stream);
  fprintf(stream,
          "# A rule: message size in bytes (of all ranks' blocks where there are blocks), algorithm, fan-out, "
          "segment size.\n%d  # collectives\n",
          count_answered(parts, count));
  for (int i = 0; i < count; i++)
    if (tutti_step_table_answers(&parts[i].table) && needs_commuting(&parts[i].table))
      fprintf(stream, "# Not for programs whose own operations do not commute: %s has algorithms that reorder.\n",
              tutti_collective_name(parts[i].table.collective));
  for (int i = 0; i < count; i++)
    if (tutti_step_table_answers(&parts[i].table))
      write_part(&parts[i], stream);
  return tutti_target_written(stream, error);
}

tutti_status tutti_openmpi_write_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                     tutti_error *error)
{
  return write_numbers("openmpi-4.1", parts, count, comment, stream, error);
}

tutti_status tutti_openmpi_write_5(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                   tutti_error *error)
{
  return write_numbers("openmpi-5", parts, count, comment, stream, error);
}

/* ---- JSON (coll_tuned_dynamic_file.c of version 6, where numbers have another meaning). Ranges are inclusive; the
   first block that matches is used. If no rule of it matches, Open MPI chooses itself, as it does for algorithm 0: so
   each size has a rule ---- */

/* A comma precedes all items except the first. */
static const char *comma(bool *first)
{
  const char *text = *first ? "" : ",";
  *first = false;
  return text;
}

static void write_json_rule(const tutti_step_table *table, const struct size_block *block, int index, FILE *stream)
{
  int method = block->rules[index].method;
  struct openmpi_cell cell = {0};
  if (method >= 0)
    (void)cell_of(&table->methods[method], block->ranks, &version_6, true, &cell);
  fprintf(stream, "\n          { \"msg_size_min\": %" PRIu64 ", \"msg_size_max\": ", block->rules[index].max);
  if (index + 1 < block->count)
    fprintf(stream, "%" PRIu64, block->rules[index + 1].max - 1);
  else
    fprintf(stream, "\"inf\"");
  fprintf(stream, ", \"alg\": %d, \"faninout\": %d", cell.algorithm, cell.faninout);
  if (cell.segment_bytes > 0) /* the published schema does not have it */
    fprintf(stream, ", \"seg_size\": %" PRIu64, cell.segment_bytes);
  fprintf(stream, ", \"reqs\": %d }", cell.max_requests);
}

static bool answers(const struct size_block *block)
{
  for (int i = 0; i < block->count; i++)
    if (block->rules[i].method >= 0)
      return true;
  return false;
}

/* A block for a placement hides those for any placement. */
static bool is_kept(const tutti_step_table *table, const struct size_block *block)
{
  return table->placement != TUTTI_PLACED_ANYHOW || answers(block);
}

static void write_json_block(const tutti_step_table *table, const struct size_blocks *blocks, int index, FILE *stream)
{
  const struct size_block *block = &blocks->items[index];
  bool first = true;
  fprintf(stream, "\n      { \"comm_size_min\": %d,", index ? block->ranks : 0);
  if (index + 1 < blocks->count)
    fprintf(stream, " \"comm_size_max\": %d,", blocks->items[index + 1].ranks - 1);
  if (table->placement != TUTTI_PLACED_ANYHOW)
    fprintf(stream, " \"comm_rank_distribution\": \"%s\",", tutti_openmpi_placements[table->placement]);
  fprintf(stream, "\n        \"rules\": [");
  for (int i = 0; i < block->count; i++) {
    fprintf(stream, "%s", comma(&first));
    write_json_rule(table, block, i, stream);
  }
  fprintf(stream, " ] }");
}

/* @p first: the list of the collective has no blocks yet. */
static void write_json_part(const tutti_export_part *part, bool first, FILE *stream)
{
  const tutti_step_table *table = &part->table;
  struct size_blocks blocks = tutti_size_blocks_create(table, tutti_openmpi_unit(table->collective), INT64_MAX);
  for (int i = 0; i < blocks.count; i++)
    if (is_kept(table, &blocks.items[i])) {
      fprintf(stream, "%s", comma(&first));
      write_json_block(table, &blocks, i, stream);
    }
  tutti_size_blocks_free(&blocks);
}

/* Begin the list of a collective, after that of the previous one. */
static void begin_list(const tutti_export_part *before, const tutti_export_part *part, FILE *stream)
{
  fprintf(stream, "%s\n    \"%s\": [", before ? " ]," : "", tutti_collective_name(part->table.collective));
}

/* JSON has no comments. A collective that is left to Open MPI is left out; the parts of one, for placements first, are
   one list. */
tutti_status tutti_openmpi_write_json(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                      tutti_error *error)
{
  const tutti_export_part *before = NULL;
  (void)comment;
  fprintf(stream, "{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {");
  for (int i = 0; i < count; i++) {
    const tutti_export_part *part = &parts[i];
    bool first = !before || before->table.collective != part->table.collective;
    if (part->table.placement == TUTTI_PLACED_ANYHOW && !tutti_step_table_answers(&part->table))
      continue;
    if (first)
      begin_list(before, part, stream);
    write_json_part(part, first, stream);
    before = part;
  }
  fprintf(stream, "%s\n  }\n}\n", before ? " ]" : "");
  return tutti_target_written(stream, error);
}
