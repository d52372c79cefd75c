#include "interpose/record/ran.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/library.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/say.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

/* ---- each message ---- */

static monitoring_function *find_next(void)
{
  monitoring_function *next;
  void *symbol = dlsym(RTLD_NEXT, "mca_common_monitoring_record_pml");
  memcpy(&next, &symbol, sizeof next);
  return next;
}

/* Of Open MPI 4 and 5, libmca_common_monitoring: called by pml/monitoring before it sends. Tags of collectives are
   below zero. */
monitoring_function mca_common_monitoring_record_pml;
void mca_common_monitoring_record_pml(int to, size_t bytes, int tag)
{
  struct process *process = tutti_this_process(); /* NULL at first */
  monitoring_function *next = process && process->ran.next ? process->ran.next : find_next();
  if (next)
    next(to, bytes, tag);
  if (!process)
    return;
  process->ran.next = next;
  if (process->ran.on && tag < 0) {
    tutti_ran_add(&process->ran.sent, to, bytes);
    process->ran.heard++;
  }
}

/* ---- each call ---- */

static bool is_regular(const struct arguments *arguments)
{
  return !arguments->input.counts && !arguments->output.counts && !arguments->input.types && !arguments->output.types;
}

static bool is_world(MPI_Comm comm)
{
  int result = MPI_UNEQUAL;
  return PMPI_Comm_compare(comm, MPI_COMM_WORLD, &result) == MPI_SUCCESS &&
         (result == MPI_IDENT || result == MPI_CONGRUENT);
}

/* What a rank does not use is left zero, or was cleared. */
static bool is_type(MPI_Datatype type)
{
  return type && type != MPI_DATATYPE_NULL;
}

/* Its arguments, as all ranks have them. */
static struct ran_row kind_of(const struct call *call)
{
  const struct arguments *arguments = call->arguments;
  const bool rooted = tutti_collective_traits(arguments->collective) & TUTTI_HAS_ROOT;
  const MPI_Datatype type = is_type(arguments->output.type) ? arguments->output.type : arguments->input.type;
  int bytes = 0, commutes = 1;
  if (is_type(type))
    PMPI_Type_size(type, &bytes);
  if (tutti_collective_traits(arguments->collective) & TUTTI_REDUCES)
    PMPI_Op_commutative(arguments->op, &commutes);
  return (struct ran_row){.collective = arguments->collective,
                          .ranks = call->ranks,
                          .root = rooted ? arguments->root : 0,
                          .bytes = call->bytes,
                          .type_bytes = bytes > 0 ? (uint64_t)bytes : 0,
                          .ordered = !commutes,
                          .in_place = !rooted && arguments->input.base == MPI_IN_PLACE};
}

static int compare_kinds(const struct ran_row *left, const struct ran_row *right)
{
  const uint64_t a[] = {left->collective, (uint64_t)left->ranks, (uint64_t)left->root, left->bytes,
                        left->type_bytes, left->ordered,         left->in_place},
                 b[] = {right->collective, (uint64_t)right->ranks, (uint64_t)right->root, right->bytes,
                        right->type_bytes, right->ordered,         right->in_place};
  int order = 0;
  for (size_t i = 0; i < sizeof a / sizeof *a && order == 0; i++)
    order = THREE_WAY(a[i], b[i]);
  return order;
}

/* The row of a kind of calls, in ascending order; NULL: no memory for a new one. */
static struct ran_row *find_row(struct ran_rows *rows, const struct ran_row *kind)
{
  const size_t at = TUTTI_PARTITION_POINT(size_t, i, 0, rows->count, compare_kinds(&rows->items[i], kind) < 0);
  if (at < rows->count && compare_kinds(&rows->items[at], kind) == 0)
    return &rows->items[at];
  if (!tutti_vector_push(rows, *kind))
    return NULL;
  memmove(&rows->items[at + 1], &rows->items[at], (rows->count - 1 - at) * sizeof *rows->items);
  rows->items[at] = *kind;
  return &rows->items[at];
}

void tutti_ran_call(struct process *process, struct call *call, const struct executor *executor, double end)
{
  (void)end;
  struct ran *ran = &process->ran;
  if (!ran->on || !executor->native)
    return;
  if (executor->form || !call->sized || call->ranks == 0 || !is_regular(call->arguments) ||
      !is_world(call->communicator->comm)) {
    ran->passed_over++;
    return;
  }
  struct ran_row kind = kind_of(call);
  kind.sent = ran->sent;
  struct ran_row *row = find_row(&ran->rows, &kind);
  if (!row) {
    ran->passed_over++;
    return;
  }
  row->calls++;
  row->varied = row->varied || row->sent.print != ran->sent.print || row->sent.count != ran->sent.count;
}

/* ---- the beginning and the end ---- */

void tutti_ran_begin(struct process *process)
{
  process->ran.on = process->policy->ran != NULL && process->known.in_turn;
}

/* A row on its way to rank 0. */
struct travelling {
  struct ran_row row; /* of calls on rank `first` */
  int first, ranks;   /* so many have it, and send `row.sent` together */
};

static struct travelling *pack(const struct ran_rows *rows, int rank)
{
  struct travelling *items = calloc(rows->count + 1, sizeof *items);
  for (size_t i = 0; items && i < rows->count; i++) {
    items[i] = (struct travelling){rows->items[i], rank, 1};
    items[i].row.sent = (struct ran_messages){0};
    tutti_ran_join(&items[i].row.sent, rank, &rows->items[i].sent);
  }
  return items;
}

static int by_kind(const void *left, const void *right)
{
  const struct travelling *a = left, *b = right;
  return compare_kinds(&a->row, &b->row);
}

static void add_rank(void *into, const void *from)
{
  struct travelling *sum = into;
  const struct travelling *item = from;
  if (item->first < sum->first) {
    sum->first = item->first;
    sum->row.calls = item->row.calls;
  }
  sum->ranks += item->ranks;
  sum->row.varied = sum->row.varied || item->row.varied;
  sum->row.sent.count += item->row.sent.count;
  sum->row.sent.bytes += item->row.sent.bytes;
  sum->row.sent.print += item->row.sent.print;
}

/* Write the rows that all ranks have; returns how many calls of rank 0 others are. */
static uint64_t write_rows(FILE *stream, struct travelling *items, size_t count)
{
  uint64_t missing = 0;
  char library[RAN_LIBRARY];
  tutti_mpi_library(library, sizeof library);
  tutti_ran_begin_file(stream, library);
  count = tutti_merge(items, count, sizeof *items, by_kind, add_rank);
  for (size_t i = 0; i < count; i++)
    if (items[i].ranks == items[i].row.ranks)
      tutti_ran_write(stream, &items[i].row);
    else if (items[i].first == 0)
      missing += items[i].row.calls;
  return missing;
}

static void write_file(const char *path, const struct ran *ran, struct travelling *items, int count)
{
  struct tutti_output output;
  tutti_error error;
  uint64_t missing = 0;
  tutti_status status = tutti_output_begin(path, &output, &error);
  if (status == TUTTI_OK) {
    missing = write_rows(output.stream, items, (size_t)count) + ran->passed_over;
    status = tutti_output_end(&output, TUTTI_OK, &error);
  }
  if (status != TUTTI_OK)
    tutti_say(stderr, "tutti: TUTTI_RAN: %s\n", error.message);
  if (missing > 0)
    tutti_say(
        stderr,
        "tutti: TUTTI_RAN: nothing is noted of %llu call%s that the library did: on other communicators than those "
        "of all ranks, nonblocking, irregular, or not with the same arguments on all ranks\n",
        (unsigned long long)missing, missing == 1 ? "" : "s");
}

void tutti_ran_end(struct process *process)
{
  struct ran *ran = &process->ran;
  int rank, count = 0;
  uint64_t heard = ran->heard;
  if (!process->policy->ran)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Allreduce(MPI_IN_PLACE, &heard, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  ran->on = false;
  struct travelling *items = pack(&ran->rows, rank);
  struct travelling *all = tutti_gather_items(items, items ? (int)ran->rows.count : 0, sizeof *items, &count);
  if (rank == 0 && heard == 0)
    tutti_say(stderr,
              "tutti: TUTTI_RAN: no file: the library told nothing of its messages: Open MPI does if all ranks have "
              "OMPI_MCA_pml_monitoring_enable=2, its own collectives, and one thread in MPI at a time\n");
  else if (rank == 0 && count == 0 && ran->passed_over == 0)
    tutti_say(stderr, "tutti: TUTTI_RAN: no file: no collective was left to the library: TUTTI_NATIVE=1 leaves all\n");
  else if (rank == 0)
    write_file(process->policy->ran, ran, all, count);
  free(all);
  free(items);
  tutti_vector_free(&ran->rows);
}
