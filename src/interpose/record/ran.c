#include "interpose/record/ran.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

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
static struct ran_row row_of(const struct call *call)
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
                          .in_place = !rooted && arguments->input.base == MPI_IN_PLACE,
                          .calls = 1};
}

static bool is_same(const struct ran_row *left, const struct ran_row *right)
{
  return left->collective == right->collective && left->ranks == right->ranks && left->root == right->root &&
         left->bytes == right->bytes && left->type_bytes == right->type_bytes && left->ordered == right->ordered &&
         left->in_place == right->in_place;
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
  struct ran_row row = row_of(call);
  row.sent = ran->sent;
  for (size_t i = 0; i < ran->rows.count; i++) {
    struct ran_row *known = &ran->rows.items[i];
    if (!is_same(known, &row))
      continue;
    known->calls++;
    known->varied = known->varied || known->sent.print != row.sent.print || known->sent.count != row.sent.count;
    return;
  }
  if (!tutti_vector_push(&ran->rows, row))
    ran->passed_over++;
}

/* ---- the beginning and the end ---- */

void tutti_ran_begin(struct process *process)
{
  process->ran.on = process->policy->ran != NULL && process->known.in_turn;
}

/* A row on its way to rank 0. */
struct travelling {
  int rank;
  struct ran_row row;
};

static struct travelling *pack(const struct ran_rows *rows, int rank)
{
  struct travelling *items = calloc(rows->count + 1, sizeof *items);
  for (size_t i = 0; items && i < rows->count; i++)
    items[i] = (struct travelling){rank, rows->items[i]};
  return items;
}

/* Write the rows that all ranks have; returns how many calls others are. */
static uint64_t write_rows(FILE *stream, const struct ran_rows *own, const struct travelling *items, int count)
{
  uint64_t missing = 0;
  fprintf(stream, "%s\n", tutti_ran_heading);
  for (size_t i = 0; i < own->count; i++) {
    struct ran_row row = own->items[i];
    int ranks = 0;
    row.sent = (struct ran_messages){0};
    for (int k = 0; k < count; k++)
      if (is_same(&items[k].row, &row)) {
        tutti_ran_join(&row.sent, items[k].rank, &items[k].row.sent);
        row.varied = row.varied || items[k].row.varied;
        ranks++;
      }
    if (ranks == row.ranks)
      tutti_ran_write(stream, &row);
    else
      missing += row.calls;
  }
  return missing;
}

static void write_file(const char *path, const struct ran *ran, const struct travelling *items, int count)
{
  struct tutti_output output;
  tutti_error error;
  uint64_t missing = 0;
  tutti_status status = tutti_output_begin(path, &output, &error);
  if (status == TUTTI_OK) {
    missing = write_rows(output.stream, &ran->rows, items, count) + ran->passed_over;
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
  else if (rank == 0)
    write_file(process->policy->ran, ran, all, count);
  free(all);
  free(items);
  tutti_vector_free(&ran->rows);
}
