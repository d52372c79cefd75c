/* Algorithms that are not there yet. */
#include "sort/sorting.h"

static tutti_status refuse(const struct sort *sort)
{
  return tutti_fail(sort->error, TUTTI_ERR_UNSUPPORTED, "sort: no algorithm '%s' yet",
                    tutti_sort_algorithm_name(sort->how->algorithm));
}

tutti_status tutti_sort_by_janus(struct sort *sort, const void *input, uint64_t count, struct sort_elements *output)
{
  (void)input;
  (void)count;
  (void)output;
  return refuse(sort);
}
