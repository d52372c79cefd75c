/* Collectives and messages on several communicators at the same time. */
#include "bed.h"

enum { MOST = 24, METHODS = 3 };

static const char *const sums[METHODS] = {"allreduce/recursive-doubling", "allreduce/ring",
                                          "allreduce/reduce-bcast/reduce=binomial/bcast=binomial"};
static const char *const broadcasts[METHODS] = {"bcast/binomial", "bcast/chain/k=2", "bcast/linear"};

/* What is under way on one communicator. */
struct traffic {
  tutti_comm *comm;
  int number;
  long value, sum, told, heard, sent;
  tutti_request *requests[4];
};

static long value_of(int number, int member)
{
  return 1000L * (number + 1) + member;
}

/* The same user tag everywhere: only the context keeps messages apart. */
static void begin(struct bed *bed, struct traffic *t)
{
  tutti_view *view = tutti_comm_view(t->comm);
  int next = (view->rank + 1) % view->size, previous = (view->rank + view->size - 1) % view->size;
  tutti_method sum = method_of(bed, sums[t->number % METHODS]);
  tutti_method bcast = method_of(bed, broadcasts[t->number % METHODS]);
  t->value = t->sent = value_of(t->number, bed->rank);
  t->told = view->rank == view->size - 1 ? t->value : -1;
  must(bed, tutti_irecv(&t->heard, 1, MPI_LONG, previous, 5, view, &t->requests[0], &bed->error));
  must(bed, tutti_iallreduce(&sum, &t->value, &t->sum, 1, MPI_LONG, MPI_SUM, view, &t->requests[1], &bed->error));
  must(bed, tutti_ibcast(&bcast, &t->told, 1, MPI_LONG, view->size - 1, view, &t->requests[2], &bed->error));
  must(bed, tutti_isend(&t->sent, 1, MPI_LONG, next, 5, view, &t->requests[3], &bed->error));
}

static void end(struct bed *bed, struct traffic *t)
{
  must(bed, tutti_waitall(4, t->requests, &bed->error));
  const tutti_view *view = tutti_comm_view(t->comm);
  long sum = 0;
  for (int r = 0; r < view->size; r++)
    sum += value_of(t->number, tutti_view_base_rank(view, r));
  int previous = (view->rank + view->size - 1) % view->size;
  check(&bed->checks, t->sum == sum, "process %d: communicator %d: sum %ld, not %ld", bed->rank, t->number, t->sum,
        sum);
  check(&bed->checks, t->told == value_of(t->number, tutti_view_base_rank(view, view->size - 1)),
        "process %d: communicator %d: broadcast of %ld", bed->rank, t->number, t->told);
  check(&bed->checks, t->heard == value_of(t->number, tutti_view_base_rank(view, previous)),
        "process %d: communicator %d: message %ld", bed->rank, t->number, t->heard);
}

/* A blocking one in between. */
static void gather(struct bed *bed, struct traffic *t)
{
  tutti_view *view = tutti_comm_view(t->comm);
  tutti_method binomial = method_of(bed, "gather/binomial");
  int *all = malloc((size_t)view->size * sizeof *all), wrong = 0;
  must(bed, tutti_gather(&binomial, &bed->rank, 1, MPI_INT, all, 1, MPI_INT, 0, view, &bed->error));
  for (int r = 0; r < view->size && view->rank == 0; r++)
    wrong += all[r] != tutti_view_base_rank(view, r);
  check(&bed->checks, wrong == 0, "process %d: communicator %d: %d gathered wrong", bed->rank, t->number, wrong);
  free(all);
}

void use_all(struct bed *bed, tutti_comm **comms, int count)
{
  struct traffic *traffic = calloc(MOST, sizeof *traffic);
  int used = 0;
  for (int i = 0; i < count; i++)
    if (comms[i])
      traffic[used++] = (struct traffic){.comm = comms[i], .number = i};
  for (int i = 0; i < used; i++) /* in another order on each: else equal tags would match by the order of messages */
    begin(bed, &traffic[(i + bed->rank) % used]);
  for (int i = 0; i < used; i++)
    gather(bed, &traffic[i]);
  for (int i = used - 1; i >= 0; i--)
    end(bed, &traffic[i]);
  free(traffic);
}
