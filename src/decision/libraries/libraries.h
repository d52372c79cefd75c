/* The facts about a library: its targets, its own rules, and, if it reads tuning files, how these are read, checked and
   explained (adding one: docs/how-to/add-a-target.md); tuning files in memory; and common parts of explanations. */
#ifndef TUTTI_LIBRARIES_LIBRARIES_H
#define TUTTI_LIBRARIES_LIBRARIES_H

#include <stdarg.h>

#include "base/boxes.h"
#include "base/process.h"
#include "tutti/target.h"
#include "tutti/tuning.h"

struct explaining;
struct tuning_file;

/* Rules of a library, as a decision function. */
struct default_rules {
  const char *name; /* "library:openmpi-4.1"; NULL ends a list */
  /* The method that the library picks; false without a rule. */
  bool (*pick)(const tutti_question *question, tutti_method *method);
  /* Add the step with the reason; false: unknown. NULL: always unknown. */
  bool (*explain)(struct explaining *explaining);
  bool former; /* of a release that is out of use, for comparison with publications */
};

/* A variable of the environment that matters to whether a library reads a tuning file. */
struct library_variable {
  const char *name;    /* NULL ends a list */
  const char *tuned;   /* its value where a file is read; "": the path of the file; NULL: it is not set */
  const char *untuned; /* value without a file; NULL: it is not set */
  bool kept;           /* without a file it stays as it is */
  int since;           /* version of the library: major * 100 + minor */
};

struct tutti_library {
  const char *name;
  const tutti_target *targets;          /* its formats, oldest first; one without a name ends them */
  const struct default_rules *defaults; /* NULL: it has none */

  /* Which of its versions have an algorithm that it has. NULL: all. */
  tutti_library_span (*span)(const tutti_algorithm *algorithm);

  /* Add the settings that make it run a method of its implementation for all calls; false: no such settings. NULL: it
     implements no methods. */
  bool (*force)(const tutti_method *method, int ranks, const tutti_library_version *version,
                tutti_directives *directives);

  /* Whether a setting's value means the algorithm that is told as @p told, though it is written otherwise. NULL: the
     notation is unique. */
  bool (*means)(const tutti_library_version *version, tutti_collective collective, const char *value, const char *told);

  /* For libraries that read tuning files; empty for others. */
  const struct library_variable *variables;
  const char *versions;         /* supported ones, for messages: "mpich-4.0 to mpich-5" */
  int min_version, max_version; /* major * 100 + minor; 0: no versions */
  int last_before_gap, gap_end; /* the same; no version exists between these; 0: no gap */
  int default_version[3];       /* major, minor, patch of a name without a number; -1: not given, as without versions */
  int own_choice_until;         /* the choice without a file is known for versions before this one; 0: for none */
  const tutti_lint_code *codes;
  size_t code_count;
  /* Change *version, first the default one, to the one that reads a text. NULL: the default one reads all. */
  void (*refine)(const char *text, size_t length, tutti_library_version *version);
  /* Report the faults of a file. NULL: reading it into rules reports all. */
  void (*lint)(struct tuning_file *file);
  /* Read a file into rules that are to be looked up, of that many bytes, which are 0; the faults of its form are
     reported, too. free_rules() frees what they own, even if that failed. */
  size_t rules_bytes;
  tutti_status (*read)(struct tuning_file *file, void *rules, tutti_error *error);
  void (*free_rules)(void *rules);
  /* Look a call up in the rules. */
  tutti_status (*explain)(struct explaining *explaining, tutti_error *error);
  /* Placements that rules of a file ask for, a bit for each. NULL: rules never do. */
  unsigned (*placements)(const tutti_tuning *tuning, tutti_collective collective);
  /* Fill in the parts that the library picks, by its rules, where it is told a method made of others. False: the
     catalogue lacks one. NULL: methods run with the parts that they have. */
  bool (*pick_parts)(struct explaining *explaining, tutti_method *method, tutti_error *error);
};

#define LIBRARY(name) extern const tutti_library tutti_library_##name;
#include "decision/libraries/libraries.def"
#undef LIBRARY

/* In the order of libraries.def; NULL past the last. */
const tutti_library *tutti_library_at(size_t index);

/* The implementation that a library runs, by its name. */
tutti_implementation tutti_library_implementation(const tutti_library *library);

/* The library of an implementation; for ours, which no library runs, Tutti. */
const tutti_library *tutti_library_of(tutti_implementation implementation);

/* The version whose settings a run of @p run, "MPICH-4.2.1", needs; the default one for an unknown version. */
tutti_library_version tutti_library_version_told(const tutti_library *library, const char *run);

/* Rules by name, or NULL. */
const struct default_rules *tutti_library_rules(const char *name);

/* The environment in which a version of a library reads the file at @p path, which must outlive it, or no file (NULL):
   a name NULL ends it. */
enum { LIBRARY_VARIABLES = 8 };
void tutti_library_variables(const tutti_library_version *version, const char *path,
                             struct tutti_variable variables[LIBRARY_VARIABLES + 1]);

/* The target that writes files for the main reader of a version. */
const tutti_target *tutti_target_of_version(const tutti_library_version *version);

/* The same for the reader of a file, where a target writes such files. */
const tutti_target *tutti_target_of_file(const struct tuning_file *file);

/* The version that reads the files of a target. */
tutti_library_version tutti_library_version_of_target(const tutti_target *target);

/* Whether the version is that one, or a later one. Missing numbers count as 0. */
bool tutti_library_since(const tutti_library_version *version, int major, int minor, int patch);

/* Whether the version is at least `since` and before `until` (major * 100 + minor; 0: no bound). */
bool tutti_library_between(const tutti_library_version *version, int since, int until);

/* Whether a method made of others has the default parts, which are not written. A library picks them itself. */
bool tutti_method_has_default_parts(const tutti_method *method);

/* Add a directive; there is room. @{ */
void tutti_directives_add(tutti_directives *directives, const char *name, const char *value);
void tutti_directives_add_number(tutti_directives *directives, const char *name, uint64_t value);
/* @} */

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

/* TUTTI_ERR_ARGUMENT with the first finding of at least that severity, and the reaction of that version of the library;
   TUTTI_OK without one. */
tutti_status tutti_findings_refuse(const tutti_findings *findings, const char *path,
                                   const tutti_library_version *version, tutti_severity least, tutti_error *error);

/* How the first line of an exported file begins that can have comments; the name of the target follows. */
#define TUTTI_TUNING_TARGET "# tutti export --format "

/* ---- tuning_file.c: a tuning file on its way through a reader: its text, the version, and the findings ---- */

/* Position of an offset in the text; line 0: not known yet. Places that are requested nearly in the order of the text
   are each found from the previous one. */
struct tuning_place {
  size_t at;
  int line, column; /* from 1 */
};

struct tuning_file {
  const char *path, *text; /* a zero byte after the text */
  size_t length;
  tutti_library_version version;
  tutti_findings *findings; /* NULL: findings are not kept */
  struct tuning_place last; /* of the last finding */
  bool marked;              /* a byte order mark was before the text */
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

/* Say how a fault that was reported is mended, if the finding is kept: bytes of the text become others, which are
   copied. Several edits may belong to one fault; all of a kind are made at once. */
void tutti_tuning_edit(struct tuning_file *file, int code, size_t at, size_t length, const char *text);

/* The edits that remove the byte order mark, and the carriage returns before the ends of lines. @{ */
void tutti_tuning_edit_mark(struct tuning_file *file, int code);
void tutti_tuning_edit_returns(struct tuning_file *file, int code);
/* @} */

/* The digits at a place, and a minus before them. */
size_t tutti_tuning_number_length(const struct tuning_file *file, size_t at);

/* The first character of a text that is neither blank nor in a comment with '#', or 0. */
char tutti_tuning_first(const char *text, size_t length);

/* The version of a library, by its name, that one of its files is for, as far as its text shows it. */
tutti_library_version tutti_tuning_version(const char *library, const char *text, size_t length);

/* Move a place to an offset. */
void tutti_tuning_move(const struct tuning_file *file, size_t at, struct tuning_place *place);

/* The places where a line, numbered from 1, begins, and its first word. @{ */
size_t tutti_tuning_line(const struct tuning_file *file, int number);
size_t tutti_tuning_first_word(const struct tuning_file *file, int number);
/* @} */

/* ---- hiding.c ---- */

/* For each box the index of the first one before it that it is within; its own index: there is none. Owned by the
   caller. */
size_t *tutti_tuning_hiding(const struct tutti_box *boxes, size_t count);

/* ---- explain.c: explanations ---- */

struct tutti_tuning {
  struct tuning_file file;        /* without findings */
  char *text, *path;              /* NULL: a decision without a file */
  void *rules;                    /* of the library's reader */
  const tutti_decision *decision; /* of Tutti's own files, and without a file; NULL: the library has its own look-up */
  char *fault;                    /* the first error of the reader; NULL: none */
  tutti_tuning *untuned;          /* for a file: the library's own choice, to compare with; NULL: unknown */
};

/* An explanation in the making. */
struct explaining {
  const tutti_tuning *tuning;
  const tutti_explained_call *call;
  tutti_explanation *answer;
  struct tuning_place last; /* of the last step */
  bool unlike;              /* what is without a file is not comparable */
  bool silent;              /* no steps: only the answer is wanted */
  bool literal;             /* the text of a rule, even where another method runs because the message is too small */
};

/* Add a step. NO_PLACE: it is not of the file. */
#define NO_PLACE ((size_t)-1)
void tutti_explain_step(struct explaining *explaining, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Name what runs; a name that is too long ends with "...". */
void tutti_explain_name(struct explaining *explaining, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Narrow the sizes of the same answer, in bytes per rank. @{ */
void tutti_explain_at_least(struct explaining *explaining, uint64_t bytes);
void tutti_explain_at_most(struct explaining *explaining, uint64_t bytes);
/* @} */

/* Name the selector under which a native method runs the same; it is the method, too, if none is known. */
void tutti_explain_selector(struct explaining *explaining, const char *name);

/* The method under the selector, where a file names one, in place of the one that it amounts to. */
void tutti_explanation_select(tutti_explanation *answer, tutti_collective collective);

/* Nothing runs: the call fails. */
void tutti_explain_failure(struct explaining *explaining);

/* Placement of the ranks of a communicator; any if unknown (ranks_per_node 0). */
static inline tutti_placement library_placement(int ranks, int ranks_per_node)
{
  return ranks_per_node == 1 ? TUTTI_ONE_PER_NODE : ranks_per_node >= ranks ? TUTTI_SINGLE_NODE : TUTTI_PLACED_ANYHOW;
}

uint64_t tutti_explain_type_bytes(const tutti_explained_call *call);

/* A call as a question, and a question as a call. @{ */
tutti_question tutti_explain_question(const tutti_explained_call *call);
static inline tutti_explained_call tutti_explained_call_of(const tutti_question *question)
{
  return (tutti_explained_call){.collective = question->collective,
                                .ranks = question->ranks,
                                .ranks_per_node = question->ranks_per_node,
                                .rank_bytes = question->rank_bytes};
}
/* @} */

/* The answer for a call, without steps: nothing to free. Errors as tutti_explain(). */
tutti_status tutti_explain_answer(const tutti_tuning *tuning, const tutti_explained_call *call,
                                  tutti_explanation *explanation, tutti_error *error);

/* The method that Open MPI's coll/tuned runs where its settings name this algorithm of the collective by its id, 1 and
   on, with the parts that it picks without other settings; @p untuned is a tuning of Open MPI without parts. No
   algorithm: the call fails, or the catalogue lacks it. False: there is no such id. */
bool tutti_openmpi_forced(const tutti_tuning *untuned, const tutti_explained_call *call, int id, tutti_method *method);

/* Tell the messages that Open MPI's coll/tuned sends in a call where it runs the method, in any order; false: they are
   those of the method's own schedule. */
bool tutti_openmpi_sends(const tutti_method *method, const tutti_call *call,
                         void (*tell)(void *context, int from, int to, uint64_t elements), void *context);

/* ---- a version of a library under two tuning files, or left alone ---- */

struct tuning_pair {
  bool known;             /* whether the version's own choice is known */
  tutti_tuning *sides[2]; /* NULL: left alone, and not known */
};

/* @p paths: NULL means no file. Call tutti_tuning_pair_close() in any case. */
tutti_status tutti_tuning_pair_open(const tutti_library_version *version, const char *const paths[2],
                                    struct tuning_pair *pair, tutti_error *error);
void tutti_tuning_pair_close(struct tuning_pair *pair);

/* Whether it certainly runs the same under both. */
bool tutti_tuning_pair_same(const struct tuning_pair *pair, const tutti_explained_call *call);

/* ---- the method that runs where a file, or its parts on their way into it, select one ---- */

/* The file of a target with these parts, none or several, in memory. *tuning is NULL if no library reads such files, or
   Tutti does. End it with tutti_tuning_close(). */
tutti_status tutti_tuning_of_parts(const tutti_target *target, const tutti_export_part *parts, int count,
                                   tutti_tuning **tuning, tutti_error *error);

/* The file of a target that selects one method for all calls; else as the last. */
tutti_status tutti_tuning_of_method(const tutti_target *target, const tutti_method *method, tutti_tuning **tuning,
                                    tutti_error *error);

/* A tuning file in memory, which must live as long, as a decision function. */
tutti_decision tutti_tuning_decision(tutti_tuning *tuning, const char *name);

/* Whether the library, which must be one that picks parts, runs the method as it is where its algorithm is selected. */
bool tutti_tuning_runs(const tutti_tuning *tuning, const tutti_explained_call *call, const tutti_method *method);

/* Fill in part `index` of a method with what the library runs for it: a call that is looked up as any other, with
   messages `factor` times as large as those of the whole call. False: the call fails, or the catalogue lacks what runs.
   The sizes of the same answer are narrowed to those of the part. */
bool tutti_explain_part(struct explaining *explaining, const tutti_explained_call *call, uint64_t factor, int index,
                        tutti_method *method, tutti_error *error);

/* What runs for a call if a file of the target selects a method that the target supports, for all calls. End
 *explanation with tutti_explanation_free(); for a target that reads no files it is unknown. */
tutti_status tutti_explain_constant(const tutti_target *target, const tutti_method *method,
                                    const tutti_question *question, tutti_explanation *explanation, tutti_error *error);

/* ---- untuned.c: a library left alone ---- */

/* The library's own choice, for look-ups. *untuned is NULL if it is unknown for the version. */
tutti_status tutti_untuned_open(const tutti_library_version *version, tutti_tuning **untuned, tutti_error *error);

/* Whether two answers to a call with messages of @p bytes bytes run the same. For UINT64_MAX: with any size. */
bool tutti_untuned_same(const tutti_explanation *left, const tutti_explanation *right, uint64_t bytes);

/* tutti/explain.c: of decisions of Tutti: rules, trees, libraries, methods. */
tutti_status tutti_file_explain(struct explaining *explaining, tutti_error *error);

#endif
