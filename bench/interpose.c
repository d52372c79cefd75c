/* The interposer beside the MPI library and beside a loop of the same messages by hand, in turns, in one process, which
   is an ordinary MPI program on two ranks: MPI_Bcast() is the interposer's if it is loaded, PMPI_Bcast() the library's.

   mpiexec -n 2 env LD_PRELOAD=libtutti_mpi.so interpose [ROUNDS [CALLS [OPERATION]]]: times are the least of ROUNDS
   rounds of CALLS calls, but in the last column means of all calls with one set, from the first call on, with what is
   tried or prepared there; OPERATION: of small calls of one only. Arguments come one after the other from 1, 2 or 8
   sets, or at random from 64: they differ in buffer, root and count. The last line: communicators that are duplicated,
   used for one call and freed. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARRIER, BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, OPERATIONS };
enum { NATIVE, INTERPOSED, BY_HAND, VARIANTS };
enum { RANKS = 2, TAG = 7, SETS = 64, MAX_CALLS = 100000, DUPLICATES = 200, COMMUNICATORS = 10000 };

static const char *const names[OPERATIONS] = {"barrier",   "bcast",      "reduce",   "allreduce",
                                              "allgather", "allgatherv", "alltoall", "alltoallv"};
static const int patterns[] = {1, 2, 8, SETS}; /* sets of arguments; the last is picked at random */

/* What may differ from call to call. */
struct set {
  double *input, *output;
  int count, root;
  int counts[RANKS], places[RANKS]; /* of the irregular collectives */
};

struct bench {
  int rank, calls, rounds;
  const char *only; /* name of an operation; NULL: all */
  struct set sets[SETS];
  unsigned char order[MAX_CALLS]; /* sets of the calls */
  double *scratch;
};

/* ---- the three variants ---- */

#define FORMS(prefix)                                                                                                  \
  static void call_##prefix(int operation, const struct set *s)                                                        \
  {                                                                                                                    \
    const MPI_Comm comm = MPI_COMM_WORLD;                                                                              \
    const int n = s->count, *c = s->counts, *d = s->places;                                                            \
    const MPI_Datatype type = MPI_DOUBLE;                                                                              \
    switch (operation) {                                                                                               \
    case BARRIER:                                                                                                      \
      prefix##_Barrier(comm);                                                                                          \
      return;                                                                                                          \
    case BCAST:                                                                                                        \
      prefix##_Bcast(s->output, n, type, s->root, comm);                                                               \
      return;                                                                                                          \
    case REDUCE:                                                                                                       \
      prefix##_Reduce(s->input, s->output, n, type, MPI_SUM, s->root, comm);                                           \
      return;                                                                                                          \
    case ALLREDUCE:                                                                                                    \
      prefix##_Allreduce(s->input, s->output, n, type, MPI_SUM, comm);                                                 \
      return;                                                                                                          \
    case ALLGATHER:                                                                                                    \
      prefix##_Allgather(s->input, n, type, s->output, n, type, comm);                                                 \
      return;                                                                                                          \
    case ALLGATHERV:                                                                                                   \
      prefix##_Allgatherv(s->input, n, type, s->output, c, d, type, comm);                                             \
      return;                                                                                                          \
    case ALLTOALL:                                                                                                     \
      prefix##_Alltoall(s->input, n, type, s->output, n, type, comm);                                                  \
      return;                                                                                                          \
    default:                                                                                                           \
      prefix##_Alltoallv(s->input, c, d, type, s->output, c, d, type, comm);                                           \
    }                                                                                                                  \
  }

FORMS(MPI)
FORMS(PMPI)

static void exchange(const void *from, void *to, int count, int rank)
{
  PMPI_Sendrecv(from, count, MPI_DOUBLE, 1 - rank, TAG, to, count, MPI_DOUBLE, 1 - rank, TAG, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
}

/* The own block is copied, the other one sent. */
static void exchange_blocks(const struct set *s, int rank, int own, int other)
{
  size_t bytes = (size_t)s->count * sizeof(double);
  memcpy(s->output + rank * s->count, s->input + own * s->count, bytes);
  exchange(s->input + other * s->count, s->output + (1 - rank) * s->count, s->count, rank);
}

static void call_by_hand(const struct bench *b, int operation, const struct set *s)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  int n = s->count, rank = b->rank;
  bool root = rank == s->root;
  switch (operation) {
  case BARRIER:
    exchange(NULL, NULL, 0, rank);
    return;
  case BCAST:
    if (root)
      PMPI_Send(s->output, n, MPI_DOUBLE, 1 - rank, TAG, comm);
    else
      PMPI_Recv(s->output, n, MPI_DOUBLE, 1 - rank, TAG, comm, MPI_STATUS_IGNORE);
    return;
  case REDUCE:
    if (!root) {
      PMPI_Send(s->input, n, MPI_DOUBLE, 1 - rank, TAG, comm);
      return;
    }
    memcpy(s->output, s->input, (size_t)n * sizeof(double));
    PMPI_Recv(b->scratch, n, MPI_DOUBLE, 1 - rank, TAG, comm, MPI_STATUS_IGNORE);
    PMPI_Reduce_local(b->scratch, s->output, n, MPI_DOUBLE, MPI_SUM);
    return;
  case ALLREDUCE:
    memcpy(s->output, s->input, (size_t)n * sizeof(double));
    exchange(s->input, b->scratch, n, rank);
    PMPI_Reduce_local(b->scratch, s->output, n, MPI_DOUBLE, MPI_SUM);
    return;
  case ALLGATHER:
  case ALLGATHERV:
    exchange_blocks(s, rank, 0, 0);
    return;
  default:
    exchange_blocks(s, rank, rank, 1 - rank);
  }
}

static void call(const struct bench *b, int variant, int operation, const struct set *s)
{
  if (variant == NATIVE)
    call_PMPI(operation, s);
  else if (variant == INTERPOSED)
    call_MPI(operation, s);
  else
    call_by_hand(b, operation, s);
}

/* ---- timing ---- */

static double slowest(double seconds)
{
  double all;
  PMPI_Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double time_calls(const struct bench *b, int variant, int operation, int calls)
{
  PMPI_Barrier(MPI_COMM_WORLD);
  double begin = PMPI_Wtime();
  for (int i = 0; i < calls; i++)
    call(b, variant, operation, &b->sets[b->order[i]]);
  return slowest((PMPI_Wtime() - begin) / calls);
}

/* The least time of each variant, and the sum. */
static void measure(const struct bench *b, int operation, double least[VARIANTS], double sum[VARIANTS])
{
  for (int v = 0; v < VARIANTS; v++) {
    least[v] = 1e9;
    sum[v] = 0;
  }
  for (int round = 0; round < b->rounds; round++)
    for (int turn = 0; turn < VARIANTS; turn++) {
      int variant = (turn + round) % VARIANTS;
      double seconds = time_calls(b, variant, operation, b->calls);
      least[variant] = seconds < least[variant] ? seconds : least[variant];
      sum[variant] += seconds;
    }
}

/* ---- arguments ---- */

static void fill_sets(struct bench *b, int count)
{
  for (int i = 0; i < SETS; i++) {
    struct set *s = &b->sets[i];
    size_t room = (size_t)RANKS * (size_t)(count + SETS);
    s->count = count + i / 4;
    s->root = i % RANKS;
    s->input = calloc(room, sizeof(double));
    s->output = calloc(room, sizeof(double));
    for (int r = 0; r < RANKS; r++) {
      s->counts[r] = s->count;
      s->places[r] = r * s->count;
    }
  }
}

static void free_sets(struct bench *b)
{
  for (int i = 0; i < SETS; i++) {
    free(b->sets[i].input);
    free(b->sets[i].output);
  }
}

/* The same on all ranks. */
static void set_order(struct bench *b, int sets)
{
  unsigned long long state = 1;
  for (int i = 0; i < b->calls; i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    b->order[i] = (unsigned char)(sets < SETS ? i % sets : (int)(state >> 33) % SETS);
  }
}

/* Do all ranks get the right answer from the interposer? Reductions: of ones. */
static void check(const struct bench *b, int operation)
{
  const struct set *s = &b->sets[3];
  int values = operation >= ALLGATHER ? RANKS * s->count : s->count, good = 1;
  for (int i = 0; i < RANKS * s->count; i++) {
    s->input[i] = b->rank + 1;
    s->output[i] = operation == BCAST && b->rank == s->root ? 1 : -1;
  }
  call(b, INTERPOSED, operation, s);
  for (int i = 0; i < values && operation != BARRIER; i++) {
    double expected = operation == BCAST ? 1 : operation < ALLGATHER ? 3 : 1 + i / s->count;
    good = good && (s->output[i] == expected || (operation == REDUCE && b->rank != s->root));
  }
  if (!good) {
    fprintf(stderr, "interpose: rank %d: a wrong result of %s\n", b->rank, names[operation]);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* ---- the table ---- */

static void measure_row(struct bench *b, int operation, const char *size)
{
  double least[VARIANTS], sum[VARIANTS], hand[4], mean = 0;
  check(b, operation);
  if (b->rank == 0)
    printf("%-11s %6s", names[operation], size);
  for (int p = 0; p < 4; p++) {
    set_order(b, patterns[p]);
    measure(b, operation, least, sum);
    hand[p] = least[BY_HAND] / least[NATIVE];
    mean = p == 0 ? sum[INTERPOSED] / sum[NATIVE] : mean;
    if (b->rank == 0 && p == 0)
      printf(" %9.3f us", 1e6 * least[NATIVE]);
    if (b->rank == 0)
      printf(" %7.2f", least[INTERPOSED] / least[NATIVE]);
  }
  for (int p = 0; p < 4 && b->rank == 0; p++)
    printf("%s %7.2f", p == 0 ? "  |" : "", hand[p]);
  if (b->rank == 0)
    printf("  | %7.2f\n", mean);
  fflush(stdout);
}

static void measure_size(struct bench *b, int count, const char *size)
{
  int calls = b->calls;
  fill_sets(b, count);
  if (count > 1)
    b->calls = calls / 10 > 0 ? calls / 10 : 1;
  for (int o = count > 1 ? BCAST : BARRIER; o < OPERATIONS; o++)
    if (!b->only || strcmp(b->only, names[o]) == 0)
      measure_row(b, o, size);
  b->calls = calls;
  free_sets(b);
}

/* ---- communicators that come and go ---- */

static double time_communicators(bool interposed)
{
  double one = 1, sum;
  PMPI_Barrier(MPI_COMM_WORLD);
  double begin = PMPI_Wtime();
  for (int i = 0; i < DUPLICATES; i++) {
    MPI_Comm comm;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (interposed)
      MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    else
      PMPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    PMPI_Comm_free(&comm);
  }
  return slowest((PMPI_Wtime() - begin) / DUPLICATES);
}

static void measure_communicators(const struct bench *b)
{
  double least[2] = {1e9, 1e9};
  for (int done = 0; done < COMMUNICATORS; done += DUPLICATES)
    for (int v = 0; v < 2; v++) {
      double seconds = time_communicators(v == 1);
      least[v] = seconds < least[v] ? seconds : least[v];
    }
  if (b->rank == 0)
    printf("%-18s %9.3f us %7.2f\n", "dup allreduce free", 1e6 * least[0], least[1] / least[0]);
}

int main(int argc, char **argv)
{
  static struct bench b;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  b.rounds = argc > 1 ? atoi(argv[1]) : 50;
  b.calls = argc > 2 ? atoi(argv[2]) : 500;
  b.only = argc > 3 ? argv[3] : NULL;
  if (size != RANKS || b.rounds < 1 || b.calls < 1 || b.calls > MAX_CALLS) {
    if (b.rank == 0)
      fprintf(stderr, "interpose: two ranks; ROUNDS of CALLS, at most %d\n", MAX_CALLS);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  b.scratch = malloc((8192 + SETS) * sizeof *b.scratch);
  if (b.rank == 0)
    printf("%d rounds of %d calls: the MPI library, and the ratio to it of\n%-18s %12s %31s  | %31s  | interposer\n"
           "%-18s %12s %7s %7s %7s %7s  | %7s %7s %7s %7s  | %7s\n",
           b.rounds, b.calls, "", "", "the interposer", "a loop by hand", "", "library", "1 set", "2", "8", "random",
           "1 set", "2", "8", "random", "mean");
  measure_size(&b, 1, "8 B");
  if (!b.only) {
    measure_size(&b, 8192, "64 KiB");
    measure_communicators(&b);
  }
  free(b.scratch);
  MPI_Finalize();
  return 0;
}
