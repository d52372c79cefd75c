#include "algorithms/mpi/library.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each kind a text in the library's version, its flavor, and the name with which versions begin. */
static const struct {
  const char *word, *flavor, *family;
} kinds[] = {[TUTTI_MPI_SMPI] = {"SMPI", "smpi", "SimGrid"},
             [TUTTI_MPI_MPICH] = {"MPICH", "mpich", "MPICH"},
             [TUTTI_MPI_OPENMPI] = {"Open MPI", "openmpi", "OpenMPI"},
             [TUTTI_MPI_OTHER] = {"", "abi", "MPI"}};

enum tutti_mpi_kind tutti_mpi_kind_of(const char *banner)
{
  enum tutti_mpi_kind kind = TUTTI_MPI_SMPI;
  while (!strstr(banner, kinds[kind].word))
    kind++;
  return kind;
}

const char *tutti_mpi_flavor(enum tutti_mpi_kind kind)
{
  return kinds[kind].flavor;
}

/* For flavors other than abi the family is known, whatever the version text: Intel's is of the flavor mpich. */
static const char *family_of(const char *banner)
{
  for (int kind = TUTTI_MPI_SMPI; kind < TUTTI_MPI_OTHER; kind++)
    if (strcmp(kinds[kind].flavor, TUTTI_FLAVOR) == 0)
      return kinds[kind].family;
  return kinds[tutti_mpi_kind_of(banner)].family;
}

void tutti_mpi_library_name(const char *banner, char *text, size_t length)
{
  const char *family = family_of(banner);
  const char *version = strpbrk(banner, "0123456789");
  int digits = version ? (int)strspn(version, "0123456789.") : 0;
  while (digits > 0 && version[digits - 1] == '.')
    digits--;
  snprintf(text, length, digits ? "%s-%.*s" : "%s", family, digits, version ? version : "");
}

char *tutti_mpi_banner(void)
{
  char *banner = calloc(1, MPI_MAX_LIBRARY_VERSION_STRING); /* 8 KiB in MPICH: too large for a simulated stack */
  int length;
  if (banner && MPI_Get_library_version(banner, &length) != MPI_SUCCESS)
    banner[0] = '\0';
  return banner;
}

void tutti_mpi_library(char *text, size_t length)
{
  char *banner = tutti_mpi_banner();
  tutti_mpi_library_name(banner ? banner : "", text, length);
  free(banner);
}
