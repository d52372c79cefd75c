/* What the exports of schedules have in common. */
#ifndef TUTTI_ANALYSIS_EXPORT_H
#define TUTTI_ANALYSIS_EXPORT_H

#include "tutti/analysis.h"

/* Longest text of tutti_export_title(), terminating zero included. */
enum { TUTTI_EXPORT_TITLE_LENGTH = TUTTI_METHOD_LENGTH + 128 };

/* "bcast/binomial, 8 ranks, root 0, 1024 elements of 1 B". Returns title. */
char *tutti_export_title(const tutti_method *method, const tutti_call *call, char title[TUTTI_EXPORT_TITLE_LENGTH]);

#endif
