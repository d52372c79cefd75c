/* DUMPI traces as text, as dumpi2ascii writes them: "MPI_Send entering at walltime 1.5, ...", a line "TYPE NAME=VALUE"
   for each argument, and "MPI_Send returning at walltime 1.6, ...". Each call becomes one of liballprof's fields. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_lines.h"

enum { MAX_VALUES = 16, MAX_NAME = 64 };

/* A persistent request: what it starts. */
struct persistent {
  const char *name;
  char *fields[6]; /* owned */
};

struct dumpi {
  char name[MAX_NAME];      /* of the current call; "": none */
  double from;              /* microseconds */
  char *values[MAX_VALUES]; /* "NAME=VALUE"; owned */
  int count;
  char *fields[FIELDS];        /* composed; owned */
  struct workload_pairs types; /* bytes of derived datatypes, and 1 */
  struct workload_pairs kept;  /* persistent requests: their place, from 1 on */
  struct {
    TUTTI_VECTOR(struct persistent);
  } persistent;
};

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

/* ---- values ---- */

/* The value of an argument; "" if it is not there. */
static const char *value_of(const struct dumpi *dumpi, const char *name)
{
  for (int v = 0; v < dumpi->count; v++) {
    const char *found = tutti_word_value(dumpi->values[v], name);
    if (found)
      return found;
  }
  return "";
}

/* "7 (MPI_COMM_WORLD)" and "[7]" have 7; false: no number that is not negative. */
static bool number_of(const char *text, uint64_t *number)
{
  char *end;
  text += *text == '[';
  if (*text < '0' || *text > '9')
    return false;
  *number = strtoull(text, &end, 10);
  return true;
}

/* Item `at` of "[1, 2, 3]". */
static bool item_of(const char *text, uint64_t at, uint64_t *number)
{
  for (; at > 0 && text; at--) {
    text = strchr(text, ',');
    text = text ? text + 1 + strspn(text + 1, " ") : NULL;
  }
  return text && number_of(text, number);
}

static uint64_t bytes_of_type(const struct dumpi *dumpi, const char *text)
{
  static const struct {
    const char *name;
    int bytes;
  } types[] = {{"CHAR", 1},
               {"BYTE", 1},
               {"PACKED", 1},
               {"SIGNED_CHAR", 1},
               {"UNSIGNED_CHAR", 1},
               {"SHORT", 2},
               {"INT", 4},
               {"LONG", 8},
               {"FLOAT", 4},
               {"DOUBLE", 8},
               {"UNSIGNED", 4},
               {"LONG_LONG", 8},
               {"LONG_LONG_INT", 8},
               {"UNSIGNED_SHORT", 2},
               {"UNSIGNED_LONG", 8},
               {"UNSIGNED_LONG_LONG", 8},
               {"LONG_DOUBLE", 16},
               {"CHARACTER", 1},
               {"INTEGER", 4},
               {"REAL", 4},
               {"LOGICAL", 4},
               {"DOUBLE_PRECISION", 8},
               {"COMPLEX", 8},
               {"DOUBLE_COMPLEX", 16},
               {"FLOAT_INT", 8},
               {"DOUBLE_INT", 12},
               {"2INT", 8},
               {"LONG_INT", 12},
               {"SHORT_INT", 6},
               {"2REAL", 8},
               {"2DOUBLE_PRECISION", 16},
               {"2INTEGER", 8},
               {"INTEGER4", 4},
               {"INTEGER8", 8},
               {"REAL4", 4},
               {"REAL8", 8},
               {"WCHAR", 4}};
  const char *name = strstr(text, "(MPI_");
  uint64_t number;
  for (size_t t = 0; name && t < sizeof types / sizeof *types; t++) {
    const size_t length = strlen(types[t].name);
    if (strncmp(name + 5, types[t].name, length) == 0 && name[5 + length] == ')')
      return (uint64_t)types[t].bytes;
  }
  const uint32_t *known = number_of(text, &number) ? tutti_pair_find(&dumpi->types, number, 0) : NULL;
  return known ? *known - 1u : UINT64_MAX;
}

/* ---- fields ---- */

/* What a receive from any rank got, where its status says so. */
static char *from_status(const struct dumpi *dumpi, const char *key)
{
  const char *status = value_of(dumpi, "status"), *found = strstr(status, key);
  uint64_t number;
  return found && number_of(found + strlen(key), &number) ? tutti_xprintf("%llu", (unsigned long long)number)
                                                          : tutti_xstrdup("-1");
}

/* "[1, 2]" is "1,2" in a line. */
static char *list_of(const char *text)
{
  char *list = tutti_xstrdup(text), *end = list;
  for (const char *next = text; *next; next++)
    if (!strchr("[] ", *next))
      *end++ = *next;
  *end = '\0';
  return list;
}

/* The same argument has other names in some calls. */
static const char *argument_of(const struct dumpi *dumpi, const char *name)
{
  static const char *const others[][2] = {{"oldcomm", "comm"}, {"newcomm", "comm_cart"}, {"ndim", "ndims"}};
  const char *value = value_of(dumpi, name);
  for (size_t o = 0; o < sizeof others / sizeof *others && !*value; o++)
    if (strcmp(name, others[o][0]) == 0)
      value = value_of(dumpi, others[o][1]);
  return value;
}

static bool is_list(const char *name)
{
  return tutti_stem_length(name, "counts") > 0 || tutti_stem_length(name, "_dims") > 0 || strcmp(name, "dims") == 0 ||
         strcmp(name, "ranks") == 0 || strcmp(name, "ranges") == 0;
}

/* Of others than these the text has neither the rank nor the size. */
static char *communicator_field(const struct trace_lines *trace, const char *value, uint64_t number)
{
  const unsigned long long handle = number;
  if (strstr(value, "(MPI_COMM_WORLD)"))
    return tutti_xprintf("%llu,%u,%u", handle, (unsigned)trace->rank, (unsigned)trace->workload->rank_count);
  return tutti_xprintf(strstr(value, "(MPI_COMM_SELF)") ? "%llu,0,1" : "%llu,0,0", handle);
}

static char *field_of(const struct trace_lines *trace, const char *name)
{
  const struct dumpi *dumpi = trace->dumpi;
  const char *value = argument_of(dumpi, name);
  uint64_t number = 0;
  const bool is_number = number_of(value, &number);
  if (strstr(value, "(MPI_ANY_SOURCE)"))
    return from_status(dumpi, "source=");
  if (strstr(value, "(MPI_ANY_TAG)"))
    return from_status(dumpi, "tag=");
  if (is_list(name))
    return list_of(value);
  if (strcmp(name, "key") == 0)
    return tutti_xprintf("%.*s", (int)strcspn(value, " "), value);
  if (tutti_stem_length(name, "comm") > 0 || strcmp(name, "comm") == 0)
    return communicator_field(trace, value, number);
  if (tutti_stem_length(name, "type") > 0) {
    const uint64_t bytes = bytes_of_type(dumpi, value);
    return bytes == UINT64_MAX ? tutti_xstrdup("unknown")
                               : tutti_xprintf("%llu,%llu", (unsigned long long)number, (unsigned long long)bytes);
  }
  return is_number ? tutti_xprintf("%llu", (unsigned long long)number) : tutti_xstrdup(*value ? "-2" : "-");
}

/* The arguments of a call in MPI's order; "-": a buffer, or another one that is not needed. */
struct arguments {
  const char *name, *as, *arguments;
};

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

static int compose(const struct trace_lines *trace, const char *arguments, char **fields)
{
  int count = 0;
  for (const char *word = arguments; *word; word += strspn(word, " ")) {
    char name[16];
    const int length = (int)strcspn(word, " ");
    snprintf(name, sizeof name, "%.*s", length, word);
    fields[count++] = strcmp(name, "-") == 0 ? tutti_xstrdup("-") : field_of(trace, name);
    word += length;
  }
  return count;
}

/* Take a call with these arguments, from and to these times. */
static void take(struct trace_lines *trace, const char *name, char **fields, int count, double from, double to)
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

/* ---- calls about requests ---- */

static void wait_for(struct trace_lines *trace, uint64_t request, double *from, double to)
{
  char *field = tutti_xprintf("%llu", (unsigned long long)request);
  take(trace, "MPI_Wait", &field, 1, *from, to);
  *from = to;
  free(field);
}

static void keep_persistent(struct trace_lines *trace, const struct arguments *call)
{
  struct dumpi *dumpi = trace->dumpi;
  struct persistent persistent = {.name = call->as};
  uint64_t request;
  if (!number_of(value_of(dumpi, "request"), &request))
    return;
  (void)compose(trace, call->arguments, persistent.fields);
  tutti_xpush(&dumpi->persistent, persistent);
  *tutti_pair_number(&dumpi->kept, request, 0) = (uint32_t)dumpi->persistent.count;
}

static void start(struct trace_lines *trace, uint64_t request, double *from, double to)
{
  const struct dumpi *dumpi = trace->dumpi;
  const uint32_t *place = tutti_pair_find(&dumpi->kept, request, 0);
  if (!place) {
    tutti_lines_pass(trace, "a start of a request that is not known", "%llu", (unsigned long long)request);
    return;
  }
  const struct persistent *persistent = &dumpi->persistent.items[*place - 1];
  char *fields[7];
  memcpy(fields, persistent->fields, sizeof persistent->fields);
  fields[6] = tutti_xprintf("%llu", (unsigned long long)request);
  take(trace, persistent->name, fields, 7, *from, to);
  free(fields[6]);
  *from = to;
}

/* For each request of the call, or for those at the places of `indices`. */
static void each_request(struct trace_lines *trace, const char *indices,
                         void (*visit)(struct trace_lines *trace, uint64_t request, double *from, double to), double to)
{
  const char *requests = value_of(trace->dumpi, "requests");
  const char *next = indices ? indices : requests;
  double from = trace->dumpi->from;
  uint64_t number;
  for (; next && number_of(next, &number);
       next = strchr(next, ',') ? strchr(next, ',') + 1 + strspn(strchr(next, ',') + 1, " ") : NULL)
    if (!indices || item_of(requests, number, &number))
      visit(trace, number, &from, to);
}

static bool is_set(const struct dumpi *dumpi, const char *flag)
{
  uint64_t set;
  return number_of(value_of(dumpi, flag), &set) && set > 0;
}

static bool read_request(struct trace_lines *trace, double to)
{
  const struct dumpi *dumpi = trace->dumpi;
  const char *name = dumpi->name;
  const bool tests = strncmp(name, "MPI_Test", 8) == 0;
  double from = dumpi->from;
  uint64_t request;
  if (tests && strcmp(name, "MPI_Testsome") != 0 && !is_set(dumpi, "flag"))
    return true;
  if (strcmp(name, "MPI_Start") == 0 || strcmp(name, "MPI_Wait") == 0 || strcmp(name, "MPI_Test") == 0) {
    if (number_of(value_of(dumpi, "request"), &request))
      (strcmp(name, "MPI_Start") == 0 ? start : wait_for)(trace, request, &from, to);
    return true;
  }
  if (strcmp(name, "MPI_Startall") == 0)
    return each_request(trace, NULL, start, to), true;
  if (strcmp(name, "MPI_Waitall") == 0 || strcmp(name, "MPI_Testall") == 0)
    return each_request(trace, NULL, wait_for, to), true;
  if (strcmp(name, "MPI_Waitany") == 0 || strcmp(name, "MPI_Testany") == 0)
    return each_request(trace, value_of(dumpi, "index"), wait_for, to), true;
  if (strcmp(name, "MPI_Waitsome") == 0 || strcmp(name, "MPI_Testsome") == 0)
    return each_request(trace, value_of(dumpi, "indices"), wait_for, to), true;
  return false;
}

/* ---- calls that define ---- */

static void read_definition(struct dumpi *dumpi)
{
  uint64_t number, count = 0, block = 1;
  if (strcmp(dumpi->name, "MPI_Type_contiguous") != 0 && strcmp(dumpi->name, "MPI_Type_vector") != 0)
    return;
  const uint64_t bytes = bytes_of_type(dumpi, value_of(dumpi, "oldtype"));
  (void)number_of(value_of(dumpi, "blocklength"), &block);
  if (number_of(value_of(dumpi, "newtype"), &number) && number_of(value_of(dumpi, "count"), &count) &&
      bytes < (1 << 20) && count < (1 << 20) && block < (1 << 20) && bytes * count * block < (1 << 20))
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
  if (read_request(trace, to))
    return;
  if (call && tutti_stem_length(call->name, "_init") > 0) {
    keep_persistent(trace, call);
    return;
  }
  read_definition(dumpi);
  const int count = call ? compose(trace, call->arguments, dumpi->fields) : 0;
  take(trace, call && call->as ? call->as : dumpi->name, dumpi->fields, count, dumpi->from, to);
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
