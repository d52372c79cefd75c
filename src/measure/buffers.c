#include "measure/bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All ranks of a simulation are in this process. */
static int ranks_sharing(const struct points *points, const tutti_view *view)
{
  return tutti_clock_is_simulated() || points->ranks_per_node > view->size ? view->size : points->ranks_per_node;
}

/* Asked for beforehand: a system that promises more memory than it has ends the process that believes it. In simulation
   all ranks get the same answer and can leave in good order; of real machines one may be smaller than the others. */
static tutti_status check_memory(const struct points *points, const tutti_view *view, tutti_error *error)
{
  int sharing = ranks_sharing(points, view);
  uint64_t needed = tutti_buffer_sizes_sum(points, view->size, sharing);
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0 || needed <= (uint64_t)pages * (uint64_t)page)
    return TUTTI_OK;
  return tutti_fail(error, tutti_clock_is_simulated() ? TUTTI_ERR_UNSUPPORTED : TUTTI_ERR_MEMORY,
                    "the messages of %d ranks take %.3g GB of memory, and this machine has %.3g GB", sharing,
                    (double)needed / 1e9, (double)pages * (double)page / 1e9);
}

/* Never NULL for want of data. Not a byte more than needed: one over a power of two costs the next size class. */
static char *allocate(uint64_t bytes)
{
  char *memory = malloc(bytes ? bytes : 1);
  if (memory)
    memset(memory, 0, bytes);
  return memory;
}

tutti_status tutti_buffers_create(const struct points *points, const tutti_view *view, struct buffers *buffers,
                                  tutti_error *error)
{
  *buffers = (struct buffers){NULL, NULL};
  tutti_status status = check_memory(points, view, error);
  if (status != TUTTI_OK)
    return status;
  struct buffer_sizes sizes = tutti_buffer_sizes_max(points, view->size, view->rank);
  *buffers = (struct buffers){allocate(sizes.input), allocate(sizes.output)};
  if (buffers->input && buffers->output)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages of %llu bytes", view->rank,
                    (unsigned long long)(sizes.input + sizes.output));
}

void tutti_buffers_free(struct buffers *buffers)
{
  free(buffers->input);
  free(buffers->output);
}
