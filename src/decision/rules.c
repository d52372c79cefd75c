/* Rule files: METHOD [ranks=RANGE] [bytes=RANGE] a line, first match answers. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/decision.h"

struct rules {
  size_t count;
  tutti_rule *items;
};

/* Where we are in a file, for messages. */
struct place {
  const char *path;
  int line;
  tutti_error *error;
};

static bool within(const uint64_t bounds[2], uint64_t value)
{
  return value >= bounds[0] && value <= bounds[1];
}

static bool decide_by_rules(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct rules *rules = decision->data;
  for (size_t i = 0; i < rules->count; i++) {
    const tutti_rule *rule = &rules->items[i];
    if (rule->method.algorithm->collective != question->collective || question->ranks < 0 ||
        !within(rule->ranks, (uint64_t)question->ranks) || !within(rule->bytes, question->rank_bytes))
      continue;
    *method = rule->method;
    return true;
  }
  return false;
}

const tutti_rule *tutti_decision_rule_at(const tutti_decision *decision, size_t index)
{
  const struct rules *rules = decision->data;
  return decision->decide == decide_by_rules && index < rules->count ? &rules->items[index] : NULL;
}

static void free_rules(void *data)
{
  struct rules *rules = data;
  if (rules)
    free(rules->items);
  free(rules);
}

static tutti_status fault(const struct place *place, const char *reason)
{
  return tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s:%d: %s", place->path, place->line, reason);
}

/* Numbers of ranks have no units: "8KB" ranks would be a slip. */
static tutti_status parse_bound(const char *text, bool unit, uint64_t *value, tutti_error *reason)
{
  if (!unit && (!*text || text[strspn(text, "0123456789")]))
    return tutti_fail(reason, TUTTI_ERR_ARGUMENT, "'%.80s' is not a number of ranks", text);
  return tutti_size_parse(text, value, reason);
}

static tutti_status parse_ends(char *text, bool unit, uint64_t bounds[2], tutti_error *reason)
{
  char *dots = strstr(text, "..");
  tutti_status status = TUTTI_OK;
  if (!dots) {
    status = parse_bound(text, unit, &bounds[0], reason);
    bounds[1] = bounds[0];
    return status;
  }
  *dots = '\0';
  if (*text)
    status = parse_bound(text, unit, &bounds[0], reason);
  if (status == TUTTI_OK && dots[2])
    status = parse_bound(dots + 2, unit, &bounds[1], reason);
  return status;
}

/* "FROM..TO", "FROM..", "..TO" or "VALUE" into bounds, which hold the widest ones before. */
static tutti_status parse_range(const struct place *place, const char *name, char *text, bool unit, uint64_t bounds[2],
                                bool *given)
{
  tutti_error reason;
  if (*given)
    return tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s:%d: %s= stands there twice", place->path, place->line,
                      name);
  *given = true;
  if (parse_ends(text, unit, bounds, &reason) != TUTTI_OK)
    return tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s:%d: %s=: %s", place->path, place->line, name,
                      reason.message);
  if (bounds[0] > bounds[1])
    return tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s:%d: the range of %s= ends before it begins", place->path,
                      place->line, name);
  return TUTTI_OK;
}

/* Which conditions a rule has so far. */
struct given {
  bool ranks, bytes;
};

static tutti_status parse_condition(const struct place *place, char *text, tutti_rule *rule, struct given *given)
{
  if (strncmp(text, "ranks=", 6) == 0)
    return parse_range(place, "ranks", text + 6, false, rule->ranks, &given->ranks);
  if (strncmp(text, "bytes=", 6) == 0)
    return parse_range(place, "bytes", text + 6, true, rule->bytes, &given->bytes);
  return tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s:%d: '%.80s' is neither ranks=FROM..TO nor bytes=FROM..TO",
                    place->path, place->line, text);
}

/* A line without its comment into a rule; *empty if nothing is left of it. */
static tutti_status parse_rule(const struct place *place, char *line, tutti_rule *rule, bool *empty)
{
  static const char blanks[] = " \t\r\n";
  struct given given = {false, false};
  tutti_error reason;
  char *rest;
  line[strcspn(line, "#")] = '\0';
  char *word = strtok_r(line, blanks, &rest);
  *empty = !word;
  if (!word)
    return TUTTI_OK;
  *rule = (tutti_rule){.ranks = {1, INT_MAX}, .bytes = {0, UINT64_MAX}, .line = place->line};
  if (strcmp(word, "tree") == 0 || strcmp(word, "attribute") == 0)
    return fault(place, "a decision file of trees begins with the line 'tutti-decision 1'");
  if (tutti_method_parse(word, &rule->method, &reason) != TUTTI_OK)
    return fault(place, reason.message);
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && (word = strtok_r(NULL, blanks, &rest)))
    status = parse_condition(place, word, rule, &given);
  return status;
}

static tutti_status append_rule(const struct place *place, struct rules *rules, const tutti_rule *rule)
{
  if ((rules->count & (rules->count - 1)) == 0) { /* a power of two, or 0: the room doubles */
    tutti_rule *grown = reallocarray(rules->items, 2 * rules->count + 1, sizeof *grown);
    if (!grown)
      return tutti_fail(place->error, TUTTI_ERR_MEMORY, "%s: out of memory", place->path);
    rules->items = grown;
  }
  rules->items[rules->count++] = *rule;
  return TUTTI_OK;
}

static tutti_status read_line(const struct place *place, char *line, size_t length, struct rules *rules)
{
  tutti_rule rule;
  bool empty;
  if (strlen(line) != length)
    return fault(place, "a zero byte: this is not a text file");
  tutti_status status = parse_rule(place, line, &rule, &empty);
  return status == TUTTI_OK && !empty ? append_rule(place, rules, &rule) : status;
}

static tutti_status read_stream(FILE *stream, struct place *place, struct rules *rules)
{
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  tutti_status status = TUTTI_OK;
  errno = 0;
  while (status == TUTTI_OK && (length = getline(&line, &capacity, stream)) >= 0) {
    place->line++;
    status = read_line(place, line, (size_t)length, rules);
  }
  if (status == TUTTI_OK && !feof(stream))
    status = tutti_fail(place->error, TUTTI_ERR_IO, "%s: %s", place->path, strerror(errno));
  free(line);
  if (status == TUTTI_OK && rules->count == 0)
    status = tutti_fail(place->error, TUTTI_ERR_ARGUMENT, "%s: there is no rule in it", place->path);
  return status;
}

/* ---- the decision ---- */

static tutti_status read_rules(FILE *stream, const char *name, tutti_decision *decision, tutti_error *error)
{
  struct place place = {.path = name, .error = error};
  struct rules *rules = calloc(1, sizeof *rules);
  *decision = (tutti_decision){.name = strdup(name), .decide = decide_by_rules, .free_data = free_rules, .data = rules};
  tutti_status status = TUTTI_OK;
  if (!rules || !decision->name)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", name);
  else
    status = read_stream(stream, &place, rules);
  if (status == TUTTI_OK)
    decision->collective = rules->items[0].method.algorithm->collective;
  else
    tutti_decision_free(decision);
  return status;
}

/* Read and close the stream, which failed to open if it is NULL. */
static tutti_status take_stream(FILE *stream, const char *name, tutti_decision *decision, tutti_error *error)
{
  *decision = (tutti_decision){.name = NULL};
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", name, strerror(errno));
  tutti_status status = read_rules(stream, name, decision, error);
  fclose(stream);
  return status;
}

tutti_status tutti_decision_read_rules(const char *path, tutti_decision *decision, tutti_error *error)
{
  return take_stream(fopen(path, "r"), path, decision, error);
}

tutti_status tutti_decision_parse_rules(const char *text, const char *name, tutti_decision *decision,
                                        tutti_error *error)
{
  void *bytes = (void *)text; /* opened for reading only */
  return take_stream(fmemopen(bytes, strlen(text), "r"), name, decision, error);
}
