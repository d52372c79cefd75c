#include "measure/library.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *flavor, *family;
} families[] = {{"smpi", "SimGrid"}, {"mpich", "MPICH"}, {"openmpi", "OpenMPI"}};

void tutti_library_name(char *text, size_t length)
{
  char *banner = calloc(1, MPI_MAX_LIBRARY_VERSION_STRING); /* 8 KiB in MPICH: too large for a simulated stack */
  const char *family = TUTTI_FLAVOR;
  int banner_length;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (strcmp(families[i].flavor, TUTTI_FLAVOR) == 0)
      family = families[i].family;
  if (banner && MPI_Get_library_version(banner, &banner_length) != MPI_SUCCESS)
    banner[0] = '\0';
  const char *version = banner ? strpbrk(banner, "0123456789") : NULL;
  int digits = version ? (int)strspn(version, "0123456789.") : 0;
  while (digits > 0 && version[digits - 1] == '.')
    digits--;
  snprintf(text, length, digits ? "%s-%.*s" : "%s", family, digits, version ? version : "");
  free(banner);
}
