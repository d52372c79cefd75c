/* Messages of a task. */
#include <stdlib.h>
#include <string.h>

#include "sort/task.h"

static tutti_status make_room(struct task *task)
{
  enum { FIRST_ROOM = 8 };
  if (task->send_count < task->send_room)
    return TUTTI_OK;
  size_t room = task->send_room ? 2 * task->send_room : FIRST_ROOM;
  tutti_request **sends = realloc(task->sends, room * sizeof *sends);
  if (!sends)
    return tutti_fail(task->sort->error, TUTTI_ERR_MEMORY, "rank %d: no memory for %zu messages", task->sort->view.rank,
                      room);
  task->sends = sends;
  task->send_room = room;
  return TUTTI_OK;
}

tutti_status tutti_sort_send(struct task *task, const char *data, uint64_t count, int rank, int tag)
{
  uint64_t bytes = count * task->sort->type->size;
  tutti_status status = make_room(task);
  if (status == TUTTI_OK)
    status = tutti_isend(data, bytes, MPI_BYTE, rank, sort_tag(&task->view, tag), &task->view,
                         &task->sends[task->send_count], task->sort->error);
  if (status != TUTTI_OK)
    return status;
  task->send_count++;
  task->sent++;
  task->sort->tally.sent_bytes += bytes;
  return TUTTI_OK;
}

uint64_t tutti_sort_received(const struct task *task, const MPI_Status *status)
{
#ifdef SMPI_HELPERS_H /* SMPI 3.32 has no other */
  int bytes = 0;
  MPI_Get_count(status, MPI_BYTE, &bytes);
#else
  MPI_Count bytes = 0;
  MPI_Get_elements_x(status, MPI_BYTE, &bytes);
#endif
  return (uint64_t)bytes / task->sort->type->size;
}
