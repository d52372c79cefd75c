/* Files of settings: names, values, their places, and for which commands they hold. */
#include "decision/libraries/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/numbers.h"

size_t tutti_settings_prefix(const char *name, size_t length, const char *words)
{
  for (const char *word = words, *end; *word; word = *end ? end + 1 : end) {
    end = strchrnul(word, ' ');
    const char *star = memchr(word, '*', (size_t)(end - word));
    const size_t begins = (size_t)((star ? star : end) - word), ends = star ? (size_t)(end - star) - 1 : 0;
    if (length < begins + ends || memcmp(name, word, begins) != 0)
      continue;
    if (star ? memcmp(name + length - ends, star + 1, ends) == 0 : end[-1] == '_' || length == begins)
      return begins;
  }
  return 0;
}

/* ---- lines that are no script ---- */

/* Commands of all lines are numbered together. */
struct scan {
  shell_function *take;
  void *context;
  size_t first, last; /* numbers of the commands of this line */
};

static void renumber(const struct shell_event *event, void *context)
{
  struct scan *scan = context;
  struct shell_event renumbered = *event;
  renumbered.command = scan->last = scan->first + event->command;
  scan->take(&renumbered, scan->context);
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* "name = value", whose value goes to the end of the line; capital letters are those of a variable. */
static bool read_parameter(const char *text, size_t at, size_t end, struct shell_event *event)
{
  bool small = false;
  event->at = at;
  for (; at < end && (isalnum((unsigned char)text[at]) || text[at] == '_'); at++)
    small = small || islower((unsigned char)text[at]);
  event->length = at - event->at;
  while (at < end && is_blank(text[at]))
    at++;
  if (!small || tutti_settings_prefix(text + event->at, event->length, "OMPI_MCA_ PRTE_MCA_ PMIX_MCA_") || at == end ||
      text[at] != '=')
    return false;
  for (at++; at < end && is_blank(text[at]);)
    at++;
  while (end > at && is_blank(text[end - 1]))
    end--;
  event->value_at = at;
  event->value_length = end - at;
  return true;
}

static void scan_line(const char *text, size_t begin, size_t end, struct scan *scan)
{
  struct shell_event event = {.kind = SHELL_SET};
  size_t at = begin;
  while (at < end && is_blank(text[at]))
    at++;
  if (at == end || text[at] == '#')
    return;
  scan->first = ++scan->last;
  event.command = scan->first;
  if (read_parameter(text, at, end, &event))
    scan->take(&event, scan->context);
  else if (memchr(text + at, '=', end - at))
    tutti_shell_read(text, at, end, SHELL_LINES, renumber, scan);
  else
    scan->take(&(struct shell_event){.kind = SHELL_WORD, .at = begin, .command = scan->first}, scan->context);
}

bool tutti_settings_is_script(const char *text, size_t length)
{
  return (length > 2 && memcmp(text, "#!", 2) == 0) || (length > 8 && memcmp(text, "#%Module", 8) == 0) ||
         tutti_shell_read(text, 0, length, SHELL_SCRIPT, NULL, NULL);
}

void tutti_settings_scan(const char *text, size_t length, bool script, shell_function *take, void *context)
{
  struct scan scan = {.take = take, .context = context};
  if (script)
    tutti_shell_read(text, 0, length, SHELL_SCRIPT, take, context);
  for (size_t at = 0; at < length && !script;) {
    const char *newline = memchr(text + at, '\n', length - at);
    const size_t end = newline ? (size_t)(newline - text) : length;
    scan_line(text, at, end, &scan);
    at = end + 1;
  }
}

/* ---- for which commands they hold ---- */

struct reader {
  const char *text, *prefixes;
  struct settings *settings;
  void *lasting, *of_command;   /* the last one of a name */
  size_t alive, commands, told; /* lasting ones; commands so far; the last that has settings of its own */
  size_t launch, launch_at;     /* the last that starts ranks */
};

static void end_lasting(struct reader *reader, const char *name, size_t command, bool again)
{
  const size_t number = tutti_index_find(&reader->lasting, name);
  if (!number)
    return;
  struct setting *setting = &reader->settings->items[number - 1];
  setting->to = command;
  setting->again = again && setting->commands == reader->commands;
  reader->alive--;
  *tutti_index_number(&reader->lasting, name) = 0;
}

static void ask_about(struct reader *reader, size_t command)
{
  reader->settings->moment = command;
  reader->settings->launch = reader->launch_at;
}

static void add(struct reader *reader, const struct shell_event *event, size_t prefix)
{
  struct settings *settings = reader->settings;
  const bool ends = event->kind == SHELL_UNSET, lasts = !event->of_command;
  struct setting made = {.name = tutti_xstrndup(reader->text + event->at + prefix, event->length - prefix),
                         .value = tutti_xstrndup(reader->text + event->value_at, event->value_length),
                         .at = event->at,
                         .value_at = event->value_at,
                         .from = event->command,
                         .to = lasts ? SIZE_MAX : event->command + 1,
                         .commands = reader->commands,
                         .prefixed = prefix || event->mca,
                         .of_command = event->of_command,
                         .computed = settings->script && event->value_length > 0 &&
                                     memchr(reader->text + event->value_at, '$', event->value_length),
                         .ends = ends};
  size_t behind = event->value_at + event->value_length;
  behind += reader->text[behind] == '"' || reader->text[behind] == '\'';
  if (reader->text[behind] == '\r' && !settings->returns) {
    settings->returns = true;
    settings->return_at = event->at;
  }
  if (lasts)
    end_lasting(reader, made.name, event->command, !ends);
  if (lasts && ends) {
    free(made.name);
    free(made.value);
    return;
  }
  tutti_xpush(settings, made);
  size_t *number = tutti_index_number(lasts ? &reader->lasting : &reader->of_command, made.name);
  struct setting *before = !lasts && *number ? &settings->items[*number - 1] : NULL;
  if (before && before->from == made.from)
    before->again = !before->ends && !ends;
  *number = settings->count;
  reader->alive += lasts;
  if (lasts)
    return;
  reader->told = event->command;
  if (reader->launch == event->command || !settings->launches)
    ask_about(reader, event->command);
}

static void take(const struct shell_event *event, void *context)
{
  struct reader *reader = context;
  const char *name = reader->text + event->at;
  const size_t prefix = tutti_settings_prefix(name, event->length, reader->prefixes);
  if (event->kind == SHELL_WORD && event->length == 0)
    tutti_xpush(&reader->settings->others, event->at);
  reader->commands += event->kind == SHELL_COMMAND || event->kind == SHELL_LAUNCH;
  if (event->kind == SHELL_LAUNCH) {
    reader->settings->launches++;
    reader->launch = event->command;
    reader->launch_at = event->at;
    if (reader->alive || reader->told == event->command)
      ask_about(reader, event->command);
  }
  const bool parameter = !reader->settings->script && !prefix; /* of a file without commands */
  if ((event->kind == SHELL_SET || event->kind == SHELL_UNSET) &&
      (prefix || parameter || (event->mca && strstr(reader->prefixes, "OMPI_MCA_"))))
    add(reader, event, prefix);
}

/* ---- looking up ---- */

static int compare(const void *left, const void *right)
{
  const struct setting *const *l = left, *const *r = right;
  int order = strcmp((*l)->name, (*r)->name);
  order = order ? order : (int)(*r)->of_command - (int)(*l)->of_command;
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
  struct reader reader = {
      .text = file->text, .prefixes = prefixes, .settings = settings, .told = SIZE_MAX, .launch = SIZE_MAX};
  settings->moment = SIZE_MAX - 1;
  settings->script = tutti_settings_is_script(file->text, file->length);
  tutti_settings_scan(file->text, file->length, settings->script, take, &reader);
  tutti_index_free(&reader.lasting);
  tutti_index_free(&reader.of_command);
  sort_by_name(settings);
}

void tutti_settings_free(void *rules)
{
  struct settings *settings = rules;
  for (size_t i = 0; i < settings->count; i++) {
    free(settings->items[i].name);
    free(settings->items[i].value);
  }
  tutti_vector_free(settings);
  tutti_vector_free(&settings->others);
  free(settings->by_name);
  settings->by_name = NULL;
}

/* How many come before the first of that name and kind that begins at a command or later. */
static size_t first_from(const struct settings *settings, const char *name, bool of_command, size_t command)
{
  return TUTTI_PARTITION_POINT(
      size_t, i, 0, settings->count,
      strcmp(settings->by_name[i]->name, name) < 0 ||
          (strcmp(settings->by_name[i]->name, name) == 0 &&
           (settings->by_name[i]->of_command > of_command ||
            (settings->by_name[i]->of_command == of_command && settings->by_name[i]->from < command))));
}

/* The last of that name and kind that begins before a command and holds for one from @p from on; NULL: none. */
static const struct setting *last_in(const struct settings *settings, const char *name, bool of_command, size_t from,
                                     size_t before)
{
  const size_t behind = first_from(settings, name, of_command, before);
  const struct setting *found = behind ? settings->by_name[behind - 1] : NULL;
  return found && strcmp(found->name, name) == 0 && found->of_command == of_command && found->to > from ? found : NULL;
}

static const struct setting *find_at(const struct settings *settings, const char *name, size_t moment)
{
  const struct setting *own = last_in(settings, name, true, moment, moment + 1);
  if (own)
    return own->ends ? NULL : own;
  return last_in(settings, name, false, moment, moment + 1);
}

const struct setting *tutti_settings_find(const struct settings *settings, const char *name)
{
  return find_at(settings, name, settings->moment);
}

bool tutti_settings_any(const struct settings *settings, const char *name, const struct setting *with,
                        bool (*test)(const char *value))
{
  if (with->of_command) {
    const struct setting *found = find_at(settings, name, with->from);
    return found && test(found->value);
  }
  for (int of_command = 0; of_command < 2; of_command++)
    for (size_t before = with->to; before > 0;) {
      const struct setting *found = last_in(settings, name, of_command, with->from, before);
      if (!found)
        break;
      if (!found->ends && test(found->value))
        return true;
      before = found->from;
    }
  return false;
}

void tutti_settings_check_twice(struct tuning_file *file, const struct settings *settings, int code)
{
  for (size_t i = 0; i < settings->count; i++)
    if (settings->items[i].again)
      tutti_tuning_report(file, code, settings->items[i].at, "%.80s is set again", settings->items[i].name);
}

void tutti_settings_step_launch(struct explaining *explaining, const struct settings *settings)
{
  if (settings->launches > 1 && settings->moment != SIZE_MAX - 1)
    tutti_explain_step(explaining, settings->launch, "of %zu commands that start ranks, the last under such settings",
                       settings->launches);
}
