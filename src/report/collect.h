/* The steps of tutti_report_create(). */
#ifndef TUTTI_REPORT_COLLECT_H
#define TUTTI_REPORT_COLLECT_H

#include "tutti/report.h"

/* The decision maps of all measurements, in order of the contents; one for each root, type and pattern, which do
   not mix. */
tutti_status tutti_report_collect_maps(tutti_report *report, tutti_error *error);
void tutti_report_free_map(tutti_report_map *map);

/* Ask every decision function at the points of a map. */
tutti_status tutti_report_ask_all(const tutti_report *report, tutti_report_map *map, tutti_error *error);

/* Ask one of them; a function without an answer leaves no layer. */
tutti_status tutti_report_ask(tutti_report_map *map, const tutti_decision *decision, const char *kind,
                              tutti_error *error);

/* Which methods have letters: the best ones in their order, then those that are picked. */
tutti_status tutti_report_give_letters(tutti_report_map *map, tutti_error *error);

#endif
