/* What a library is: its targets, its own rules, and, if it reads tuning files, how these are read, checked and
   explained. Adding one: docs/how-to/add-a-target.md. */
#ifndef TUTTI_LIBRARIES_LIBRARIES_H
#define TUTTI_LIBRARIES_LIBRARIES_H

#include "tutti/target.h"
#include "tutti/tuning.h"

struct explaining;
struct tuning_file;

/* Rules of a library, as a decision function. */
struct default_rules {
  const char *name; /* "library:openmpi-4.1"; NULL ends a list */
  /* The method that the library picks; false if it has no rule. */
  bool (*pick)(const tutti_question *question, tutti_method *method);
  /* Add the step that says why; false: it is not known. NULL: it never is. */
  bool (*explain)(struct explaining *explaining);
};

struct tutti_library {
  const char *name;
  const tutti_target *targets;          /* its formats, oldest first; one without a name ends them */
  const struct default_rules *defaults; /* NULL: it has none */

  /* Of libraries that read tuning files; others have nothing of this. */
  const char *versions;         /* that are known, for messages: "openmpi-4.0 to openmpi-6" */
  int min_version, max_version; /* major * 100 + minor; 0: it has no versions */
  int default_version[3];       /* major, minor, patch of a name without a number; -1: not given */
  const tutti_lint_code *codes;
  size_t code_count;
  /* Does a text look like one of its files? Then *version, the default one before, may be changed. */
  bool (*recognize)(const char *text, size_t length, tutti_library_version *version);
  /* Report the faults of a file. */
  void (*lint)(struct tuning_file *file);
  /* Read a file into rules that are to be looked up; the faults of its form are reported, too. */
  tutti_status (*read)(struct tuning_file *file, void **rules, tutti_error *error);
  void (*free_rules)(void *rules);
  /* Look a call up in the rules. */
  tutti_status (*explain)(struct explaining *explaining, tutti_error *error);
};

#define LIBRARY(name) extern const tutti_library tutti_library_##name;
#include "libraries/libraries.def"
#undef LIBRARY

/* Rules by name; NULL if there are none. */
const struct default_rules *tutti_library_rules(const char *name);

/* Is the version that one, or a later one? Numbers that were not given are the least. */
bool tutti_library_since(const tutti_library_version *version, int major, int minor, int patch);

/* Has the version been reached by `since`, and not yet left by `until` (major * 100 + minor; 0: no bound)? */
bool tutti_library_between(const tutti_library_version *version, int since, int until);

/* Bytes of an element, and elements, of a message or block of which only the size is known. @{ */
static inline uint64_t library_element(uint64_t bytes)
{
  return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
}

static inline uint64_t library_elements(uint64_t bytes)
{
  return bytes / library_element(bytes);
}
/* @} */

/* The largest power of two that is not above the number of ranks. */
static inline uint64_t library_power_below(int ranks)
{
  uint64_t power = 1;
  while (2 * power <= (uint64_t)ranks)
    power *= 2;
  return power;
}

#endif
