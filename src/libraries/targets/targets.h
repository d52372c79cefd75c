/* The targets, one a file, and what their writers share. */
#ifndef TUTTI_DECISION_TARGETS_TARGETS_H
#define TUTTI_DECISION_TARGETS_TARGETS_H

#include "tutti/target.h"

extern const tutti_target tutti_target_c;
extern const tutti_target tutti_target_openmpi_41;
extern const tutti_target tutti_target_openmpi_5;
extern const tutti_target tutti_target_openmpi_6;
extern const tutti_target tutti_target_mpich_40;
extern const tutti_target tutti_target_mpich_41;
extern const tutti_target tutti_target_smpi;
extern const tutti_target tutti_target_tutti;

/* Does the method apply to so many ranks as it is? */
bool tutti_target_applies(const tutti_method *method, int ranks);

/* For targets that are Tutti's own: sizes are those of a rank, and every method is known. @{ */
tutti_size_unit tutti_target_unit_rank(tutti_collective collective);
bool tutti_target_knows_all(const tutti_method *method, int ranks);
/* @} */

/* Are all parameters but segment size and k, and those of the parts, at their defaults? */
bool tutti_target_is_plain(const tutti_method *method);

/* Print lines of text, each behind a prefix. NULL prints nothing. */
void tutti_target_print_comment(const char *comment, const char *prefix, FILE *stream);

/* TUTTI_OK, or TUTTI_ERR_IO if the stream failed. */
tutti_status tutti_target_written(FILE *stream, tutti_error *error);

#endif
