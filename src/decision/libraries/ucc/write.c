/* Writing for UCC: tokens with the numbers of ranks that they are for, or a section for each, in which the variables of
   radixes can differ, too. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/ucc/ucc.h"

tutti_size_unit tutti_ucc_unit(tutti_collective collective)
{
  const struct ucc_collective *found = tutti_ucc_collective(collective);
  return found ? found->unit : TUTTI_UNIT_ABSENT;
}

/* Without variables beside the tokens. */
bool tutti_ucc_supports(const tutti_method *method, int ranks)
{
  return tutti_ucc_told(method, ranks, true);
}

bool tutti_ucc_supports_sections(const tutti_method *method, int ranks)
{
  return tutti_ucc_told(method, ranks, false);
}

/* The rules of one collective for some numbers of ranks. */
struct block {
  const tutti_step_table *table;
  const struct size_block *rules;
  int last; /* number of ranks; INT_MAX: no end */
};

static const struct ucc_algorithm *algorithm_of(const struct block *block, int rule)
{
  const int method = block->rules->rules[rule].method;
  return method < 0 ? NULL : tutti_ucc_told(&block->table->methods[method], block->rules->ranks, false);
}

static uint64_t end_of(const struct block *block, int rule)
{
  return rule + 1 < block->rules->count ? block->rules->rules[rule + 1].max : UINT64_MAX;
}

/* The end is not part of the range. */
static void write_sizes(const struct block *block, int rule, FILE *stream)
{
  const uint64_t end = end_of(block, rule);
  fprintf(stream, "%" PRIu64 "-", block->rules->rules[rule].max);
  if (end == UINT64_MAX)
    fprintf(stream, "inf");
  else
    fprintf(stream, "%" PRIu64, end);
}

enum { RANKS_LENGTH = 40 };

static const char *format_ranks(int first, int last, const char *endless, char text[RANKS_LENGTH])
{
  int length = snprintf(text, RANKS_LENGTH, "%d", first);
  if (last == INT_MAX)
    snprintf(text + length, (size_t)(RANKS_LENGTH - length), "-%s", endless);
  else if (last > first)
    snprintf(text + length, (size_t)(RANKS_LENGTH - length), "-%d", last);
  return text;
}

static void write_tokens(const struct block *block, bool ranks, bool *any, FILE *stream)
{
  const struct ucc_collective *collective = tutti_ucc_collective(block->table->collective);
  char text[RANKS_LENGTH];
  for (int i = 0; i < block->rules->count; i++) {
    const struct ucc_algorithm *algorithm = algorithm_of(block, i);
    if (!algorithm)
      continue;
    fprintf(stream, "%s%s:", *any ? "#" : "", collective->name);
    *any = true;
    if (collective->unit != TUTTI_UNIT_NONE) {
      write_sizes(block, i, stream);
      fprintf(stream, ":");
    }
    fprintf(stream, "host:");
    if (ranks)
      fprintf(stream, "[%s]:", format_ranks(block->rules->ranks, block->last, "inf", text));
    fprintf(stream, "@%s", algorithm->name);
  }
}

/* ---- variables ---- */

static struct size_blocks blocks_of(const tutti_export_part *part)
{
  return tutti_size_blocks_create(&part->table, tutti_ucc_unit(part->table.collective), INT64_MAX);
}

/* The first block holds for all smaller numbers of ranks; UCC's teams of one are not TL/UCP's. */
static struct block block_at(const tutti_step_table *table, struct size_blocks *blocks, int index)
{
  struct size_block *rules = &blocks->items[index];
  if (index == 0)
    rules->ranks = 2;
  return (struct block){table, rules, index + 1 < blocks->count ? blocks->items[index + 1].ranks - 1 : INT_MAX};
}

static void write_head(const char *name, const char *comment, FILE *stream)
{
  fprintf(stream, TUTTI_TUNING_TARGET "%s\n", name);
  tutti_target_print_comment(comment, "# ", stream);
}

/* What execve() takes of one variable in Linux (MAX_ARG_STRLEN). */
enum { MAX_VARIABLE = 131071 - sizeof "UCC_TL_UCP_TUNE=" };

tutti_status tutti_ucc_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                             tutti_error *error)
{
  struct tutti_text_stream text;
  bool any = false;
  tutti_xopen_text(&text);
  for (int p = 0; p < count; p++) {
    struct size_blocks blocks = blocks_of(&parts[p]);
    for (int i = 0; i < blocks.count; i++) {
      const struct block block = block_at(&parts[p].table, &blocks, i);
      if (block.last >= block.rules->ranks)
        write_tokens(&block, true, &any, text.stream);
    }
    tutti_size_blocks_free(&blocks);
  }
  tutti_xclose_text(&text);
  write_head("ucc", comment, stream);
  if (any)
    fprintf(stream, "export UCC_TL_UCP_TUNE='%s'\n", text.text);
  const bool fits = text.length <= MAX_VARIABLE;
  free(text.text);
  return fits ? tutti_target_written(stream, error)
              : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                           "a variable of %zu bytes, with which no program starts: export fewer numbers of ranks "
                           "(--ranks), or a file (--format ucc-conf)",
                           text.length);
}

/* ---- sections ---- */

/* The values of a radix, "0-4095:8,4096-inf:2", by the sizes of the rules that use it; both ends are part of a range.
 */
static void write_radix(const struct block *block, const char *variable, FILE *stream)
{
  bool any = false;
  for (int i = 0; i < block->rules->count; i++) {
    const struct ucc_algorithm *algorithm = algorithm_of(block, i);
    if (!algorithm || !algorithm->radix || strcmp(algorithm->radix, variable) != 0)
      continue;
    const uint64_t end = end_of(block, i);
    fprintf(stream, any ? "," : "UCC_TL_UCP_%s=", variable);
    any = true;
    fprintf(stream, "%" PRIu64 "-", block->rules->rules[i].max);
    if (end == UINT64_MAX)
      fprintf(stream, "inf");
    else
      fprintf(stream, "%" PRIu64, end - 1);
    fprintf(stream, ":%d", tutti_ucc_radix(algorithm, &block->table->methods[block->rules->rules[i].method]));
  }
  fprintf(stream, any ? "\n" : "");
}

/* The variables beside the tokens: each once, of all collectives that use it. */
static void write_settings(const struct block *blocks, int count, FILE *stream)
{
  const char *written[32] = {NULL};
  int writing = 0;
  for (int b = 0; b < count; b++)
    for (int i = 0; i < blocks[b].rules->count; i++) {
      const struct ucc_algorithm *algorithm = algorithm_of(&blocks[b], i);
      const char *name = !algorithm ? NULL : algorithm->radix ? algorithm->radix : algorithm->setting;
      bool known = !name;
      for (int w = 0; w < writing && !known; w++)
        known = strcmp(written[w], name) == 0;
      if (known)
        continue;
      written[writing++] = name;
      if (algorithm->radix)
        write_radix(&blocks[b], name, stream);
      else
        fprintf(stream, "UCC_TL_UCP_%s\n", name);
    }
}

/* The block of a number of ranks. */
static struct block find_block(const tutti_step_table *table, struct size_blocks *blocks, int ranks)
{
  int index = blocks->count - 1;
  while (index > 0 && blocks->items[index].ranks > ranks)
    index--;
  return block_at(table, blocks, index);
}

static tutti_status write_section(const struct block *blocks, int count, int first, int last, FILE *stream,
                                  tutti_error *error)
{
  struct tutti_text_stream text;
  char ranks[RANKS_LENGTH];
  bool any = false;
  tutti_xopen_text(&text);
  for (int b = 0; b < count; b++)
    write_tokens(&blocks[b], false, &any, text.stream);
  tutti_xclose_text(&text);
  if (any) {
    fprintf(stream, "[team_size=%s]\nUCC_TL_UCP_TUNE=%s\n", format_ranks(first, last, "2147483647", ranks), text.text);
    write_settings(blocks, count, stream);
  }
  const bool fits = text.length + sizeof "UCC_TL_UCP_TUNE=" <= UCC_LINE_LENGTH;
  free(text.text);
  return fits ? TUTTI_OK
              : tutti_fail(error, TUTTI_ERR_ARGUMENT, "a line of %zu bytes for %d ranks: UCC reads no line of 8190",
                           text.length, first);
}

tutti_status tutti_ucc_write_sections(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                      tutti_error *error)
{
  struct size_blocks *blocks = tutti_xcalloc((size_t)count + 1, sizeof *blocks);
  struct block *row = tutti_xcalloc((size_t)count + 1, sizeof *row);
  struct {
    TUTTI_VECTOR(int);
  } ranks = {.items = NULL};
  tutti_xpush(&ranks, 2);
  for (int p = 0; p < count; p++) {
    blocks[p] = blocks_of(&parts[p]);
    for (int i = 1; i < blocks[p].count; i++)
      if (blocks[p].items[i].ranks > 2)
        tutti_xpush(&ranks, blocks[p].items[i].ranks);
  }
  ranks.count = tutti_ints_unique(ranks.items, ranks.count);
  write_head("ucc-conf", comment, stream);
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < ranks.count && status == TUTTI_OK; i++) {
    for (int p = 0; p < count; p++)
      row[p] = find_block(&parts[p].table, &blocks[p], ranks.items[i]);
    status = write_section(row, count, ranks.items[i], i + 1 < ranks.count ? ranks.items[i + 1] - 1 : INT_MAX, stream,
                           error);
  }
  for (int p = 0; p < count; p++)
    tutti_size_blocks_free(&blocks[p]);
  free(blocks);
  free(row);
  tutti_vector_free(&ranks);
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}
