/* Wrong counts of rules written as numbers. Open MPI reads on as the counts say, so that all numbers after a wrong one
   mean something else. People write a rule a line, and the counts before it on lines of their own: these lines show
   what the counts should be. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/libraries/openmpi/openmpi.h"

enum { RULE_NUMBERS = 4, LINE_NUMBERS = 6 };

/* A count in the file, and how many were found. */
struct counted {
  const char *what;
  long told, found;
  size_t at;
  bool open; /* not compared yet */
};

struct number {
  long value;
  size_t at;
};

struct counting {
  struct tuning_file *file;
  struct counted collectives, blocks, rules;
  bool begun;           /* the first number is read */
  bool lost;            /* the lines do not show what is what */
  struct counted first; /* wrong one */
  int wrong;
  struct {
    TUTTI_VECTOR(struct number);
  } head; /* numbers before the next rule */
};

static void compare(struct counting *counting, struct counted *counted)
{
  if (counted->open && counted->told != counted->found) {
    if (counting->wrong++ == 0 || counted->at < counting->first.at)
      counting->first = *counted;
  }
  counted->open = false;
}

static struct counted begin(const struct number *number, const char *what)
{
  return (struct counted){.what = what, .told = number->value, .at = number->at, .open = true};
}

static void begin_collective(struct counting *counting, const struct number *pair)
{
  compare(counting, &counting->rules);
  compare(counting, &counting->blocks);
  counting->collectives.found++;
  counting->blocks = begin(&pair[1], "communicator size");
}

static void begin_block(struct counting *counting, const struct number *pair)
{
  compare(counting, &counting->rules);
  counting->blocks.found++;
  counting->rules = begin(&pair[1], "rule");
}

/* The numbers before a rule are pairs: a collective or a communicator size, and a count. The last pair is the
   communicator size of the rule, and the one after a collective is another one; any other with a count above 0 is a
   collective. */
static void read_pairs(struct counting *counting, const struct number *pairs, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const struct number *pair = &pairs[2 * i];
    const bool has_room = counting->blocks.found < counting->blocks.told;
    const bool is_block = i + 1 == count || (has_room && (pair[1].value == 0 || counting->blocks.found == 0));
    if (counting->collectives.found && is_block)
      begin_block(counting, pair);
    else
      begin_collective(counting, pair);
  }
}

/* The end of the numbers before a rule, or of the file. */
static void end_head(struct counting *counting)
{
  const struct number *numbers = counting->head.items;
  size_t count = counting->head.count;
  if (count == 0)
    return;
  counting->lost = count % 2 == counting->begun || (!counting->begun && count < 5);
  if (!counting->begun && !counting->lost) {
    counting->collectives = begin(numbers, "collective");
    numbers++;
    count--;
  }
  if (!counting->lost)
    read_pairs(counting, numbers, count / 2);
  counting->begun = true;
  counting->head.count = 0;
}

/* The numbers of a line; -1: it has other words. */
static int read_line(const struct tuning_file *file, size_t at, size_t end, struct number numbers[LINE_NUMBERS])
{
  int count = 0;
  while (at < end) {
    char *behind;
    if (isspace((unsigned char)file->text[at])) {
      at++;
      continue;
    }
    const long value = strtol(file->text + at, &behind, 10);
    const size_t next = (size_t)(behind - file->text);
    if (next == at || next > end || count == LINE_NUMBERS || (next < end && !isspace((unsigned char)*behind)))
      return -1;
    numbers[count++] = (struct number){value, at};
    at = next;
  }
  return count;
}

static void add_line(struct counting *counting, size_t at, size_t end)
{
  struct number numbers[LINE_NUMBERS];
  const int count = read_line(counting->file, at, end, numbers);
  if (count == RULE_NUMBERS || count == RULE_NUMBERS + 1) {
    end_head(counting);
    counting->rules.found++;
    counting->lost = counting->lost || !counting->begun;
  } else if (count < 0)
    counting->lost = at > 0 || !counting->file->length || counting->file->text[0] != 'r'; /* rule-file-version-2 */
  else
    for (int i = 0; i < count; i++)
      tutti_xpush(&counting->head, numbers[i]);
}

/* The first wrong count. */
static void report(const struct counting *counting)
{
  const struct counted *first = &counting->first;
  char more[60] = "";
  if (counting->wrong == 0)
    return;
  if (counting->wrong > 1)
    snprintf(more, sizeof more, "; %d further count%s wrong, too", counting->wrong - 1,
             counting->wrong > 2 ? "s are" : " is");
  tutti_tuning_report(counting->file, LINT_OMPI_COUNT, first->at, "the count says %ld %s%s, %ld follow%s%s",
                      first->told, first->what, tutti_plural((uint64_t)first->told), first->found,
                      first->found == 1 ? "s" : "", more);
  char text[24];
  snprintf(text, sizeof text, "%ld", first->found);
  tutti_tuning_edit(counting->file, LINT_OMPI_COUNT, first->at, tutti_tuning_number_length(counting->file, first->at),
                    text);
}

static void end_file(struct counting *counting)
{
  end_head(counting);
  if (counting->lost)
    return;
  compare(counting, &counting->rules);
  compare(counting, &counting->blocks);
  compare(counting, &counting->collectives);
}

void tutti_openmpi_count(struct tuning_file *file)
{
  struct counting counting = {.file = file};
  for (size_t at = 0; at < file->length && !counting.lost;) {
    const char *newline = memchr(file->text + at, '\n', file->length - at);
    const size_t end = newline ? (size_t)(newline - file->text) : file->length;
    const char *hash = memchr(file->text + at, '#', end - at);
    add_line(&counting, at, hash ? (size_t)(hash - file->text) : end);
    at = end + 1;
  }
  if (!counting.lost)
    end_file(&counting);
  report(&counting);
  tutti_vector_free(&counting.head);
}

static void hide_edits(tutti_findings *findings, const tutti_lint_code *code)
{
  size_t kept = 0;
  for (size_t i = 0; i < findings->edit_count; i++)
    if (findings->edits[i].code == code)
      findings->edits[kept++] = findings->edits[i];
    else
      free(findings->edits[i].text);
  findings->edit_count = kept;
}

void tutti_openmpi_hide(tutti_findings *findings)
{
  const tutti_lint_code *count = &tutti_library_openmpi.codes[LINT_OMPI_COUNT];
  size_t first = 0, kept = 0;
  while (first < findings->count && findings->items[first].code != count)
    first++;
  if (first == findings->count)
    return;
  for (size_t i = 0; i < findings->count; i++) {
    tutti_finding *finding = &findings->items[i];
    if (i == first || (i < first && finding->code->severity != TUTTI_NOTE))
      findings->items[kept++] = *finding;
    else
      free(finding->message);
  }
  findings->count = kept;
  hide_edits(findings, count);
}
