#include "interpose/mpi_library.h"
#include "base/say.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a library is recognized: its version text (MPI_Get_library_version()), and a symbol that no other one has.
   Libraries with the binary interface of MPICH (Intel's, MVAPICH) have another text, and pass. With the standard ABI
   all are the same to Tutti: it is recognized by MPI_Abi_get_version(), and the standard defines the name of its file.
   */
static const struct library {
  const char *flavor, *name, *symbol;
} libraries[] = {
    [TUTTI_MPI_SMPI] = {"smpi", "SMPI", "smpi_process_set_user_data"},
    [TUTTI_MPI_MPICH] = {"mpich", "MPICH", "MPII_Comm_get_attr"},
    [TUTTI_MPI_OPENMPI] = {"openmpi", "Open MPI", "ompi_mpi_comm_world"},
    [TUTTI_MPI_OTHER] = {"abi", "the standard ABI of MPI", NULL},
};

enum { LIBRARIES = sizeof libraries / sizeof *libraries, LONGEST_SENTENCE = 1024 };

static const struct library *own_library(void)
{
  const struct library *own = libraries;
  while (strcmp(own->flavor, TUTTI_FLAVOR) != 0)
    own++;
  return own;
}

/* PMPI_ functions are those of the library that the program finds first. Each library writes as much as its own header
   declares: MPICH 8 KiB, Open MPI 256 B. */
enum tutti_mpi_kind tutti_find_library_kind(void)
{
  enum { LONGEST_VERSION = 1 << 14 };
  char *version = calloc(1, LONGEST_VERSION);
  enum tutti_mpi_kind found = TUTTI_MPI_OTHER;
  int length;
  if (version && PMPI_Get_library_version(version, &length) == MPI_SUCCESS)
    found = tutti_mpi_kind_of(version);
  free(version);
  return found;
}

/* Versions of MPI before 5 have no such function, and libraries with handles of their own return -1. */
static bool has_standard_abi(void)
{
  int (*ask)(int *, int *), version = -1, subversion;
  void *found = dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version");
  memcpy(&ask, &found, sizeof ask);
  return found && ask(&version, &subversion) == MPI_SUCCESS && version > 0;
}

/* NULL: not known. */
static const struct library *library_of_calls(void)
{
  if (has_standard_abi())
    return &libraries[TUTTI_MPI_OTHER];
  const enum tutti_mpi_kind kind = tutti_find_library_kind();
  return kind == TUTTI_MPI_OTHER ? NULL : &libraries[kind];
}

static int is_standard_abi(struct dl_phdr_info *info, size_t size, void *unused)
{
  (void)size, (void)unused;
  return strstr(info->dlpi_name, "/libmpi_abi") != NULL;
}

/* Whether the process has such a library beside the one whose functions are called. A derived library with the standard
   ABI has the symbols of its origin. */
static bool is_beside(const struct library *library)
{
  const struct library *called = &libraries[tutti_find_library_kind()];
  const bool may_be_derived = own_library() == &libraries[TUTTI_MPI_OTHER] && called == own_library();
  if (library == own_library() || library == called || may_be_derived)
    return false;
  return library->symbol ? dlsym(RTLD_DEFAULT, library->symbol) != NULL : dl_iterate_phdr(is_standard_abi, NULL) == 1;
}

/* A second library in the process: that of the program, if it is linked by another library, is found after the one that
   the interposer brings. */
static const struct library *second_library(void)
{
  for (int i = 0; i < LIBRARIES; i++)
    if (is_beside(&libraries[i]))
      return &libraries[i];
  return NULL;
}

/* Folders of the interposer have the names of flavors: FOLDER/mpich/libtutti_mpi.so. */
static const char *describe(const struct library *other)
{
  Dl_info loaded = {.dli_fname = NULL};
  char *text = malloc(LONGEST_SENTENCE);
  if (!text || dladdr(libraries, &loaded) == 0 || !strchr(loaded.dli_fname, '/'))
    return "this libtutti_mpi.so was built for another MPI library than the program";
  const char *path = loaded.dli_fname, *folder = strrchr(path, '/');
  while (folder > path && folder[-1] != '/')
    folder--;
  snprintf(text, LONGEST_SENTENCE,
           "%.400s was built for %s, and this program runs with %s: load %.*s%s/libtutti_mpi.so", path,
           own_library()->name, other->name, (int)(folder - path), path, other->flavor);
  return text;
}

bool tutti_is_first_rank(void)
{
  static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (getenv(variables[i]))
      return strcmp(getenv(variables[i]), "0") == 0;
  return true;
}

/* No handle of the other library may be used: neither MPI_Abort() nor messages. */
static void end_process(const char *fault, int exit_status)
{
  int begun = 0;
  if (tutti_is_first_rank())
    tutti_say(stderr, "tutti: %s\n", fault);
  fflush(stderr);
  PMPI_Initialized(&begun);
  if (begun)
    PMPI_Finalize();  /* all ranks wait for each other, so that the report is printed */
  _exit(exit_status); /* SMPI makes exit() its own */
}

void tutti_refuse_other_mpi_library(int exit_status)
{
  const struct library *other = library_of_calls();
  if (!other || other == own_library())
    other = second_library();
  if (other)
    end_process(describe(other), exit_status);
}
