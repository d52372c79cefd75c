/* Decision functions in the report. */
#ifndef TUTTI_REPORT_DECISIONS_H
#define TUTTI_REPORT_DECISIONS_H

#include "tutti/report.h"

/* Ask every decision function at the points of a map. */
tutti_status tutti_report_ask_all(const tutti_report *report, tutti_report_map *map, tutti_error *error);

/* Which methods have letters: the best ones in their order, then those that are picked. */
void tutti_report_give_letters(tutti_report_map *map);

#endif
