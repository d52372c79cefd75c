/* Files of UCC: variables that a shell sets, and configurations as UCC reads them itself (src/utils/ini.h and
   ucc_parser.c): [section], NAME=VALUE or NAME:VALUE, blanks around both, comments after '#' or ';' at the begin of a
   line and after " ;". Any fault ends the whole configuration. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/memory.h"
#include "decision/libraries/settings.h"
#include "decision/libraries/ucc/ucc.h"

static const char prefix[] = "UCC_", tune_name[] = "TL_UCP_TUNE";

void tutti_ucc_rules_free(void *pointer)
{
  struct ucc_rules *rules = pointer;
  for (size_t i = 0; i < rules->settings.count; i++) {
    free(rules->settings.items[i].name);
    free(rules->settings.items[i].value);
  }
  for (size_t i = 0; i < rules->tunes.count; i++) {
    tutti_vector_free(&rules->tunes.items[i]);
    tutti_vector_free(&rules->tunes.items[i].ranges);
  }
  tutti_vector_free(&rules->settings);
  tutti_vector_free(&rules->sections);
  tutti_vector_free(&rules->tunes);
}

/* ---- a configuration ---- */

struct reader {
  struct tuning_file *file;
  struct ucc_rules *rules;
  void *names; /* of settings, with the section before them */
  bool named;  /* a setting was before in the section: a line that begins with a blank is a second value of it */
};

struct line {
  size_t begin, end; /* without blanks around it */
};

static struct line strip(const char *text, size_t begin, size_t end)
{
  while (begin < end && isspace((unsigned char)text[begin]))
    begin++;
  while (end > begin && isspace((unsigned char)text[end - 1]))
    end--;
  return (struct line){begin, end};
}

/* Up to a separator, or a comment, which begins with a blank and ';'. */
static size_t find(const char *text, struct line line, const char *separators)
{
  size_t at = line.begin;
  while (at < line.end && !strchr(separators, text[at]) &&
         !(text[at] == ';' && at > line.begin && isspace((unsigned char)text[at - 1])))
    at++;
  return at;
}

static void drop(const struct reader *reader, int code, size_t at, size_t length)
{
  reader->rules->dropped = true;
  tutti_tuning_report(reader->file, code, at, "'%.*s'", (int)(length < 60 ? length : 60), reader->file->text + at);
}

/* N or N-M, after '='. */
static bool parse_limits(const char *text, unsigned limits[2])
{
  char *end;
  const unsigned long min = strtoul(text, &end, 10);
  limits[0] = limits[1] = min > UINT_MAX ? UINT_MAX : (unsigned)min;
  if (end == text || !isdigit((unsigned char)*text))
    return false;
  if (*end == '-' && isdigit((unsigned char)end[1])) {
    const unsigned long max = strtoul(end + 1, &end, 10);
    limits[1] = max > UINT_MAX ? UINT_MAX : (unsigned)max;
  }
  return !*end;
}

static bool parse_condition(const char *word, struct ucc_section *section)
{
  static const char *const names[UCC_CONDITIONS] = {"team_size=", "ppn=", "nnodes="};
  unsigned ignored[2];
  for (int i = 0; i < UCC_CONDITIONS; i++)
    if (strncmp(word, names[i], strlen(names[i])) == 0)
      return parse_limits(word + strlen(names[i]), section->limits[i]);
  section->machine = true;
  if (strncmp(word, "sock=", 5) == 0)
    return parse_limits(word + 5, ignored);
  return (strncasecmp(word, "vendor=", 7) == 0 && word[7]) || (strncmp(word, "model=", 6) == 0 && word[6]);
}

static void read_section(struct reader *reader, struct line line)
{
  const struct tuning_file *file = reader->file;
  struct ucc_section section = {.at = line.begin};
  char *copy = tutti_xstrndup(file->text + line.begin + 1, line.end - line.begin - 1), *rest = NULL;
  char *close = strchr(copy, ']');
  for (int i = 0; i < UCC_CONDITIONS; i++)
    section.limits[i][1] = UINT_MAX;
  if (close)
    *close = '\0';
  else
    drop(reader, LINT_UCC_LINE, line.begin, line.end - line.begin);
  for (char *word = strtok_r(copy, " ", &rest); close && word; word = strtok_r(NULL, " ", &rest))
    if (!parse_condition(word, &section))
      drop(reader, LINT_UCC_SECTION, line.begin + 1 + (size_t)(word - copy), strlen(word));
  free(copy);
  reader->named = false;
  tutti_xpush(&reader->rules->sections, section);
}

static void check_twice(struct reader *reader, const struct ucc_setting *setting)
{
  char *key = tutti_xprintf("%d %s", setting->section, setting->name);
  size_t *number = tutti_index_number(&reader->names, key);
  if ((*number)++)
    drop(reader, LINT_UCC_TWICE, setting->at, strlen(setting->name));
  free(key);
}

static void add_setting(struct reader *reader, struct line name, struct line value)
{
  const char *text = reader->file->text;
  struct ucc_setting setting = {.name = tutti_xstrndup(text + name.begin, name.end - name.begin),
                                .value = tutti_xstrndup(text + value.begin, value.end - value.begin),
                                .at = name.begin,
                                .value_at = value.begin,
                                .section = (int)reader->rules->sections.count - 1};
  reader->named = true;
  check_twice(reader, &setting);
  if (!strstr(setting.name, prefix))
    drop(reader, LINT_UCC_LINE, name.begin, name.end - name.begin);
  if (setting.section >= 0 && (*setting.value == '"' || *setting.value == '\''))
    tutti_tuning_report(reader->file, LINT_UCC_QUOTES, value.begin, "%.40s", setting.value);
  if (strncmp(setting.name, prefix, strlen(prefix)) == 0)
    memmove(setting.name, setting.name + strlen(prefix), strlen(setting.name) - strlen(prefix) + 1);
  tutti_xpush(&reader->rules->settings, setting);
}

static void read_line(struct reader *reader, size_t begin, size_t end)
{
  const char *text = reader->file->text;
  const struct line line = strip(text, begin, end);
  if (line.begin == line.end || strchr(";#", text[line.begin]))
    return;
  const size_t equals = find(text, line, "=:");
  if (end - begin > UCC_LINE_LENGTH)
    drop(reader, LINT_UCC_LINE, line.begin, 40);
  else if (reader->named && line.begin > begin)
    drop(reader, LINT_UCC_TWICE, line.begin, line.end - line.begin);
  else if (text[line.begin] == '[')
    read_section(reader, line);
  else if (equals == line.end || text[equals] == ';')
    drop(reader, LINT_UCC_LINE, line.begin, line.end - line.begin);
  else {
    struct line value = strip(text, equals + 1, line.end);
    value.end = find(text, value, "");
    add_setting(reader, strip(text, line.begin, equals), strip(text, value.begin, value.end));
  }
}

enum { MAX_SECTIONS = 4096 };

static void read_configuration(struct tuning_file *file, struct ucc_rules *rules)
{
  struct reader reader = {.file = file, .rules = rules};
  for (size_t at = 0; at < file->length && rules->sections.count < MAX_SECTIONS;) {
    const char *newline = memchr(file->text + at, '\n', file->length - at);
    const size_t end = newline ? (size_t)(newline - file->text) : file->length;
    read_line(&reader, at, end);
    at = end + 1;
  }
  tutti_index_free(&reader.names);
}

/* ---- variables ---- */

static void read_variables(struct tuning_file *file, struct ucc_rules *rules)
{
  struct settings settings = {.count = 0};
  tutti_settings_read(file, prefix, &settings);
  for (size_t i = 0; i < settings.count; i++) {
    const struct setting *item = &settings.items[i];
    if (item->prefixed && !item->ends && tutti_settings_find(&settings, item->name) == item)
      tutti_xpush(&rules->settings, ((struct ucc_setting){.name = tutti_xstrdup(item->name),
                                                          .value = tutti_xstrdup(item->value),
                                                          .at = item->at,
                                                          .value_at = item->value_at,
                                                          .section = -1}));
  }
  tutti_settings_free(&settings);
}

/* Quotes, or words before a name, are for a shell; sections are not. */
static bool is_configuration(const struct tuning_file *file)
{
  for (const char *at = file->text; at < file->text + file->length; at++) {
    if (*at == '[')
      return true;
    const char *end = memchr(at, '\n', (size_t)(file->text + file->length - at));
    if (!end)
      break;
    at = end;
  }
  return !tutti_settings_is_script(file->text, file->length) && !memchr(file->text, '"', file->length) &&
         !memchr(file->text, '\'', file->length);
}

/* ---- both ---- */

static void check_sections(struct tuning_file *file, const struct ucc_rules *rules)
{
  const struct ucc_tune *first = NULL;
  for (size_t i = 0; i < rules->tunes.count; i++)
    if (rules->tunes.items[i].setting->section < 0)
      first = &rules->tunes.items[i];
    else if (first)
      tutti_tuning_report(file, LINT_UCC_HIDDEN, rules->tunes.items[i].setting->at, "the section is not used");
  for (size_t i = 0; i < rules->sections.count; i++)
    for (size_t j = 0; j < i; j++) {
      const struct ucc_section *one = &rules->sections.items[j], *other = &rules->sections.items[i];
      bool apart = one->machine || other->machine;
      for (int c = 0; c < UCC_CONDITIONS; c++)
        apart = apart || one->limits[c][1] < other->limits[c][0] || other->limits[c][1] < one->limits[c][0];
      if (apart)
        continue;
      tutti_tuning_report(file, LINT_UCC_BOTH, other->at, "the section before it may be for the same team");
      break;
    }
}

tutti_status tutti_ucc_read(struct tuning_file *file, void *into, tutti_error *error)
{
  struct ucc_rules *rules = into;
  (void)error;
  if (!is_configuration(file))
    read_variables(file, rules);
  else
    read_configuration(file, rules);
  for (size_t i = 0; i < rules->settings.count; i++)
    if (strcmp(rules->settings.items[i].name, tune_name) == 0) {
      struct ucc_tune tune;
      tutti_ucc_read_tune(file, &rules->settings.items[i], &tune);
      tutti_xpush(&rules->tunes, tune);
    }
  if (rules->tunes.count == 0)
    tutti_tuning_report(file, LINT_UCC_NONE, rules->settings.count ? rules->settings.items[0].at : 0, "no %s%s", prefix,
                        tune_name);
  check_sections(file, rules);
  return TUTTI_OK;
}
