#include "harness/measure/survey.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/failure.h"
#include "base/machine.h"
#include "base/say.h"
#include "base/text.h"

/* Facts about the machine that a rank sees. */
struct sight {
  int node_ranks;      /* ranks on its node */
  int node_processors; /* that any of these may run on */
  int processors;      /* that it may run on */
  int cores;
  bool shared;       /* its node has bound ranks that share a processor */
  uint64_t names[2]; /* digests: of its host, of its CPU */
  char cpu[TUTTI_MACHINE_WORD];
};

/* Ranks bound apart have as many processors together as the sum over ranks. */
static int look_at_node(MPI_Comm node, struct sight *sight)
{
  uint64_t own[TUTTI_PROCESSORS_WORDS], joined[TUTTI_PROCESSORS_WORDS];
  int sum = 0;
  sight->node_processors = 0;
  sight->cores = tutti_machine_cores();
  sight->processors = tutti_machine_affinity(own);
  MPI_Comm_size(node, &sight->node_ranks);
  int result = MPI_Allreduce(own, joined, TUTTI_PROCESSORS_WORDS, MPI_UINT64_T, MPI_BOR, node);
  if (result == MPI_SUCCESS)
    result = MPI_Allreduce(&sight->processors, &sum, 1, MPI_INT, MPI_SUM, node);
  for (int i = 0; i < TUTTI_PROCESSORS_WORDS && result == MPI_SUCCESS; i++)
    sight->node_processors += __builtin_popcountll(joined[i]);
  sight->shared = sum > sight->node_processors;
  return result;
}

static int describe_host(MPI_Comm comm, struct sight *sight)
{
  MPI_Comm node;
  char host[TUTTI_MACHINE_WORD];
  tutti_machine_host(host);
  tutti_machine_cpu(sight->cpu);
  sight->names[0] = tutti_digest(host, strlen(host));
  sight->names[1] = tutti_digest(sight->cpu, strlen(sight->cpu));
  int result = tutti_node_split(comm, &node);
  if (result != MPI_SUCCESS)
    return result;
  result = look_at_node(node, sight);
  MPI_Comm_free(&node);
  return result;
}

/* The rank that writes is the lowest of those whose nodes have most ranks beyond their processors. */
static int note_worst(const tutti_view *view, const char *program, const struct sight *sight)
{
  int ranks = sight->node_ranks, cores = sight->node_processors;
  struct {
    int excess, rank;
  } own = {ranks - cores, view->rank}, worst;
  int result = MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, view->comm);
  if (result == MPI_SUCCESS && worst.rank == view->rank && cores > 0 && ranks > cores)
    tutti_say(stderr, "note: %d ranks of %s take turns on %d core%s: times are those of ranks that wait for a core\n",
              ranks, program, cores, tutti_plural((uint64_t)cores));
  return result;
}

/* ---- at rank 0 ---- */

enum { NODE_RANKS, MAX_PROCESSORS, LEAST_PROCESSORS, BOUND, SHARED, CORES, MAXIMA };

static void set_binding(const int maxima[MAXIMA], tutti_record *run)
{
  int least = -maxima[LEAST_PROCESSORS], most = maxima[MAX_PROCESSORS];
  const char *shared = maxima[SHARED] ? ":shared" : "";
  if (least == 0) /* unknown to the system */
    return;
  if (!maxima[BOUND])
    snprintf(run->binding, sizeof run->binding, "unbound");
  else if (least == most)
    snprintf(run->binding, sizeof run->binding, "bound:%d%s", most, shared);
  else
    snprintf(run->binding, sizeof run->binding, "bound:%d-%d%s", least, most, shared);
}

/* @p names: pairs of digests, of all ranks. */
static void set_names(uint64_t *names, int ranks, const char *cpu, tutti_record *run)
{
  const uint64_t first = names[1];
  bool mixed = false;
  for (int i = 0; i < ranks; i++) {
    mixed = mixed || names[2 * i + 1] != first;
    names[i] = names[2 * i];
  }
  snprintf(run->cpu, sizeof run->cpu, "%s", mixed ? "mixed" : cpu);
  tutti_digest_format(tutti_digest_set(names, (size_t)ranks), run->hosts);
}

static int gather(const tutti_view *view, const struct sight *sight, uint64_t *names, tutti_record *run)
{
  const int own[MAXIMA] = {[NODE_RANKS] = sight->node_ranks,
                           [MAX_PROCESSORS] = sight->processors,
                           [LEAST_PROCESSORS] = -sight->processors,
                           [BOUND] = sight->processors < sight->cores,
                           [SHARED] = sight->shared,
                           [CORES] = sight->cores};
  int maxima[MAXIMA];
  int result = MPI_Reduce(own, maxima, MAXIMA, MPI_INT, MPI_MAX, 0, view->comm);
  if (result == MPI_SUCCESS)
    result = MPI_Gather(sight->names, 2, MPI_UINT64_T, names, 2, MPI_UINT64_T, 0, view->comm);
  if (result != MPI_SUCCESS || view->rank != 0)
    return result;
  run->ranks_per_node = maxima[NODE_RANKS];
  run->cores = maxima[CORES];
  set_binding(maxima, run);
  set_names(names, view->size, sight->cpu, run);
  return result;
}

void tutti_survey_moment(tutti_record *record)
{
  tutti_machine_date(record->date);
  record->load = tutti_machine_load();
}

tutti_status tutti_survey_launch(const tutti_view *view, const char *program, tutti_record *run, tutti_error *error)
{
  struct sight sight;
  uint64_t *names = view->rank == 0 ? malloc((size_t)view->size * 2 * sizeof *names) : NULL;
  if (view->rank == 0 && !names)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for the hosts of %d ranks", view->size);
  tutti_survey_moment(run);
  int result = describe_host(view->comm, &sight);
  if (result == MPI_SUCCESS)
    result = note_worst(view, program, &sight);
  if (result == MPI_SUCCESS)
    result = gather(view, &sight, names, run);
  free(names);
  if (result != MPI_SUCCESS)
    return tutti_mpi_fail(error, result, "rank %d: finding out where the ranks are failed", view->rank);
  return TUTTI_OK;
}

/* ---- the launcher ---- */

/* The number of ranks that a launcher puts in its environment, or 0. */
static int launched_by(const char *variable)
{
  const char *text = getenv(variable);
  return text ? atoi(text) : 0;
}

tutti_status tutti_survey_launcher(const tutti_view *view, tutti_error *error)
{
  static const char *const openmpi = "OMPI_COMM_WORLD_SIZE", *const hydra = "PMI_SIZE";
  bool is_openmpi = strcmp(TUTTI_FLAVOR, "openmpi") == 0;
  const int launched = launched_by(is_openmpi ? hydra : openmpi);
  if (view->size > 1 || launched < 2 || launched_by(is_openmpi ? openmpi : hydra) > 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                    "each of the %d ranks is alone: this program is built with %s, and the launcher is that of another "
                    "MPI library",
                    launched, TUTTI_FLAVOR);
}
