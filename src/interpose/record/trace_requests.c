/* The requests of a program that are under way, by their handles; what a call that waits for them needs to keep. */
#include <stdlib.h>
#include <string.h>

#include "interpose/process.h"

enum { FIRST_CAPACITY = 64 };

bool tutti_trace_is_recording(const struct process *process)
{
  return process->trace.comm != MPI_COMM_NULL && process->trace.buffer && process->trace.shapes && !process->ended;
}

static size_t place_of(const struct trace_messages *messages, MPI_Request handle)
{
  uint64_t word = 0;
  memcpy(&word, &handle, sizeof handle);
  return tutti_hash_words(&word, 1) & (messages->capacity - 1);
}

static void insert_request(struct trace_messages *messages, const struct trace_request *request)
{
  size_t place = place_of(messages, request->handle);
  while (messages->requests[place].used)
    place = (place + 1) & (messages->capacity - 1);
  messages->requests[place] = *request;
}

static bool grow(struct trace_messages *messages)
{
  const struct trace_messages old = *messages;
  const size_t capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  struct trace_request *requests = calloc(capacity, sizeof *requests);
  if (!requests)
    return false;
  messages->requests = requests;
  messages->capacity = capacity;
  for (size_t i = 0; i < old.capacity; i++)
    if (old.requests[i].used)
      insert_request(messages, &old.requests[i]);
  free(old.requests);
  return true;
}

MPI_Group tutti_trace_members(MPI_Comm comm)
{
  MPI_Group members = MPI_GROUP_NULL;
  return comm != MPI_COMM_WORLD && PMPI_Comm_group(comm, &members) == MPI_SUCCESS ? members : MPI_GROUP_NULL;
}

void tutti_trace_members_free(MPI_Group members)
{
  if (members != MPI_GROUP_NULL)
    PMPI_Group_free(&members);
}

/* Free what it owns. */
static void forget(const struct trace_request *request)
{
  free(request->group);
  if (request->any)
    tutti_trace_members_free(request->members);
}

void tutti_trace_request_add(struct trace_messages *messages, const struct trace_request *request)
{
  if (2 * (messages->used + 1) > messages->capacity && !grow(messages)) {
    forget(request);
    return;
  }
  messages->most = request->more > messages->most ? request->more : messages->most;
  messages->used++;
  insert_request(messages, request);
}

struct trace_request *tutti_trace_request_find(const struct trace_messages *messages, MPI_Request handle)
{
  if (messages->used == 0)
    return NULL;
  size_t place = place_of(messages, handle);
  for (; messages->requests[place].used; place = (place + 1) & (messages->capacity - 1))
    if (messages->requests[place].handle == handle)
      return &messages->requests[place];
  return NULL;
}

/* Later entries move up, so that no gap hides one (Knuth, volume 3, 6.4, algorithm R). */
void tutti_trace_request_remove(struct trace_messages *messages, struct trace_request *request)
{
  const size_t mask = messages->capacity - 1;
  size_t gap = (size_t)(request - messages->requests);
  forget(request);
  messages->used--;
  for (size_t next = (gap + 1) & mask; messages->requests[next].used; next = (next + 1) & mask) {
    const size_t home = place_of(messages, messages->requests[next].handle);
    if (((next - home) & mask) < ((next - gap) & mask))
      continue;
    messages->requests[gap] = messages->requests[next];
    gap = next;
  }
  messages->requests[gap].used = false;
}

/* ---- communicators that the program makes get their numbers in the order in which all their ranks make them ---- */

void tutti_trace_made(MPI_Comm comm)
{
  struct process *process = tutti_process_enter();
  struct communicator *communicator =
      comm != MPI_COMM_NULL && tutti_trace_is_recording(process) ? tutti_communicator_of(&process->known, comm) : NULL;
  if (communicator && !communicator->trace.known)
    tutti_trace_define(&process->trace, &communicator->trace, comm);
  tutti_process_leave(process);
}

void tutti_trace_give_number(struct process *process, MPI_Comm comm, uint64_t number)
{
  struct communicator *communicator = comm != MPI_COMM_NULL ? tutti_communicator_of(&process->known, comm) : NULL;
  if (communicator && !communicator->trace.known)
    communicator->trace = (struct trace_communicator){.number = number, .known = true};
}

void tutti_trace_begun(MPI_Comm comm, MPI_Comm made, MPI_Request request)
{
  struct process *process = tutti_process_enter();
  const uint64_t number =
      made != MPI_COMM_NULL && tutti_trace_is_recording(process) ? tutti_trace_number(&process->trace, comm) : 0;
  if (number > 0 && request == MPI_REQUEST_NULL)
    tutti_trace_give_number(process, made, number);
  else if (number > 0)
    tutti_trace_request_add(
        &process->trace.messages,
        &(struct trace_request){.handle = request, .used = true, .active = true, .made = made, .communicator = number});
  tutti_process_leave(process);
}

/* ---- calls that wait ---- */

void tutti_trace_wait_begin(struct trace_wait *wait, int count, const MPI_Request *requests, MPI_Status *statuses,
                            bool ignored)
{
  const size_t some = count > 0 ? (size_t)count : 0;
  wait->handles = wait->few;
  wait->statuses = ignored ? wait->few_statuses : statuses;
  wait->owned = NULL;
  if (count > TRACE_FEW) {
    MPI_Status *room = malloc(some * (sizeof *room + sizeof *requests));
    wait->owned = room;
    wait->handles = room ? (MPI_Request *)(room + some) : NULL;
    wait->statuses = ignored && room ? room : statuses;
  }
  wait->count = wait->handles ? count : 0;
  for (int i = 0; i < wait->count; i++)
    wait->handles[i] = requests[i];
  wait->start = tutti_trace_now();
}

void tutti_trace_messages_free(struct trace_messages *messages)
{
  free(messages->shapes);
  free(messages->waits);
  for (size_t i = 0; i < messages->capacity; i++)
    if (messages->requests[i].used)
      forget(&messages->requests[i]);
  free(messages->requests);
  *messages = (struct trace_messages){.shapes = NULL};
}
