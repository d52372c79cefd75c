/* Calls that a library gets wrong, made in another way so that there is something right to compare with. */
#ifndef TUTTI_TESTS_EVERY_NATIVE_BUGS_H
#define TUTTI_TESTS_EVERY_NATIVE_BUGS_H

#include "case.h"

/* Make the call by other collectives of the library if it is known to be wrong there; false if it is not. */
bool native_bug_avoided(const struct call_case *call, const struct case_memory *memory);

#endif
