/* Reading cases: a table that grows while a file is read, where in the file the reader is, and the words of both kinds
   of file. */
#ifndef TUTTI_DECISION_CASES_TABLE_H
#define TUTTI_DECISION_CASES_TABLE_H

#include "base/text.h"
#include "decision/cases/names.h"

/* Where we are in a file, and the names that it has had. */
typedef struct cases_place {
  struct tutti_lines lines;
  names_index *names; /* of attributes, their values and classes */
} cases_place;

/* A fault of the line: TUTTI_ERR_ARGUMENT "PATH:LINE: ...". */
#define tutti_cases_fault(place, ...) tutti_lines_fault(&(place)->lines, __VA_ARGS__)

/* "PATH:LINE: out of memory". */
tutti_status tutti_cases_no_memory(cases_place *place);

/* A table being filled; the room is for whole rows. */
typedef struct cases_table {
  tutti_cases *cases;
  size_t room;
} cases_table;

/* Append attribute, class or value; refuses an empty name and one that is there already. @{ */
tutti_status tutti_cases_add_attribute(cases_place *place, tutti_cases *cases, const char *name);
tutti_status tutti_cases_add_class(cases_place *place, char ***classes, int *count, const char *name);
tutti_status tutti_cases_add_value(cases_place *place, tutti_cases *cases, int attribute, const char *name);
/* @} */

/* Append a row: all values unknown, label 0. */
tutti_status tutti_cases_add_row(cases_place *place, cases_table *table);

/* Set a value of the last row from text: a number, or a value of the attribute. */
tutti_status tutti_cases_set_value(cases_place *place, tutti_cases *cases, int attribute, const char *text);

/* Set the class of the last row. */
tutti_status tutti_cases_set_label(cases_place *place, tutti_cases *cases, const char *text);

/* A finite decimal number and nothing else. */
bool tutti_cases_parse_number(const char *text, double *value);

/* Write a number that reads back the same, the shortest of 15 and 17 digits; @p text has 32 bytes. */
char *tutti_cases_format_number(double value, char *text);

/* ---- words of a line of an ARFF file ---- */

/* Kinds of token. */
enum { ARFF_END, ARFF_WORD, ARFF_OPEN = '{', ARFF_CLOSE = '}' };

/* A line, taken apart in place. */
typedef struct arff_line {
  char *rest;
  char *word;  /* of the last token ARFF_WORD */
  bool quoted; /* it was: '?' is not an unknown value then */
  bool comma;  /* one stood before it */
  char held;   /* delimiter that the end of a word overwrote */
} arff_line;

/* The next token; fails on a quote that does not end. Blanks and one comma separate tokens. */
tutti_status tutti_arff_next(cases_place *place, arff_line *line, int *kind);

/* ---- names in the files of C4.5: ended by ',', ':', '.' before a blank, or the end of the line ---- */

typedef struct c45_names_file {
  cases_place place;
  char *name; /* the last one, owned */
  size_t length, room;
  bool escaped; /* it has an escaped character: "\?" is a name, "?" an unknown value */
  int ended_by; /* ',', ':', '.', '\n' or EOF */
} c45_names_file;

/* The next name; at the end of the file an empty one ended by EOF. */
tutti_status tutti_c45_next_name(c45_names_file *file);

/* @p names: those that the file may refer to, and will have. */
tutti_status tutti_c45_names_open(c45_names_file *file, const char *path, names_index *names, tutti_error *error);
void tutti_c45_names_close(c45_names_file *file);

#endif
