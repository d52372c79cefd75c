/* Settings in lines of shells and of what starts ranks. */
#include "base/shell.h"

#include <string.h>

#include "base/shell_words.h"

enum { DEPTH = 3 };

/* ---- settings ---- */

static void emit(struct reading *reading, struct shell_event event)
{
  event.command = reading->command;
  if (reading->take)
    reading->take(&event, reading->context);
}

static void emit_plain(struct reading *reading, enum shell_kind kind, struct span word)
{
  emit(reading, (struct shell_event){.kind = kind, .at = word.begin, .length = word.end - word.begin});
}

static void emit_setting(struct reading *reading, struct span name, struct span value, bool mca, bool of_command)
{
  value = tutti_shell_unquote(reading, value);
  emit(reading, (struct shell_event){.kind = value.end > value.begin ? SHELL_SET : SHELL_UNSET,
                                     .at = name.begin,
                                     .length = name.end - name.begin,
                                     .value_at = value.begin,
                                     .value_length = value.end - value.begin,
                                     .mca = mca,
                                     .of_command = of_command});
}

static void emit_unset(struct reading *reading, struct span name, bool of_command)
{
  name = tutti_shell_unquote(reading, name);
  emit_setting(reading, name, (struct span){name.end, name.end}, false, of_command);
}

/* ALL,NAME=VALUE,NAME=VALUE of Slurm. */
static void read_list(struct reading *reading, struct span list)
{
  struct span name, value;
  for (list = tutti_shell_unquote(reading, list); list.begin < list.end;) {
    const char *comma = memchr(reading->text + list.begin, ',', list.end - list.begin);
    const struct span word = {list.begin, comma ? (size_t)(comma - reading->text) : list.end};
    name = (struct span){word.begin, tutti_shell_name_end(reading, word)};
    value = (struct span){name.end + 1, word.end};
    if (name.end > name.begin && name.end < word.end && reading->text[name.end] == '=')
      emit_setting(reading, name, value, false, true);
    else
      emit_plain(reading, SHELL_WORD, word);
    list.begin = word.end + 1;
  }
}

static bool starts(const struct reading *reading, struct span word, const char *with)
{
  const size_t length = strlen(with);
  return word.end - word.begin >= length && memcmp(reading->text + word.begin, with, length) == 0;
}

static struct span after(struct span word, const char *with)
{
  word.begin += strlen(with);
  return word;
}

/* "--mca NAME VALUE", "-genv NAME VALUE", "--export=LIST"; false: the word is no such option. */
static bool read_option(struct reading *reading, struct span word, bool of_command)
{
  struct span name, value;
  if (word.begin == word.end || !strchr("-'\"", reading->text[word.begin]))
    return false;
  const bool mca = tutti_shell_is_listed(reading, word, "--mca -mca --gmca -gmca --omca");
  if (tutti_shell_is_listed(reading, word, "--export")) {
    if (tutti_shell_word(reading, &value))
      read_list(reading, value);
    return true;
  }
  word = tutti_shell_unquote(reading, word);
  if (starts(reading, word, "--export=")) {
    read_list(reading, after(word, "--export="));
    return true;
  }
  if (starts(reading, word, "--env=") && tutti_shell_setting(reading, after(word, "--env="), &name, &value)) {
    emit_setting(reading, name, value, false, of_command);
    return true;
  }
  if (!mca && !tutti_shell_is_listed(reading, word, "-genv -env --genv --env"))
    return false;
  if (!tutti_shell_word(reading, &word))
    return true;
  if (!mca && tutti_shell_setting(reading, word, &name, &value))
    emit_setting(reading, name, value, false, of_command);
  else if (tutti_shell_word(reading, &value))
    emit_setting(reading, tutti_shell_unquote(reading, word), value, mca, of_command);
  else
    emit_plain(reading, SHELL_WORD, word);
  return true;
}

/* ---- commands ---- */

static void read_commands(struct reading *reading);

/* A text within quotes that is a command: bash -c 'mpirun ...'. */
static bool read_quoted(struct reading *reading, struct span word)
{
  const struct span inner = tutti_shell_unquote(reading, word);
  if (inner.begin == word.begin || reading->depth == DEPTH || inner.end == inner.begin ||
      !memchr(reading->text + inner.begin, ' ', inner.end - inner.begin))
    return false;
  struct reading within = *reading;
  within.at = inner.begin;
  within.end = inner.end;
  within.depth++;
  read_commands(&within);
  reading->command = within.command;
  reading->scripted = within.scripted;
  return true;
}

/* Whether a later word of a line of a log starts ranks. */
static bool launches(const struct reading *reading)
{
  struct reading ahead = *reading;
  struct span word;
  while (reading->what == SHELL_LOG && tutti_shell_word(&ahead, &word))
    if (tutti_shell_is_launcher(&ahead, word))
      return true;
  return false;
}

static void read_arguments(struct reading *reading, bool launch);

/* Options of a launch that a variable keeps: OPTIONS="--mca NAME VALUE". */
static void read_kept_options(struct reading *reading, struct span value)
{
  const struct span inner = tutti_shell_unquote(reading, value);
  if (inner.begin == value.begin || inner.begin == inner.end || reading->text[inner.begin] != '-')
    return;
  struct reading within = *reading;
  within.at = inner.begin;
  within.end = inner.end;
  read_arguments(&within, true);
}

/* The words of a program or of what starts ranks. In a log settings count in any line. */
static void read_arguments(struct reading *reading, bool launch)
{
  struct span word, name, value;
  const bool loose = reading->what == SHELL_LOG, started = launch;
  launch = launch || launches(reading);
  while (tutti_shell_word(reading, &word)) {
    if (loose && !started && tutti_shell_is_launcher(reading, word))
      emit_plain(reading, SHELL_LAUNCH, word);
    else if ((!launch && !loose) || !read_option(reading, word, launch)) {
      if ((launch || loose) && tutti_shell_setting(reading, word, &name, &value))
        emit_setting(reading, name, value, false, launch);
      else if (launch || !read_quoted(reading, word))
        emit_plain(reading, SHELL_WORD, word);
    }
  }
}

/* export NAME=VALUE, export -n NAME, declare -x NAME=VALUE. */
static void read_exports(struct reading *reading)
{
  struct span word, name, value;
  bool ends = false;
  while (tutti_shell_word(reading, &word))
    if (reading->text[word.begin] == '-')
      ends = ends || memchr(reading->text + word.begin, 'n', word.end - word.begin);
    else if (tutti_shell_setting(reading, word, &name, &value))
      emit_setting(reading, name, ends ? (struct span){value.end, value.end} : value, false, false);
    else if (ends)
      emit_unset(reading, word, false);
    else
      emit_plain(reading, SHELL_WORD, word);
}

/* setenv NAME VALUE of csh and of modules. */
static void read_setenv(struct reading *reading)
{
  struct span word, name, value;
  reading->call = reading->at < reading->end && reading->text[reading->at] == '(';
  if (tutti_shell_word(reading, &word)) {
    if (tutti_shell_setting(reading, word, &name, &value))
      emit_setting(reading, name, value, false, false);
    else if (tutti_shell_word(reading, &value))
      emit_setting(reading, tutti_shell_unquote(reading, word), value, false, false);
    else
      emit_unset(reading, word, false);
  }
  while (tutti_shell_word(reading, &word))
    ;
  reading->call = false;
}

static void read_unset(struct reading *reading)
{
  struct span word;
  bool function = false;
  reading->call = reading->at < reading->end && reading->text[reading->at] == '(';
  while (tutti_shell_word(reading, &word))
    if (reading->text[word.begin] == '-')
      function = tutti_shell_is_listed(reading, word, "-f");
    else if (!function)
      emit_unset(reading, word, false);
  reading->call = false;
}

/* env [-u NAME] [NAME=VALUE], up to the program; false: there is none. */
static bool read_env(struct reading *reading, struct span *word)
{
  struct span name, value;
  while (tutti_shell_word(reading, word)) {
    if (starts(reading, *word, "--unset="))
      emit_unset(reading, after(*word, "--unset="), true);
    else if (tutti_shell_is_listed(reading, *word, "-u --unset")) {
      if (tutti_shell_word(reading, &name))
        emit_unset(reading, name, true);
    } else if (tutti_shell_setting(reading, *word, &name, &value))
      emit_setting(reading, name, value, false, true);
    else if (reading->text[word->begin] != '-')
      return true;
  }
  return false;
}

/* Whether a program follows, so that settings before it are its own. */
static bool program_follows(const struct reading *reading)
{
  struct reading ahead = *reading;
  struct span word, name, value;
  while (tutti_shell_word(&ahead, &word))
    if (!tutti_shell_setting(&ahead, word, &name, &value))
      return reading->what == SHELL_SCRIPT || reading->prompt || strchr("/.~$", ahead.text[word.begin]) ||
             tutti_shell_is_launcher(&ahead, word) || tutti_shell_is_listed(&ahead, word, "env exec time nohup");
  return false;
}

/* Builtins that run no ranks. */
static const char passed_over[] = "module ml echo printf cd source . mkdir ulimit set alias for case function shift "
                                  "prepend-path append-path prepend_path append_path load whatis help conflict prereq";
static const char before_commands[] = "if elif while until ! time exec nohup eval command sudo { numactl";
static const char branches[] = "then else fi do done esac } endif end foreach switch default: breaksw";

/* A command whose first word it is; false: another word of it may be. */
static bool read_head(struct reading *reading, struct span word)
{
  const bool loose = reading->what == SHELL_LOG;
  if (tutti_shell_is_listed(reading, word, "env") && !read_env(reading, &word))
    return true;
  if (tutti_shell_is_listed(reading, word, "export declare typeset readonly")) {
    reading->scripted = true;
    read_exports(reading);
  } else if (tutti_shell_is_listed(reading, word, "setenv pushenv ENV")) {
    reading->scripted = true;
    read_setenv(reading);
  } else if (tutti_shell_is_listed(reading, word, "unset unsetenv")) {
    reading->scripted = true;
    read_unset(reading);
  } else if (tutti_shell_is_launcher(reading, word)) {
    reading->scripted = true;
    emit_plain(reading, SHELL_LAUNCH, word);
    read_arguments(reading, true);
  } else if (!loose && tutti_shell_is_listed(reading, word, passed_over)) {
    while (tutti_shell_word(reading, &word))
      ;
  } else if (!loose && tutti_shell_is_listed(reading, word, branches)) {
    emit_plain(reading, SHELL_COMMAND, word);
    return false;
  } else if (loose || !tutti_shell_is_listed(reading, word, before_commands)) {
    emit_plain(reading, SHELL_COMMAND, word);
    read_arguments(reading, loose && reading->text[word.begin] == '-');
  } else
    return false;
  return true;
}

static void read_command(struct reading *reading)
{
  struct span word, name, value;
  int follows = -1; /* not looked for */
  reading->prompt = false;
  while (tutti_shell_word(reading, &word)) {
    const struct span first = word;
    if (reading->text[word.begin] == '+' || tutti_shell_is_listed(reading, word, "$ % >"))
      reading->prompt = true;
    else if (tutti_shell_setting(reading, word, &name, &value)) {
      const bool apart = value.begin > name.end + 1 && reading->text[name.end] != '='; /* NAME = VALUE ... */
      emit_setting(reading, name, value, false, follows < 0 ? (follows = !apart && program_follows(reading)) : follows);
      read_kept_options(reading, value);
      while (apart && tutti_shell_word(reading, &word))
        ;
    } else if (reading->what == SHELL_LOG && reading->text[first.begin] == '-') {
      reading->at = first.begin; /* options of the line before */
      read_arguments(reading, true);
    } else if (read_head(reading, word))
      return;
  }
}

static void read_commands(struct reading *reading)
{
  while (reading->at < reading->end && (reading->take || !reading->scripted)) {
    read_command(reading);
    reading->command++;
    reading->at++; /* after what ends it */
  }
}

bool tutti_shell_read(const char *text, size_t begin, size_t end, enum shell_text what, shell_function *take,
                      void *context)
{
  struct reading reading = {.text = text, .at = begin, .end = end, .what = what, .take = take, .context = context};
  read_commands(&reading);
  return reading.scripted;
}
