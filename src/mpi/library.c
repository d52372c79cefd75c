#include "mpi/library.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tutti_mpi_library_name(const char *banner, char *text, size_t length)
{
  static const struct {
    const char *flavor, *family;
  } families[] = {{"smpi", "SimGrid"}, {"mpich", "MPICH"}, {"openmpi", "OpenMPI"}};
  const char *family = TUTTI_FLAVOR;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (strcmp(families[i].flavor, TUTTI_FLAVOR) == 0)
      family = families[i].family;
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
