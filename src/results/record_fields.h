/* One record line taken apart into its NAME=VALUE fields, found by name: their order is free, and a reader passes over
 * the fields of a later version. */
#ifndef TUTTI_HARNESS_RECORD_FIELDS_H
#define TUTTI_HARNESS_RECORD_FIELDS_H

#include "tutti/record.h"

enum { RECORD_VERSION = 1, MOST_FIELDS = 40 };

/* What a kind of record is called, and its fields, all of which are required but the last ones. */
struct record_layout {
  const char *keyword;
  const char *fields[MOST_FIELDS + 1];
  int optional; /* so many may be missing */
};

/* A line taken apart. The first failure is kept in status and error, and makes the functions below do nothing. */
struct record_fields {
  const struct record_layout *layout;
  const char *values[MOST_FIELDS]; /* into the line */
  size_t lengths[MOST_FIELDS];
  tutti_status status;
  tutti_error *error;
};

/* Take apart what follows the keyword of a line. Every field of the layout must be there once. */
void tutti_record_fields_take(struct record_fields *fields, const char *rest);

/* Is an optional field there? */
bool tutti_record_fields_has(const struct record_fields *fields, const char *name);

/* A value as a word that fits into capacity bytes. */
void tutti_record_fields_text(struct record_fields *fields, const char *name, char *text, size_t capacity);

/* A value as a whole number within bounds; 0 on failure. */
uint64_t tutti_record_fields_number(struct record_fields *fields, const char *name, uint64_t least, uint64_t most);

/* A value as a number from 0 to 1; 0 on failure. */
double tutti_record_fields_fraction(struct record_fields *fields, const char *name);

/* A value as 16 hexadecimal digits; 0 on failure. */
uint64_t tutti_record_fields_hexadecimal(struct record_fields *fields, const char *name);

/* A value as a finite number of seconds; 0 on failure. */
double tutti_record_fields_seconds(struct record_fields *fields, const char *name);

/* A value as a finite number; 0 on failure. */
double tutti_record_fields_real(struct record_fields *fields, const char *name);

/* Fail with a sentence about the line as a whole. */
void tutti_record_fields_fault(struct record_fields *fields, const char *sentence);

#endif
