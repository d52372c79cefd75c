/* How kinds of files are recognized: the functions that kinds.def names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "decision/libraries/recognize.h"
#include "decision/libraries/settings.h"

enum { MAX_LOOK = 4000 }; /* content lines of numbers, and bytes of leading comments, that are looked at */

/* ---- words and lines ---- */

static bool starts(const struct look *look, const char *at, const char *word)
{
  const size_t length = strlen(word);
  return (size_t)(look->end - at) >= length && memcmp(at, word, length) == 0;
}

static const char *skip_blanks(const struct look *look, const char *at)
{
  while (at < look->end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

static const char *end_of_line(const struct look *look, const char *at)
{
  const char *newline = memchr(at, '\n', (size_t)(look->end - at));
  return newline ? newline : look->end;
}

/* The next word of a list; false past the last. */
static bool next_word(const char **list, char separator, char word[64])
{
  const char *end = strchrnul(*list, separator);
  if (!**list)
    return false;
  snprintf(word, 64, "%.*s", (int)(end - *list), *list);
  *list = *end ? end + 1 : end;
  return true;
}

static bool starts_with_one(const struct look *look, const char *at, const char *list, char separator)
{
  char word[64];
  while (next_word(&list, separator, word))
    if (starts(look, at, word))
      return true;
  return false;
}

bool tutti_look_begins(const struct look *look, const char *word)
{
  return look->first && starts(look, look->line, word);
}

/* A comment before the content that begins so. */
bool tutti_look_comment(const struct look *look, const char *words)
{
  const char *stop = look->end - look->text > MAX_LOOK ? look->text + MAX_LOOK : look->end;
  for (const char *at = look->text; at < stop; at = end_of_line(look, at) + 1)
    if (starts_with_one(look, at, words, '|'))
      return true;
  return false;
}

/* ---- JSON and XML ---- */

static bool is_json(const struct look *look)
{
  return look->first == '{' || (look->first == '/' && starts(look, look->line, "/*"));
}

static const char *find(const struct look *look, const char *at, const char *word)
{
  return at < look->end ? memmem(at, (size_t)(look->end - at), word, strlen(word)) : NULL;
}

bool tutti_look_json_part(const struct look *look, const char *word)
{
  return is_json(look) && find(look, look->text, word);
}

/* All of the words are there, each as a text of its own. */
bool tutti_look_json_words(const struct look *look, const char *words)
{
  char word[64], quoted[70];
  while (next_word(&words, ' ', word)) {
    snprintf(quoted, sizeof quoted, "\"%s\"", word);
    if (!tutti_look_json_part(look, quoted))
      return false;
  }
  return true;
}

/* A key "word=...", which may have blanks. */
static bool has_condition(const struct look *look, const char *word)
{
  for (const char *at = look->text; (at = find(look, at, word)); at++) {
    const char *before = at, *behind = skip_blanks(look, at + strlen(word));
    while (before > look->text && (before[-1] == ' ' || before[-1] == '\t'))
      before--;
    if (before > look->text && (before[-1] == '"' || before[-1] == '\'') && behind < look->end && *behind == '=')
      return true;
  }
  return false;
}

bool tutti_look_selection(const struct look *look, const char *words)
{
  char word[64];
  while (is_json(look) && next_word(&words, ' ', word))
    if (has_condition(look, word))
      return true;
  return false;
}

/* Conditions or algorithms without a collective above them are part of something, too. */
bool tutti_look_template(const struct look *look, const char *word)
{
  return tutti_look_selection(look, "composition algorithm") &&
         (tutti_look_json_words(look, "replace me") || find(look, look->text, word) ||
          !has_condition(look, "collective"));
}

bool tutti_look_element(const struct look *look, const char *word)
{
  const char *at = look->first == '<' ? look->line : NULL;
  while (at && at + 1 < look->end && (at[1] == '?' || at[1] == '!')) {
    const bool remark = starts(look, at, "<!--");
    at = find(look, at, remark ? "-->" : ">");
    at = at ? find(look, at, "<") : NULL;
  }
  return at && starts(look, at + 1, word) && !isalnum((unsigned char)at[1 + strlen(word)]);
}

/* ---- numbers ---- */

/* The lines that have content, up to the first MAX_LOOK. */
struct shape {
  int lines, numbers; /* all, and of numbers only */
  int pairs, rules;   /* of two or three numbers, and of four or more */
  bool levels, components;
};

static bool is_number(const char *word)
{
  char *end;
  strtol(word, &end, 0);
  return end > word && !*end;
}

static void add_line(const char *line, size_t length, struct shape *shape)
{
  static const char components[] = "self basic libnbc tuned sm adapt han xhc acoll hcoll ucc cuda sync inter";
  char word[64], list[256];
  int words = 0, numbers = 0;
  snprintf(list, sizeof list, "%.*s", (int)(length < 255 ? length : 255), line);
  for (char *at = list; *at; at++)
    *at = isspace((unsigned char)*at) ? ' ' : *at;
  for (const char *rest = list; next_word(&rest, ' ', word);) {
    if (!*word)
      continue;
    shape->levels = shape->levels || tutti_word_is_listed("intra_node inter_node global_communicator", ' ', word);
    numbers += is_number(word);
    word[strcspn(word, "@[")] = '\0';
    shape->components =
        shape->components || (words == 1 && numbers == 1 && tutti_word_is_listed(components, ' ', word));
    words++;
  }
  shape->lines += words > 0;
  shape->numbers += words > 0 && words == numbers;
  shape->pairs += words == numbers && (words == 2 || words == 3);
  shape->rules += words == numbers && words >= 4;
}

static struct shape shape_of(const struct look *look)
{
  struct shape shape = {0};
  for (const char *at = look->line; at < look->end && shape.lines < MAX_LOOK;) {
    const char *end = end_of_line(look, at), *hash = memchr(at, '#', (size_t)(end - at));
    add_line(at, (size_t)((hash ? hash : end) - at), &shape);
    at = end < look->end ? end + 1 : end;
  }
  return shape;
}

/* Rules of coll/han name components, or have two numbers where those of coll/tuned have four. */
bool tutti_look_han(const struct look *look, const char *word)
{
  (void)word;
  if (!isdigit((unsigned char)look->first))
    return false;
  const struct shape shape = shape_of(look);
  return shape.levels || shape.components || (shape.pairs > 0 && shape.rules == 0 && shape.lines > 5);
}

bool tutti_look_tuned(const struct look *look, const char *word)
{
  if (tutti_look_begins(look, word))
    return true;
  if (!isdigit((unsigned char)look->first) && look->first != '-')
    return false;
  const struct shape shape = shape_of(look);
  return 2 * shape.numbers >= shape.lines;
}

/* ---- lines ---- */

static void count_variable(const struct shell_event *event, void *context)
{
  const struct look *look = context;
  struct variables *variables = look->variables;
  const char *name = look->text + event->at;
  if ((event->kind != SHELL_SET && event->kind != SHELL_UNSET) || event->length == 0)
    return;
  variables->capitals += isupper((unsigned char)*name) != 0;
  for (size_t i = 0; i < variables->kinds; i++) {
    struct variables_of *of = &variables->of[i];
    if (!of->words || (variables->script && islower((unsigned char)*of->words)))
      continue;
    if (event->mca ? !strstr(of->words, "OMPI_MCA_") : !tutti_settings_prefix(name, event->length, of->words))
      continue;
    of->first = of->count++ ? of->first : event->at;
    return;
  }
}

static struct variables *scan_variables(const struct look *look)
{
  struct variables *variables = look->variables;
  const size_t length = (size_t)(look->end - look->text);
  if (!variables->scanned) {
    variables->scanned = true;
    variables->script = tutti_settings_is_script(look->text, length);
    tutti_settings_scan(look->text, length, variables->script, count_variable, (void *)look);
  }
  return variables;
}

/* Some line sets such a variable. */
bool tutti_look_variables(const struct look *look, const char *words)
{
  const struct variables *variables = scan_variables(look);
  for (size_t i = 0; i < variables->kinds; i++)
    if (variables->of[i].words == words)
      return variables->of[i].count > 0;
  return false;
}

bool tutti_look_script(const struct look *look, const char *word)
{
  (void)word;
  return scan_variables(look)->script || look->variables->capitals > 0;
}

/* The first field of a line with commas is one of the words. */
bool tutti_look_begins_field(const struct look *look, const char *words)
{
  const char *comma = look->first ? memchr(look->line, ',', (size_t)(look->end - look->line)) : NULL;
  char word[64];
  if (!comma || comma - look->line > 40)
    return false;
  snprintf(word, sizeof word, "%.*s", (int)(comma - look->line), look->line);
  for (char *letter = word; *letter; letter++)
    *letter = (char)tolower((unsigned char)*letter);
  return tutti_word_is_listed(words, ' ', word);
}

/* COLLECTIVE:...:@ALGORITHM. */
bool tutti_look_tune(const struct look *look, const char *words)
{
  const char *colon = look->first ? memchr(look->line, ':', (size_t)(look->end - look->line)) : NULL;
  const char *at = colon ? memchr(colon, '@', (size_t)(end_of_line(look, colon) - colon)) : NULL;
  char word[64];
  if (!at || colon - look->line > 40)
    return false;
  snprintf(word, sizeof word, "%.*s", (int)(colon - look->line), look->line);
  return tutti_word_is_listed(words, ' ', word);
}

/* [WORD=...] */
bool tutti_look_sections(const struct look *look, const char *words)
{
  char word[16];
  for (const char *at = look->first ? look->line : look->end; at < look->end; at = end_of_line(look, at) + 1) {
    const size_t length = *at == '[' ? strcspn(at + 1, "= \n]") : 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), at + 1);
    if (length && at[1 + length] == '=' && tutti_word_is_listed(words, ' ', word))
      return true;
  }
  return false;
}

/* COLLECTIVE/ALGORITHM. */
bool tutti_look_rules(const struct look *look, const char *word)
{
  (void)word;
  const char *at = look->line;
  while (at < look->end && (islower((unsigned char)*at) || *at == '_'))
    at++;
  return look->first && at > look->line && at + 1 < look->end && *at == '/' && isalnum((unsigned char)at[1]);
}

/* It begins with a line of '=', or with a collective; its conditions are on proc_count and others. */
bool tutti_look_fujitsu(const struct look *look, const char *word)
{
  char name[40];
  (void)word;
  const char *end = look->first ? end_of_line(look, look->line) : look->end;
  size_t length = (size_t)(end - look->line);
  while (length && isspace((unsigned char)look->line[length - 1]))
    length--;
  if (length < 2 || length >= sizeof name)
    return false;
  if (strspn(look->line, "=") >= length)
    return find(look, look->line, "header:") || find(look, look->line, "proc_count");
  snprintf(name, sizeof name, "%.*s", (int)length - 1, look->line);
  tutti_collective collective;
  return look->line[length - 1] == ':' &&
         (strcmp(name, "header") == 0 || tutti_collective_parse(name, &collective, NULL) == TUTTI_OK);
}
