/* What a library is: its targets, its own rules, and, if it reads tuning files, how these are read, checked and
   explained (adding one: docs/how-to/add-a-target.md); tuning files in memory; and what explanations share. */
#ifndef TUTTI_LIBRARIES_LIBRARIES_H
#define TUTTI_LIBRARIES_LIBRARIES_H

#include <stdarg.h>

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
  /* Fill in the parts that the library picks itself, by its rules, where it is told a method made of others. False: the
     catalogue lacks one. NULL: methods run with the parts that they have. */
  bool (*pick_parts)(struct explaining *explaining, tutti_method *method, tutti_error *error);
};

#define LIBRARY(name) extern const tutti_library tutti_library_##name;
#include "libraries/libraries.def"
#undef LIBRARY

/* Rules by name; NULL if there are none. */
const struct default_rules *tutti_library_rules(const char *name);

/* The version that reads the files of a target. */
tutti_library_version tutti_library_version_of_target(const tutti_target *target);

/* Is the version that one, or a later one? Numbers that were not given count as 0. */
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

/* A size times a number of ranks; the largest number if that is more. */
static inline uint64_t library_product(uint64_t bytes, int ranks)
{
  return ranks > 0 && bytes > UINT64_MAX / (uint64_t)ranks ? UINT64_MAX : bytes * (uint64_t)ranks;
}

/* Make a method a part of another one. */
static inline void library_set_part(tutti_method *method, int index, const tutti_method *part)
{
  method->parameters.parts[index] = (tutti_part){.algorithm = part->algorithm,
                                                 .segment_bytes = part->parameters.segment_bytes,
                                                 .k = part->parameters.k,
                                                 .outstanding = part->parameters.outstanding};
}

/* The largest power of two that is not above the number of ranks. */
static inline uint64_t library_power_below(int ranks)
{
  uint64_t power = 1;
  while (2 * power <= (uint64_t)ranks)
    power *= 2;
  return power;
}

/* ---- tuning_file.c: a tuning file on its way through a reader: its text, the version, and the findings ---- */

/* Places are offsets into the text. */
struct tuning_file {
  const char *path, *text; /* a zero byte behind the text */
  size_t length;
  tutti_library_version version;
  tutti_findings *findings; /* NULL: findings are not kept */
  bool out_of_memory;
  struct { /* the last place that was asked for: findings come nearly in order */
    size_t at;
    int line, column;
  } last;
};

/* Severities in tables of codes (codes.def). */
#define NOTE    TUTTI_NOTE
#define WARNING TUTTI_WARNING
#define ERROR   TUTTI_ERROR

/* Add a finding. @p code is an index into the codes of the library. @{ */
void tutti_tuning_report(struct tuning_file *file, int code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tutti_tuning_vreport(struct tuning_file *file, int code, size_t at, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));
/* @} */

/* The first thing in a text that is neither blank nor a comment with '#'; 0: there is none. */
char tutti_tuning_first(const char *text, size_t length);

/* Line and column of a place, from 1. */
void tutti_tuning_place(const struct tuning_file *file, size_t at, int *line, int *column);

/* The places where a line, numbered from 1, begins, and its first word. @{ */
size_t tutti_tuning_line(const struct tuning_file *file, int number);
size_t tutti_tuning_first_word(const struct tuning_file *file, int number);
/* @} */

/* ---- explain.c: explanations ---- */

struct tutti_tuning {
  struct tuning_file file;        /* without findings */
  char *text, *path;              /* NULL: a decision without a file */
  void *rules;                    /* of the library's reader */
  const tutti_decision *decision; /* of Tutti's own files, and without a file; NULL: the library looks calls up */
  char *fault;                    /* the first error of the reader; NULL: none */
};

/* An explanation in the making. */
struct explaining {
  const tutti_tuning *tuning;
  const tutti_explained_call *call;
  tutti_explanation *answer;
  bool silent; /* no steps: only the answer is wanted */
  bool out_of_memory;
};

/* Add a step. NO_PLACE: it is not of the file. */
#define NO_PLACE ((size_t)-1)
void tutti_explain_step(struct explaining *explaining, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Narrow the sizes of the same answer, in bytes per rank. @{ */
void tutti_explain_at_least(struct explaining *explaining, uint64_t bytes);
void tutti_explain_at_most(struct explaining *explaining, uint64_t bytes);
/* @} */

/* Nothing runs: the call fails. */
void tutti_explain_failure(struct explaining *explaining);

uint64_t tutti_explain_type_bytes(const tutti_explained_call *call);
tutti_question tutti_explain_question(const tutti_explained_call *call);

/* ---- what runs where a file, or its parts on their way into it, tell a method ---- */

/* The file of a target with these parts, none or several, in memory. *tuning is NULL if no library reads such files, or
   Tutti does. End it with tutti_tuning_close(). */
tutti_status tutti_tuning_of_parts(const tutti_target *target, const tutti_export_part *parts, int count,
                                   tutti_tuning **tuning, tutti_error *error);

/* A tuning file in memory, which must live as long, as a decision function. TUTTI_ERR_MEMORY. */
tutti_status tutti_tuning_decision(tutti_tuning *tuning, const char *name, tutti_decision *decision,
                                   tutti_error *error);

/* Does the library, which must be one that picks parts, run the method as it is where it is told its
   algorithm? */
bool tutti_tuning_runs(const tutti_tuning *tuning, const tutti_explained_call *call, const tutti_method *method);

/* Fill in part `index` of a method with what the library runs for it: a call that is looked up as any other, with
   messages `factor` times as large as those of the whole call. False: the call fails, or the catalogue lacks what runs.
   The sizes of the same answer are narrowed to those of the part. */
bool tutti_explain_part(struct explaining *explaining, const tutti_explained_call *call, uint64_t factor, int index,
                        tutti_method *method, tutti_error *error);

/* tutti/explain.c: of decisions of Tutti: rules, trees, libraries, methods. */
tutti_status tutti_file_explain(struct explaining *explaining, tutti_error *error);

#endif
