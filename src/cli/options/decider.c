#include "cli/options/decider.h"

#include <unistd.h>

#include "base/input.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/options/own_choice.h"
#include "decision/libraries/libraries.h"

static bool is_file(const char *name)
{
  char collective[32];
  size_t length = strcspn(name, "/");
  tutti_collective parsed;
  if (tutti_library_named(name))
    return false;
  snprintf(collective, sizeof collective, "%.*s", (int)(length < 31 ? length : 31), name);
  return name[length] != '/' || tutti_collective_parse(collective, &parsed, NULL) != TUTTI_OK;
}

static void note_parts(const char *name, const char *text, size_t length)
{
  tutti_tuning_part parts[TUTTI_TUNING_KINDS];
  const size_t count = tutti_tuning_parts(text, length, parts);
  for (size_t i = 0; i < count && count > 1; i++) {
    char *sentence = tutti_tuning_part_text(name, &parts[i]);
    tutti_say(stderr, "tutti: note: %s\n", sentence);
    free(sentence);
  }
}

static void open_file(const char *name, const char *target, struct decider *decider, char *version_name)
{
  tutti_library_version version;
  char *text;
  size_t length;
  must(tutti_input_read(name, TUTTI_INPUT_TEXT, &text, &length, &failure));
  const tutti_status status = tutti_tuning_identify(name, text, length, target, NULL, &version, &failure);
  note_parts(name, text, length);
  free(text);
  must(status);
  tutti_library_version_format(&version, version_name);
  decider->library = tutti_library_implementation(version.library);
  warn_of_missing_file(version.library->name);
  must(tutti_tuning_open(name, &version, &decider->tuning, &failure));
}

/* The rules of the library, or its own choice by its version alone. */
static void open_own_choice(const struct selection_options *options, const char *target, tutti_collective collective,
                            struct decider *decider, char *version_name)
{
  struct own_choice own = {.where = "as --target says"};
  if (target)
    must(tutti_library_version_parse(target, &own.version, &failure));
  else
    own_choice_find(options, &own);
  const char *rules = own_choice_rules(&own.version);
  decider->library = tutti_library_implementation(own.version.library);
  if (rules && tutti_decision_library(rules, collective, &decider->decision, NULL) == TUTTI_OK)
    decider->tuning = tutti_tuning_of_decision(&decider->decision);
  else
    must(tutti_untuned_open(&own.version, &decider->tuning, &failure));
  tutti_library_version_format(&own.version, version_name);
  if (!decider->tuning)
    die("what %s chooses itself is not known (%s): --decision says what else decides", version_name, own.where);
  snprintf(decider->own, sizeof decider->own, "%s", rules ? rules : version_name);
  decider->name = decider->own;
  tutti_say(stderr, "tutti: note: explained is the own choice of %s\n", target ? version_name : own.where);
  *version_name = '\0';
}

void decider_open(const char *name, const char *target, const struct selection_options *options,
                  tutti_collective collective, struct decider *decider, char *version)
{
  *decider = (struct decider){.tuning = NULL};
  if (!name || decision_is_own_choice(name)) {
    open_own_choice(options, target, collective, decider, version);
    return;
  }
  /* a word that is no file may be the name of an algorithm */
  const bool is_word = !target && !strchr(name, '/') && access(name, F_OK) != 0;
  decider->name = name;
  if (is_file(name) && !is_word) {
    open_file(name, target, decider, version);
    return;
  }
  if (target)
    die("--target is for files, %s is none", name);
  must(decision_argument_read(name, collective, &decider->decision, &failure));
  decider->name = decider->decision.name;
  decider->library = decider->decision.implementation;
  decider->tuning = tutti_tuning_of_decision(&decider->decision);
}

void decider_close(struct decider *decider)
{
  tutti_tuning_close(decider->tuning);
  tutti_decision_free(&decider->decision);
}
