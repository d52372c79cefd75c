/* Groups to try maps on: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2. */
#ifndef TUTTI_CLI_MAPS_GROUPS_H
#define TUTTI_CLI_MAPS_GROUPS_H

#include <stdbool.h>

#include "tutti/error.h"

struct maps_group {
  const char *name;
  int size;
  int *members; /* owned */
};

/* The names, in the order of the tables; NULL past the end. */
const char *maps_group_name(int index);

/* Make the group of that name within a world of 2^20; TUTTI_ERR_ARGUMENT lists the names. Free its members. */
tutti_status maps_group_make(const char *name, struct maps_group *group, tutti_error *error);

enum { MAPS_WORLD = 1 << 20 };

#endif
