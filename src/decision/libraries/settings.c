/* Files of settings: names, values, and their places. */
#include "decision/libraries/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/words.h"

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool is_letter(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* How much of a name is one of the prefixes. */
static size_t prefix_of(const char *name, size_t length, const char *prefixes)
{
  while (*prefixes) {
    const size_t letters = strcspn(prefixes, " ");
    if (letters < length && memcmp(name, prefixes, letters) == 0)
      return letters;
    prefixes += letters + (prefixes[letters] == ' ');
  }
  return 0;
}

/* A value without blanks around it, and, in a script, without quotes, or a comment after it. */
static char *value_of(const char *begin, const char *end, bool script)
{
  if (script && begin < end && (*begin == '"' || *begin == '\'')) {
    const char *quote = memchr(begin + 1, *begin, (size_t)(end - begin - 1));
    return tutti_xstrndup(begin + 1, (size_t)((quote ? quote : end) - begin - 1));
  }
  for (const char *at = begin; script && at < end; at++)
    if (is_blank(*at) || *at == ';')
      end = at;
  while (end > begin && is_blank(end[-1]))
    end--;
  return tutti_xstrndup(begin, (size_t)(end - begin));
}

/* ---- words of a line that starts ranks ---- */

enum { WORD = 64 }; /* options and programs are shorter */

/* The next word: its beginning and end; false: there is none before the end or a comment. */
static bool next_word(const char *text, size_t end, size_t *begin, size_t *behind)
{
  size_t at = *behind;
  while (at < end && (is_blank(text[at]) || strchr("\"';&|", text[at])))
    at++;
  *begin = at;
  while (at < end && !is_blank(text[at]) && !strchr("\"';&|", text[at]))
    at++;
  *behind = at;
  return at > *begin && text[*begin] != '#';
}

static bool is_listed(const char *text, size_t begin, size_t behind, const char *list)
{
  char word[WORD];
  if (behind - begin >= WORD)
    return false;
  memcpy(word, text + begin, behind - begin);
  word[behind - begin] = '\0';
  const char *slash = strrchr(word, '/');
  return tutti_word_is_listed(list, ' ', slash ? slash + 1 : word);
}

static bool is_value_option(const char *text, size_t begin, size_t behind, bool *mca)
{
  *mca = is_listed(text, begin, behind, "--mca -mca --gmca -gmca");
  return *mca || is_listed(text, begin, behind, "-genv -env --genv --env");
}

bool tutti_settings_next_word(const char *text, size_t end, size_t *at, struct setting_word *word)
{
  for (size_t begin, behind = *at; next_word(text, end, &begin, &behind);) {
    const bool option = is_value_option(text, begin, behind, &word->mca);
    if (option && !next_word(text, end, &begin, &behind))
      return false;
    size_t name = begin;
    while (name < behind && is_letter(text[name]))
      name++;
    const bool equals = name > begin && name < behind && text[name] == '=';
    word->at = begin;
    word->name_length = name - begin;
    word->value_at = name + 1;
    if (!equals && (!option || name < behind || !next_word(text, end, &word->value_at, &behind)))
      continue;
    if (equals && behind == name + 1 && behind < end && (text[behind] == '"' || text[behind] == '\''))
      (void)next_word(text, end, &word->value_at, &behind);
    word->value_length = behind - word->value_at;
    *at = behind;
    return true;
  }
  return false;
}

bool tutti_settings_starts_ranks(const char *text, size_t begin, size_t end)
{
  size_t word, behind = begin;
  if (next_word(text, end, &word, &behind) && text[word] == '-')
    return true; /* of the line before */
  for (behind = begin; next_word(text, end, &word, &behind);)
    if (is_listed(text, word, behind, "mpirun mpiexec mpiexec.hydra orterun prterun srun env"))
      return true;
  return false;
}

static void read_words(const char *text, size_t at, size_t end, const char *prefixes, struct settings *settings)
{
  for (struct setting_word word; tutti_settings_next_word(text, end, &at, &word);) {
    const char *name = text + word.at;
    const size_t prefix = prefix_of(name, word.name_length, prefixes);
    if (prefix || (word.mca && strstr(prefixes, "OMPI_MCA_")))
      tutti_xpush(settings, ((struct setting){.name = tutti_xstrndup(name + prefix, word.name_length - prefix),
                                              .value = tutti_xstrndup(text + word.value_at, word.value_length),
                                              .at = word.at,
                                              .value_at = word.value_at,
                                              .prefixed = true}));
  }
}

/* ---- lines ---- */

/* "NAME = VALUE", whose value may name a program that starts ranks. */
static bool is_assignment(const char *text, size_t at, size_t end)
{
  while (at < end && is_letter(text[at]))
    at++;
  while (at < end && is_blank(text[at]))
    at++;
  return at + 1 < end && text[at] == '=' && (is_blank(text[at - 1]) || is_blank(text[at + 1]));
}

static void read_line(const char *text, size_t begin, size_t end, const char *prefixes, struct settings *settings)
{
  size_t at = begin;
  while (at < end && is_blank(text[at]))
    at++;
  if (at == end || text[at] == '#')
    return;
  if (!is_assignment(text, at, end) && tutti_settings_starts_ranks(text, at, end)) {
    const size_t before = settings->count;
    read_words(text, at, end, prefixes, settings);
    settings->script = settings->script || settings->count > before;
    if (settings->count > before || text[at] != '-')
      return;
  }
  const bool csh = end - at > 7 && memcmp(text + at, "setenv ", 7) == 0;
  const bool export = csh || (end - at > 7 && memcmp(text + at, "export ", 7) == 0);
  settings->script = settings->script || export;
  for (at += export ? 7 : 0; at < end && is_blank(text[at]);)
    at++;
  size_t name = at, behind = at;
  while (behind < end && is_letter(text[behind]))
    behind++;
  for (at = behind; at < end && is_blank(text[at]);)
    at++;
  const bool separated = at < end && (text[at] == '=' || (csh && at > behind));
  if (behind == name || !separated) {
    tutti_xpush(&settings->others, begin);
    return;
  }
  for (at += text[at] == '='; at < end && is_blank(text[at]);)
    at++;
  const size_t prefix = prefix_of(text + name, behind - name, prefixes);
  tutti_xpush(settings, ((struct setting){.name = tutti_xstrndup(text + name + prefix, behind - name - prefix),
                                          .value = value_of(text + at, text + end, export || prefix),
                                          .at = name,
                                          .value_at = at,
                                          .prefixed = prefix > 0}));
  if (prefix) { /* NAME=VALUE NAME=VALUE program */
    const bool quoted = at < end && (text[at] == '"' || text[at] == '\'');
    at += quoted + strlen(settings->items[settings->count - 1].value);
    read_words(text, at, end, prefixes, settings);
  }
}

static int compare(const void *left, const void *right)
{
  const struct setting *const *l = left, *const *r = right;
  const int order = strcmp((*l)->name, (*r)->name);
  return order ? order : (*l > *r) - (*l < *r);
}

static void sort_by_name(struct settings *settings)
{
  settings->by_name = tutti_xcalloc(settings->count + 1, sizeof *settings->by_name);
  for (size_t i = 0; i < settings->count; i++)
    settings->by_name[i] = &settings->items[i];
  qsort(settings->by_name, settings->count, sizeof *settings->by_name, compare);
}

void tutti_settings_read(const struct tuning_file *file, const char *prefixes, struct settings *settings)
{
  for (size_t at = 0; at < file->length;) {
    const char *newline = memchr(file->text + at, '\n', file->length - at);
    const size_t end = newline ? (size_t)(newline - file->text) : file->length;
    read_line(file->text, at, end, prefixes, settings);
    at = end + 1;
  }
  sort_by_name(settings);
}

void tutti_settings_free(struct settings *settings)
{
  for (size_t i = 0; i < settings->count; i++) {
    free(settings->items[i].name);
    free(settings->items[i].value);
  }
  tutti_vector_free(settings);
  tutti_vector_free(&settings->others);
  free(settings->by_name);
  settings->by_name = NULL;
}

const struct setting *tutti_settings_find(const struct settings *settings, const char *name)
{
  const size_t behind =
      TUTTI_PARTITION_POINT(size_t, i, 0, settings->count, strcmp(settings->by_name[i]->name, name) <= 0);
  return behind && strcmp(settings->by_name[behind - 1]->name, name) == 0 ? settings->by_name[behind - 1] : NULL;
}

void tutti_settings_check_twice(struct tuning_file *file, const struct settings *settings, int code)
{
  for (size_t i = 0; i + 1 < settings->count; i++)
    if (strcmp(settings->by_name[i]->name, settings->by_name[i + 1]->name) == 0)
      tutti_tuning_report(file, code, settings->by_name[i]->at, "%.80s is set again", settings->by_name[i]->name);
}
