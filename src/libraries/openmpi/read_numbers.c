/* Rules of coll/tuned written as numbers. They are read with fscanf("%li") as the library does
   (ompi_coll_base_file_getnext_long()): what is no number is skipped a character at a time, '#' to the end of its line.
 */
#include <ctype.h>
#include <string.h>

#include "libraries/openmpi/openmpi.h"

struct numbers {
  struct tuning_file *file;
  FILE *stream;
  long value; /* of the last number */
  size_t at;  /* its place */
  size_t end; /* the place behind it */
  bool two;   /* fifth numbers may follow */
};

static size_t place(struct numbers *numbers)
{
  long at = ftell(numbers->stream);
  return at < 0 ? numbers->file->length : (size_t)at;
}

static size_t skip_blanks(const struct tuning_file *file, size_t at)
{
  while (at < file->length && isspace((unsigned char)file->text[at]))
    at++;
  return at;
}

/* The character behind what is no number; false at the end of the file. */
static bool skip_one(struct numbers *numbers, size_t from, bool *said)
{
  int c = getc(numbers->stream);
  if (c == EOF)
    return false;
  if (c == '#') {
    while ((c = getc(numbers->stream)) != '\n' && c != EOF)
      continue;
    return c != EOF;
  }
  if (!*said && !isspace(c))
    tutti_tuning_report(numbers->file, LINT_OMPI_WORDS, from, "'%.*s' is skipped",
                        (int)strcspn(numbers->file->text + from, " \t\r\n#"), numbers->file->text + from);
  *said = true;
  return true;
}

static void check_base(const struct numbers *numbers)
{
  const char *token = numbers->file->text + numbers->at;
  token += *token == '-' || *token == '+';
  if (token[0] == '0' && isalnum((unsigned char)token[1]) && numbers->end - numbers->at > 1)
    tutti_tuning_report(numbers->file, LINT_OMPI_BASE, numbers->at, "'%.*s' is %ld", (int)(numbers->end - numbers->at),
                        numbers->file->text + numbers->at, numbers->value);
}

/* Behind the last number, without a blank: 08 is 0 and 8. */
static bool is_glued(const struct numbers *numbers, size_t before, size_t at)
{
  return at == before && at > 0 && isdigit((unsigned char)numbers->file->text[at]) &&
         isdigit((unsigned char)numbers->file->text[at - 1]);
}

/* The next number; false at the end of the file. */
static bool next(struct numbers *numbers)
{
  bool said = false;
  for (;;) {
    size_t before = place(numbers), at = skip_blanks(numbers->file, before);
    int read = fscanf(numbers->stream, "%li", &numbers->value);
    if (read == EOF)
      return false;
    if (read == 1) {
      numbers->at = at;
      numbers->end = place(numbers);
      if (is_glued(numbers, before, at))
        tutti_tuning_report(numbers->file, LINT_OMPI_WORDS, at, "'%.*s' begins a number of its own",
                            (int)(numbers->end - at), numbers->file->text + at);
      check_base(numbers);
      return true;
    }
    if (!skip_one(numbers, at, &said))
      return false;
  }
}

/* A number that must be there and not be negative; otherwise the file is dropped. */
static bool need_long(struct numbers *numbers, struct openmpi_rules *rules, const char *what)
{
  if (!next(numbers))
    return tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_SHORT, numbers->file->length,
                              "the file ends where %s is expected", what);
  if (numbers->value < 0)
    return tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_NEGATIVE, numbers->at, "%s is %ld", what, numbers->value);
  return true;
}

/* The same where the library keeps an int. */
static bool need(struct numbers *numbers, struct openmpi_rules *rules, const char *what)
{
  if (!need_long(numbers, rules, what))
    return false;
  if (numbers->value > INT_MAX)
    tutti_tuning_report(numbers->file, LINT_OMPI_LARGE, numbers->at, "%s is %ld", what, numbers->value);
  return true;
}

/* Is a digit the next thing on this line? */
static bool digit_follows(struct numbers *numbers)
{
  int c;
  while ((c = getc(numbers->stream)) == ' ' || c == '\t')
    continue;
  if (c != EOF)
    ungetc(c, numbers->stream);
  return isdigit(c);
}

static const char *const field_names[] = {"a message size", "an algorithm", "a fan-out", "a segment size",
                                          "a limit of requests"};

static bool is_one_line(const struct tuning_file *file, size_t from, size_t to)
{
  return to <= from || !memchr(file->text + from, '\n', to - from);
}

static bool read_rule(struct numbers *numbers, struct openmpi_rules *rules)
{
  struct openmpi_rule rule = {.max = LONG_MAX};
  for (int f = FIELD_BYTES; f <= FIELD_REQUESTS; f++) {
    if (f == FIELD_REQUESTS && !(numbers->two && digit_follows(numbers)))
      break;
    if (!(f == FIELD_BYTES ? need_long : need)(numbers, rules, field_names[f]))
      return false;
    rule.values[f] = numbers->value;
    rule.at[f] = numbers->at;
  }
  if (!is_one_line(numbers->file, rule.at[FIELD_BYTES], rule.at[FIELD_SEGMENT]))
    tutti_tuning_report(numbers->file, LINT_OMPI_LINES, rule.at[FIELD_BYTES],
                        "the rule %ld %ld %ld %ld ends on another line", rule.values[0], rule.values[1], rule.values[2],
                        rule.values[3]);
  struct openmpi_rule *added = tutti_openmpi_add_rule(numbers->file, rules);
  if (added)
    *added = rule;
  return added;
}

static bool read_block(struct numbers *numbers, struct openmpi_rules *rules)
{
  if (!need(numbers, rules, "a communicator size"))
    return false;
  struct openmpi_block *block = tutti_openmpi_add_block(numbers->file, rules);
  if (!block)
    return false;
  block->ranks = numbers->value;
  block->at = numbers->at;
  if (!need(numbers, rules, "the number of rules"))
    return false;
  long count = numbers->value;
  for (long i = 0; i < count; i++) {
    if (!read_rule(numbers, rules))
      return false;
    const struct openmpi_rule *rule = &rules->rules.items[rules->rules.count - 1];
    if (i == 0 && rule->values[FIELD_BYTES] != 0) /* what follows is worth reading all the same */
      tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_FIRST, rule->at[FIELD_BYTES],
                         "the first rule is for %ld bytes", rule->values[FIELD_BYTES]);
  }
  return true;
}

static bool read_collective(struct numbers *numbers, struct openmpi_rules *rules)
{
  if (!need(numbers, rules, "the id of a collective"))
    return false;
  long id = numbers->value;
  if (id >= OPENMPI_COLLECTIVES) {
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_ID, numbers->at, "no collective has the id %ld", id);
    return false;
  }
  struct openmpi_collective_rules *collective = &rules->collectives[id];
  if (collective->given)
    tutti_tuning_report(numbers->file, LINT_OMPI_TWICE, numbers->at, "%s occurs twice",
                        tutti_openmpi_collectives[id].name);
  *collective = (struct openmpi_collective_rules){.given = true, .at = numbers->at, .first = rules->blocks.count};
  if (!need(numbers, rules, "the number of communicator sizes"))
    return false;
  for (long i = 0, count = numbers->value; i < count; i++) {
    if (!read_block(numbers, rules))
      return false;
    collective->count++;
  }
  return true;
}

static bool knows_version_2(const tutti_library_version *version)
{
  return tutti_library_since(version, 5, 0, 7) || (version->major == 4 && tutti_library_since(version, 4, 1, 8));
}

static void read_header(struct numbers *numbers, struct openmpi_rules *rules)
{
  int version = 1;
  if (fscanf(numbers->stream, "rule-file-version-%d", &version) != 1)
    return;
  numbers->two = version > 1;
  if (!knows_version_2(&numbers->file->version))
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_HEADER, 0, "the header stands for version %d of the format",
                       version);
}

static void read_all(struct numbers *numbers, struct openmpi_rules *rules)
{
  read_header(numbers, rules);
  if (!need(numbers, rules, "the number of collectives"))
    return;
  long count = numbers->value;
  if (count > OPENMPI_COLLECTIVES) {
    tutti_openmpi_drop(numbers->file, rules, LINT_OMPI_COLLECTIVES, numbers->at, "%ld collectives", count);
    return;
  }
  for (long i = 0; i < count; i++)
    if (!read_collective(numbers, rules))
      return;
  if (next(numbers))
    tutti_tuning_report(numbers->file, LINT_OMPI_TRAILING, numbers->at, "the counts end before this number");
}

/* ---- the file ---- */

void tutti_openmpi_read_numbers(struct tuning_file *file, struct openmpi_rules *rules)
{
  struct numbers numbers = {.file = file};
  numbers.stream = file->length ? fmemopen((void *)file->text, file->length, "r") : fopen("/dev/null", "r");
  if (!numbers.stream) {
    file->out_of_memory = true;
    return;
  }
  if (file->version.major >= 6)
    tutti_tuning_report(file, LINT_OMPI_SHIFTED, 0, "the file is not JSON");
  read_all(&numbers, rules);
  fclose(numbers.stream);
}
