/* What the command line said: to be said again in commands that a message suggests, and files that it names twice. */
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/option.h"

/* What the command line had, in its order, after the defaults; the texts belong to it. */
static struct {
  TUTTI_VECTOR(struct given {
    const struct option_row *option;
    const char *text;
    bool usual; /* the default */
  });
} given;

void option_note_given(const struct option_row *option, const char *text, bool usual)
{
  tutti_xpush(&given, (struct given){option, text, usual});
}

void option_forget_given(void)
{
  tutti_vector_free(&given);
}

static bool is_argument(const struct option_row *option)
{
  return !option->help;
}

static bool is_typed(const struct given *said)
{
  return !said->usual && !is_argument(said->option);
}

bool option_given_at(size_t index, const char **name, const char **text)
{
  for (size_t i = 0; i < given.count; i++)
    if (is_typed(&given.items[i]) && index-- == 0) {
      *name = given.items[i].option->name;
      *text = given.items[i].text;
      return true;
    }
  return false;
}

char *options_given(const char *const *names)
{
  struct tutti_text_stream again;
  tutti_xopen_text(&again);
  for (; *names; names++)
    for (size_t i = 0; i < given.count; i++) {
      const struct given *said = &given.items[i];
      char *word = said->text ? tutti_xshell_word(said->text) : NULL;
      const bool named = is_typed(said) && strcmp(said->option->name, *names) == 0;
      if (named && said->option->letter)
        fprintf(again.stream, " -%c %s", said->option->letter, word ? word : "");
      else if (named)
        fprintf(again.stream, " --%s%s%s", *names, word ? " " : "", word ? word : "");
      free(word);
    }
  return tutti_xclose_text(&again);
}

/* ---- files that are written ---- */

/* Whether its text can be the path of a file. */
static bool names_file(const struct option_row *option)
{
  if (is_argument(option))
    return option->kind != OPTION_KIND_PARSE && strcmp(option->name, "COLLECTIVE") != 0;
  return option->argument && (strstr(option->argument, "FILE") || strstr(option->argument, "DECISION") ||
                              strstr(option->argument, "EXPERIMENT") || strstr(option->argument, "PATH"));
}

/* A default counts unless something else was given. */
static bool is_said(const struct given *said)
{
  for (const struct given *later = said + 1; said->usual && later < given.items + given.count; later++)
    if (later->option == said->option)
      return false;
  return said->text != NULL;
}

static bool is_same(const struct stat *left, const struct stat *right)
{
  return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* Whether two files that are not there yet have the same folder and name. */
static bool will_be_same(const char *left, const char *right)
{
  struct stat a, b;
  char *copies[] = {tutti_xstrdup(left), tutti_xstrdup(right)},
       *folders[] = {tutti_xstrdup(left), tutti_xstrdup(right)};
  const bool same = stat(dirname(folders[0]), &a) == 0 && stat(dirname(folders[1]), &b) == 0 && is_same(&a, &b) &&
                    strcmp(basename(copies[0]), basename(copies[1])) == 0;
  for (int i = 0; i < 2; i++) {
    free(copies[i]);
    free(folders[i]);
  }
  return same;
}

/* Of files that are there, by links, too. One that is not there matters only if the command makes it. */
static bool is_same_file(const char *written, const struct given *other)
{
  struct stat a, b;
  const bool has = stat(written, &a) == 0, has_other = stat(other->text, &b) == 0;
  if (has || has_other)
    return has && has_other && is_same(&a, &b) && S_ISREG(a.st_mode);
  return !is_argument(other->option) && strcmp(other->option->argument, "FILE") == 0 &&
         will_be_same(written, other->text);
}

/* That text replaces no file which the command reads or writes besides. */
static void check_text(const struct given *written)
{
  for (const struct given *other = given.items; other < given.items + given.count; other++)
    if (other->option != written->option && names_file(other->option) && is_said(other) &&
        is_same_file(written->text, other))
      die("%s: would be replaced, and is the file of %s%s, too", written->text, is_argument(other->option) ? "" : "--",
          other->option->name);
  must(tutti_output_spares(written->text, &failure));
}

/* That a store is there, or can be made: an empty file becomes one. */
static void check_store(const char *path)
{
  struct stat there;
  if (stat(path, &there) != 0)
    must(tutti_output_test(path, &failure));
  else if (access(path, W_OK) != 0)
    die("%s: not writable", path);
  else if (!S_ISREG(there.st_mode) || there.st_size > 0)
    store_close(store_open_existing(path));
}

void option_check_written(const struct option_row *option)
{
  for (const struct given *said = given.items; said < given.items + given.count; said++) {
    if (said->option != option || !is_said(said))
      continue;
    if (option->writes == WRITES_STORE)
      check_store(said->text);
    else if (strcmp(said->text, "-") != 0)
      check_text(said);
  }
}
