/* Does the library send as many messages as the algorithm that it was told to run? For each METHOD@BYTES the library's
   own collective is called, the messages of each rank are counted (count.c) and set beside those of Tutti's schedule of
   the method, or, for METHOD@BYTES#N,N,..., where the library sends some that can be spared, beside the numbers given.
   Rank 0 prints a line a call; the script beside this says which are right.

   --settings RANKS METHOD BYTES LIBRARY-VERSION: print what the library is told to run a method of its own, NAME=VALUE
   a line. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/library.h"

enum { MAX_RANKS = 16 };

struct place {
  int rank, ranks;
  unsigned long (*sent)(void);
};

/* Buffers with room for a block a rank. */
static void call(const tutti_method *method, int bytes, const struct place *place, char *in, char *out)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int ints = bytes / (int)sizeof(int);
  (void)place;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    MPI_Bcast(out, bytes, MPI_BYTE, 0, comm);
    break;
  case TUTTI_COLL_BARRIER:
    MPI_Barrier(comm);
    break;
  case TUTTI_COLL_SCATTER:
    MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm);
    break;
  case TUTTI_COLL_GATHER:
    MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm);
    break;
  case TUTTI_COLL_ALLGATHER:
    MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
    break;
  case TUTTI_COLL_ALLTOALL:
    MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
    break;
  case TUTTI_COLL_REDUCE:
    MPI_Reduce(in, out, ints, MPI_INT, MPI_SUM, 0, comm);
    break;
  case TUTTI_COLL_ALLREDUCE:
    MPI_Allreduce(in, out, ints, MPI_INT, MPI_SUM, comm);
    break;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    MPI_Reduce_scatter_block(in, out, ints, MPI_INT, MPI_SUM, comm);
    break;
  case TUTTI_COLL_SCAN:
    MPI_Scan(in, out, ints, MPI_INT, MPI_SUM, comm);
    break;
  default:
    fprintf(stderr, "this test does not call %s\n", tutti_collective_name(method->algorithm->collective));
    MPI_Abort(comm, 2);
  }
}

/* Messages that this rank sends by Tutti's schedule. */
static unsigned long expected(const tutti_method *method, int bytes, const struct place *place)
{
  tutti_error error;
  tutti_arena arena;
  tutti_schedule schedule;
  bool reduces = tutti_collective_traits(method->algorithm->collective) & TUTTI_REDUCES;
  uint64_t unit = reduces ? sizeof(int) : 1;
  tutti_call call = {.size = place->ranks,
                     .rank = place->rank,
                     .count = (uint64_t)bytes / unit,
                     .type_size = unit,
                     .commutative = true,
                     .parameters = method->parameters};
  unsigned long sends = 0;
  tutti_arena_init(&arena);
  if (tutti_method_schedule(method, &call, &arena, &schedule, &error) != TUTTI_OK) {
    fprintf(stderr, "%s\n", error.message);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (uint32_t i = 0; i < schedule.vertex_count; i++)
    sends += schedule.vertices[i].kind == TUTTI_SEND;
  tutti_arena_release(&arena);
  return sends;
}

/* The number of this rank in "N,N,...". */
static unsigned long given(const char *numbers, const struct place *place)
{
  for (int i = 0; i < place->rank && *numbers; i++)
    numbers += strcspn(numbers, ",") + 1;
  return strtoul(numbers, NULL, 10);
}

static void print_counts(const char *text, const unsigned long *numbers, int count)
{
  printf("%s", text);
  for (int i = 0; i < count; i++)
    printf(" %lu", numbers[2 * i]);
}

/* The line of a call: the numbers of all ranks, and whether they are the same. */
static void report(const char *name, const unsigned long (*all)[2], int ranks)
{
  bool same = true;
  for (int i = 0; i < ranks; i++)
    same = same && all[i][0] == all[i][1];
  printf("%s: %s:", name, same ? "as decided" : "otherwise");
  print_counts(" expected", &all[0][0], ranks);
  print_counts(", sent", &all[0][1], ranks);
  printf("\n");
}

/* METHOD@BYTES; returns the bytes. */
static int parse(const char *text, tutti_method *method)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_error error;
  size_t length = strcspn(text, "@");
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  if (text[length] != '@' || tutti_method_parse(name, method, &error) != TUTTI_OK) {
    fprintf(stderr, "%s is not METHOD@BYTES\n", text);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return atoi(text + length + 1);
}

static void try(const char *text, const struct place *place, char *in, char *out)
{
  unsigned long own[2], all[MAX_RANKS][2];
  tutti_method method;
  const int bytes = parse(text, &method);
  const char *numbers = strchr(text, '#');
  own[0] = numbers ? given(numbers + 1, place) : expected(&method, bytes, place);
  MPI_Barrier(MPI_COMM_WORLD);
  own[1] = place->sent();
  call(&method, bytes, place, in, out);
  own[1] = place->sent() - own[1];
  MPI_Gather(own, 2, MPI_UNSIGNED_LONG, all, 2, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  if (place->rank == 0)
    report(text, (const unsigned long(*)[2])all, place->ranks);
}

static int print_settings(int ranks, const char *name, int bytes, const char *library)
{
  tutti_method method;
  tutti_directives directives;
  tutti_error error;
  if (tutti_method_parse(name, &method, &error) != TUTTI_OK ||
      tutti_method_directives(&method, ranks, (uint64_t)bytes, library, &directives, &error) != TUTTI_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 2;
  }
  for (int i = 0; i < directives.count; i++)
    printf("%s=%s\n", directives.items[i].name, directives.items[i].value);
  return 0;
}

int main(int argc, char **argv)
{
  struct place place;
  if (argc == 6 && strcmp(argv[1], "--settings") == 0)
    return print_settings(atoi(argv[2]), argv[3], atoi(argv[4]), argv[5]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.ranks);
  void *symbol = dlsym(RTLD_DEFAULT, "tutti_messages_sent");
  memcpy(&place.sent, &symbol, sizeof symbol);
  char *in = calloc(MAX_RANKS, 1 << 20), *out = calloc(MAX_RANKS, 1 << 20);
  if (!symbol || !in || !out || place.ranks > MAX_RANKS) {
    fprintf(stderr, "nobody counts messages, or there are too many ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 1; i < argc; i++)
    try(argv[i], &place, in, out);
  if (place.rank == 0)
    printf("end\n");
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
