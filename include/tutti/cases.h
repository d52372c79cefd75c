/**
 * @file cases.h
 * @ingroup decision
 * Cases: attribute values and a class each, what classifiers are learnt from (Quinlan 1993; Pjesivac-Grbovic 2007,
 * section 5.4.1), and their files. No MPI.
 */
#ifndef TUTTI_CASES_H
#define TUTTI_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of each case: a number, or one of several words. */
typedef struct tutti_attribute {
  char *name;
  int value_count; /**< 0: continuous */
  char **values;   /**< [value_count] of a discrete one */
  bool ignored;    /**< no test looks at it */
} tutti_attribute;

/** A table of cases. Arrays and strings are owned by it; begin with {0}, end with tutti_cases_free(). */
typedef struct tutti_cases {
  char *name; /**< of the relation, or of the file stem */
  int attribute_count;
  tutti_attribute *attributes;
  int class_count;
  char **classes;
  size_t count;
  double **values; /**< [attribute_count][count]; of a discrete attribute the index of its value; NaN: unknown */
  int *labels;     /**< [count] class of each case */
} tutti_cases;

void tutti_cases_free(tutti_cases *cases);

/**
 * Lay out a table: room for @p count cases, values NaN, labels 0; names are set by the caller (attributes[a].name,
 * values, classes: allocated strings). TUTTI_ERR_MEMORY.
 */
tutti_status tutti_cases_create(const char *name, int attribute_count, int class_count, size_t count,
                                tutti_cases *cases, tutti_error *error);

/** The cases whose index is in @p rows, in that order, as a table of its own with all attributes and classes. */
tutti_status tutti_cases_select(const tutti_cases *cases, const size_t *rows, size_t count, tutti_cases *selected,
                                tutti_error *error);

/**
 * Read STEM.names and STEM.data of C4.5 Release 8 (Quinlan 1993, chapter 2 and the manual page of c4.5): names end with
 * '.', lists are separated by ',', '|' begins a comment, '\' escapes, "?" is an unknown value; attributes are
 * "continuous", "discrete N" (values as they come), "ignore", or a list of values.
 * @param stem  path with or without ".names" or ".data"
 * @return TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE
 */
tutti_status tutti_cases_read_c45(const char *stem, tutti_cases *cases, tutti_error *error);

/** Read a data file (STEM.data, STEM.test) against the attributes and classes of @p names. */
tutti_status tutti_cases_read_data(const char *path, const tutti_cases *names, tutti_cases *cases, tutti_error *error);

/** Write STEM.names and STEM.data. Names are escaped so that they read back the same. TUTTI_ERR_IO. */
tutti_status tutti_cases_write_c45(const tutti_cases *cases, const char *stem, tutti_error *error);

/**
 * Read an ARFF file (WEKA): its relation, attributes (numeric, real, integer, {A,B,...}), data, quoting, '%' comments,
 * "?" unknown values, sparse rows ({index value, ...}). The last attribute is the class and must be nominal. Strings,
 * dates and relational attributes are refused, and sparse rows in a table of more than 2^25 values.
 */
tutti_status tutti_cases_read_arff(const char *path, tutti_cases *cases, tutti_error *error);

/** Write an ARFF file. TUTTI_ERR_IO. */
tutti_status tutti_cases_write_arff(const tutti_cases *cases, const char *path, tutti_error *error);

/** Read by the end of the name: ".arff", else a C4.5 stem. */
tutti_status tutti_cases_read(const char *path, tutti_cases *cases, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
