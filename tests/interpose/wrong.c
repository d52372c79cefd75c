/* Wrong programs: one rank makes a collective call that does not fit those of the others. The program says what each
   rank gets, and run.sh what is expected: wrong FORM CASE..., where a case is COLLECTIVE:KIND:RANK:ELEMENTS, the rank
   that is wrong, and the form blocking, nonblocking or persistent; with "fatal," before it errors are left to the
   default handler. Behind each buffer is memory that cannot be written. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define INIT(name) MPI_##name##_init
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#endif

#ifndef PATIENCE
#define PATIENCE 60 /* seconds */
#endif
enum { MAX_RANKS = 8, LATE = 4 };

static int rank, size;

/* ---- memory ---- */

/* Its end is the end of a page after which nothing can be written; before it are the same bytes. */
static char *guarded(size_t bytes, int filler)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + 2 * page - 1) / page * page;
  char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + room, page, PROT_NONE) != 0) {
    perror("wrong: memory");
    exit(1);
  }
  memset(memory, filler, room);
  return memory + room - bytes;
}

/* ---- a call ---- */

struct call {
  int kind, root;
  bool in_place, other, skips, late; /* calls another one, none, or seconds later */
  bool next;                         /* starts another one of the communicator after it */
  int send, receive;                 /* elements of a block */
  MPI_Datatype send_type, receive_type;
  MPI_Op op;
  int counts[2][MAX_RANKS], places[2][MAX_RANKS], bytes[2][MAX_RANKS];
  MPI_Datatype types[2][MAX_RANKS];
  void *in, *out;
};

static const char *const names[] = {"barrier",
                                    "bcast",
                                    "scatter",
                                    "scatterv",
                                    "gather",
                                    "gatherv",
                                    "allgather",
                                    "allgatherv",
                                    "alltoall",
                                    "alltoallv",
                                    "alltoallw",
                                    "reduce",
                                    "reduce_scatter_block",
                                    "reduce_scatter",
                                    "allreduce",
                                    "scan",
                                    "exscan"};
enum {
  BARRIER,
  BCAST,
  SCATTER,
  SCATTERV,
  GATHER,
  GATHERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  REDUCE,
  REDUCE_SCATTER_BLOCK,
  REDUCE_SCATTER,
  ALLREDUCE,
  SCAN,
  EXSCAN,
  KINDS
};

/* An operation that does not commute. */
static void second(void *in, void *inout, int *length, MPI_Datatype *type)
{
  (void)in, (void)inout, (void)length, (void)type;
}

#define FORMS(number, Name, name, ...)                                                                                 \
  case number:                                                                                                         \
    return form == 0   ? MPI_##Name(__VA_ARGS__, comm)                                                                 \
           : form == 1 ? MPI_I##name(__VA_ARGS__, comm, request)                                                       \
                       : INIT(Name)(__VA_ARGS__, comm, MPI_INFO_NULL, request);

static int barrier(int form, MPI_Comm comm, MPI_Request *request)
{
  return form == 0   ? MPI_Barrier(comm)
         : form == 1 ? MPI_Ibarrier(comm, request)
                     : INIT(Barrier)(comm, MPI_INFO_NULL, request);
}

static int begin(const struct call *c, int form, MPI_Comm comm, MPI_Request *request)
{
  switch (c->kind) {
    FORMS(BCAST, Bcast, bcast, c->out, c->receive, c->receive_type, c->root)
    FORMS(SCATTER, Scatter, scatter, c->in, c->send, c->send_type, c->out, c->receive, c->receive_type, c->root)
    FORMS(SCATTERV, Scatterv, scatterv, c->in, c->counts[0], c->places[0], c->send_type, c->out, c->receive,
          c->receive_type, c->root)
    FORMS(GATHER, Gather, gather, c->in, c->send, c->send_type, c->out, c->receive, c->receive_type, c->root)
    FORMS(GATHERV, Gatherv, gatherv, c->in, c->send, c->send_type, c->out, c->counts[1], c->places[1], c->receive_type,
          c->root)
    FORMS(ALLGATHER, Allgather, allgather, c->in, c->send, c->send_type, c->out, c->receive, c->receive_type)
    FORMS(ALLGATHERV, Allgatherv, allgatherv, c->in, c->send, c->send_type, c->out, c->counts[1], c->places[1],
          c->receive_type)
    FORMS(ALLTOALL, Alltoall, alltoall, c->in, c->send, c->send_type, c->out, c->receive, c->receive_type)
    FORMS(ALLTOALLV, Alltoallv, alltoallv, c->in, c->counts[0], c->places[0], c->send_type, c->out, c->counts[1],
          c->places[1], c->receive_type)
    FORMS(ALLTOALLW, Alltoallw, alltoallw, c->in, c->counts[0], c->bytes[0], c->types[0], c->out, c->counts[1],
          c->bytes[1], c->types[1])
    FORMS(REDUCE, Reduce, reduce, c->in, c->out, c->receive, c->receive_type, c->op, c->root)
    FORMS(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, c->in, c->out, c->receive, c->receive_type,
          c->op)
    FORMS(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, c->in, c->out, c->counts[1], c->receive_type, c->op)
    FORMS(ALLREDUCE, Allreduce, allreduce, c->in, c->out, c->receive, c->receive_type, c->op)
    FORMS(SCAN, Scan, scan, c->in, c->out, c->receive, c->receive_type, c->op)
    FORMS(EXSCAN, Exscan, exscan, c->in, c->out, c->receive, c->receive_type, c->op)
  default:
    return barrier(form, comm, request);
  }
}

static int call(const struct call *c, int form, MPI_Comm comm)
{
  MPI_Request request = MPI_REQUEST_NULL;
  int result = begin(c, form, comm, &request);
  if (result == MPI_SUCCESS && form == 2)
    result = MPI_Start(&request);
  return result == MPI_SUCCESS && form > 0 ? MPI_Wait(&request, MPI_STATUS_IGNORE) : result;
}

/* ---- the cases ---- */

static bool has_blocks(int kind, bool output)
{
  switch (kind) {
  case SCATTER:
  case SCATTERV:
    return !output;
  case GATHER:
  case GATHERV:
  case ALLGATHER:
  case ALLGATHERV:
    return output;
  case ALLTOALL:
  case ALLTOALLV:
  case ALLTOALLW:
    return true;
  case REDUCE_SCATTER:
  case REDUCE_SCATTER_BLOCK:
    return !output;
  default:
    return false;
  }
}

static int bytes_of(MPI_Datatype type)
{
  int bytes = 0;
  if (type != MPI_DATATYPE_NULL)
    MPI_Type_size(type, &bytes);
  return bytes;
}

/* What is wrong with the counts: each is taken so many times, half as often, or 0 times, or is none. */
enum { SAME = 1, TWICE = 2, HALF = -2, NONE = 0, NEGATIVE = -1 };

static int changed(int elements, int by)
{
  return by == HALF ? elements / 2 : by * (by == NEGATIVE ? 1 : elements);
}

static bool spoil_count(struct call *c, const char *wrong)
{
  static const struct {
    const char *name;
    int send, receive;
  } kinds[] = {{"more", TWICE, TWICE},          {"less", HALF, HALF},         {"none", NONE, NONE},
               {"send-more", TWICE, SAME},      {"send-less", HALF, SAME},    {"send-none", NONE, SAME},
               {"receive-more", SAME, TWICE},   {"receive-less", SAME, HALF}, {"receive-none", SAME, NONE},
               {"negative", NEGATIVE, NEGATIVE}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(wrong, kinds[i].name) == 0) {
      c->send = changed(c->send, kinds[i].send);
      c->receive = changed(c->receive, kinds[i].receive);
      return true;
    }
  return false;
}

static bool spoil_type(struct call *c, const char *wrong)
{
  const struct {
    const char *name;
    MPI_Datatype send, receive;
  } kinds[] = {{"type", MPI_DOUBLE, MPI_DOUBLE},      {"send-type", MPI_DOUBLE, MPI_INT},
               {"receive-type", MPI_INT, MPI_DOUBLE}, {"short", MPI_SHORT, MPI_SHORT},
               {"float", MPI_FLOAT, MPI_FLOAT},       {"no-type", MPI_DATATYPE_NULL, MPI_DATATYPE_NULL}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(wrong, kinds[i].name) == 0) {
      c->send_type = kinds[i].send;
      c->receive_type = kinds[i].receive;
      return true;
    }
  return false;
}

static void spoil(struct call *c, const char *wrong)
{
  if (spoil_count(c, wrong) || spoil_type(c, wrong) || strcmp(wrong, "right") == 0)
    return;
  if (strcmp(wrong, "root") == 0)
    c->root = (c->root + 1) % size;
  else if (strcmp(wrong, "no-root") == 0)
    c->root = 99;
  else if (strcmp(wrong, "op") == 0)
    c->op = MPI_MAX;
  else if (strcmp(wrong, "no-op") == 0)
    c->op = MPI_OP_NULL;
  else if (strcmp(wrong, "own-op") == 0)
    MPI_Op_create(second, 0, &c->op);
  else if (strcmp(wrong, "in-place") == 0)
    c->in_place = true;
  else if (strcmp(wrong, "other") == 0)
    c->other = true;
  else if (strncmp(wrong, "skips", 5) == 0) /* on a communicator that was used before, "-new" or MPI_COMM_WORLD */
    c->skips = true;
  else if (strcmp(wrong, "late") == 0)
    c->late = true;
  else if (strcmp(wrong, "none-and-next") == 0)
    c->next = spoil_count(c, "none");
  else {
    fprintf(stderr, "wrong: no such kind: %s\n", wrong);
    exit(1);
  }
}

static void lay_out(struct call *c)
{
  for (int side = 0; side < 2; side++)
    for (int r = 0; r < size; r++) {
      const int count = side ? c->receive : c->send;
      const MPI_Datatype type = side ? c->receive_type : c->send_type;
      c->counts[side][r] = count;
      c->places[side][r] = r * (count > 0 ? count : 0);
      c->bytes[side][r] = c->places[side][r] * bytes_of(type);
      c->types[side][r] = type;
    }
  const size_t in = (size_t)(c->send > 0 ? c->send : 0) * (size_t)bytes_of(c->send_type),
               out = (size_t)(c->receive > 0 ? c->receive : 0) * (size_t)bytes_of(c->receive_type);
  c->in = guarded(in * (size_t)(has_blocks(c->kind, false) ? size : 1), 1);
  c->out = guarded(out * (size_t)(has_blocks(c->kind, true) || c->in_place ? size : 1), 2);
  if (c->in_place) {
    if (c->kind == SCATTER || c->kind == SCATTERV)
      c->out = MPI_IN_PLACE;
    else
      c->in = MPI_IN_PLACE;
  }
}

static int kind_of(const char *name)
{
  int kind = 0;
  while (kind < KINDS && strcmp(names[kind], name) != 0)
    kind++;
  return kind;
}

static void say(const char *what, const char *outcome)
{
  char line[256];
  const int length = snprintf(line, sizeof line, "%s rank=%d %s\n", what, rank, outcome);
  if (write(1, line, (size_t)length) != length)
    _exit(1);
}

static const char *at_work;

static void stuck(int number)
{
  (void)number;
  say(at_work, "stuck");
  sleep(1); /* so that others say it, too, before the launcher kills them */
  _exit(3);
}

static const char *outcome_of(int result, char *name)
{
  int class = 0, length = 0;
  if (result == MPI_SUCCESS)
    return "success";
  MPI_Error_class(result, &class);
  MPI_Error_string(class, name, &length);
  name[strcspn(name, "\n")] = '\0';
  return name;
}

/* Calls after which a communicator is known to all its ranks. */
static void use(MPI_Comm comm)
{
  char *large = malloc(1 << 16);
  MPI_Bcast(large, 1 << 16, MPI_BYTE, 0, comm);
  free(large);
  MPI_Barrier(comm);
}

/* False: the rank makes no such call. */
static bool try(const char *what, int form, bool fatal)
{
  char name[32], wrong[32], text[MPI_MAX_ERROR_STRING];
  int elements, odd;
  struct call c = {.send_type = MPI_INT, .receive_type = MPI_INT, .op = MPI_SUM};
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request next;
  if (sscanf(what, "%31[^:]:%31[^:]:%d:%d", name, wrong, &odd, &elements) != 4) {
    fprintf(stderr, "wrong: no case: %s\n", what);
    exit(1);
  }
  c.kind = kind_of(name);
  c.send = c.receive = elements;
  if (rank == odd)
    spoil(&c, wrong);
  lay_out(&c);
  if (c.other)
    c.kind = c.kind == BARRIER ? ALLREDUCE : BARRIER;
  if (strcmp(wrong, "skips-world") != 0)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (!fatal)
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (strcmp(wrong, "skips-world") != 0 && strcmp(wrong, "skips-new") != 0)
    use(comm);
  if (c.late)
    sleep(LATE);
  if (!c.skips)
    say(what, outcome_of(call(&c, form, comm), text));
  if (c.next)
    MPI_Ibarrier(comm, &next);
  return !c.skips;
}

int main(int argc, char **argv)
{
  MPI_Comm beside;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &beside);
  const bool fatal = strncmp(argv[1], "fatal,", 6) == 0;
  const char *form = argv[1] + 6 * fatal;
  signal(SIGALRM, stuck);
  for (int i = 2; i < argc; i++) {
    at_work = argv[i];
    alarm(PATIENCE);
    if (!try(argv[i], form[0] == 'b' ? 0 : form[0] == 'n' ? 1 : 2, fatal))
      break;
    MPI_Barrier(beside);
  }
  at_work = "the end";
  alarm(PATIENCE);
  MPI_Finalize();
  say("the end", "is right");
  return 0;
}
