/* Communicators beside one another: gid_B(i) = pi_B^-1(RANK_B(SELECT_A(pi_A(gid_A(i))))) (Kamal, Mirtaheri, Wagner
   2010, section 7.1), where a view does both halves. O(1) to O(log world) steps a rank, as the maps have it. */
#include "groups/communicators/context_pool.h"

static tutti_status check_both(const tutti_comm *a, const tutti_comm *b, tutti_error *error)
{
  tutti_status status = tutti_comm_check(a, error);
  if (status == TUTTI_OK)
    status = tutti_comm_check(b, error);
  if (status == TUTTI_OK && a->contexts != b->contexts)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: the communicators are of two context pools",
                      a->contexts->rank);
  return status;
}

static int rank_in(const tutti_comm *a, int rank, const tutti_comm *b)
{
  return tutti_view_rank_of(&b->view, tutti_view_base_rank(&a->view, rank));
}

tutti_status tutti_comm_translate(const tutti_comm *a, const int *ranks, int count, const tutti_comm *b,
                                  int *translated, tutti_error *error)
{
  tutti_status status = check_both(a, b, error);
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    if (ranks[i] < -1 || ranks[i] >= a->view.size)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: no rank %d among %d", a->contexts->rank, ranks[i],
                        a->view.size);
    translated[i] = ranks[i] < 0 ? -1 : rank_in(a, ranks[i], b);
  }
  return status;
}

tutti_status tutti_comm_compare(const tutti_comm *a, const tutti_comm *b, tutti_map_relation *relation,
                                tutti_error *error)
{
  tutti_status status = check_both(a, b, error);
  if (status != TUTTI_OK)
    return status;
  *relation = a->view.size == b->view.size ? TUTTI_MAP_IDENT : TUTTI_MAP_UNEQUAL;
  for (int r = 0; r < a->view.size && *relation != TUTTI_MAP_UNEQUAL; r++) {
    int other = rank_in(a, r, b);
    if (other != r)
      *relation = other < 0 ? TUTTI_MAP_UNEQUAL : TUTTI_MAP_SIMILAR;
  }
  return TUTTI_OK;
}
