/* Which algorithms UCC's TL/UCP picks: the contexts of a team in one process, a thread each. Calls are initialized on
   one of them; the init functions of the algorithms, which this program has under the names of libucc_tl_ucp.so and is
   asked for first, say which one it is, and refuse.

   usage: ucc RANKS <QUESTIONS: lines "COLLECTIVE BYTES", bytes of the message or of a rank's block, at least 1 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucc/api/ucc.h>

enum { MAX_RANKS = 64, SLOTS = 256 };

static const char *picked;

#define INIT(collective, function, algorithm)                                                                          \
  ucc_status_t ucc_tl_ucp_##collective##_##function##_init(void *arguments, void *team, void **task);                  \
  ucc_status_t ucc_tl_ucp_##collective##_##function##_init(void *arguments, void *team, void **task)                   \
  {                                                                                                                    \
    (void)arguments;                                                                                                   \
    (void)team;                                                                                                        \
    (void)task;                                                                                                        \
    picked = algorithm;                                                                                                \
    return UCC_ERR_NO_RESOURCE;                                                                                        \
  }
INIT(allgather, knomial, "knomial")
INIT(allgather, ring, "ring")
INIT(allgather, neighbor, "neighbor")
INIT(allgather, bruck, "bruck")
INIT(allgather, sparbit, "sparbit")
INIT(allgather, linear, "linear")
INIT(allgatherv, ring, "ring")
INIT(allgatherv, knomial, "knomial")
INIT(allreduce, knomial, "knomial")
INIT(allreduce, sra_knomial, "sra_knomial")
INIT(allreduce, dbt, "dbt")
INIT(allreduce, ring, "ring")
INIT(alltoall, pairwise, "pairwise")
INIT(alltoall, bruck, "bruck")
INIT(alltoallv, pairwise, "pairwise")
INIT(bcast, knomial, "knomial")
INIT(bcast, sag_knomial, "sag_knomial")
INIT(bcast, dbt, "dbt")
INIT(reduce, knomial, "knomial")
INIT(reduce, dbt, "dbt")
INIT(reduce, srg_knomial, "srg")
INIT(reduce_scatter, ring, "ring")
INIT(reduce_scatter, knomial, "knomial")
INIT(reduce_scatterv, ring, "ring")

/* ---- allgather among the threads, as UCC wants it: the n-th of each rank belong together ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct slot {
  char *data;
  size_t length;
  int arrived, done;
} slots[SLOTS];

struct request {
  struct slot *slot;
  void *to; /* NULL: done */
};

static int size, ready, sequence[MAX_RANKS];

static ucc_status_t post(void *from, void *to, size_t length, void *info, void **request)
{
  const int rank = (int)(intptr_t)info;
  struct request *posted = malloc(sizeof *posted);
  pthread_mutex_lock(&lock);
  struct slot *slot = &slots[sequence[rank]++ % SLOTS];
  if (!slot->data)
    *slot = (struct slot){.data = malloc(length * (size_t)size), .length = length};
  memcpy(slot->data + (size_t)rank * length, from, length);
  slot->arrived++;
  pthread_mutex_unlock(&lock);
  *posted = (struct request){slot, to};
  *request = posted;
  return UCC_OK;
}

static ucc_status_t test(void *request)
{
  struct request *posted = request;
  struct slot *slot = posted->slot;
  pthread_mutex_lock(&lock);
  if (posted->to && slot->arrived == size) {
    memcpy(posted->to, slot->data, slot->length * (size_t)size);
    posted->to = NULL;
    if (++slot->done == size) {
      free(slot->data);
      slot->data = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return posted->to ? UCC_INPROGRESS : UCC_OK;
}

static ucc_status_t release(void *request)
{
  free(request);
  return UCC_OK;
}

static void must(ucc_status_t status, const char *what)
{
  if (status == UCC_OK)
    return;
  fprintf(stderr, "ucc: %s: %s\n", what, ucc_status_string(status));
  exit(1);
}

/* ---- calls ---- */

static char buffer[1];
static uint64_t counts[MAX_RANKS], places[MAX_RANKS];

static void ask(ucc_team_h team, const char *name, uint64_t bytes)
{
  static const struct {
    const char *name;
    ucc_coll_type_t type;
    char source, target; /* one block, all, or v: all with counts */
  } calls[] = {{"bcast", UCC_COLL_TYPE_BCAST, '1', '1'},
               {"allreduce", UCC_COLL_TYPE_ALLREDUCE, '1', '1'},
               {"reduce", UCC_COLL_TYPE_REDUCE, '1', '1'},
               {"allgather", UCC_COLL_TYPE_ALLGATHER, '1', 'a'},
               {"allgatherv", UCC_COLL_TYPE_ALLGATHERV, '1', 'v'},
               {"alltoall", UCC_COLL_TYPE_ALLTOALL, 'a', 'a'},
               {"alltoallv", UCC_COLL_TYPE_ALLTOALLV, 'v', 'v'},
               {"reduce_scatter_block", UCC_COLL_TYPE_REDUCE_SCATTER, 'a', '1'},
               {"reduce_scatter", UCC_COLL_TYPE_REDUCE_SCATTERV, 'a', 'v'}};
  ucc_coll_args_t call = {.mask = UCC_COLL_ARGS_FIELD_FLAGS,
                          .flags = UCC_COLL_ARGS_FLAG_COUNT_64BIT | UCC_COLL_ARGS_FLAG_DISPLACEMENTS_64BIT,
                          .op = UCC_OP_SUM};
  ucc_coll_buffer_info_t block = {buffer, bytes, UCC_DT_INT8, UCC_MEMORY_TYPE_HOST}, all = block;
  const ucc_coll_buffer_info_v_t each = {buffer, (ucc_count_t *)counts, (ucc_aint_t *)places, UCC_DT_INT8,
                                         UCC_MEMORY_TYPE_HOST};
  ucc_coll_req_h request;
  all.count = bytes * (uint64_t)size;
  for (int i = 0; i < size; i++) {
    counts[i] = bytes;
    places[i] = bytes * (uint64_t)i;
  }
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(calls[i].name, name) != 0)
      continue;
    call.coll_type = calls[i].type;
    if (calls[i].source == 'v')
      call.src.info_v = each;
    else
      call.src.info = calls[i].source == '1' ? block : all;
    if (calls[i].target == 'v')
      call.dst.info_v = each;
    else
      call.dst.info = calls[i].target == '1' ? block : all;
  }
  picked = "none";
  if (ucc_collective_init(&call, &request, team) == UCC_OK)
    ucc_collective_finalize(request);
  printf("%s %d %" PRIu64 " %s\n", name, size, bytes, picked);
}

/* ---- ranks ---- */

static ucc_team_h make_team(ucc_context_h context, int rank)
{
  ucc_team_h team;
  ucc_status_t status;
  ucc_team_params_t parameters = {.mask = UCC_TEAM_PARAM_FIELD_OOB | UCC_TEAM_PARAM_FIELD_EP |
                                          UCC_TEAM_PARAM_FIELD_EP_RANGE,
                                  .ep = (uint64_t)rank,
                                  .ep_range = UCC_COLLECTIVE_EP_RANGE_CONTIG,
                                  .oob = {post, test, release, (void *)(intptr_t)rank, (uint32_t)size, (uint32_t)rank}};
  must(ucc_team_create_post(&context, 1, &parameters, &team), "team");
  while ((status = ucc_team_create_test(team)) == UCC_INPROGRESS || status == UCC_OPERATION_INITIALIZED) {
    ucc_context_progress(context);
    sched_yield();
  }
  must(status, "team");
  return team;
}

static void *run(void *argument)
{
  const int rank = (int)(intptr_t)argument;
  char name[64];
  uint64_t bytes;
  ucc_lib_h library;
  ucc_lib_config_h library_config;
  ucc_context_h context;
  ucc_context_config_h context_config;
  const ucc_lib_params_t library_parameters = {.mask = UCC_LIB_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCC_THREAD_SINGLE};
  const ucc_context_params_t parameters = {.mask = UCC_CONTEXT_PARAM_FIELD_OOB,
                                           .oob = {post, test, release, argument, (uint32_t)size, (uint32_t)rank}};
  must(ucc_lib_config_read(NULL, NULL, &library_config), "configuration");
  must(ucc_init(&library_parameters, library_config, &library), "library");
  must(ucc_context_config_read(library, NULL, &context_config), "configuration");
  must(ucc_context_create(library, &parameters, context_config, &context), "context");
  const ucc_team_h team = make_team(context, rank);
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < size) {
    ucc_context_progress(context);
    sched_yield();
  }
  while (rank == 0 && scanf("%63s %" SCNu64, name, &bytes) == 2)
    ask(team, name, bytes);
  return NULL;
}

int main(int argc, char **argv)
{
  pthread_t threads[MAX_RANKS];
  size = argc > 1 ? atoi(argv[1]) : 0;
  if (size < 2 || size > MAX_RANKS)
    return 2;
  for (int i = 0; i < size; i++)
    pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
  for (int i = 0; i < size; i++)
    pthread_join(threads[i], NULL);
  fflush(stdout);
  _Exit(0); /* what the teams hold is not given back */
}
