/* Machines of the tests: the platform files of the project. */
#ifndef TESTS_UNIT_ENGINE_MACHINE_H
#define TESTS_UNIT_ENGINE_MACHINE_H

#include "harness/engine/machine/machine.h"
#include "unit/test.h"

static inline void read_machine(const char *name, struct engine_machine *machine)
{
  char path[512];
  snprintf(path, sizeof path, "%s/platforms/%s.xml", TUTTI_SOURCE_DIR, name);
  assert_ok(tutti_machine_read(path, machine, &error), error);
}

#endif
