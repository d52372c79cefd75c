#include "decision/results/ran_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"

enum { FIELDS = 12, MAX_RANKS = 1 << 24 };

static const char heading[] =
    "collective\tranks\troot\tbytes\ttype_B\tordered\tin_place\tcalls\tvaried\tmessages\tsent_B\tfingerprint";

void tutti_ran_begin_file(FILE *stream, const char *library)
{
  fprintf(stream, "# %s\n%s\n", library, heading);
}

void tutti_ran_write(FILE *stream, const struct ran_row *row)
{
  fprintf(stream,
          "%s\t%d\t%d\t%" PRIu64 "\t%" PRIu64 "\t%d\t%d\t%" PRIu64 "\t%d\t%" PRIu64 "\t%" PRIu64 "\t%016" PRIx64 "\n",
          tutti_collective_name(row->collective), row->ranks, row->root, row->bytes, row->type_bytes, row->ordered,
          row->in_place, row->calls, row->varied, row->sent.count, row->sent.bytes, row->sent.print);
}

/* ---- reading ---- */

static bool parse_print(const char *text, uint64_t *print)
{
  char *end;
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return false;
  *print = strtoull(text, &end, 16);
  return *end == '\0';
}

static bool parse_row(char *text, struct ran_row *row)
{
  char *fields[FIELDS];
  uint64_t numbers[FIELDS];
  static const uint64_t most[FIELDS] = {
      [1] = MAX_RANKS,  [2] = MAX_RANKS, [3] = UINT64_C(1) << 52, [4] = UINT64_C(1) << 20, [5] = 1, [6] = 1,
      [7] = UINT64_MAX, [8] = 1,         [9] = UINT64_MAX,        [10] = UINT64_MAX};
  for (int i = 0; i < FIELDS; i++)
    if (!(fields[i] = strsep(&text, "\t")) ||
        (most[i] && !tutti_parse_integer(fields[i], i == 1, most[i], &numbers[i])))
      return false;
  if (text || tutti_collective_parse(fields[0], &row->collective, NULL) != TUTTI_OK || numbers[2] >= numbers[1])
    return false;
  row->ranks = (int)numbers[1];
  row->root = (int)numbers[2];
  row->bytes = numbers[3];
  row->type_bytes = numbers[4];
  row->ordered = numbers[5];
  row->in_place = numbers[6];
  row->calls = numbers[7];
  row->varied = numbers[8];
  row->sent.count = numbers[9];
  row->sent.bytes = numbers[10];
  return parse_print(fields[11], &row->sent.print);
}

tutti_status tutti_ran_read(const char *path, tutti_collective collective, struct ran_rows *rows, tutti_error *error)
{
  struct tutti_lines lines;
  *rows = (struct ran_rows){.count = 0};
  (void)tutti_lines_open(&lines, path, TUTTI_INPUT_RECORDS, error);
  bool more = tutti_lines_next(&lines);
  if (more && strncmp(lines.text, "# ", 2) == 0) {
    snprintf(rows->library, sizeof rows->library, "%s", lines.text + 2);
    more = tutti_lines_next(&lines);
  }
  if (more && strcmp(lines.text, heading) != 0)
    tutti_lines_fault(&lines, "not the heading of a file that TUTTI_RAN writes");
  while (tutti_lines_next(&lines)) {
    struct ran_row row = {.calls = 0};
    if (!parse_row(lines.text, &row))
      tutti_lines_fault(&lines, "not a row of such a file: 12 fields, of a known collective, with tabs between");
    else if (collective == TUTTI_COLL_COUNT || collective == row.collective)
      tutti_xpush(rows, row);
  }
  return tutti_lines_close(&lines);
}
