/* Records that rank 0 prints. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/program.h"

/* Name and version of the MPI library: "SimGrid-3.32", "MPICH-4.0.2", "OpenMPI-4.1.4"; the family alone if the library
   does not say its version. */
static void name_library(char *text, size_t length)
{
  static const struct {
    const char *flavor, *family;
  } families[] = {{"smpi", "SimGrid"}, {"mpich", "MPICH"}, {"openmpi", "OpenMPI"}};
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

void tutti_program_print(const tutti_record *record)
{
  tutti_record_print(stdout, record);
  fflush(stdout); /* a killed sweep loses no more than the point in flight */
}

void tutti_program_print_run(const tutti_view *view, int ranks_per_node)
{
  tutti_record record = {.kind = TUTTI_RECORD_RUN, .ranks = view->size, .ranks_per_node = ranks_per_node};
  snprintf(record.tutti, sizeof record.tutti, "%s", TUTTI_VERSION);
  snprintf(record.flavor, sizeof record.flavor, "%s", TUTTI_FLAVOR);
  name_library(record.library, sizeof record.library);
  tutti_program_print(&record);
}

void tutti_program_print_end(size_t measurements)
{
  tutti_record record = {.kind = TUTTI_RECORD_END, .measurements = measurements};
  tutti_program_print(&record);
}
