/**
 * @file passed.h
 * @ingroup base
 * What a reader of other people's files passes over: rows, tables, files and calls that it does not understand or that
 * are of another kind. Each is counted under a reason and named with its place, and the reading goes on.
 *
 *     tutti_passed passed = {.strict = false};
 *     ...
 *     status = tutti_pass_over(&passed, lines.path, lines.number, "no collective", error, "%s", name);
 *     ...
 *     tutti_passed_print(&passed, stdout, 2);
 *     tutti_passed_free(&passed);
 */
#ifndef TUTTI_PASSED_H
#define TUTTI_PASSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Places that are kept, and shown, of each reason unless all are wanted. */
#define TUTTI_PASSED_SHOWN 3

/** One reason, and where it was met. */
typedef struct tutti_passed_reason {
  char *why;      /**< "no collective"; owned */
  uint64_t count; /**< how many items */
  struct {
    char **items; /**< [count] "FILE:LINE: DETAIL", in the order of reading; owned */
    size_t count, capacity;
  } places; /**< the first ones, or all */
} tutti_passed_reason;

/** All that was passed over. Zero-initialize, set the two choices; tutti_passed_free(). */
typedef struct tutti_passed {
  bool strict; /**< the first item is an error instead */
  bool all;    /**< keep all places, not the first TUTTI_PASSED_SHOWN of each reason */
  struct {
    tutti_passed_reason *items; /**< [count] in the order in which they were met first; owned */
    size_t count, capacity;
  } reasons;
  uint64_t count; /**< items of all reasons */
} tutti_passed;

/**
 * Pass over one item.
 * @param passed  NULL: as strict
 * @param file    the file it is in
 * @param line    its line, from 1; 0: the file as a whole
 * @param why     the reason, the same text for all items of a kind; copied. A reader has few; those past the 64th are
 *                counted as "other reasons".
 * @param format  as of printf(): the item itself, such as its name or the word that is not understood; may give ""
 * @return TUTTI_OK; TUTTI_ERR_ARGUMENT "FILE:LINE: WHY: DETAIL" if strict
 */
tutti_status tutti_pass_over(tutti_passed *passed, const char *file, uint64_t line, const char *why, tutti_error *error,
                             const char *format, ...) __attribute__((format(printf, 6, 7)));

/** Print the number of items, and under each reason its places, at @p indent blanks; nothing if there are none. */
void tutti_passed_print(const tutti_passed *passed, FILE *stream, int indent);

/** The place of the first item, "FILE:LINE: DETAIL"; "" without one. Valid until tutti_passed_free(). */
const char *tutti_passed_first(const tutti_passed *passed);

void tutti_passed_free(tutti_passed *passed);

#ifdef __cplusplus
}
#endif
#endif
