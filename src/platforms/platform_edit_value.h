/* The right side of an edit: what becomes of a value in a platform file. */
#ifndef TUTTI_HARNESS_PLATFORM_EDIT_VALUE_H
#define TUTTI_HARNESS_PLATFORM_EDIT_VALUE_H

#include "tutti/error.h"

/* How a value is written. Lists are separated by commas. */
enum edit_kind {
  EDIT_TEXT, /* anything; relative edits work where it is a number */
  EDIT_TIME,
  EDIT_BANDWIDTH,
  EDIT_BANDWIDTHS,
  EDIT_SPEEDS,
  EDIT_PIECES, /* SMPI's "from:value...;from:value...", of which "from" is a size and never changes */
};

/* What the value @p before becomes by @p change, the text behind '='. *after is owned by the caller. */
tutti_status tutti_edit_value(enum edit_kind kind, const char *before, const char *change, char **after,
                              tutti_error *error);

/* Does it change a value that must be there? "*2", not "5us". */
int tutti_edit_is_relative(const char *change);

#endif
