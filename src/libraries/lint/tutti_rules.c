/* Rules of Tutti's own files with their places. */
#include "libraries/lint/tutti_rules.h"

#include <string.h>

bool tutti_rules_find(const struct lint *lint, const tutti_decision *decision, struct tutti_rules *rules)
{
  char name[TUTTI_METHOD_LENGTH];
  for (size_t at = 0; at < lint->length; at += strcspn(lint->text + at, "\n") + 1) {
    size_t begin = at + strspn(lint->text + at, " \t\r"), length = strcspn(lint->text + begin, " \t\r\n#");
    if (length == 0 || length >= sizeof name)
      continue;
    struct tutti_rule *items = tutti_lint_grow(rules->items, rules->count, &rules->capacity, sizeof *items);
    if (!items)
      return false;
    rules->items = items;
    struct tutti_rule *rule = &items[rules->count];
    *rule = (struct tutti_rule){.at = begin};
    snprintf(name, sizeof name, "%.*s", (int)length, lint->text + begin);
    if (tutti_method_parse(name, &rule->method, NULL) != TUTTI_OK ||
        !tutti_decision_rule_bounds(decision, rules->count, rule->ranks, rule->bytes))
      break;
    rules->count++;
  }
  return true;
}
