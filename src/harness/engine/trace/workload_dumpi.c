/* DUMPI traces as text, as dumpi2ascii writes them: "MPI_Send entering at walltime 1.5, ...", a line "TYPE NAME=VALUE"
   for each argument, and "MPI_Send returning at walltime 1.6, ...". Each call becomes one of liballprof's fields. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_dumpi.h"

struct dumpi *tutti_dumpi_new(void)
{
  return tutti_xcalloc(1, sizeof(struct dumpi));
}

static void forget_values(struct dumpi *dumpi)
{
  for (int v = 0; v < dumpi->count; v++)
    free(dumpi->values[v]);
  dumpi->count = 0;
  dumpi->name[0] = '\0';
}

void tutti_dumpi_begin_rank(struct trace_lines *trace)
{
  struct dumpi *dumpi = trace->dumpi;
  forget_values(dumpi);
  tutti_pairs_free(&dumpi->types);
  tutti_pairs_free(&dumpi->kept);
  for (size_t p = 0; p < dumpi->persistent.count; p++)
    for (int f = 0; f < 6; f++)
      free(dumpi->persistent.items[p].fields[f]);
  tutti_vector_free(&dumpi->persistent);
}

void tutti_dumpi_free(struct dumpi *dumpi)
{
  struct trace_lines trace = {.dumpi = dumpi};
  if (!dumpi)
    return;
  tutti_dumpi_begin_rank(&trace);
  free(dumpi);
}

static const struct arguments calls[] = {
    {"MPI_Send", NULL, "- count datatype dest tag comm"},
    {"MPI_Ssend", NULL, "- count datatype dest tag comm"},
    {"MPI_Rsend", NULL, "- count datatype dest tag comm"},
    {"MPI_Bsend", NULL, "- count datatype dest tag comm"},
    {"MPI_Recv", NULL, "- count datatype source tag comm"},
    {"MPI_Isend", NULL, "- count datatype dest tag comm request"},
    {"MPI_Issend", NULL, "- count datatype dest tag comm request"},
    {"MPI_Irsend", NULL, "- count datatype dest tag comm request"},
    {"MPI_Ibsend", "MPI_Isend", "- count datatype dest tag comm request"},
    {"MPI_Irecv", NULL, "- count datatype source tag comm request"},
    {"MPI_Sendrecv", NULL, "- sendcount sendtype dest sendtag - recvcount recvtype source recvtag comm -"},
    {"MPI_Sendrecv_replace", NULL, "- count datatype dest sendtag source recvtag comm"},
    {"MPI_Barrier", NULL, "comm"},
    {"MPI_Bcast", NULL, "- count datatype root comm"},
    {"MPI_Reduce", NULL, "- - count datatype op root comm"},
    {"MPI_Allreduce", NULL, "- - count datatype op comm"},
    {"MPI_Scan", NULL, "- - count datatype op comm"},
    {"MPI_Exscan", NULL, "- - count datatype op comm"},
    {"MPI_Allgather", NULL, "- sendcount sendtype - recvcount recvtype comm"},
    {"MPI_Alltoall", NULL, "- sendcount sendtype - recvcount recvtype comm"},
    {"MPI_Gather", NULL, "- sendcount sendtype - recvcount recvtype root comm"},
    {"MPI_Scatter", NULL, "- sendcount sendtype - recvcount recvtype root comm"},
    {"MPI_Alltoallv", NULL, "- - sendcounts - - sendtype - - recvcounts - - recvtype comm"},
    {"MPI_Allgatherv", NULL, "- sendcount sendtype - - recvcounts - - recvtype comm"},
    {"MPI_Gatherv", NULL, "- sendcount sendtype - - recvcounts - - recvtype root comm"},
    {"MPI_Scatterv", NULL, "- - sendcounts - - sendtype - recvcount recvtype root comm"},
    {"MPI_Reduce_scatter", NULL, "- - - recvcounts datatype op comm"},
    {"MPI_Comm_dup", NULL, "oldcomm newcomm"},
    {"MPI_Comm_idup", NULL, "oldcomm newcomm request"},
    {"MPI_Comm_dup_with_info", NULL, "oldcomm - newcomm"},
    {"MPI_Comm_split", NULL, "oldcomm color key newcomm"},
    {"MPI_Comm_split_type", NULL, "oldcomm - - - newcomm"},
    {"MPI_Comm_create", NULL, "oldcomm group newcomm"},
    {"MPI_Comm_create_group", NULL, "oldcomm group - newcomm"},
    {"MPI_Cart_create", NULL, "oldcomm ndim - dims - - reorder newcomm"},
    {"MPI_Cart_sub", NULL, "oldcomm - remain_dims newcomm"},
    {"MPI_Graph_create", NULL, "oldcomm newcomm"},
    {"MPI_Dist_graph_create", NULL, "oldcomm newcomm"},
    {"MPI_Dist_graph_create_adjacent", NULL, "oldcomm newcomm"},
    {"MPI_Intercomm_create", NULL, "oldcomm newcomm"},
    {"MPI_Intercomm_merge", NULL, "oldcomm newcomm"},
    {"MPI_Comm_group", NULL, "comm group"},
    {"MPI_Group_incl", NULL, "group count - ranks newgroup"},
    {"MPI_Group_excl", NULL, "group count - ranks newgroup"},
    {"MPI_Group_range_incl", NULL, "group count - ranges newgroup"},
    {"MPI_Group_range_excl", NULL, "group count - ranges newgroup"},
    {"MPI_Group_union", NULL, "group1 group2 newgroup"},
    {"MPI_Group_intersection", NULL, "group1 group2 newgroup"},
    {"MPI_Group_difference", NULL, "group1 group2 newgroup"},
    {"MPI_Send_init", "MPI_Isend", "- count datatype dest tag comm"},
    {"MPI_Bsend_init", "MPI_Isend", "- count datatype dest tag comm"},
    {"MPI_Rsend_init", "MPI_Isend", "- count datatype dest tag comm"},
    {"MPI_Ssend_init", "MPI_Issend", "- count datatype dest tag comm"},
    {"MPI_Recv_init", "MPI_Irecv", "- count datatype source tag comm"},
};

int tutti_dumpi_compose(const struct trace_lines *trace, const char *arguments, char **fields)
{
  int count = 0;
  for (const char *word = arguments; *word; word += strspn(word, " ")) {
    char name[16];
    const int length = (int)strcspn(word, " ");
    snprintf(name, sizeof name, "%.*s", length, word);
    fields[count++] = strcmp(name, "-") == 0 ? tutti_xstrdup("-") : tutti_dumpi_field(trace, name);
    word += length;
  }
  return count;
}

void tutti_dumpi_take(struct trace_lines *trace, const char *name, char **fields, int count, double from, double to)
{
  static const char none[] = "";
  trace->fields[0] = (char *)(uintptr_t)name;
  trace->fields[1] = (char *)(uintptr_t)none;
  for (int f = 0; f < count; f++)
    trace->fields[2 + f] = fields[f];
  trace->count = count + 3; /* and the end */
  trace->from = from;
  trace->to = to;
  tutti_lines_take_call(trace);
}

static void free_fields(char **fields, int count)
{
  for (int f = 0; f < count; f++)
    free(fields[f]);
}

/* ---- calls that define ---- */

static void read_definition(struct dumpi *dumpi)
{
  uint64_t number, count = 0, block = 1;
  if (strcmp(dumpi->name, "MPI_Type_contiguous") != 0 && strcmp(dumpi->name, "MPI_Type_vector") != 0)
    return;
  const uint64_t bytes = tutti_dumpi_bytes(dumpi, tutti_dumpi_value(dumpi, "oldtype"));
  (void)tutti_dumpi_number(tutti_dumpi_value(dumpi, "blocklength"), &block);
  if (tutti_dumpi_number(tutti_dumpi_value(dumpi, "newtype"), &number) &&
      tutti_dumpi_number(tutti_dumpi_value(dumpi, "count"), &count) && bytes < (1 << 20) && count < (1 << 20) &&
      block < (1 << 20) && bytes * count * block < (1 << 20))
    *tutti_pair_number(&dumpi->types, number, 0) = (uint32_t)(bytes * count * block) + 1;
}

/* ---- lines ---- */

static bool time_of(const char *text, double *microseconds)
{
  char *end;
  *microseconds = strtod(text, &end) * 1e6;
  return end > text && *microseconds >= 0 && *microseconds < 1e18;
}

static void take_named(struct trace_lines *trace, double to)
{
  struct dumpi *dumpi = trace->dumpi;
  const struct arguments *call = NULL;
  for (size_t c = 0; c < sizeof calls / sizeof *calls && !call; c++)
    call = strcmp(dumpi->name, calls[c].name) == 0 ? &calls[c] : NULL;
  if (trace->defining && !tutti_lines_makes(dumpi->name))
    return;
  if (tutti_dumpi_read_request(trace, to))
    return;
  if (call && tutti_stem_length(call->name, "_init") > 0) {
    tutti_dumpi_keep(trace, call);
    return;
  }
  read_definition(dumpi);
  const int count = call ? tutti_dumpi_compose(trace, call->arguments, dumpi->fields) : 0;
  tutti_dumpi_take(trace, call && call->as ? call->as : dumpi->name, dumpi->fields, count, dumpi->from, to);
  free_fields(dumpi->fields, count);
}

static void end_call(struct trace_lines *trace, double to)
{
  struct dumpi *dumpi = trace->dumpi;
  if (!trace->defining && (to < dumpi->from || (trace->begun && dumpi->from < trace->last)))
    tutti_lines_pass(trace, "times that do not follow each other", "%.40s", dumpi->name);
  else
    take_named(trace, to);
  forget_values(dumpi);
}

/* "MPI_Datatype datatype=11 (MPI_DOUBLE)", "int indices[2]=[0, 1]": kept without the type and the length. */
static void add_value(struct dumpi *dumpi, const char *text)
{
  const char *name = strchr(text, ' '), *value = strchr(text, '=');
  if (!name || !value || name > value || dumpi->count == MAX_VALUES)
    return;
  dumpi->values[dumpi->count++] = tutti_xprintf("%.*s=%s", (int)strcspn(name + 1, "[="), name + 1, value + 1);
}

void tutti_dumpi_read_line(struct trace_lines *trace)
{
  struct dumpi *dumpi = trace->dumpi;
  const char *text = trace->lines.text, *begin = strstr(text, " entering at walltime "),
             *end = strstr(text, " returning at walltime ");
  double time;
  if (begin && time_of(begin + 22, &time)) {
    if (dumpi->name[0])
      tutti_lines_pass(trace, "a call that does not return", "%.40s", dumpi->name);
    forget_values(dumpi);
    snprintf(dumpi->name, sizeof dumpi->name, "%.*s", (int)(begin - text), text);
    dumpi->from = time;
  } else if (end && dumpi->name[0] && time_of(end + 23, &time))
    end_call(trace, time);
  else if (begin || end)
    tutti_lines_pass(trace, "a call without its beginning, or without its time", "%.60s", text);
  else if (dumpi->name[0])
    add_value(dumpi, text);
}
