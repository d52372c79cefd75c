#include "decision/libraries/tutti/variables.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"

extern char **environ;

static const char prefix[] = "TUTTI_";

/* Variables of the interposer, besides one for each collective. */
static const char *const own[] = {"TUTTI_ADAPT",  "TUTTI_CANDIDATES",   "TUTTI_DECISION",    "TUTTI_LEVELS",
                                  "TUTTI_NATIVE", "TUTTI_NEIGHBORS",    "TUTTI_NONBLOCKING", "TUTTI_PROFILE",
                                  "TUTTI_RAN",    "TUTTI_REPRODUCIBLE", "TUTTI_TRACE",       "TUTTI_VERBOSE"};

/* Variables of other programs; '_' at the end: all names that begin so. The test docs.variables compares all of them
   with the sources. */
static const char *const others[] = {
    "TUTTI_EXPERIMENTS", "TUTTI_PLATFORM_PATH", "TUTTI_PLOTS", "TUTTI_STEP",
    "TUTTI_READS",       "TUTTI_PLUGINS",                                           /* the command */
    "TUTTI_BUILD",       "TUTTI_GOLDEN",        "TUTTI_TEST_", "TUTTI_SCREENSHOTS", /* scripts, tests */
    "TUTTI_DIR",         "TUTTI_HOME",          "TUTTI_ROOT",  "TUTTI_VERSION",     /* modules of clusters */
    "TUTTI_RELEASE",                                                                /* the workflow of the gate */
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

char *tutti_interposer_variable(tutti_collective collective, char *name)
{
  snprintf(name, TUTTI_VARIABLE_LENGTH, "%s%s", prefix, tutti_collective_name(collective));
  for (char *c = name; *c; c++)
    *c = (char)toupper((unsigned char)*c);
  return name;
}

enum { OWN = COUNT(own) + TUTTI_COLL_COUNT, KNOWN = OWN + COUNT(others) };

/* Known name number `index`, first those of the interposer; `room` for it. */
static const char *name_at(int index, char *room)
{
  if (index < COUNT(own))
    return own[index];
  return index < OWN ? tutti_interposer_variable((tutti_collective)(index - COUNT(own)), room) : others[index - OWN];
}

static bool is_among(const char *name, int count)
{
  char room[TUTTI_VARIABLE_LENGTH];
  for (int i = 0; i < count; i++) {
    const char *known = name_at(i, room);
    size_t length = strlen(known);
    if (known[length - 1] == '_' ? strncmp(name, known, length) == 0 : strcmp(name, known) == 0)
      return true;
  }
  return false;
}

bool tutti_interposer_reads(const char *name)
{
  return is_among(name, OWN);
}

/* Whether a variable begins with TUTTI_, has a value, and is unknown. `name` receives its name, cut where it is longer
   than all known ones. */
static bool is_unknown(const char *variable, char *name)
{
  const char *equals = strchr(variable, '=');
  if (strncmp(variable, prefix, sizeof prefix - 1) != 0 || !equals || !equals[1])
    return false;
  snprintf(name, TUTTI_VARIABLE_LENGTH, "%.*s", (int)(equals - variable), variable);
  return !is_among(name, KNOWN);
}

tutti_status tutti_variables_check(tutti_error *error)
{
  char text[TUTTI_ERROR_LENGTH - 160] = "", name[TUTTI_VARIABLE_LENGTH], room[TUTTI_VARIABLE_LENGTH];
  size_t length = 0;
  for (char **variable = environ; variable && *variable && length < sizeof text; variable++)
    if (is_unknown(*variable, name)) {
      tutti_guess guess = {.word = name};
      for (int i = 0; i < KNOWN; i++)
        tutti_guess_try(&guess, name_at(i, room));
      const char *nearest = tutti_guess_word(&guess);
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%s%s", length ? ", " : "", name,
                                 nearest ? " (" : "", nearest ? nearest : "", nearest ? "?)" : "");
    }
  return length == 0 ? TUTTI_OK
                     : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                  "%s: not known: there are TUTTI_ADAPT, TUTTI_CANDIDATES, TUTTI_DECISION, "
                                  "TUTTI_LEVELS, TUTTI_NATIVE, TUTTI_PROFILE, TUTTI_RAN, TUTTI_REPRODUCIBLE, "
                                  "TUTTI_TRACE, TUTTI_VERBOSE and, for each "
                                  "collective, TUTTI_BCAST, "
                                  "...",
                                  text);
}
