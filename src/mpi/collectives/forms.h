/* Blocking, nonblocking and persistent: the three ways to run any collective. */
#ifndef TUTTI_COLLECTIVES_FORMS_H
#define TUTTI_COLLECTIVES_FORMS_H

#include "mpi/collectives/arguments.h"
#include "tutti/collectives.h"

/* Run to the end. The arguments are tidied here: tutti_arguments_tidy(). */
tutti_status tutti_block_on(const tutti_method *method, struct arguments *arguments, const tutti_view *view,
                            tutti_error *error);

/* The same by the substitute of the method where the call is outside its domain. *ran: the method that did it. */
tutti_status tutti_block_serving(const tutti_method *method, const struct arguments *arguments, const tutti_view *view,
                                 tutti_method *ran, tutti_error *error);

/* Start, to be completed by tutti_wait() and the like. */
tutti_status tutti_begin(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                         tutti_request **request, tutti_error *error);

/* Prepare, to be started by tutti_start(). */
tutti_status tutti_prepare_again(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                 tutti_request **request, tutti_error *error);

#endif
