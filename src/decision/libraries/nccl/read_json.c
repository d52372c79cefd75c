/* Reading the rules of NCCLX: {"rules": [{"filter": {...}, "config": {...}}]}. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/memory.h"
#include "decision/libraries/nccl/nccl.h"

static bool __attribute__((format(printf, 4, 5)))
refuse(struct tuning_file *file, struct nccl_rules *rules, size_t at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_tuning_vreport(file, LINT_NCCLX_RULE, at, format, arguments);
  va_end(arguments);
  rules->refused = true;
  return false;
}

/* ---- values ---- */

static const char *skip(const char *text)
{
  return text + strspn(text, " \t\r\n");
}

/* A whole number and what follows it; false: there is none. Nothing at all before @p stop is no bound. */
static bool read_bound(const char **text, const char *stop, int64_t *value, bool *given)
{
  char *end;
  *text = skip(*text);
  *given = !strchr(stop, **text);
  if (!*given)
    return true;
  errno = 0;
  *value = strtoll(*text, &end, 10);
  const bool good = end != *text && errno == 0;
  *text = skip(end);
  return good;
}

/* "*", N, "[a,b)" and so on. An end that is excluded is one number further. */
static bool parse_range(const char *text, int64_t range[2])
{
  bool given[2];
  int64_t bounds[2] = {0};
  const char *at = skip(text);
  range[0] = INT64_MIN;
  range[1] = INT64_MAX;
  if (*at == '*' && !*skip(at + 1))
    return true;
  const char open = *at;
  if (open != '(' && open != '[') {
    const bool good = read_bound(&at, "", &bounds[0], &given[0]) && given[0] && !*at;
    range[0] = range[1] = bounds[0];
    return good;
  }
  at++;
  if (!read_bound(&at, ",", &bounds[0], &given[0]) || *at++ != ',' || !read_bound(&at, ")]", &bounds[1], &given[1]) ||
      (*at != ')' && *at != ']') || *skip(at + 1) || (given[0] && given[1] && bounds[0] > bounds[1]))
    return false;
  if (given[0])
    range[0] = open == '(' && bounds[0] < INT64_MAX ? bounds[0] + 1 : bounds[0];
  if (given[1])
    range[1] = *at == ')' && bounds[1] > INT64_MIN ? bounds[1] - 1 : bounds[1];
  return true;
}

static bool read_range(struct tuning_file *file, struct nccl_rules *rules, const struct json *filter, const char *key,
                       int64_t range[2])
{
  const struct json *value = tutti_json_member_of(filter, key);
  long number;
  range[0] = INT64_MIN;
  range[1] = INT64_MAX;
  if (!value || (value->kind == JSON_STRING && !*value->text))
    return true;
  if (tutti_json_read_integer(value, &number)) {
    range[0] = range[1] = number;
    return true;
  }
  if (value->kind != JSON_STRING || !parse_range(value->text, range))
    return refuse(file, rules, value->at, "\"%s\" is neither a number, nor \"*\", nor an interval as \"[1,8)\"", key);
  return true;
}

/* Numbers may be in quotes, too. */
static bool read_number(struct tuning_file *file, struct nccl_rules *rules, const struct json *object, const char *key,
                        long min, long usual, long *number)
{
  const struct json *value = tutti_json_member_of(object, key);
  int64_t range[2];
  *number = usual;
  if (!value || tutti_json_read_integer(value, number)) {
    if (*number < min)
      return refuse(file, rules, value->at, "\"%s\" is less than %ld", key, min);
    return true;
  }
  const bool good = value->kind == JSON_STRING && parse_range(value->text, range) && range[0] == range[1];
  *number = good ? (long)range[0] : usual;
  return (good && *number >= min) || refuse(file, rules, value->at, "\"%s\" is no number that it can be", key);
}

static bool read_word(struct tuning_file *file, struct nccl_rules *rules, const struct json *object, const char *key,
                      int (*find)(const char *word, size_t length), int *index)
{
  const struct json *value = tutti_json_member_of(object, key);
  *index = value && value->kind == JSON_STRING ? find(value->text, strlen(value->text)) : -1;
  if (!value)
    return refuse(file, rules, object->at, "\"%s\" is missing", key);
  return *index >= 0 || refuse(file, rules, value->at, "\"%s\" has no such word", key);
}

/* ---- rules ---- */

/* No call has less than 0 bytes. */
static void set_bytes(struct nccl_rule *rule, const int64_t range[2])
{
  rule->bytes[0] = range[0] > 0 ? (uint64_t)range[0] : 0;
  rule->bytes[1] = range[1] == INT64_MAX ? UINT64_MAX : range[1] >= 0 ? (uint64_t)range[1] : 0;
  if (range[1] < 0)
    rule->bytes[0] = 1;
}

static bool read_filter(struct tuning_file *file, struct nccl_rules *rules, const struct json *filter,
                        struct nccl_rule *rule)
{
  int64_t bytes[2];
  int collective;
  if (!read_word(file, rules, filter, "collective", tutti_nccl_collective_index, &collective) ||
      !read_range(file, rules, filter, "bytesPerRank", bytes) ||
      !read_range(file, rules, filter, "nNodes", rule->nodes) ||
      !read_range(file, rules, filter, "nLocalRanks", rule->ranks) ||
      !read_number(file, rules, filter, "numPipeOps", INT_MIN, NCCL_ANY, &rule->pipe_ops) ||
      !read_number(file, rules, filter, "regBuff", INT_MIN, NCCL_ANY, &rule->registered))
    return false;
  rule->collective = (tutti_collective)collective;
  set_bytes(rule, bytes);
  return true;
}

static bool read_config(struct tuning_file *file, struct nccl_rules *rules, const struct json *config,
                        struct nccl_rule *rule)
{
  long chunk;
  if (!read_word(file, rules, config, "algorithm", tutti_nccl_algorithm_index, &rule->algorithm) ||
      !read_word(file, rules, config, "protocol", tutti_nccl_protocol_index, &rule->protocol) ||
      !read_number(file, rules, config, "channels", INT_MIN, NCCL_ANY, &rule->channels) ||
      !read_number(file, rules, config, "chunkSize", 0, 0, &chunk))
    return false;
  rule->chunk_bytes = (uint64_t)chunk;
  return true;
}

static void read_rule(struct tuning_file *file, struct nccl_rules *rules, const struct json *item)
{
  struct nccl_rule rule = {.at = item->at};
  const struct json *filter = tutti_json_member_of(item, "filter"), *config = tutti_json_member_of(item, "config");
  if (!filter || filter->kind != JSON_OBJECT || !config || config->kind != JSON_OBJECT)
    refuse(file, rules, item->at, "a rule needs the objects \"filter\" and \"config\"");
  else if (read_filter(file, rules, filter, &rule) && read_config(file, rules, config, &rule))
    tutti_xpush(rules, rule);
}

tutti_status tutti_ncclx_read(struct tuning_file *file, void *read, tutti_error *error)
{
  static const struct json_style style = {.levels = 100};
  struct nccl_rules *rules = read;
  struct json root;
  struct json_fault fault;
  struct json_liberty liberty;
  (void)error;
  rules->per_rank = true;
  const bool parsed = tutti_json_parse(file->text, file->length, &style, &root, &fault, &liberty);
  const struct json *list = parsed ? tutti_json_member_of(&root, "rules") : NULL;
  rules->refused = !list || list->kind != JSON_ARRAY;
  if (!parsed)
    tutti_tuning_report(file, LINT_NCCLX_JSON, fault.at, "%s", fault.reason);
  else if (rules->refused)
    tutti_tuning_report(file, LINT_NCCLX_RULES, list ? list->at : 0, "\"rules\" %s",
                        list ? "is no array" : "is missing");
  else
    for (size_t i = 0; i < list->count; i++)
      read_rule(file, rules, &list->items[i]);
  tutti_json_free(&root);
  return TUTTI_OK;
}
