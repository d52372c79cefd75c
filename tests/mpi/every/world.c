#include "ranks.h"

struct ranks ranks_in_order(struct checks *checks, const tutti_view *world)
{
  (void)checks;
  return (struct ranks){.view = *world};
}

void ranks_free(struct ranks *ranks)
{
  (void)ranks;
}
