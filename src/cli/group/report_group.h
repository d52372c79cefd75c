/* Builds of groups as a table or JSON. */
#ifndef TUTTI_CLI_REPORT_GROUP_H
#define TUTTI_CLI_REPORT_GROUP_H

#include "tutti/group_run.h"

/* builds[count] are ordered by tutti_group_point_compare(); a table for each draw, a line for each builder. */
void report_group_print(const tutti_group_run *builds, size_t count, const char *where);
void report_group_print_json(const tutti_group_run *builds, size_t count, const char *where);

#endif
