#include "ranges.h"

static void refused(struct checks *checks, tutti_status status, tutti_status wanted, const tutti_error *error,
                    const char *words)
{
  check(checks, status == wanted && strstr(error->message, words), "'%s' expected, not %s: %s", words,
        tutti_status_name(status), status == TUTTI_OK ? "" : error->message);
}

static void refuse_tag(struct checks *checks, const tutti_view *view, int tag, const char *words)
{
  int data = 0;
  bool found;
  tutti_request *request;
  tutti_error e = {.message = ""};
  refused(checks, tutti_send(&data, 1, MPI_INT, view->rank, tag, view, &e), TUTTI_ERR_ARGUMENT, &e, words);
  refused(checks, tutti_isend(&data, 1, MPI_INT, view->rank, tag, view, &request, &e), TUTTI_ERR_ARGUMENT, &e, words);
  refused(checks, tutti_recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, tag, view, MPI_STATUS_IGNORE, &e), TUTTI_ERR_ARGUMENT,
          &e, words);
  refused(checks, tutti_irecv(&data, 1, MPI_INT, view->rank, tag, view, &request, &e), TUTTI_ERR_ARGUMENT, &e, words);
  refused(checks, tutti_irecv_exclusive(&data, 1, MPI_INT, tag, view, &request, &e), TUTTI_ERR_ARGUMENT, &e, words);
  refused(checks, tutti_probe(view->rank, tag, view, MPI_STATUS_IGNORE, &e), TUTTI_ERR_ARGUMENT, &e, words);
  refused(checks, tutti_iprobe(view->rank, tag, view, &found, MPI_STATUS_IGNORE, &e), TUTTI_ERR_ARGUMENT, &e, words);
}

static void refuse_rank(struct checks *checks, const tutti_view *view, int rank, const char *words)
{
  int data = 0;
  tutti_error e = {.message = ""};
  refused(checks, tutti_send(&data, 1, MPI_INT, rank, 0, view, &e), TUTTI_ERR_ARGUMENT, &e, words);
  if (rank != MPI_ANY_SOURCE)
    refused(checks, tutti_recv(&data, 1, MPI_INT, rank, 0, view, MPI_STATUS_IGNORE, &e), TUTTI_ERR_ARGUMENT, &e, words);
}

/* The first tag after the window, and the highest there is, are allowed. */
static void allowed(struct checks *checks, const tutti_view *view, int tag)
{
  int sent = tag, received = -1;
  tutti_request *request;
  MPI_Status status;
  tutti_error e = {.message = ""};
  tutti_status done = tutti_irecv(&received, 1, MPI_INT, view->rank, tag, view, &request, &e);
  if (done == TUTTI_OK)
    done = tutti_send(&sent, 1, MPI_INT, view->rank, tag, view, &e);
  if (done == TUTTI_OK)
    done = tutti_wait_message(&request, &status, &e);
  check(checks, done == TUTTI_OK && received == tag && status.MPI_TAG == tag, "tag %d: %s", tag, e.message);
}

/* The window of a communicator: communicator.h. */
static void check_window(struct checks *checks, const tutti_view *view)
{
  tutti_view own = *view;
  own.message_tag = 40;
  own.message_tags = 8;
  allowed(checks, &own, 0);
  allowed(checks, &own, 7);
  refuse_tag(checks, &own, 8, "tag 8 of a view with tags 0..7");
  refuse_tag(checks, &own, MPI_ANY_TAG, "MPI_ANY_TAG would take");
}

/* What a stranger sends all the same is not taken for a message of a member. */
static void break_a_promise(struct checks *checks, const tutti_view *world)
{
  tutti_view alone;
  int data = 1;
  tutti_request *request;
  tutti_error e = {.message = ""};
  if (world->size < 2 || world->rank > 1)
    return;
  tutti_view_range(world, 0, 0, 1, &alone, &e);
  if (world->rank == 1) {
    tutti_send(&data, 1, MPI_INT, 0, 9, world, &e);
    return;
  }
  tutti_irecv_exclusive(&data, 1, MPI_INT, 9, &alone, &request, &e);
  refused(checks, tutti_wait(&request, &e), TUTTI_ERR_FAULT, &e, "took a message of rank 1 of the communicator");
}

void check_refusals(struct checks *checks, const tutti_view *world)
{
  int *most, found, data = 0;
  tutti_request *request;
  tutti_view part, poor = *world;
  tutti_error e = {.message = ""};
  refuse_tag(checks, world, MPI_ANY_TAG, "MPI_ANY_TAG would take");
  refuse_tag(checks, world, -7, "tag -7 is not a tag of the MPI library");
  refuse_tag(checks, world, TUTTI_FIRST_TAG, "28672 is one of 28672..32767, which collectives use");
  refuse_tag(checks, world, TUTTI_FIRST_TAG + TUTTI_TAG_COUNT - 1, "which collectives use");
  allowed(checks, world, TUTTI_FIRST_TAG - 1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
  if (found && *most > TUTTI_FIRST_TAG + TUTTI_TAG_COUNT) {
    allowed(checks, world, TUTTI_FIRST_TAG + TUTTI_TAG_COUNT);
    allowed(checks, world, *most);
  }
  if (found && *most < 2147483647)
    refuse_tag(checks, world, *most + 1, "is not a tag of the MPI library");
  refuse_rank(checks, world, world->size, "in a view of");
  refuse_rank(checks, world, -5000, "rank -5000, in a view of");
  refuse_rank(checks, world, MPI_ANY_SOURCE, "a message to MPI_ANY_SOURCE");
  refused(checks, tutti_send(&data, UINT64_MAX, MPI_INT, 0, 0, world, &e), TUTTI_ERR_ARGUMENT, &e, "MPI can count");
  poor.progress = NULL;
  refused(checks, tutti_isend(&data, 1, MPI_INT, 0, 0, &poor, &request, &e), TUTTI_ERR_ARGUMENT, &e, "no progress");
  tutti_view_range(world, 0, 0, 1, &part, &e);
  if (world->rank > 0)
    refused(checks, tutti_send(&data, 1, MPI_INT, 0, 0, &part, &e), TUTTI_ERR_ARGUMENT, &e, "is not in the view");
  check_window(checks, world);
  break_a_promise(checks, world);
}
