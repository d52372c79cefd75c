#include "cli/options/decider.h"

#include <unistd.h>

#include "base/input.h"
#include "cli/command.h"
#include "cli/options/common.h"
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

void decider_open(const char *name, const char *target, tutti_collective collective, struct decider *decider,
                  char *version)
{
  /* a word that is no file may be the name of an algorithm */
  const bool is_word = !target && !strchr(name, '/') && access(name, F_OK) != 0;
  *decider = (struct decider){.tuning = NULL};
  if (is_file(name) && !is_word) {
    open_file(name, target, decider, version);
    return;
  }
  if (target)
    die("--target is for files, %s is none", name);
  must(decision_argument_read(name, tutti_collective_name(collective), &decider->decision, &failure));
  decider->library = decider->decision.implementation;
  decider->tuning = tutti_tuning_of_decision(&decider->decision);
}

void decider_close(struct decider *decider)
{
  tutti_tuning_close(decider->tuning);
  tutti_decision_free(&decider->decision);
}
