/* Mutable globals for the reason that process.c gives. */
#include "interpose/beside.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "decision/results/trace_format.h"
#include "interpose/mpi_library.h"
#include "interpose/process.h"

static _Atomic uint64_t calls;         /* calls that passed by */
static const void *_Atomic known_site; /* the last one that was found to be the program's */
static _Atomic bool begun;

/* ---- whose call is it ---- */

static const void *base_of(const void *address, const char **name)
{
  Dl_info info = {.dli_fbase = NULL};
  if (dladdr(address, &info) == 0)
    return NULL;
  *name = info.dli_fname ? info.dli_fname : "";
  return info.dli_fbase;
}

/* The bindings of Fortran are known before (mpi_functions.h). */
static bool is_part_of_library(const char *name)
{
  static const char *const parts[] = {"/libmpi", "/libopen-", "/mca_", "/libpmpi"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i]))
      return true;
  return false;
}

bool tutti_is_caller_of_program(const void *address)
{
  const char *own_name = "", *name = "";
  if (address == atomic_load_explicit(&known_site, memory_order_relaxed))
    return true;
  const void *base = base_of(address, &name);
  if (base == base_of(&calls, &own_name) || is_part_of_library(name))
    return false;
  atomic_store_explicit(&known_site, address, memory_order_relaxed);
  return true;
}

void tutti_count_beside(const void *address)
{
  if (!begun || !tutti_is_caller_of_program(address))
    return;
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  tutti_process()->unrecorded |= 1u << TRACE_PROFILING_NAMES;
}

/* ---- beginning and end ---- */

/* MPI_Finalize() frees what is attached to MPI_COMM_SELF before it does anything else. */
static int end_process(MPI_Comm comm, int key, void *value, void *extra)
{
  (void)comm, (void)key, (void)value, (void)extra;
  if (!tutti_process()->ended)
    tutti_process_end();
  return MPI_SUCCESS;
}

void tutti_beside_begin(void)
{
  int key;
  begun = true;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_process, &key, NULL) == MPI_SUCCESS)
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

void tutti_beside_end(struct process *process)
{
  const uint64_t served = process->policy->verbose ? tutti_usage_calls(&process->usage) : 1; /* else not known */
  uint64_t counts[] = {served, calls}, sums[2] = {0, 0};
  int rank;
  if (!tutti_process_counts(process))
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(counts, sums, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && sums[1] > 0)
    tutti_say(
        stderr,
        "tutti: not served: %llu call%s by PMPI_ names, which are the library's own: the program or a tool does so; "
        "a tool is to be loaded after libtutti_mpi.so\n",
        (unsigned long long)sums[1], sums[1] == 1 ? "" : "s");
  if (rank == 0 && sums[0] == 0)
    fputs("tutti: nothing was served: no collective came by its name MPI_...; a program that finds the library's "
          "functions by a handle (dlsym) is to open libtutti_mpi.so in its place\n",
          stderr);
}

/* The file of a function. */
static const char *file_of(const void *address)
{
  const char *name = "";
  base_of(address, &name);
  return name;
}

/* MPI began, and not by a call that came here. */
__attribute__((destructor)) static void tell_of_unseen(void)
{
  int initialized = 0;
  void *library = dlsym(RTLD_NEXT, "PMPI_Initialized");
  if (begun || !library || PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized || !tutti_wants_report() ||
      !tutti_is_first_rank())
    return;
  tutti_say(
      stderr,
      "tutti: nothing was served or recorded: the program found MPI_Init in %s itself, by a handle of that library "
      "(dlsym), not by its name: let it open %s in place of the library\n",
      file_of(library), file_of(&calls));
  fflush(stderr);
}
