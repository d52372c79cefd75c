/* Names in the files of C4.5: ended by ',', ':', '.' before a blank, or the end of the line. */
#ifndef TUTTI_DECISION_CASES_C45_TOKEN_H
#define TUTTI_DECISION_CASES_C45_TOKEN_H

#include "decision/cases/cases_table.h"

typedef struct c45_names_file {
  cases_place place;
  FILE *stream;
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
