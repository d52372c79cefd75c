/* Decision functions: what they have in common, the simplest of them, and what one gains over another (Pjesivac-Grbovic
 * 2007, section 6.6). */
#include "tutti/decision.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/boxes.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"

void tutti_decision_free(tutti_decision *decision)
{
  if (decision->free_data)
    decision->free_data(decision->data);
  free(decision->name);
  memset(decision, 0, sizeof *decision);
}

static bool decide_single(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  *method = *(const tutti_method *)decision->data;
  return method->algorithm->collective == question->collective;
}

tutti_decision tutti_decision_single(const tutti_method *method)
{
  char name[TUTTI_METHOD_LENGTH];
  return (tutti_decision){.name = tutti_xstrdup(tutti_method_format(method, name)),
                          .collective = method->algorithm->collective,
                          .decide = decide_single,
                          .free_data = free,
                          .data = tutti_xmemdup(method, sizeof *method),
                          .implementation = method->implementation};
}

/* ---- times and gains ---- */

void tutti_decision_times(const tutti_decision_map *map, const tutti_decision *decision, double *times)
{
  for (int i = 0; i < map->ranks_count * map->size_count; i++) {
    const int ranks_index = i / map->size_count, size_index = i % map->size_count;
    const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
    tutti_method method;
    times[i] = decision->decide(decision, &question, &method)
                   ? tutti_decision_map_serving_time(map, ranks_index, size_index, &method)
                   : NAN;
  }
}

tutti_improvement tutti_improvement_over(const double *times, const double *reference, size_t count)
{
  tutti_improvement improvement = {.min = NAN, .max = NAN, .mean = NAN, .median = NAN};
  double sum = 0, *percents = tutti_xcalloc(count, sizeof *percents);
  for (size_t i = 0; i < count; i++) {
    if (isnan(times[i]) || !(reference[i] > 0))
      continue;
    double percent = 100 * (reference[i] - times[i]) / reference[i];
    percents[improvement.points++] = percent;
    improvement.faster += percent > TUTTI_NOTABLE_PERCENT;
    improvement.slower += percent < -TUTTI_NOTABLE_PERCENT;
    sum += percent;
  }
  improvement.missing = (int)count - improvement.points;
  if (improvement.points > 0) {
    tutti_doubles_sort(percents, (size_t)improvement.points);
    improvement.min = percents[0];
    improvement.max = percents[improvement.points - 1];
    improvement.mean = sum / improvement.points;
    improvement.median = tutti_doubles_median(percents, (size_t)improvement.points);
  }
  free(percents);
  return improvement;
}

/* ---- rule files ---- */

/* METHOD [ranks=RANGE] [bytes=RANGE] a line, first match answers. */

struct rules {
  TUTTI_VECTOR(tutti_rule);
  struct tutti_boxes *boxes; /* in the order of the rules */
};

static bool within(const uint64_t bounds[2], uint64_t value)
{
  return value >= bounds[0] && value <= bounds[1];
}

bool tutti_rule_matches(const tutti_rule *rule, int ranks, uint64_t rank_bytes)
{
  return ranks >= 0 && within(rule->ranks, (uint64_t)ranks) && within(rule->bytes, rank_bytes);
}

static struct tutti_box box_of(uint64_t collective, const uint64_t ranks[2], const uint64_t bytes[2])
{
  return (struct tutti_box){{{collective, collective}, {ranks[0], ranks[1]}, {bytes[0], bytes[1]}}};
}

static void index_rules(struct rules *rules)
{
  struct tutti_box *boxes = tutti_xcalloc(rules->count, sizeof *boxes);
  for (size_t i = 0; i < rules->count; i++) {
    const tutti_rule *rule = &rules->items[i];
    boxes[i] = box_of(rule->method.algorithm->collective, rule->ranks, rule->bytes);
  }
  rules->boxes = tutti_boxes_create(boxes, rules->count);
  if (!rules->boxes)
    tutti_out_of_memory();
  free(boxes);
}

static size_t find_rule(const struct rules *rules, tutti_collective collective, int ranks, uint64_t bytes)
{
  const struct tutti_box call =
      box_of(collective, (uint64_t[]){(uint64_t)ranks, (uint64_t)ranks}, (uint64_t[]){bytes, bytes});
  return ranks < 0 ? rules->count : tutti_boxes_around(rules->boxes, &call, rules->count);
}

static bool decide_by_rules(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct rules *rules = decision->data;
  const size_t found = find_rule(rules, question->collective, question->ranks, question->rank_bytes);
  if (found < rules->count)
    *method = rules->items[found].method;
  return found < rules->count;
}

const tutti_rule *tutti_decision_rule_at(const tutti_decision *decision, size_t index)
{
  const struct rules *rules = decision->data;
  return decision->decide == decide_by_rules && index < rules->count ? &rules->items[index] : NULL;
}

static void free_rules(void *data)
{
  struct rules *rules = data;
  tutti_boxes_free(rules->boxes);
  tutti_vector_free(rules);
  free(rules);
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
static tutti_status parse_range(struct tutti_lines *lines, const char *name, char *text, bool unit, uint64_t bounds[2],
                                bool *given)
{
  tutti_error reason;
  if (*given)
    return tutti_lines_fault(lines, "%s= stands there twice", name);
  *given = true;
  if (parse_ends(text, unit, bounds, &reason) != TUTTI_OK)
    return tutti_lines_fault(lines, "%s=: %s", name, reason.message);
  if (bounds[0] > bounds[1])
    return tutti_lines_fault(lines, "the range of %s= ends before it begins", name);
  return TUTTI_OK;
}

/* Which conditions a rule has so far. */
struct given {
  bool ranks, bytes;
};

static tutti_status parse_condition(struct tutti_lines *lines, char *text, tutti_rule *rule, struct given *given)
{
  if (strncmp(text, "ranks=", 6) == 0)
    return parse_range(lines, "ranks", text + 6, false, rule->ranks, &given->ranks);
  if (strncmp(text, "bytes=", 6) == 0)
    return parse_range(lines, "bytes", text + 6, true, rule->bytes, &given->bytes);
  return tutti_lines_fault(lines, "'%.80s' is neither ranks=FROM..TO nor bytes=FROM..TO", text);
}

/* A line without its comment into a rule; *empty if nothing is left of it. */
static tutti_status parse_rule(struct tutti_lines *lines, tutti_rule *rule, bool *empty)
{
  static const char blanks[] = " \t\r";
  struct given given = {false, false};
  tutti_error reason;
  char *rest, *line = lines->text;
  line[strcspn(line, "#")] = '\0';
  char *word = strtok_r(line, blanks, &rest);
  *empty = !word;
  if (!word)
    return TUTTI_OK;
  *rule = (tutti_rule){.ranks = {1, INT_MAX}, .bytes = {0, UINT64_MAX}, .line = lines->number};
  if (strcmp(word, "tree") == 0 || strcmp(word, "attribute") == 0)
    return tutti_lines_fault(lines, "a decision file of trees begins with the line 'tutti-decision 1'");
  if (tutti_method_parse(word, &rule->method, &reason) != TUTTI_OK)
    return tutti_lines_fault(lines, "%s", reason.message);
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && (word = strtok_r(NULL, blanks, &rest)))
    status = parse_condition(lines, word, rule, &given);
  return status;
}

static tutti_status read_lines(struct tutti_lines *lines, struct rules *rules)
{
  while (tutti_lines_next(lines)) {
    tutti_rule rule;
    bool empty;
    if (parse_rule(lines, &rule, &empty) == TUTTI_OK && !empty)
      tutti_xpush(rules, rule);
  }
  if (lines->status == TUTTI_OK && rules->count == 0)
    return tutti_fail(lines->error, TUTTI_ERR_ARGUMENT, "%s: there is no rule in it", lines->path);
  if (lines->status == TUTTI_OK)
    index_rules(rules);
  return lines->status;
}

/* ---- the decision ---- */

/* The first named implementation other than ours. */
static tutti_implementation named_implementation(const struct rules *rules)
{
  size_t i = 0;
  while (i + 1 < rules->count && rules->items[i].method.implementation == TUTTI_IMPLEMENTATION_TUTTI)
    i++;
  return rules->items[i].method.implementation;
}

static tutti_status read_rules(struct tutti_lines *lines, tutti_decision *decision)
{
  struct rules *rules = tutti_xcalloc(1, sizeof *rules);
  *decision = (tutti_decision){
      .name = tutti_xstrdup(lines->path), .decide = decide_by_rules, .free_data = free_rules, .data = rules};
  tutti_status status = read_lines(lines, rules);
  if (status == TUTTI_OK) {
    decision->collective = rules->items[0].method.algorithm->collective;
    decision->implementation = named_implementation(rules);
  } else
    tutti_decision_free(decision);
  tutti_lines_close(lines);
  return status;
}

tutti_status tutti_decision_read_rules(const char *path, tutti_decision *decision, tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  return read_rules(&lines, decision);
}

tutti_status tutti_decision_parse_rules(const char *text, const char *name, tutti_decision *decision,
                                        tutti_error *error)
{
  struct tutti_lines lines;
  tutti_lines_open_text(&lines, text, strlen(text), name, error);
  return read_rules(&lines, decision);
}
