#include "interpose/mpi_library.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a library is known: a word of its MPI_Get_library_version(), and a symbol that no other one has. Libraries with
   the binary interface of MPICH (Intel's, MVAPICH) have other words, and pass. */
static const struct library {
  const char *flavor, *name, *word, *symbol;
} libraries[] = {
    {"smpi", "SMPI", "SMPI", "smpi_process_set_user_data"},
    {"mpich", "MPICH", "MPICH", "MPII_Comm_get_attr"},
    {"openmpi", "Open MPI", "Open MPI", "ompi_mpi_comm_world"},
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
   says: MPICH 8 KiB, Open MPI 256 B. */
static const struct library *library_of_calls(void)
{
  enum { LONGEST_VERSION = 1 << 14 };
  char *version = calloc(1, LONGEST_VERSION);
  const struct library *found = NULL;
  int length;
  if (version && PMPI_Get_library_version(version, &length) == MPI_SUCCESS)
    for (int i = 0; i < LIBRARIES; i++)
      if (strstr(version, libraries[i].word))
        found = &libraries[i];
  free(version);
  return found;
}

/* A second library in the process: that of the program, if it is linked by another library, is found after the one that
   the interposer brings. */
static const struct library *second_library(void)
{
  for (int i = 0; i < LIBRARIES; i++)
    if (&libraries[i] != own_library() && dlsym(RTLD_DEFAULT, libraries[i].symbol))
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

const char *tutti_other_mpi_library(void)
{
  const struct library *other = library_of_calls();
  if (!other || other == own_library())
    other = second_library();
  return other ? describe(other) : NULL;
}
