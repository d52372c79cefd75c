/* Variables of Intel MPI, and their conditions. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/intelmpi/intelmpi.h"

void tutti_intelmpi_rules_free(void *pointer)
{
  struct intelmpi_rules *rules = pointer;
  tutti_settings_free(&rules->settings);
  tutti_vector_free(rules);
}

struct reader {
  struct tuning_file *file;
  struct intelmpi_rules *rules;
  const struct intelmpi_collective *collective;
  const char *value;
  size_t value_at, first; /* where the value is, and its first rule */
};

static size_t place(const struct reader *reader, const char *at)
{
  return reader->value_at + (size_t)(at - reader->value);
}

static void report_condition(const struct reader *reader, const char *begin)
{
  tutti_tuning_report(reader->file, LINT_INTEL_CONDITION, place(reader, begin), "'%.*s'",
                      (int)strnlen(begin, strcspn(begin, ";") < 60 ? strcspn(begin, ";") : 60), begin);
}

static const char *skip(const char *at)
{
  return at + strspn(at, " \t");
}

/* N or N-M: false at anything else. */
static bool read_range(const char **at, uint64_t range[2])
{
  char *end;
  for (int i = 0; i < 2; i++) {
    *at = skip(*at);
    if (!isdigit((unsigned char)**at))
      return false;
    range[i] = strtoull(*at, &end, 10);
    *at = skip(end);
    if (i == 0)
      range[1] = range[0];
    if (**at != '-')
      break;
    *at += i == 0;
  }
  return range[0] <= range[1];
}

static void add(struct reader *reader, const struct intelmpi_rule *rule)
{
  if (rule->id >= INTELMPI_IDS || (rule->id > 0 && !rule->collective->names[rule->id]))
    tutti_tuning_report(reader->file, LINT_INTEL_ID, rule->at, "%s %ld", tutti_collective_name(rule->collective->ours),
                        rule->id);
  if (rule->collective->unit == TUTTI_UNIT_NONE && (rule->sizes[0] > 0 || rule->sizes[1] < INTELMPI_MAX))
    tutti_tuning_report(reader->file, LINT_INTEL_SIZELESS, rule->at, "they do not apply");
  tutti_xpush(reader->rules, *rule);
}

/* "ID" or "ID:CONDITION,CONDITION". What follows a fault in it is passed over. */
static const char *read_id(struct reader *reader, const char *begin)
{
  struct intelmpi_rule rule = {
      .collective = reader->collective, .at = place(reader, begin), .sizes = {0, UINT64_MAX}, .ranks = {0, UINT64_MAX}};
  uint64_t id[2];
  const char *at = begin;
  bool good = read_range(&at, id) && id[0] == id[1] && id[0] <= INTELMPI_MAX;
  rule.id = good ? (long)id[0] : 0;
  rule.length = strcspn(begin, ":;");
  if (good && (!*at || *at == ';'))
    add(reader, &rule);
  else if (good && *at == ':')
    do {
      const char *condition = skip(++at);
      rule.at = place(reader, condition);
      rule.length = strcspn(condition, ",;");
      rule.ranks[0] = 0;
      rule.ranks[1] = UINT64_MAX;
      good = read_range(&at, rule.sizes) && (*at != '@' || (at++, read_range(&at, rule.ranks))) &&
             (!*at || *at == ',' || *at == ';');
      if (good)
        add(reader, &rule);
    } while (good && *at == ',');
  else
    good = false;
  if (!good)
    report_condition(reader, begin);
  return at + strcspn(at, ";");
}

static void check_hidden(const struct reader *reader)
{
  struct {
    TUTTI_VECTOR(struct tutti_box);
  } boxes = {.items = NULL};
  const struct intelmpi_rule *rules = reader->rules->items + reader->first;
  const size_t count = reader->rules->count - reader->first;
  for (size_t i = 0; i < count && reader->file->findings; i++)
    tutti_xpush(&boxes,
                (struct tutti_box){{{rules[i].sizes[0], rules[i].sizes[1]}, {rules[i].ranks[0], rules[i].ranks[1]}}});
  size_t *hiding = tutti_tuning_hiding(boxes.items, boxes.count);
  for (size_t i = 0; i < boxes.count; i++)
    if (hiding[i] < i)
      tutti_tuning_report(reader->file, LINT_INTEL_HIDDEN, rules[i].at, "%.*s",
                          (int)(rules[i].length < 60 ? rules[i].length : 60), reader->file->text + rules[i].at);
  free(hiding);
  tutti_vector_free(&boxes);
}

static void read_setting(struct tuning_file *file, const struct setting *setting, struct intelmpi_rules *rules)
{
  struct reader reader = {.file = file,
                          .rules = rules,
                          .collective = tutti_intelmpi_variable(setting->name),
                          .value = setting->value,
                          .value_at = setting->value_at,
                          .first = rules->count};
  if (!reader.collective || setting->computed)
    return;
  for (const char *at = skip(setting->value); *at; at = skip(at + (*at == ';')))
    at = read_id(&reader, at);
  check_hidden(&reader);
}

/* The others of the family, for operations that do not wait or for parts of algorithms, are passed over. */
static void check_name(struct tuning_file *file, const struct setting *setting)
{
  const char *name = strncmp(setting->name, "ADJUST_", 7) == 0 ? setting->name + 7 : NULL;
  if (name && !strchr(name, '_') && *name != 'I' && !tutti_intelmpi_variable(setting->name) &&
      !strstr("ALLTOALLW EXSCAN GATHER GATHERV SCAN SCATTERV", name))
    tutti_tuning_report(file, LINT_INTEL_NAME, setting->at, "I_MPI_%.60s", setting->name);
}

tutti_status tutti_intelmpi_read(struct tuning_file *file, void *into, tutti_error *error)
{
  struct intelmpi_rules *rules = into;
  (void)error;
  bool any = false;
  tutti_settings_read(file, "I_MPI_", &rules->settings);
  for (size_t i = 0; i < rules->settings.count; i++) {
    const struct setting *setting = &rules->settings.items[i];
    any = any || strncmp(setting->name, "ADJUST_", 7) == 0;
    if (!setting->prefixed || setting->ends)
      continue;
    check_name(file, setting);
    if (tutti_settings_find(&rules->settings, setting->name) == setting)
      read_setting(file, setting, rules);
  }
  if (!any)
    tutti_tuning_report(file, LINT_INTEL_NONE, rules->settings.count ? rules->settings.items[0].at : 0,
                        "no I_MPI_ADJUST_");
  tutti_settings_check_twice(file, &rules->settings, LINT_INTEL_TWICE);
  return TUTTI_OK;
}
