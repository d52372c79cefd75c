/* Settings repeated: how a later command measures under the settings of a store. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/settings/settings.h"
#include "tutti/store.h"

static int value_of(char digit)
{
  return digit <= '9' ? digit - '0' : digit - 'A' + 10;
}

/* %XX are bytes that words of settings cannot have. */
static char *unescape(const char *word, size_t length)
{
  char *text = tutti_xstrndup(word, length), *end = text;
  for (const char *c = text; *c; c++)
    if (*c == '%' && c[1] && c[2]) {
      *end++ = (char)(16 * value_of(c[1]) + value_of(c[2]));
      c += 2;
    } else
      *end++ = *c;
  *end = '\0';
  return text;
}

/* Whether it is VARIABLE=VALUE, or one argument that --launcher-args does not split. The settings of a foreign store
   are arbitrary text, and the output here is pasted into a shell. */
static bool is_plain_setting(const char *word)
{
  static const char digits[] = "0123456789",
                    letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  for (const char *c = word; *c; c++)
    if (iscntrl((unsigned char)*c) || (*word == '-' && *c == ' '))
      return false;
  const size_t name = strspn(word, letters);
  return *word == '-' || (name > 0 && word[name] == '=' && !strchr(digits, *word));
}

/* Whether a setting can be repeated: a digest does not name its file or processors, the queue has its own options, and
   facts about imported runs are no variables. */
static bool can_be_said(const char *word)
{
  if (!is_plain_setting(word))
    return false;
  static const char *const others[] = {
      "processors=", "more=",      "--partition=", "--constraint=", "--nodelist=", "form=",   "buffer=",
      "gpu=",        "interface=", "note=",        "run=",          "torus=",      "variant="};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(word, others[i], strlen(others[i])) == 0)
      return false;
  char *name = tutti_xstrndup(word, strcspn(word, "="));
  bool file = tutti_settings_names_file(name);
  free(name);
  return !file;
}

/* NAME=VALUE before a command. */
static void write_variable(FILE *stream, char *word)
{
  char *value = strchr(word, '=');
  *value++ = '\0';
  char *quoted = tutti_xshell_word(value);
  fprintf(stream, "%s=%s ", word, quoted);
  free(quoted);
}

/* An option of the launcher, its value after a blank. */
static void write_argument(FILE *stream, char *word)
{
  char *value = strchr(word, '=');
  if (value)
    *value = ' ';
  fprintf(stream, "%s%s", ftell(stream) > 0 ? " " : "", word);
}

char *tutti_settings_again(const char *flavor, const char *settings, bool variables)
{
  struct tutti_text_stream text;
  char *now = tutti_settings_collect(flavor, NULL, NULL, NULL);
  tutti_xopen_text(&text);
  for (const char *at = settings; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    char *word = unescape(at, length);
    bool variable = *word != '-';
    if (variable == variables && can_be_said(word) && !tutti_settings_has(now, at, length))
      (variable ? write_variable : write_argument)(text.stream, word);
    free(word);
    at += length;
  }
  free(now);
  return tutti_xclose_text(&text);
}

/* The option --mpi is of srun alone. */
char *tutti_settings_command(const char *flavor, const char *settings, const char *command)
{
  char *variables = tutti_settings_again(flavor, settings, true);
  char *words = tutti_settings_again(flavor, settings, false), *arguments = tutti_xshell_word(words);
  const char *launcher = strncmp(words, "--mpi ", 6) == 0 || strstr(words, " --mpi ") ? " --launcher srun" : "";
  char *whole = tutti_xprintf("%s%s%s%s%s", variables, command, launcher, *words ? " --launcher-args=" : "",
                              *words ? arguments : "");
  free(variables);
  free(words);
  free(arguments);
  return whole;
}
