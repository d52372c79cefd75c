#include "base/words.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { LIST_LENGTH = 400, LONGEST_WORD = 40, MAX_WRONG = 2, FEWEST_LETTERS = 3 };

const char *tutti_word_of(const char *const *words, int count, int value)
{
  return value >= 0 && value < count ? words[value] : NULL;
}

int tutti_word_find(const char *const *words, int count, const char *word)
{
  for (int i = 0; i < count; i++)
    if (words[i] && strcmp(words[i], word) == 0)
      return i;
  return -1;
}

bool tutti_word_is_listed(const char *list, char separator, const char *word)
{
  size_t length = strlen(word);
  for (;;) {
    list += strspn(list, " ");
    const char *end = strchrnul(list, separator);
    if (length > 0 && (size_t)(end - list) == length && memcmp(list, word, length) == 0)
      return true;
    if (!*end)
      return false;
    list = end + 1;
  }
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

static bool same_letter(char left, char right)
{
  return tolower((unsigned char)left) == tolower((unsigned char)right);
}

/* Damerau and Levenshtein's distance. Of the table, a row for each letter of `left`, three rows are kept. */
int tutti_word_distance(const char *left, const char *right)
{
  int steps[3][LONGEST_WORD + 1], rows = (int)strlen(left), columns = (int)strlen(right);
  if (rows > LONGEST_WORD || columns > LONGEST_WORD)
    return INT_MAX;
  for (int i = 0; i <= rows; i++) {
    int *row = steps[i % 3], *above = steps[(i + 2) % 3], *second_above = steps[(i + 1) % 3];
    for (int j = 0; j <= columns; j++) {
      if (i == 0 || j == 0) {
        row[j] = i + j;
        continue;
      }
      row[j] = least(above[j - 1] + !same_letter(left[i - 1], right[j - 1]), 1 + least(above[j], row[j - 1]));
      if (i > 1 && j > 1 && same_letter(left[i - 1], right[j - 2]) && same_letter(left[i - 2], right[j - 1]))
        row[j] = least(row[j], 1 + second_above[j - 2]);
    }
  }
  return steps[rows % 3][columns];
}

void tutti_guess_try(tutti_guess *guess, const char *known)
{
  size_t length = strlen(guess->word);
  int distance = tutti_word_distance(guess->word, known);
  int most = guess->few ? least((int)length / 2, MAX_WRONG) : least((int)length / 3, MAX_WRONG);
  bool nearer = guess->steps == 0 || distance + 1 < guess->steps ||
                (distance + 1 == guess->steps && strcmp(known, guess->nearest) < 0);
  if (distance <= most && nearer) {
    guess->steps = distance + 1;
    snprintf(guess->nearest, sizeof guess->nearest, "%s", known);
  }
  size_t longer = strlen(guess->longer), whole = strlen(known);
  if (length < FEWEST_LETTERS || strncmp(known, guess->word, length) != 0)
    return;
  if (longer > 0 && strncmp(known, guess->longer, longer < whole ? longer : whole) != 0)
    guess->begins++; /* two that part ways */
  if (longer == 0 || whole < longer)
    snprintf(guess->longer, sizeof guess->longer, "%s", known);
}

/* Not a link that leads nowhere: that may be what was asked for. */
static bool is_readable(int folder, const char *name)
{
  struct stat about;
  return fstatat(folder, name, &about, 0) == 0 && S_ISREG(about.st_mode) && faccessat(folder, name, R_OK, 0) == 0;
}

void tutti_guess_try_files(tutti_guess *guess, const char *directory, const char *suffix)
{
  struct dirent *entry;
  DIR *stream = opendir(directory);
  while (stream && (entry = readdir(stream))) {
    const size_t stem = tutti_stem_length(entry->d_name, suffix);
    const bool meant = stem > 0 && is_readable(dirfd(stream), entry->d_name);
    entry->d_name[stem] = '\0';
    if (meant)
      tutti_guess_try(guess, entry->d_name);
  }
  if (stream)
    closedir(stream);
}

const char *tutti_guess_word(const tutti_guess *guess)
{
  if (guess->steps > 0)
    return guess->nearest;
  return *guess->longer && guess->begins == 0 ? guess->longer : NULL;
}

char *tutti_guess_text(const tutti_guess *guess, char text[2 * TUTTI_GUESS_LENGTH])
{
  const char *word = tutti_guess_word(guess);
  snprintf(text, 2 * TUTTI_GUESS_LENGTH, "%s%s%s", word ? " (did you mean '" : "", word ? word : "", word ? "'?)" : "");
  return text;
}

char *tutti_guess_file(const char *path, const char *suffix, char text[2 * TUTTI_GUESS_LENGTH])
{
  char name[TUTTI_GUESS_LENGTH];
  const size_t stem = tutti_stem_length(path, suffix);
  snprintf(name, sizeof name, "%.*s", (int)stem, path);
  tutti_guess guess = {.word = name};
  if (stem > 0 && !strchr(path, '/'))
    tutti_guess_try_files(&guess, ".", suffix);
  const char *found = tutti_guess_word(&guess);
  snprintf(text, 2 * TUTTI_GUESS_LENGTH, found ? " (did you mean '%s%s'?)" : "", found, suffix);
  return text;
}

/* The list of words that there are, and the one that was meant. */
char *tutti_word_meant(const char *const *words, int count, const char *word, char text[2 * TUTTI_GUESS_LENGTH])
{
  tutti_guess guess = {.word = word};
  for (int i = 0; i < count; i++)
    if (words[i])
      tutti_guess_try(&guess, words[i]);
  return tutti_guess_text(&guess, text);
}

static tutti_status reject(const char *const *words, int count, const char *what, const char *word, tutti_error *error)
{
  char known[LIST_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown %s '%.80s'%s: known are %s", what, word,
                    tutti_word_meant(words, count, word, meant), tutti_words_list(words, count, known, sizeof known));
}

void tutti_word_list_add(tutti_word_list *list, const char *word)
{
  const size_t end = sizeof " and 2147483647 more" + strlen(list->where ? list->where : "");
  const size_t room = list->length - list->used, next = strlen(word) + (list->used > 0 ? strlen(", ") : 0);
  list->full = list->full || next >= room;
  if (!list->full)
    list->used += (size_t)snprintf(list->text + list->used, room, "%s%s", list->used > 0 ? ", " : "", word);
  list->left++;
  if (list->full || list->used + end > list->length)
    return;
  list->kept = list->used;
  list->left = 0;
}

const char *tutti_word_list_end(tutti_word_list *list)
{
  if (list->used == 0)
    *list->text = '\0';
  if (list->full)
    snprintf(list->text + list->kept, list->length - list->kept, "%s%d more%s", list->kept > 0 ? " and " : "",
             list->left, list->where ? list->where : "");
  return list->text;
}

const char *tutti_words_list(const char *const *words, int count, char *text, size_t length)
{
  tutti_word_list list = {.text = text, .length = length};
  for (int i = 0; i < count; i++)
    if (words[i])
      tutti_word_list_add(&list, words[i]);
  return tutti_word_list_end(&list);
}

tutti_status tutti_word_parse(const char *const *words, int count, const char *what, const char *word, int *value,
                              tutti_error *error)
{
  int found = tutti_word_find(words, count, word);
  if (found < 0)
    return reject(words, count, what, word, error);
  *value = found;
  return TUTTI_OK;
}

/* ---- one of several ---- */

tutti_status tutti_choice_fail(const tutti_choice *choice, tutti_error *error)
{
  enum { MORE = sizeof "\n  ... and 18446744073709551615 more: tutti report shows them" };
  char text[TUTTI_ERROR_LENGTH];
  size_t used = (size_t)snprintf(text, sizeof text, "%.200s: %zu %s; choose one by adding:", choice->path,
                                 choice->count, choice->what);
  size_t i = 0;
  for (bool fits = true; i < choice->lines && fits; i += fits) {
    size_t last = i + 1 == choice->lines ? 0 : MORE;
    fits = used + strlen("\n ") + strlen(choice->items[i]) + last + strlen(choice->ending) < sizeof text;
    used += fits ? (size_t)snprintf(text + used, sizeof text - used, "\n %s", choice->items[i]) : 0;
  }
  if (i < choice->lines)
    used += (size_t)snprintf(text + used, sizeof text - used, "\n  ... and %zu more: tutti report shows them",
                             choice->lines - i);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s%s", text, choice->ending);
}
