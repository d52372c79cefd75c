/* Writing the table of the tuner plug-in, and the rules of NCCLX. A decision says nothing of protocols and channels:
   the protocol is simple, as a line must name one, and the channels are those of NCCL. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "decision/libraries/nccl/nccl.h"

/* The communicators of a row, and whether larger ones are meant, too. */
struct span {
  int first, last;
  bool open;
};

/* The last row ends where the map does: of larger communicators a line for each would have no end. */
static struct span span_of(const tutti_export_part *part, int row)
{
  const tutti_step_table *table = &part->table;
  struct span span = {row > 0 ? table->rows[row].ranks : 2, part->range.max_ranks, row + 1 == table->row_count};
  if (!span.open)
    span.last = table->rows[row + 1].ranks - 1;
  span.last = span.last < span.first ? span.first : span.last;
  return span;
}

/* Most lines or rules of a file: where each number of ranks has its own, a million of ranks has no end. */
enum { MAX_LINES = 100000 };

static tutti_status finish(int lines, FILE *stream, tutti_error *error)
{
  return lines <= MAX_LINES ? tutti_target_written(stream, error)
                            : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                         "more than %d lines: export fewer numbers of ranks (--ranks)", MAX_LINES);
}

/* Whether every call has a method, so that a line for all that is left hides no choice of NCCL's own. */
static bool is_complete(const tutti_step_table *table)
{
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++)
      if (table->rows[i].steps[j].method < 0)
        return false;
  return true;
}

/* The sizes of a step; false: NCCL decides itself. */
static bool sizes_of(const tutti_step_row *row, int index, uint64_t bytes[2])
{
  bytes[0] = row->steps[index].bytes;
  bytes[1] = index + 1 < row->count ? row->steps[index + 1].bytes - 1 : UINT64_MAX;
  return row->steps[index].method >= 0;
}

static const char *algorithm_of(const tutti_step_table *table, const tutti_step *step)
{
  return tutti_nccl_algorithm_word(tutti_nccl_theirs(table->methods[step->method].algorithm));
}

/* ---- the table of the plug-in ---- */

/* Lines of a number of ranks; NCCL_ANY: of all. */
static void write_lines(const tutti_step_table *table, const tutti_step_row *row, int ranks, int *lines, FILE *stream)
{
  uint64_t bytes[2];
  const int factor = tutti_nccl_counts_all(table->collective) ? ranks : 1;
  for (int j = 0; j < row->count; j++) {
    if (!sizes_of(row, j, bytes))
      continue;
    const uint64_t end = bytes[1] == UINT64_MAX ? UINT64_MAX : library_product(bytes[1] + 1, factor) - 1;
    fprintf(stream, "%s,%" PRIu64 ",%" PRIu64 ",%s,simple,-1,-1,%d,-1,-1\n",
            tutti_nccl_collective_word(table->collective), library_product(bytes[0], factor), end,
            algorithm_of(table, &row->steps[j]), ranks);
    ++*lines;
  }
}

static void write_table(const tutti_export_part *part, int *lines, FILE *stream)
{
  const tutti_step_table *table = &part->table;
  const bool all = tutti_nccl_counts_all(table->collective), whole = !all && is_complete(table);
  for (int i = 0; i < table->row_count; i++) {
    const struct span span = span_of(part, i);
    const bool rest = span.open && (whole || (!all && table->row_count == 1));
    if (rest || (table->row_count == 1 && table->rows[0].count == 1))
      write_lines(table, &table->rows[i], NCCL_ANY, lines, stream);
    else
      for (int ranks = span.first; ranks <= span.last && *lines <= MAX_LINES; ranks++)
        write_lines(table, &table->rows[i], ranks, lines, stream);
  }
}

tutti_status tutti_nccl_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                              tutti_error *error)
{
  int lines = 0;
  tutti_target_print_comment(comment, "# ", stream);
  fprintf(stream, "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nodes,ranks,pipe_ops,registered\n");
  for (int i = 0; i < count; i++)
    write_table(&parts[i], &lines, stream);
  return finish(lines, stream, error);
}

/* ---- the rules of NCCLX ---- */

struct rules {
  const tutti_step_table *table;
  FILE *stream;
  int count; /* written */
};

static void write_range(const char *key, uint64_t min, uint64_t max, uint64_t open, FILE *stream)
{
  if (min == max)
    fprintf(stream, ", \"%s\": %" PRIu64, key, min);
  else if (max < open)
    fprintf(stream, ", \"%s\": \"[%" PRIu64 ",%" PRIu64 "]\"", key, min, max);
  else if (min > 0)
    fprintf(stream, ", \"%s\": \"[%" PRIu64 ",)\"", key, min);
}

/* @p nodes and @p local NULL: any. Bounds are signed numbers of 64 bits there. */
static void write_rule(struct rules *rules, const tutti_step *step, const uint64_t bytes[2], const int nodes[2],
                       int local)
{
  fprintf(rules->stream, "%s\n    {\"filter\": {\"collective\": \"%s\"", rules->count++ > 0 ? "," : "",
          tutti_nccl_collective_word(rules->table->collective));
  write_range("bytesPerRank", bytes[0], bytes[1], INT64_MAX, rules->stream);
  if (nodes)
    write_range("nNodes", (uint64_t)nodes[0], (uint64_t)nodes[1], INT_MAX, rules->stream);
  if (nodes)
    fprintf(rules->stream, ", \"nLocalRanks\": %d", local);
  fprintf(rules->stream, "}, \"config\": {\"algorithm\": \"%s\", \"protocol\": \"simple\"}}",
          algorithm_of(rules->table, step));
}

/* Whether communicators with so many ranks a node, on so many nodes, are meant. Those of one node have less. */
static bool is_placed(const tutti_step_table *table, int local, int nodes)
{
  const int per_node = table->ranks_per_node;
  return per_node < 1 || local == per_node || (local < per_node && nodes == 1);
}

/* Sizes of blocks do not depend on the ranks: a rule for each number of ranks a node. */
static void write_block_step(struct rules *rules, const tutti_step *step, const uint64_t bytes[2], struct span span)
{
  for (int local = 1; local <= NCCL_MAX_LOCAL_RANKS; local++) {
    int nodes[2] = {(span.first + local - 1) / local, span.open ? INT_MAX : span.last / local};
    if (!is_placed(rules->table, local, nodes[0]))
      continue;
    if (!is_placed(rules->table, local, nodes[0] + 1))
      nodes[1] = nodes[1] < nodes[0] ? nodes[1] : nodes[0];
    if (nodes[0] <= nodes[1])
      write_rule(rules, step, bytes, nodes, local);
  }
}

/* Messages are divided by the ranks, so that each number of ranks has sizes of its own, rounded up. */
static void write_message_step(struct rules *rules, const tutti_step *step, const uint64_t bytes[2], struct span span)
{
  for (int ranks = span.first; ranks <= span.last && rules->count <= MAX_LINES; ranks++) {
    const uint64_t divisor = (uint64_t)ranks;
    const uint64_t range[2] = {bytes[0] / divisor + (bytes[0] % divisor > 0),
                               bytes[1] == UINT64_MAX ? UINT64_MAX : (bytes[1] + divisor) / divisor - 1};
    for (int local = 1; local <= ranks && local <= NCCL_MAX_LOCAL_RANKS; local++) {
      const int nodes[2] = {ranks / local, ranks / local};
      if (ranks % local == 0 && bytes[1] >= bytes[0] && range[0] <= range[1] &&
          is_placed(rules->table, local, nodes[0]))
        write_rule(rules, step, range, nodes, local);
    }
  }
}

static void write_part(struct rules *rules, const tutti_export_part *part)
{
  const tutti_step_table *table = rules->table = &part->table;
  const bool all = tutti_nccl_counts_all(table->collective);
  uint64_t bytes[2];
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++) {
      const tutti_step *step = &table->rows[i].steps[j];
      if (!sizes_of(&table->rows[i], j, bytes))
        continue;
      if (table->row_count == 1 && (all || table->rows[i].count == 1))
        write_rule(rules, step, bytes, NULL, 0);
      else
        (all ? write_block_step : write_message_step)(rules, step, bytes, span_of(part, i));
    }
}

tutti_status tutti_ncclx_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                               tutti_error *error)
{
  struct rules rules = {.stream = stream};
  (void)comment; /* JSON has none */
  fprintf(stream, "{\n  \"rules\": [");
  for (int i = 0; i < count; i++)
    write_part(&rules, &parts[i]);
  fprintf(stream, "\n  ]\n}\n");
  return finish(rules.count, stream, error);
}
