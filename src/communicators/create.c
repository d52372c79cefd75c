/* Procedure 2 (Kamal, Mirtaheri, Wagner 2010, section 4): rank 0 of the group gathers the bits and chooses the leader;
 * the group itself need not be sent. The paper's rank 0 receives from one member after the other; here it is a binomial
 * tree. */
#include "communicators/joined.h"
#include "communicators/share.h"

static tutti_status ask(tutti_comm *parent, const tutti_map *group, struct answer *answer, tutti_error *error)
{
  struct joined joined;
  tutti_status status = tutti_joined_make(&joined, parent, group, error);
  if (status == TUTTI_OK)
    status = tutti_split_ask(parent->space, &joined.view, answer, error);
  return status == TUTTI_OK ? tutti_share_check(parent, answer, error) : status;
}

/* Ranks of the view are those of the group, by which it is sorted already. */
tutti_status tutti_comm_create(tutti_comm *parent, const tutti_map *group, tutti_comm **made, tutti_error *error)
{
  struct answer answer;
  struct shared_map *shared;
  tutti_map *map = NULL;
  *made = NULL;
  tutti_status status = ask(parent, group, &answer, error);
  if (status != TUTTI_OK)
    return status;
  tutti_status translated =
      answer.previous < 0 ? tutti_comm_translate_map(parent->space, &parent->view, group, &map, error) : TUTTI_OK;
  status = tutti_share_map(parent, &answer, map, &shared, translated == TUTTI_OK ? error : NULL);
  if (translated != TUTTI_OK || status != TUTTI_OK)
    return translated != TUTTI_OK ? translated : status;
  return tutti_share_adopt(parent->space, &answer, shared, made, error);
}
