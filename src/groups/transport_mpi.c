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
#include <string.h>

#include "groups/endpoint.h"
#include "mpi/large.h"
#include "mpi/run_state.h"

enum { ANY_TAG, REST_TAG };
_Static_assert(REST_TAG == TUTTI_ENDPOINT_TAGS - 1, "the tags of an endpoint");

/* The letter has left the ground, with the request behind the active ones. */
static tutti_status take_off(tutti_endpoint *endpoint, struct letter *letter, const char *call, int result,
                             tutti_error *error)
{
  if (result != MPI_SUCCESS) {
    tutti_letter_free(endpoint, letter);
    return tutti_messages_failed(endpoint, call, result, error);
  }
  endpoint->flights[endpoint->active++] = letter;
  return TUTTI_OK;
}

/* ---- receiving ---- */

static tutti_status post_receive(tutti_endpoint *endpoint, struct letter *letter, int source, int tag,
                                 tutti_error *error)
{
  if (!letter || !tutti_flights_reserve(endpoint, 1)) {
    if (letter)
      tutti_letter_free(endpoint, letter);
    return tutti_letter_no_memory(endpoint, error);
  }
  bool rest = letter->role == LETTER_REST; /* its header has come already */
  int result =
      MPI_Irecv(letter->data + (rest ? LETTER_WORDS : 0), letter->count + (rest ? 0 : LETTER_WORDS), MPI_INT, source,
                endpoint->view.first_tag + tag, endpoint->view.comm, &endpoint->requests[endpoint->active]);
  return take_off(endpoint, letter, "MPI_Irecv", result, error);
}

tutti_status tutti_pool_receive(tutti_endpoint *endpoint, tutti_error *error)
{
  return post_receive(endpoint, tutti_letter_create(endpoint, LETTER_IN, SHORT_WORDS), MPI_ANY_SOURCE, ANY_TAG, error);
}

static tutti_status await_rest(tutti_endpoint *endpoint, const struct letter *announcement, tutti_error *error)
{
  const int *data = announcement->data;
  struct letter *letter = tutti_letter_create(endpoint, LETTER_REST, data[ANNOUNCED_COUNT]);
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
    struct letter *announcement = tutti_letter_land(endpoint, i--);
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
  letter->from = tutti_view_rank_of(&endpoint->view, status->MPI_SOURCE);
  letter->count = count - LETTER_WORDS;
  if (result == MPI_SUCCESS && letter->from >= 0 && count >= LETTER_WORDS &&
      (letter->data[LETTER_KIND] >= 0 || count == ANNOUNCEMENT))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_FAULT,
                    "rank %d: a message from rank %d of the communicator with the tag of actors is none of theirs",
                    endpoint->view.rank, status->MPI_SOURCE);
}

static tutti_status receive(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  struct letter *letter = endpoint->flights[index];
  tutti_status status = tutti_pool_receive(endpoint, error);
  if (status == TUTTI_OK)
    status = read_envelope(endpoint, letter, envelope, error);
  letter->role = LETTER_HELD;
  if (status == TUTTI_OK && letter->data[LETTER_KIND] >= 0)
    letters_put(&endpoint->inbox, tutti_letter_land(endpoint, index));
  return status == TUTTI_OK ? release_held(endpoint, error) : status;
}

/* ---- completion ---- */

static tutti_status take_in(tutti_endpoint *endpoint, int index, const MPI_Status *envelope, tutti_error *error)
{
  enum letter_role role = endpoint->flights[index]->role;
  if (role == LETTER_IN)
    return receive(endpoint, index, envelope, error);
  struct letter *letter = tutti_letter_land(endpoint, index);
  if (role == LETTER_REST)
    letters_put(&endpoint->inbox, letter);
  else
    tutti_letter_free(endpoint, letter);
  return TUTTI_OK;
}

void tutti_entries_charge(tutti_transport *transport, int entries)
{
  tutti_endpoint *endpoint = (tutti_endpoint *)transport;
  endpoint->debt += endpoint->cost.entry * entries;
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
  if (beside && beside->sought) { /* cannot be waited for */
    tutti_status polled = tutti_messages_poll(endpoint, error);
    return polled == TUTTI_OK ? tutti_progress_poll(beside, error) : polled;
  }
  if (!tutti_flights_reserve(endpoint, others))
    return tutti_letter_no_memory(endpoint, error);
  for (int i = 0; i < others; i++)
    endpoint->requests[own + i] = beside->requests[i];
  int result = MPI_Waitany(own + others, endpoint->requests, &index, &status);
  if (index >= own && index < own + others) {
    beside->requests[index - own] = MPI_REQUEST_NULL;
    tutti_progress_take_in(beside, index - own, result, &status);
    return TUTTI_OK; /* a failure is that of its schedule */
  }
  if (result != MPI_SUCCESS || index < 0)
    return tutti_messages_failed(endpoint, "MPI_Waitany", result, error);
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
      return tutti_messages_failed(endpoint, "MPI_Testany", result, error);
    tutti_status good = take_in(endpoint, index, &status, error);
    if (good != TUTTI_OK)
      return good;
  }
}

/* ---- sending ---- */

static tutti_status post_send(tutti_endpoint *endpoint, struct letter *letter, int skipped, int to, int tag,
                              tutti_error *error)
{
  if (!tutti_flights_reserve(endpoint, 1)) {
    tutti_letter_free(endpoint, letter);
    return tutti_letter_no_memory(endpoint, error);
  }
  int result = TUTTI_POST_SEND(letter->data + skipped, LETTER_WORDS + letter->count - skipped, MPI_INT,
                               tutti_view_base_rank(&endpoint->view, to), endpoint->view.first_tag + tag,
                               endpoint->view.comm, &endpoint->requests[endpoint->active]);
  return take_off(endpoint, letter, "MPI_Isend", result, error);
}

static tutti_status send_long(tutti_endpoint *endpoint, struct letter *letter, int to, tutti_error *error)
{
  struct letter *first = tutti_letter_create(endpoint, LETTER_OUT, ANNOUNCEMENT - LETTER_WORDS);
  if (!first) {
    tutti_letter_free(endpoint, letter);
    return tutti_letter_no_memory(endpoint, error);
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

static struct letter *letter_of(tutti_endpoint *endpoint, const tutti_message *message)
{
  struct letter *letter = tutti_letter_create(endpoint, LETTER_OUT, message->count);
  if (!letter)
    return NULL;
  letter->data[LETTER_TOPIC] = message->topic;
  letter->data[LETTER_KIND] = message->kind;
  letter->data[LETTER_DEPTH] = message->depth;
  if (message->count > 0)
    memcpy(letter->data + LETTER_WORDS, message->words, (size_t)message->count * sizeof *message->words);
  return letter;
}

tutti_status tutti_letter_send(tutti_transport *transport, const tutti_message *message, tutti_error *error)
{
  tutti_endpoint *endpoint = (tutti_endpoint *)transport;
  if (message->to < 0 || message->to >= endpoint->view.size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message (%s) to process %d, which does not exist",
                      message->from, tutti_message_kind_name(message->kind), message->to);
  struct letter *letter = letter_of(endpoint, message);
  if (!letter)
    return tutti_letter_no_memory(endpoint, error);
  if (message->to == endpoint->view.rank) {
    letters_put(&endpoint->inbox, letter);
    return TUTTI_OK;
  }
  endpoint->debt += endpoint->cost.send + endpoint->cost.byte * (double)tutti_message_bytes(message->count);
  tutti_endpoint_pay(endpoint);
  if (message->count > SHORT_WORDS)
    return send_long(endpoint, letter, message->to, error);
  return post_send(endpoint, letter, 0, message->to, ANY_TAG, error);
}
