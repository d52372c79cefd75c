/* What the exporters share: all ranks of a call one after the other, and the numbers of messages. */
#ifndef TUTTI_SCHEDULE_EXPORT_H
#define TUTTI_SCHEDULE_EXPORT_H

#include "tutti/export.h"

/* Longest text of tutti_export_title(), terminating zero included. */
enum { EXPORT_TITLE_LENGTH = TUTTI_METHOD_LENGTH + 128 };

/* "bcast/binomial, 8 ranks, root 0, 1024 elements of 1 B". Returns title. */
char *tutti_export_title(const tutti_method *method, const tutti_call *call, char title[EXPORT_TITLE_LENGTH]);

/* tutti_method_check() whatever call->rank is. */
tutti_status tutti_export_check(const tutti_method *method, const tutti_call *call, tutti_error *error);

/* Writes the schedule of one rank; numbers[v] is the place of message v among those of its kind and peer, from 0 on.
   Errors of the stream are noticed afterwards. */
typedef tutti_status (*export_write)(const void *context, const tutti_schedule *schedule, const uint32_t *numbers,
                                     FILE *file, tutti_error *error);

/* Call `write` with the numbers of this schedule. TUTTI_ERR_MEMORY, TUTTI_ERR_IO, or what it returns. */
tutti_status tutti_export_rank(const tutti_schedule *schedule, export_write write, const void *context, FILE *file,
                               tutti_error *error);

/* The same for each rank of a call in order, one schedule in memory at a time. */
tutti_status tutti_export_each(const tutti_method *method, const tutti_call *call, export_write write,
                               const void *context, FILE *file, tutti_error *error);

#endif
