/* Commands and queries that give the numbers of the report again. */
#ifndef TUTTI_REPORT_COMMAND_H
#define TUTTI_REPORT_COMMAND_H

#include "tutti/report.h"

#define COMMAND_LENGTH 1024

/* "tutti map bcast --platform grig_mx --db my.db": SUBCOMMAND ends with what selects the environment, and options only
   where something else in the store would match, too. Returns @p text. */
char *tutti_command_of_environment(const tutti_report *report, const char *subcommand, int environment,
                                   char text[COMMAND_LENGTH]);

/* "tutti params grig_mx --compare": measures parameters, and sets them beside published ones. */
char *tutti_command_of_parameters(const tutti_report *report, int environment, char text[COMMAND_LENGTH]);

/* As tutti_command_of_environment(), of the measurements of a map. */
char *tutti_command_of_map(const tutti_report *report, const char *subcommand, const tutti_report_map *map,
                           char text[COMMAND_LENGTH]);

/* The rows of a map or of other entries, in SQL. */
char *tutti_query_of_map(const tutti_report *report, const tutti_report_map *map, char text[COMMAND_LENGTH]);
char *tutti_query_of_entry(const tutti_report *report, const tutti_store_entry *entry, char text[COMMAND_LENGTH]);

/* Is there another map of the collective and environment that differs in this? @{ */
bool tutti_command_has_other_scheme(const tutti_report *report, const tutti_report_map *map);
bool tutti_command_has_other_nodes(const tutti_report *report, const tutti_report_map *map);
bool tutti_command_has_other_root(const tutti_report *report, const tutti_report_map *map);
bool tutti_command_has_pattern(const tutti_report_map *map); /* its own: late arrivals or noise */
bool tutti_command_has_other_type(const tutti_report *report, const tutti_report_map *map);
/* @} */

#endif
