/* Words of lines of shells. */
#include "base/shell_words.h"

#include <ctype.h>
#include <string.h>

enum { UNIT = 1024 };

static const char launchers[] = "mpirun mpiexec mpiexec.hydra orterun prterun prun srun yhrun aprun jsrun lrun ibrun "
                                "runjob ccc_mprun poe flux sbatch mpirun_rsh oshrun";

bool tutti_shell_is_quote(char c)
{
  return c == '"' || c == '\'';
}

/* What a command ends with. */
static bool is_end(const struct reading *reading, char c)
{
  return c == '\n' || c == ';' || (!reading->call && (c == '&' || c == '|' || c == '(' || c == ')'));
}

static bool is_blank(const struct reading *reading, char c)
{
  return c == ' ' || c == '\t' || c == '\r' || (reading->what == SHELL_LOG && tutti_shell_is_quote(c)) ||
         (reading->call && (c == ',' || c == '(' || c == ')'));
}

/* How long a backslash at the end of a line is, with that end; 0: there is none. */
static size_t continuation(const struct reading *reading, size_t at)
{
  const char *text = reading->text + at;
  const size_t left = reading->end - at;
  if (left > 1 && text[0] == '\\' && text[1] == '\n')
    return 2;
  return left > 2 && memcmp(text, "\\\r\n", 3) == 0 ? 3 : 0;
}

/* The place after a quoted text that ends in this line, or after "$(...)" of at most UNIT bytes; else the next one. */
static size_t skip_unit(const struct reading *reading, size_t at)
{
  const char *text = reading->text + at;
  const bool substitution = *text == '$' && at + 1 < reading->end && text[1] == '(';
  if (!substitution && (!tutti_shell_is_quote(*text) || reading->what == SHELL_LOG))
    return at + 1;
  const char close = substitution ? ')' : *text;
  for (size_t i = at + 1; i < reading->end && (!substitution || i - at < UNIT) && reading->text[i] != '\n'; i++)
    if (reading->text[i] == close)
      return i + 1;
  return at + 1;
}

/* Cut the quotes around it. */
struct span tutti_shell_unquote(const struct reading *reading, struct span word)
{
  const char *text = reading->text;
  if (word.begin < word.end && tutti_shell_is_quote(text[word.begin])) {
    const char *close = memchr(text + word.begin + 1, text[word.begin], word.end - word.begin - 1);
    word.begin++;
    word.end = close ? (size_t)(close - text) : word.end;
  }
  return word;
}

/* The next word of the command, with its quotes; false: the command ends. */
bool tutti_shell_word(struct reading *reading, struct span *word)
{
  const char *text = reading->text;
  size_t at = reading->at, more;
  while (at < reading->end && (is_blank(reading, text[at]) || continuation(reading, at)))
    at += (more = continuation(reading, at)) ? more : 1;
  if (at < reading->end && text[at] == '#')
    while (at < reading->end && text[at] != '\n')
      at++;
  word->begin = at;
  while (at < reading->end && !is_blank(reading, text[at]) && !is_end(reading, text[at]) && !continuation(reading, at))
    at = skip_unit(reading, at);
  reading->at = word->end = at;
  return at > word->begin;
}

bool tutti_shell_is_listed(const struct reading *reading, struct span word, const char *list)
{
  const char *text = reading->text + word.begin;
  const size_t length = word.end - word.begin;
  for (const char *at = list; at && length > 0; at = strchr(at, ' ')) {
    at += *at == ' ';
    if (*at == *text && strncmp(at, text, length) == 0 && strnlen(at, length) == length &&
        (at[length] == ' ' || !at[length]))
      return true;
  }
  return false;
}

/* A launcher with or without its folder and its version. */
bool tutti_shell_is_launcher(const struct reading *reading, struct span word)
{
  word = tutti_shell_unquote(reading, word);
  const char *slash = word.end > word.begin ? memrchr(reading->text + word.begin, '/', word.end - word.begin) : NULL;
  if (slash)
    word.begin = (size_t)(slash + 1 - reading->text);
  const char *dot = memchr(reading->text + word.begin, '.', word.end - word.begin);
  return tutti_shell_is_listed(reading, word, launchers) ||
         (dot &&
          tutti_shell_is_listed(reading, (struct span){word.begin, (size_t)(dot - reading->text)}, "mpirun mpiexec"));
}

static bool is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

size_t tutti_shell_name_end(const struct reading *reading, struct span word)
{
  while (word.begin < word.end && is_letter(reading->text[word.begin]))
    word.begin++;
  return word.begin;
}

bool tutti_shell_setting(struct reading *reading, struct span word, struct span *name, struct span *value)
{
  const char *text = reading->text;
  if (word.begin < word.end && tutti_shell_is_quote(text[word.begin]))
    word = tutti_shell_unquote(reading, word);
  *name = (struct span){word.begin, tutti_shell_name_end(reading, word)};
  *value = (struct span){name->end + 1, word.end};
  if (name->end == name->begin || isdigit((unsigned char)text[name->begin]))
    return false;
  if (name->end < word.end && text[name->end] == '=') {
    const size_t quote = word.end;
    const bool quoted = reading->what == SHELL_LOG && value->begin == quote && quote + 1 < reading->end &&
                        tutti_shell_is_quote(text[quote]) && text[quote + 1] != text[quote];
    return !quoted || tutti_shell_word(reading, value);
  }
  struct reading ahead = *reading;
  struct span equals;
  if (reading->what == SHELL_LOG || name->end < word.end || !tutti_shell_word(&ahead, &equals) ||
      text[equals.begin] != '=')
    return false;
  *value = (struct span){equals.begin + 1, equals.end};
  if (value->begin == value->end && !tutti_shell_word(&ahead, value))
    return false;
  reading->at = ahead.at;
  return true;
}
