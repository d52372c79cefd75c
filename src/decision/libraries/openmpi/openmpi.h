/* Rules of Open MPI's coll/tuned: names, reading from numbers or JSON, looking up, writing, and its own decisions. */
#ifndef TUTTI_LIBRARIES_OPENMPI_H
#define TUTTI_LIBRARIES_OPENMPI_H

#include <limits.h>

#include "base/vector.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"
#include "decision/libraries/settings.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/openmpi/codes.def"
#undef CODE
};

/* ---- names ---- */

enum { OPENMPI_COLLECTIVES = 22, OPENMPI_MAX_ID = 9 };

/* Allreduce of a linear reduce and a linear bcast, whatever the rules for these; and of those that are picked. */
enum { OPENMPI_BASIC_LINEAR = 1, OPENMPI_NONOVERLAPPING = 2 };

enum openmpi_field { FIELD_BYTES, FIELD_ALGORITHM, FIELD_FANOUT, FIELD_SEGMENT, FIELD_REQUESTS, OPENMPI_FIELDS };

/* The meaning of message sizes: coll_tuned_decision_dynamic.c. */
enum openmpi_size { SIZE_OF_RANK, SIZE_OF_ALL, SIZE_ZERO, SIZE_TYPE_BY_RANKS };

/* A collective, by its id in coll/tuned. */
struct openmpi_collective {
  const char *name;
  enum openmpi_size size;
  unsigned uses[OPENMPI_FIELDS];              /* bits of the algorithms that look at a field */
  int two, power, even;                       /* the algorithm for that number of ranks; 0: none */
  int radix;                                  /* the algorithm whose fan-out is a radix, from version 6 on */
  unsigned reorders;                          /* bits of the algorithms that reorder operands */
  const char *algorithms[OPENMPI_MAX_ID + 1]; /* by id, from 1 */
  int since[OPENMPI_MAX_ID + 1];              /* major * 100 + minor; 0: always */
};

extern const struct openmpi_collective tutti_openmpi_collectives[OPENMPI_COLLECTIVES];

/* Id of a collective by name, or -1. */
int tutti_openmpi_collective_id(const char *name);

/* Id of a collective that coll/tuned has a choice for, else -1. */
int tutti_openmpi_collective(tutti_collective collective);

/* The unit that coll_tuned_decision_dynamic.c compares. */
tutti_size_unit tutti_openmpi_unit(tutti_collective collective);

/* Name of an algorithm of coll/tuned ("recursive_doubling"); NULL if the version does not have it. 0: "ignore". */
const char *tutti_openmpi_algorithm_name(const tutti_library_version *version, long collective, long id);

/* The id of a text: a number, or a name in letters of either case; -1 for an unknown name. */
long tutti_openmpi_algorithm_id(const tutti_library_version *version, long collective, const char *text);

/* The number of algorithms in the version. 0: the collective is not in coll/tuned. */
int tutti_openmpi_algorithm_count(const tutti_library_version *version, long collective);

/* Whether the algorithm uses the field. */
bool tutti_openmpi_uses(long collective, long id, enum openmpi_field field);

/* Whether the algorithm takes its fan-out as a radix. It never ends with one below 2. */
bool tutti_openmpi_has_radix(const tutti_library_version *version, long collective, long id);

enum { OPENMPI_MIN_RADIX = 2 };

/* ---- rules in memory ---- */

/* A rule: its text, and the message sizes for which the look-up reaches it (min > max: none). */
struct openmpi_rule {
  long values[OPENMPI_FIELDS];
  size_t at[OPENMPI_FIELDS];
  long min, max; /* inclusive; LONG_MAX: no end */
  bool disabled; /* JSON with an algorithm that is not known */
};

/* How JSON writes a tutti_placement. */
enum { OPENMPI_PLACEMENTS = 3 };
extern const char *const tutti_openmpi_placements[OPENMPI_PLACEMENTS];

/* The rules for some communicator sizes. */
struct openmpi_block {
  size_t at;
  long ranks;    /* as written */
  long min, max; /* as looked up, inclusive */
  tutti_placement placement;
  size_t first, count; /* rules */
};

struct openmpi_collective_rules {
  bool given;
  size_t at;
  size_t first, count; /* blocks */
};

/* A rule of coll/han. */
struct openmpi_han_rule {
  int collective, level; /* its id; 0 within nodes, 1 among them, 2 the whole communicator */
  long size, bytes;      /* of the level from which on, of the message */
  int component;         /* index of the component */
  char algorithm[33];    /* of coll/han itself; "": its default */
  size_t collective_at, level_at, at;
};

/* A line of a decision tree of Fujitsu MPI that has content. */
struct openmpi_tree_line {
  size_t at, length, indent; /* of its text, without a comment */
  uint64_t low, high;        /* of a match */
  bool is_match;
};

/* What a file holds. */
enum openmpi_form { FORM_TUNED, FORM_HAN, FORM_PARAMETERS, FORM_FUJITSU };

/* Begin with {0}, end with tutti_openmpi_rules_free(). */
struct openmpi_rules {
  enum openmpi_form form;
  bool dropped; /* the library ignores the file */
  bool json;
  struct {
    TUTTI_VECTOR(struct openmpi_han_rule);
  } han;
  struct settings settings;
  struct {
    TUTTI_VECTOR(struct openmpi_tree_line);
  } tree;
  struct openmpi_collective_rules collectives[OPENMPI_COLLECTIVES];
  struct {
    TUTTI_VECTOR(struct openmpi_block);
  } blocks;
  struct {
    TUTTI_VECTOR(struct openmpi_rule);
  } rules;
};

void tutti_openmpi_rules_free(struct openmpi_rules *rules);

/* The rules of a block; NULL if it has none. */
static inline const struct openmpi_rule *openmpi_block_rules(const struct openmpi_rules *rules,
                                                             const struct openmpi_block *block)
{
  return block->count ? rules->rules.items + block->first : NULL;
}

/* A further block, or rule of the last block. */
struct openmpi_block *tutti_openmpi_add_block(struct openmpi_rules *rules);
struct openmpi_rule *tutti_openmpi_add_rule(struct openmpi_rules *rules);

/* ---- reading numbers ---- */

enum { OPENMPI_WORD = 33 };

/* Where a reader of numbers is. The caller closes the stream. */
struct openmpi_numbers {
  struct tuning_file *file;
  FILE *stream;
  long value; /* of the last number */
  size_t at;  /* its place, or that of the last word */
  size_t end; /* the place after a number */
  bool two;   /* fifth numbers may follow */
};

struct openmpi_numbers tutti_openmpi_numbers(struct tuning_file *file);

/* The next number, or word between blanks; false at the end of the file. @{ */
bool tutti_openmpi_next(struct openmpi_numbers *numbers);
bool tutti_openmpi_next_word(struct openmpi_numbers *numbers, char word[OPENMPI_WORD]);
/* @} */

/* Whether that character is next, after blanks, which are skipped, too; it is skipped then. */
bool tutti_openmpi_skip_character(struct openmpi_numbers *numbers, char character);

/* Report a fault for which the library drops the file. Returns false. */
bool tutti_openmpi_drop(struct tuning_file *file, struct openmpi_rules *rules, int code, size_t at, const char *format,
                        ...) __attribute__((format(printf, 5, 6)));

/* Read a file as the version does, reporting what is wrong with it. @{ */
void tutti_openmpi_read(struct tuning_file *file, struct openmpi_rules *rules);
void tutti_openmpi_read_json(struct tuning_file *file, struct openmpi_rules *rules);
void tutti_openmpi_read_parameters(const struct tuning_file *file, struct openmpi_rules *rules);
/* The first major version that reads rules of coll/han, by the names in them; 0: all do. */
int tutti_openmpi_han_since(const char *text, size_t length);

void tutti_openmpi_read_han(struct tuning_file *file, struct openmpi_rules *rules);
/* @} */

/* Report counts that the lines of the file contradict. */
void tutti_openmpi_count(struct tuning_file *file);

/* Where counts are wrong, leave out what follows from that: all after the first of them, and notes. */
void tutti_openmpi_hide(tutti_findings *findings);

/* The result of looking up a call. */
struct openmpi_found {
  const struct openmpi_collective_rules *collective; /* NULL: no rules */
  const struct openmpi_block *block;                 /* NULL: none for the communicator */
  const struct openmpi_rule *rule;                   /* NULL: none for the message */
};
struct openmpi_found tutti_openmpi_look(const struct openmpi_rules *rules, int collective, long ranks,
                                        tutti_placement placement, long bytes);

/* ---- Open MPI's own decisions ---- */

/* An id of coll/tuned and a segment size; id 0: no rule. */
struct openmpi_pick {
  int id;
  int segment;
};

typedef struct openmpi_pick (*openmpi_decision)(tutti_collective collective, int ranks, uint64_t bytes);

/* The same for an algorithm that was picked otherwise. */
bool tutti_openmpi_picked(openmpi_decision decision, const tutti_question *question, const struct openmpi_pick *pick,
                          tutti_method *method);

/* The id that coll/base runs for a pick: another one where the algorithm does not serve the call. */
int tutti_openmpi_served(const tutti_question *question, const struct openmpi_pick *pick);

/* How many times the bytes of a call a part of it moves. */
uint64_t tutti_openmpi_part_factor(tutti_collective collective, int ranks, tutti_collective part);

/* Versions 4.1 and 1.x as decision functions, and the decision of 4.1. @{ */
bool tutti_openmpi_decide_4_1(const tutti_question *question, tutti_method *method);
bool tutti_openmpi_decide_1_x(const tutti_question *question, tutti_method *method);
struct openmpi_pick tutti_openmpi_decision_4_1(tutti_collective collective, int ranks, uint64_t bytes);
/* @} */

/* A rung of the ladders of 4.1: inclusive bounds. */
struct openmpi_rung {
  int min_ranks, max_ranks;
  uint64_t min_bytes, max_bytes;
};

/* The id that 4.1 picks, 0 without a rule, and the rung. */
int tutti_openmpi_ladder(tutti_collective collective, int ranks, uint64_t bytes, struct openmpi_rung *rung);

/* ---- the library ---- */

void tutti_openmpi_lint(struct tuning_file *file);
tutti_status tutti_openmpi_explain(struct explaining *explaining, tutti_error *error);

/* The parts that coll/tuned picks for a method, except where both are linear: that is algorithm 1 of allreduce. */
bool tutti_openmpi_pick_parts(struct explaining *explaining, tutti_method *method, tutti_error *error);

/* What becomes of a call under rules of coll/han. */
void tutti_openmpi_explain_han(struct explaining *explaining);

/* Decision trees of Fujitsu MPI: reading, lines that are not understood, and what becomes of a call. @{ */
void tutti_openmpi_read_fujitsu(const struct tuning_file *file, struct openmpi_rules *rules);
void tutti_openmpi_lint_fujitsu(struct tuning_file *file, const struct openmpi_rules *rules);
void tutti_openmpi_explain_fujitsu(struct explaining *explaining);
/* @} */

/* What coll/tuned does under a rule, and without one. @{ */
void tutti_openmpi_run_rule(struct explaining *explaining, int collective, const struct openmpi_rule *rule);
void tutti_openmpi_run_own_choice(struct explaining *explaining);
/* @} */

/* Faults of parameters. */
void tutti_openmpi_lint_parameters(struct tuning_file *file, const struct openmpi_rules *rules);

/* The algorithm that parameters choose, as a rule; false: they leave it to the library. */
bool tutti_openmpi_chosen(struct explaining *explaining, int collective, struct openmpi_rule *rule);

/* Whether it is allreduce of two linear parts, basic_linear. */
bool tutti_openmpi_is_linear(const tutti_method *method);

/* Add the step for the rung of 4.1 that a call is on; false: none. */
bool tutti_openmpi_explain_4_1(struct explaining *explaining);

/* Whether rules of that version can select a method: numbers, and JSON, which also has limits of requests. @{ */
bool tutti_openmpi_supports_4_1(const tutti_method *method, int ranks);
bool tutti_openmpi_supports_5(const tutti_method *method, int ranks);
bool tutti_openmpi_supports_6(const tutti_method *method, int ranks);
/* @} */

bool tutti_openmpi_force(const tutti_method *method, int ranks, const tutti_library_version *version,
                         tutti_directives *directives);

tutti_status tutti_openmpi_write_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                     tutti_error *error);
tutti_status tutti_openmpi_write_5(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                   tutti_error *error);
tutti_status tutti_openmpi_write_json(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                      tutti_error *error);

/* ---- rules of coll/han: which component, or algorithm of its own, runs ---- */

/* Whether coll/han selects for the collective; the unit in which files of that version compare sizes. @{ */
bool tutti_openmpi_han_serves(const char *collective);
tutti_size_unit tutti_openmpi_han_unit_4_1(tutti_collective collective);
tutti_size_unit tutti_openmpi_han_unit_5(tutti_collective collective);
/* @} */

/* Whether rules can select a native method by its selector, and writing them. @{ */
bool tutti_openmpi_han_supports(const tutti_method *method, int ranks);
tutti_status tutti_openmpi_write_han_4_1(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                         tutti_error *error);
tutti_status tutti_openmpi_write_han_5(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                       tutti_error *error);
/* @} */

#endif
