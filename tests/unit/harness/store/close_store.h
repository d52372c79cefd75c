/* For FREED_BY: a store of a test. */
#ifndef TUTTI_TESTS_CLOSE_STORE_H
#define TUTTI_TESTS_CLOSE_STORE_H

#include "tutti/store.h"
#include "unit/test.h"

static inline void close_store(tutti_store **store)
{
  tutti_store_close(*store);
}

#endif
