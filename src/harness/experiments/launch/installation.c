#include "harness/experiments/launch/installation.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "harness/experiments/launch/launcher.h"

enum { NAME_LENGTH = 40 };

/* ---- words ---- */

/* Copy one word without its quotes to *to, and go past it; false: a quote or a backslash ends nothing. */
static bool unquote(const char **from, char **to)
{
  char quote = '\0';
  for (; **from && (quote || !isspace((unsigned char)**from)); ++*from) {
    if (**from == '\\' && quote != '\'') {
      if (!*++*from)
        return false;
    } else if (**from == quote) {
      quote = '\0';
      continue;
    } else if (!quote && (**from == '\'' || **from == '"')) {
      quote = **from;
      continue;
    }
    *(*to)++ = **from;
  }
  return !quote;
}

/* The words of a text, in installation->text and ->words. */
static bool split(const char *text, struct tutti_installation *installation)
{
  size_t count = 0;
  char *to = installation->text = tutti_xcalloc(1, strlen(text) + 2);
  installation->words = tutti_xcalloc(strlen(text) / 2 + 3, sizeof *installation->words); /* one more is put first */
  for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
    installation->words[count++] = to;
    if (!unquote(&text, &to))
      return false;
    *to++ = '\0';
    text += *text != '\0';
  }
  return true;
}

/* The length of the name that a word gives a value to, 0: it gives none. */
static size_t name_length(const char *word)
{
  size_t length = 0;
  while (isalnum((unsigned char)word[length]) || word[length] == '_')
    length++;
  return word[length] == '=' && !isdigit((unsigned char)*word) ? length : 0;
}

/* ---- what they are ---- */

static tutti_status fail(const struct tutti_installation *installation, tutti_status status, const char *what,
                         const char *word, tutti_error *error)
{
  return tutti_fail(error, status, "library %.40s: %.300s%s", installation->name, word, what);
}

/* Take the settings from the front of the words. */
static tutti_status take_variables(struct tutti_installation *installation, tutti_error *error)
{
  int count = 0, taken = 0;
  char **words = installation->words;
  for (size_t length; words[taken] && (length = name_length(words[taken])) > 0; taken++) {
    words[taken][length] = '\0';
    if (strcmp(words[taken], "program") == 0)
      installation->paths[0] = installation->program = tutti_xstrdup(words[taken] + length + 1);
    else if (count == INSTALLATION_VARIABLES)
      return fail(installation, TUTTI_ERR_ARGUMENT, " is one variable too many", words[taken], error);
    else
      installation->variables[count++] = (struct tutti_variable){words[taken], words[taken] + length + 1};
  }
  int left = 0;
  for (; words[taken + left]; left++)
    words[left] = words[taken + left];
  words[left] = NULL;
  return TUTTI_OK;
}

/* Where programs find the libraries of a prefix. */
static void add_library_path(struct tutti_installation *installation, const char *prefix)
{
  const char *before = getenv("LD_LIBRARY_PATH");
  int count = 0;
  for (; installation->variables[count].name; count++)
    if (strcmp(installation->variables[count].name, "LD_LIBRARY_PATH") == 0)
      return;
  if (count == INSTALLATION_VARIABLES)
    return;
  installation->paths[1] = tutti_xprintf("%s/lib:%s/lib64%s%s", prefix, prefix, before && *before ? ":" : "",
                                         before && *before ? before : "");
  installation->variables[count] = (struct tutti_variable){"LD_LIBRARY_PATH", installation->paths[1]};
}

static tutti_status use_prefix(struct tutti_installation *installation, tutti_error *error)
{
  char *prefix = realpath(installation->words[0], NULL), *program = NULL;
  if (!prefix)
    return fail(installation, TUTTI_ERR_LAUNCH, ": cannot be resolved", installation->words[0], error);
  installation->paths[2] = tutti_xprintf("%s/bin/mpiexec", prefix);
  program = tutti_xprintf("%s/bin/tutti-bench", prefix);
  add_library_path(installation, prefix);
  free(prefix);
  if (!installation->program && access(program, X_OK) == 0)
    installation->paths[0] = installation->program = program;
  else
    free(program);
  if (access(installation->paths[2], X_OK) != 0)
    return fail(installation, TUTTI_ERR_LAUNCH, ": cannot be executed", installation->paths[2], error);
  installation->words[0] = installation->paths[2];
  return TUTTI_OK;
}

/* Find what starts ranks. */
static tutti_status find_command(struct tutti_installation *installation, const char *flavor, tutti_error *error)
{
  char **words = installation->words;
  if (!words[0] && !flavor)
    return fail(installation, TUTTI_ERR_ARGUMENT, "say what starts its ranks, its prefix, or --flavor", "", error);
  if (words[0] && tutti_folder_is(words[0]))
    return use_prefix(installation, error);
  installation->paths[3] = !words[0]               ? tutti_launcher_find(flavor, error)
                           : strchr(words[0], '/') ? realpath(words[0], NULL)
                                                   : tutti_program_find(words[0]);
  if (!words[0] && !installation->paths[3])
    return TUTTI_ERR_LAUNCH;
  if (!installation->paths[3] || access(installation->paths[3], X_OK) != 0)
    return fail(installation, TUTTI_ERR_LAUNCH, ": no such command, and no folder", words[0], error);
  words[0] = installation->paths[3];
  return TUTTI_OK;
}

static tutti_status find_flavor(struct tutti_installation *installation, const char *flavor, tutti_error *error)
{
  installation->flavor =
      flavor ? flavor : tutti_launcher_asked(installation->words, installation->variables, installation->library);
  if (installation->flavor)
    return TUTTI_OK;
  return fail(installation, TUTTI_ERR_LAUNCH,
              ", asked by --version, names neither Open MPI nor MPICH: say --flavor openmpi or mpich, whose arguments "
              "it takes",
              installation->words[0], error);
}

tutti_status tutti_installation_parse(const char *text, const char *flavor, struct tutti_installation *installation,
                                      tutti_error *error)
{
  const size_t length = strcspn(text, "= \t/'\"\\");
  const bool named = length > 0 && text[length] == '=';
  *installation = (struct tutti_installation){.flavor = NULL};
  installation->name = named ? tutti_xstrndup(text, length) : tutti_xstrdup(text);
  tutti_status status = TUTTI_OK;
  if (!*text || (named && length > NAME_LENGTH))
    status = fail(installation, TUTTI_ERR_ARGUMENT, "a name has 1 to 40 letters", "", error);
  else if (!split(text + (named ? length + 1 : 0), installation))
    status = fail(installation, TUTTI_ERR_ARGUMENT, ": a quote or a backslash ends nothing", text, error);
  if (status == TUTTI_OK)
    status = take_variables(installation, error);
  if (status == TUTTI_OK)
    status = find_command(installation, flavor, error);
  if (status == TUTTI_OK)
    status = find_flavor(installation, flavor, error);
  if (status != TUTTI_OK)
    tutti_installation_free(installation);
  return status;
}

/* ---- all of it ---- */

char *tutti_installation_digest(const struct tutti_installation *installation, char *digest)
{
  char *text = tutti_xprintf("%s\n%s", installation->flavor, installation->program ? installation->program : "");
  size_t length = strlen(text);
  for (const struct tutti_variable *each = installation->variables; each->name; each++) {
    tutti_xappend(&text, &length, "\n");
    tutti_xappend(&text, &length, each->name);
    tutti_xappend(&text, &length, "=");
    tutti_xappend(&text, &length, each->value);
  }
  for (char **word = installation->words; *word; word++) {
    tutti_xappend(&text, &length, "\n");
    tutti_xappend(&text, &length, *word);
  }
  tutti_digest_format(tutti_digest(text, length), digest);
  free(text);
  return digest;
}

void tutti_installation_free(struct tutti_installation *installation)
{
  free(installation->name);
  free(installation->text);
  free(installation->words);
  for (size_t i = 0; i < sizeof installation->paths / sizeof *installation->paths; i++)
    free(installation->paths[i]);
  *installation = (struct tutti_installation){.flavor = NULL};
}
