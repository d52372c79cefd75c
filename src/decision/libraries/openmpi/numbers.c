/* Numbers and words of rules as Open MPI reads them (ompi_coll_base_file_getnext_long() and others): with
   fscanf("%li"); other text is skipped a character at a time, '#' to the end of its line. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/openmpi/openmpi.h"

struct openmpi_numbers tutti_openmpi_numbers(struct tuning_file *file)
{
  struct openmpi_numbers numbers = {.file = file};
  numbers.stream = file->length ? fmemopen((void *)file->text, file->length, "r") : fopen("/dev/null", "r");
  if (!numbers.stream)
    tutti_out_of_memory();
  return numbers;
}

static size_t place(struct openmpi_numbers *numbers)
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

/* Skip one character that is not part of a number; false at the end of the file. */
static bool skip_one(struct openmpi_numbers *numbers, size_t from, bool *said)
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

static void check_base(const struct openmpi_numbers *numbers)
{
  const char *token = numbers->file->text + numbers->at;
  token += *token == '-' || *token == '+';
  if (token[0] == '0' && isalnum((unsigned char)token[1]) && numbers->end - numbers->at > 1)
    tutti_tuning_report(numbers->file, LINT_OMPI_BASE, numbers->at, "'%.*s' is %ld", (int)(numbers->end - numbers->at),
                        numbers->file->text + numbers->at, numbers->value);
}

/* Whether the next number follows the last one without a blank: 08 is 0 and 8. */
static bool is_glued(const struct openmpi_numbers *numbers, size_t before, size_t at)
{
  return at == before && at > 0 && isdigit((unsigned char)numbers->file->text[at]) &&
         isdigit((unsigned char)numbers->file->text[at - 1]);
}

/* The next number; false at the end of the file. */
bool tutti_openmpi_next(struct openmpi_numbers *numbers)
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

bool tutti_openmpi_next_word(struct openmpi_numbers *numbers, char word[OPENMPI_WORD])
{
  for (;;) {
    const size_t at = skip_blanks(numbers->file, place(numbers));
    if (fscanf(numbers->stream, "%32s", word) != 1)
      return false;
    numbers->at = at;
    if (*word != '#')
      return true;
    fseek(numbers->stream, (long)at, SEEK_SET);
    for (int c = ' '; c != '\n';)
      if ((c = getc(numbers->stream)) == EOF)
        return false;
  }
}

bool tutti_openmpi_skip_character(struct openmpi_numbers *numbers, char character)
{
  int c = ' ';
  while (isspace(c))
    c = getc(numbers->stream);
  if (c != EOF && c != character)
    ungetc(c, numbers->stream);
  return c == character;
}
