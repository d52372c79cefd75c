/* Symbolic elements beyond the public part. */
#ifndef TUTTI_SCHEDULE_SYMBOL_H
#define TUTTI_SCHEDULE_SYMBOL_H

#include "tutti/verify.h"

bool tutti_symbol_equal(tutti_symbol a, tutti_symbol b);

#endif
