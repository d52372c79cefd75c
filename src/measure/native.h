/* The MPI library's own collectives. */
#ifndef TUTTI_MEASURE_NATIVE_H
#define TUTTI_MEASURE_NATIVE_H

#include "measure/subject.h"

/* Perform the operation of a native method once, on the communicator of @p view, all of which the view has. */
tutti_status tutti_perform_native(const struct subject *subject, const tutti_view *view, tutti_error *error);

#endif
