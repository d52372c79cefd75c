/* Pieces of the keys of lines. */
#ifndef TUTTI_HARNESS_BASELINE_ENTRY_H
#define TUTTI_HARNESS_BASELINE_ENTRY_H

#include "regression/baseline_private.h"

/* Room for a key that is no operation: the line of a points file, and its ranks. */
enum { KEY_LENGTH = TUTTI_RESULT_POINT_LENGTH + 64 };

/* The first word of lines of a kind; NULL: of operations, which begin with their method. */
const char *tutti_baseline_kind_word(tutti_baseline_kind kind);

bool tutti_baseline_has_size(tutti_collective collective);
bool tutti_baseline_has_root(tutti_collective collective);

/* An entry without key and values. */
void tutti_baseline_entry_begin(tutti_baseline_entry *entry, tutti_baseline_kind kind);

/* Set the key of an operation from its method, ranks, root and bytes. False: out of memory. */
bool tutti_baseline_finish_collective(tutti_baseline_entry *entry);

/* Set the key KIND FIRST ranks=N REST, from the line of a points file, which has the ranks elsewhere. */
bool tutti_baseline_finish_words(tutti_baseline_entry *entry, const char *point, int ranks);

#endif
