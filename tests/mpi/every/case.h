/* One call of any collective, made natively and by Tutti in any of three forms, on memory that can be compared. */
#ifndef TUTTI_TESTS_EVERY_CASE_H
#define TUTTI_TESTS_EVERY_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "tutti/collectives.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORM_COUNT };

/* Arguments of the call; irregular collectives use the arrays. */
struct call_case {
  tutti_collective collective;
  bool in_place;
  int root, count;
  int kind; /* which datatype and operation, for messages */
  MPI_Datatype type;
  MPI_Op op;
  int *input_counts, *input_places, *output_counts, *output_places; /* [size] */
  MPI_Datatype *input_types, *output_types;                         /* [size] alltoallw */
};

/* Memory of the call on this rank; `base` is where the buffer begins, with room before it. */
struct case_memory {
  size_t bytes;
  unsigned char *input, *output; /* whole */
  size_t offset;                 /* of the buffers */
};

/* The buffers to pass: MPI_IN_PLACE where the call wants it and the collective and the rank allow it. @{ */
void *case_input(const struct call_case *call, const struct case_memory *memory, int rank);
void *case_output(const struct call_case *call, const struct case_memory *memory, int rank);
/* @} */

/* Make the call by MPI itself. */
void case_native(const struct call_case *call, const struct case_memory *memory);

/* Make the call by Tutti. A persistent one is started twice, the second time on output that `again` is copied to. */
tutti_status case_tutti(const struct call_case *call, const struct case_memory *memory, const tutti_method *method,
                        enum form form, tutti_view *view, const unsigned char *again, tutti_error *error);

#endif
