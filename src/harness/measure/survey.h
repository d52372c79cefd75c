/* Placement of the ranks of a launch on a real machine, which only they can see. */
#ifndef TUTTI_MEASURE_SURVEY_H
#define TUTTI_MEASURE_SURVEY_H

#include "tutti/record.h"
#include "tutti/view.h"

/* Set, at rank 0, the machine in a tutti-run record, and the actual ranks per node. Print a note on standard error if a
   node has more ranks than processors that these may run on; @p program is the name of this one. Collective. */
tutti_status tutti_survey_launch(const tutti_view *view, const char *program, tutti_record *run, tutti_error *error);

/* TUTTI_ERR_UNSUPPORTED if the launcher is that of another library, under which every rank believes to be alone. */
tutti_status tutti_survey_launcher(const tutti_view *view, tutti_error *error);

/* Set date and load. */
void tutti_survey_moment(tutti_record *record);

#endif
