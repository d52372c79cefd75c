/* Letters over MPI: several receives from anybody are posted at all times, because a simulated transfer begins only
   when its receive is posted, and each is posted again before its message is delivered.

   A message of up to SHORT_WORDS words is one MPI message. A longer one is announced by such a message, and its words
   follow with another tag, to be received by a receive of that source and length:

       sender   --- topic ~kind depth count --->   receive of the pool
                --- words[count] ------------->    receive posted for it

   The receives for words have to be posted in the order in which the announcements of a sender were sent. That is the
   order of the receives of the pool which they matched, but they may be seen to complete in another one: so an
   announcement is held until no older receive of the pool is outstanding. Those have matched a message, too, which is
   about to arrive. */
#include <stdlib.h>
#include <string.h>

#include "groups/endpoint.h"
#include "schedule/run_state.h"

#ifdef SMPI_HELPERS_H
#define POST_SEND MPI_Issend
#else
#define POST_SEND MPI_Isend
#endif

enum { POOL = 8, FIRST_CAPACITY = 2 * POOL };
enum { ANY_TAG, REST_TAG };
_Static_assert(REST_TAG == TUTTI_ENDPOINT_TAGS - 1, "the tags of an endpoint");

static tutti_status fail(const tutti_endpoint *endpoint, const char *call, int code, tutti_error *error)
{
  tutti_fail(error, TUTTI_ERR_MPI, "rank %d: %s failed for a message between actors", endpoint->view.rank, call);
  if (error)
    error->mpi_code = code;
  return TUTTI_ERR_MPI;
}

static tutti_status out_of_memory(const tutti_endpoint *endpoint, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for messages", endpoint->view.rank);
}

/* ---- letters ---- */

static struct letter *create_letter(tutti_endpoint *endpoint, enum letter_role role, int count)
{
  size_t bytes = sizeof(struct letter) + tutti_mail_bytes(count);
  struct letter *letter = tutti_heap_alloc(&endpoint->heap, bytes);
  if (letter)
    *letter = (struct letter){.bytes = bytes, .role = role, .from = endpoint->view.rank, .count = count};
  return letter;
}

void tutti_letter_free(tutti_endpoint *endpoint, struct letter *letter)
{
  tutti_heap_free(&endpoint->heap, letter, letter->bytes);
}

/* ---- flights ---- */

/* Room for `more` requests behind the active ones. */
static bool reserve(tutti_endpoint *endpoint, int more)
{
  size_t active = (size_t)endpoint->active, old = (size_t)endpoint->capacity, capacity = old ? old : FIRST_CAPACITY;
  while (capacity < active + (size_t)more)
    capacity *= 2;
  if (capacity == old)
    return true;
  MPI_Request *requests = tutti_heap_alloc(&endpoint->heap, capacity * sizeof *requests);
  struct letter **flights = tutti_heap_alloc(&endpoint->heap, capacity * sizeof(struct letter *));
  if (!requests || !flights) {
    tutti_heap_free(&endpoint->heap, requests, capacity * sizeof *requests);
    tutti_heap_free(&endpoint->heap, flights, capacity * sizeof(struct letter *));
    return false;
  }
  for (size_t i = 0; i < active; i++) {
    requests[i] = endpoint->requests[i];
    flights[i] = endpoint->flights[i];
  }
  tutti_heap_free(&endpoint->heap, endpoint->requests, old * sizeof *requests);
  tutti_heap_free(&endpoint->heap, endpoint->flights, old * sizeof(struct letter *));
  endpoint->requests = requests;
  endpoint->flights = flights;
  endpoint->capacity = (int)capacity;
  return true;
}

static void free_flights(tutti_endpoint *endpoint)
{
  size_t capacity = (size_t)endpoint->capacity;
  tutti_heap_free(&endpoint->heap, endpoint->requests, capacity * sizeof *endpoint->requests);
  tutti_heap_free(&endpoint->heap, endpoint->flights, capacity * sizeof(struct letter *));
}

/* The letter has left the ground, with the request behind the active ones. */
static tutti_status take_off(tutti_endpoint *endpoint, struct letter *letter, const char *call, int result,
                             tutti_error *error)
{
  if (result != MPI_SUCCESS) {
    tutti_letter_free(endpoint, letter);
    return fail(endpoint, call, result, error);
  }
  endpoint->flights[endpoint->active++] = letter;
  return TUTTI_OK;
}

static struct letter *land(tutti_endpoint *endpoint, int index)
{
  struct letter *letter = endpoint->flights[index];
  size_t behind = (size_t)(--endpoint->active - index);
  memmove(endpoint->requests + index, endpoint->requests + index + 1, behind * sizeof *endpoint->requests);
  memmove(endpoint->flights + index, endpoint->flights + index + 1, behind * sizeof(struct letter *));
  return letter;
}

/* ---- receiving ---- */

static tutti_status post_receive(tutti_endpoint *endpoint, struct letter *letter, int source, int tag,
                                 tutti_error *error)
{
  if (!letter || !reserve(endpoint, 1)) {
    if (letter)
      tutti_letter_free(endpoint, letter);
    return out_of_memory(endpoint, error);
  }
  bool rest = letter->role == LETTER_REST; /* its header has come already */
  int result =
      MPI_Irecv(letter->data + (rest ? LETTER_WORDS : 0), letter->count + (rest ? 0 : LETTER_WORDS), MPI_INT, source,
                endpoint->view.first_tag + tag, endpoint->view.comm, &endpoint->requests[endpoint->active]);
  return take_off(endpoint, letter, "MPI_Irecv", result, error);
}

static tutti_status post_pool_receive(tutti_endpoint *endpoint, tutti_error *error)
{
  return post_receive(endpoint, create_letter(endpoint, LETTER_IN, SHORT_WORDS), MPI_ANY_SOURCE, ANY_TAG, error);
}

static tutti_status await_rest(tutti_endpoint *endpoint, const struct letter *announcement, tutti_error *error)
{
  const int *data = announcement->data;
  struct letter *letter = create_letter(endpoint, LETTER_REST, data[ANNOUNCED_COUNT]);
  if (letter) {
    memcpy(letter->data, data, LETTER_WORDS * sizeof *data);
    letter->data[LETTER_KIND] = ~data[LETTER_KIND];
    letter->from = announcement->from;
  }
  return post_receive(endpoint, letter, tutti_view_base_rank(&endpoint->view, announcement->from), REST_TAG, error);
}

/* Receive what was announced as far as the order allows. */
static tutti_status release_held(tutti_endpoint *endpoint, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < endpoint->active && status == TUTTI_OK; i++) {
    if (endpoint->flights[i]->role == LETTER_IN)
      break;
    if (endpoint->flights[i]->role != LETTER_HELD)
      continue;
    struct letter *announcement = land(endpoint, i--);
    status = await_rest(endpoint, announcement, error);
    tutti_letter_free(endpoint, announcement);
  }
  return status;
}

/* What the pool has received, with its source and its length. */
static tutti_status read_envelope(const tutti_endpoint *endpoint, struct letter *letter, const MPI_Status *status,
                                  tutti_error *error)
{
  int count = 0, result = MPI_Get_count(status, MPI_INT, &count);
  letter->from = (status->MPI_SOURCE - endpoint->view.first) / endpoint->view.stride;
  letter->count = count - LETTER_WORDS;
  if (result == MPI_SUCCESS && count >= LETTER_WORDS && (letter->data[LETTER_KIND] >= 0 || count == ANNOUNCEMENT))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: a message from rank %d with the tag of actors is none of theirs",
                    endpoint->view.rank, letter->from);
}

static tutti_status receive(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  struct letter *letter = endpoint->flights[index];
  tutti_status status = post_pool_receive(endpoint, error);
  if (status == TUTTI_OK)
    status = read_envelope(endpoint, letter, envelope, error);
  letter->role = LETTER_HELD;
  if (status == TUTTI_OK && letter->data[LETTER_KIND] >= 0)
    letters_put(&endpoint->inbox, land(endpoint, index));
  return status == TUTTI_OK ? release_held(endpoint, error) : status;
}

/* ---- completion ---- */

static tutti_status take_in(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  enum letter_role role = endpoint->flights[index]->role;
  if (role == LETTER_IN)
    return receive(endpoint, index, envelope, error);
  struct letter *letter = land(endpoint, index);
  if (role == LETTER_REST)
    letters_put(&endpoint->inbox, letter);
  else
    tutti_letter_free(endpoint, letter);
  return TUTTI_OK;
}

void tutti_endpoint_pay(tutti_endpoint *endpoint)
{
  double debt = endpoint->debt;
  endpoint->debt = 0;
  tutti_runtime_pause(debt);
}

tutti_status tutti_messages_wait(tutti_endpoint *endpoint, tutti_progress *beside, tutti_error *error)
{
  int own = endpoint->active, others = beside ? beside->active : 0, index = MPI_UNDEFINED;
  MPI_Status status;
  tutti_endpoint_pay(endpoint);
  if (!reserve(endpoint, others))
    return out_of_memory(endpoint, error);
  for (int i = 0; i < others; i++)
    endpoint->requests[own + i] = beside->requests[i];
  int result = MPI_Waitany(own + others, endpoint->requests, &index, &status);
  if (index >= own && index < own + others) {
    beside->requests[index - own] = MPI_REQUEST_NULL;
    tutti_progress_take_in(beside, index - own, result);
    return TUTTI_OK; /* a failure is that of its schedule */
  }
  if (result != MPI_SUCCESS || index < 0)
    return fail(endpoint, "MPI_Waitany", result, error);
  return take_in(endpoint, index, &status, error);
}

tutti_status tutti_messages_poll(tutti_endpoint *endpoint, tutti_error *error)
{
  for (;;) {
    int index = MPI_UNDEFINED, found = 0;
    MPI_Status status;
    int result = MPI_Testany(endpoint->active, endpoint->requests, &index, &found, &status);
    if (result == MPI_SUCCESS && !found)
      return TUTTI_OK;
    if (result != MPI_SUCCESS || index < 0)
      return fail(endpoint, "MPI_Testany", result, error);
    tutti_status good = take_in(endpoint, index, &status, error);
    if (good != TUTTI_OK)
      return good;
  }
}

/* ---- sending ---- */

static tutti_status post_send(tutti_endpoint *endpoint, struct letter *letter, int skipped, int to, int tag,
                              tutti_error *error)
{
  if (!reserve(endpoint, 1)) {
    tutti_letter_free(endpoint, letter);
    return out_of_memory(endpoint, error);
  }
  int result = POST_SEND(letter->data + skipped, LETTER_WORDS + letter->count - skipped, MPI_INT,
                         tutti_view_base_rank(&endpoint->view, to), endpoint->view.first_tag + tag, endpoint->view.comm,
                         &endpoint->requests[endpoint->active]);
  return take_off(endpoint, letter, "MPI_Isend", result, error);
}

static tutti_status send_long(tutti_endpoint *endpoint, struct letter *letter, int to, tutti_error *error)
{
  struct letter *first = create_letter(endpoint, LETTER_OUT, ANNOUNCEMENT - LETTER_WORDS);
  if (!first) {
    tutti_letter_free(endpoint, letter);
    return out_of_memory(endpoint, error);
  }
  memcpy(first->data, letter->data, LETTER_WORDS * sizeof *first->data);
  first->data[LETTER_KIND] = ~letter->data[LETTER_KIND];
  first->data[ANNOUNCED_COUNT] = letter->count;
  tutti_status status = post_send(endpoint, first, 0, to, ANY_TAG, error);
  if (status == TUTTI_OK)
    return post_send(endpoint, letter, LETTER_WORDS, to, REST_TAG, error);
  tutti_letter_free(endpoint, letter);
  return status;
}

static struct letter *letter_of(tutti_endpoint *endpoint, const tutti_mail *mail)
{
  struct letter *letter = create_letter(endpoint, LETTER_OUT, mail->count);
  if (!letter)
    return NULL;
  letter->data[LETTER_TOPIC] = mail->topic;
  letter->data[LETTER_KIND] = mail->kind;
  letter->data[LETTER_DEPTH] = mail->depth;
  if (mail->count > 0)
    memcpy(letter->data + LETTER_WORDS, mail->words, (size_t)mail->count * sizeof *mail->words);
  return letter;
}

static tutti_status send_mail(tutti_transport *transport, const tutti_mail *mail, tutti_error *error)
{
  tutti_endpoint *endpoint = (tutti_endpoint *)transport;
  if (mail->to < 0 || mail->to >= endpoint->view.size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message (%s) to process %d, which does not exist",
                      mail->from, tutti_mail_kind_name(mail->kind), mail->to);
  struct letter *letter = letter_of(endpoint, mail);
  if (!letter)
    return out_of_memory(endpoint, error);
  if (mail->to == endpoint->view.rank) {
    letters_put(&endpoint->inbox, letter);
    return TUTTI_OK;
  }
  endpoint->debt += endpoint->cost.send + endpoint->cost.byte * (double)tutti_mail_bytes(mail->count);
  tutti_endpoint_pay(endpoint);
  if (mail->count > SHORT_WORDS)
    return send_long(endpoint, letter, mail->to, error);
  return post_send(endpoint, letter, 0, mail->to, ANY_TAG, error);
}

/* ---- opening and closing ---- */

/* End all flights: sends arrive, receives are cancelled. Messages received all the same are counted. */
static tutti_status end_flights(tutti_endpoint *endpoint, int *received, tutti_error *error)
{
  tutti_status good = TUTTI_OK;
  while (endpoint->active > 0) {
    MPI_Status status;
    int cancelled = 0, result = MPI_SUCCESS;
    MPI_Request request = endpoint->requests[0];
    struct letter *letter = land(endpoint, 0);
    if (letter->role == LETTER_IN)
      result = MPI_Cancel(&request);
    if (result == MPI_SUCCESS)
      result = MPI_Wait(&request, &status);
    if (result == MPI_SUCCESS && letter->role == LETTER_IN)
      result = MPI_Test_cancelled(&status, &cancelled);
    if (result != MPI_SUCCESS && good == TUTTI_OK)
      good = fail(endpoint, "MPI_Cancel or MPI_Wait", result, error);
    *received += letter->role != LETTER_OUT && !cancelled;
    tutti_letter_free(endpoint, letter);
  }
  return good;
}

static int drop(tutti_endpoint *endpoint, struct letters *letters)
{
  struct letter *letter;
  int count = 0;
  for (; (letter = letters_take(letters)); count++)
    tutti_letter_free(endpoint, letter);
  return count;
}

static void free_endpoint(tutti_endpoint *endpoint)
{
  free_flights(endpoint);
  tutti_heap_free(&endpoint->heap, endpoint->actors, (size_t)endpoint->actor_capacity * sizeof(tutti_actor *));
  free(endpoint);
}

tutti_status tutti_endpoint_close(tutti_endpoint *endpoint, tutti_error *error)
{
  if (!endpoint)
    return TUTTI_OK;
  int rank = endpoint->view.rank, left = 0;
  if (endpoint->actor_count > 0)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: the endpoint is closed while %d actors are attached", rank,
                      endpoint->actor_count);
  tutti_status status = end_flights(endpoint, &left, error);
  left += drop(endpoint, &endpoint->inbox) + drop(endpoint, &endpoint->strays);
  free_endpoint(endpoint);
  if (status == TUTTI_OK && left > 0)
    status = tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: the endpoint is closed, and %d messages are undelivered",
                        rank, left);
  return status;
}

tutti_status tutti_endpoint_open(const tutti_view *view, tutti_endpoint **endpoint, tutti_error *error)
{
  if (view->rank < 0 || view->tag_count < TUTTI_ENDPOINT_TAGS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "an endpoint needs a view with its own process and %d tags, not %d",
                      TUTTI_ENDPOINT_TAGS, view->tag_count);
  tutti_endpoint *opened = calloc(1, sizeof *opened);
  if (!opened)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an endpoint", view->rank);
  opened->transport.send = send_mail;
  opened->view = *view;
  opened->heap = (tutti_heap){.used = sizeof *opened, .peak = sizeof *opened};
  tutti_status status = tutti_runtime_cost_read(&opened->cost, error);
  for (int i = 0; i < POOL && status == TUTTI_OK; i++)
    status = post_pool_receive(opened, error);
  if (status != TUTTI_OK) {
    int received = 0;
    end_flights(opened, &received, NULL);
    free_endpoint(opened);
    return status;
  }
  *endpoint = opened;
  return TUTTI_OK;
}
