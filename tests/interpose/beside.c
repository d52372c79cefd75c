/* Calls that do not come by the names MPI_...: found in the library by dlsym() with a handle of it, as bindings of
   other languages do, or called by the names of the profiling interface, as tools do. What does, is an argument each:
   begin, call, end (by a handle; of the library, or of the file that LIBRARY names), pbegin, pcall, pend (by PMPI_). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_library(struct dl_phdr_info *info, size_t size, void *path)
{
  (void)size;
  if (!strstr(info->dlpi_name, "/libmpi.so") && !strstr(info->dlpi_name, "/libmpich.so") &&
      !strstr(info->dlpi_name, "/libmpi_abi.so"))
    return 0;
  snprintf(path, 1024, "%s", info->dlpi_name);
  return 1;
}

static void *function(const char *name)
{
  static void *library;
  char path[1024] = "";
  dl_iterate_phdr(find_library, path);
  if (!library)
    library = dlopen(getenv("LIBRARY") ? getenv("LIBRARY") : path, RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, name) : NULL;
}

static int says(int argc, char **argv, const char *word)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], word) == 0)
      return 1;
  return 0;
}

int main(int argc, char **argv)
{
  int one = 1, sum = 0, rank, size, (*begin)(int *, char ***) = MPI_Init, (*end)(void) = MPI_Finalize,
      (*call)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) = MPI_Allreduce;
  if (says(argc, argv, "pbegin"))
    begin = PMPI_Init;
  if (says(argc, argv, "pcall"))
    call = PMPI_Allreduce;
  if (says(argc, argv, "pend"))
    end = PMPI_Finalize;
  void *found[] = {function("MPI_Init"), function("MPI_Allreduce"), function("MPI_Finalize")};
  if (!found[0] || !found[1] || !found[2])
    return 2;
  if (says(argc, argv, "begin"))
    memcpy(&begin, &found[0], sizeof begin);
  if (says(argc, argv, "call"))
    memcpy(&call, &found[1], sizeof call);
  if (says(argc, argv, "end"))
    memcpy(&end, &found[2], sizeof end);
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; i++)
    call(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  end();
  if (rank == 0)
    puts(sum == size ? "sum is right" : "sum is wrong");
  return 0;
}
