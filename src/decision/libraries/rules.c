/* The libraries' own rules as decision functions, by name. */
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "decision/libraries/libraries.h"

static const struct default_rules *rules_at(size_t index)
{
  const tutti_library *library;
  for (size_t i = 0; (library = tutti_library_at(i)); i++)
    for (const struct default_rules *rules = library->defaults; rules && rules->name; rules++)
      if (index-- == 0)
        return rules;
  return NULL;
}

const char *tutti_library_name(size_t index)
{
  const struct default_rules *rules = rules_at(index);
  return rules ? rules->name : NULL;
}

bool tutti_library_is_former(const char *name)
{
  const struct default_rules *rules = tutti_library_rules(name);
  return rules && rules->former;
}

static const char scheme[] = "library:";

bool tutti_library_named(const char *name)
{
  return strncmp(name, scheme, strlen(scheme)) == 0;
}

static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct default_rules *rules = decision->data;
  return question->ranks >= 1 && rules->pick(question, method);
}

const struct default_rules *tutti_library_rules(const char *name)
{
  const struct default_rules *rules;
  char plain[TUTTI_LIBRARY_WORD];
  if (!tutti_library_named(name))
    return NULL;
  tutti_library_plain(name + strlen(scheme), plain);
  for (size_t i = 0; (rules = rules_at(i)); i++)
    if (strcmp(rules->name + strlen(scheme), plain) == 0)
      return rules;
  return NULL;
}

static tutti_implementation implementation_of(const char *name)
{
  const tutti_library *library;
  for (size_t i = 0; (library = tutti_library_at(i)); i++)
    for (const struct default_rules *rules = library->defaults; rules && rules->name; rules++)
      if (strcmp(rules->name, name) == 0)
        return tutti_library_implementation(library);
  return TUTTI_IMPLEMENTATION_TUTTI;
}

static tutti_status reject_name(const char *name, tutti_error *error)
{
  char known[400], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  tutti_word_list list = {.text = known, .length = sizeof known};
  for (size_t i = 0; rules_at(i); i++) {
    tutti_word_list_add(&list, rules_at(i)->name);
    tutti_guess_try(&guess, rules_at(i)->name);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown library '%.80s'%s: known are %s", name,
                    tutti_guess_text(&guess, meant), tutti_word_list_end(&list));
}

tutti_status tutti_decision_library(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error)
{
  *decision = (tutti_decision){.name = NULL};
  const struct default_rules *rules = tutti_library_rules(name);
  tutti_question question = {.collective = collective, .ranks = 4, .rank_bytes = 8};
  tutti_method method;
  if (!rules)
    return reject_name(name, error);
  if (!rules->pick(&question, &method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no rule for %s", name, tutti_collective_name(collective));
  *decision = (tutti_decision){.name = tutti_xstrdup(rules->name),
                               .collective = collective,
                               .decide = decide,
                               .data = (void *)(uintptr_t)rules,
                               .implementation = implementation_of(rules->name)};
  return TUTTI_OK;
}
