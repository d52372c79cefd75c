/* Constant once they are found, and the same for all that runs in the program: mutable globals for the reason that
   process.c gives. */
#include "interpose/mpi_functions.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static struct {
  uintptr_t first, end;
} fortran;
static pthread_once_t fortran_once = PTHREAD_ONCE_INIT;

static int find_binding(struct dl_phdr_info *info, size_t size, void *unused)
{
  (void)size, (void)unused;
  if (!strstr(info->dlpi_name, "/libmpichfort.") && !strstr(info->dlpi_name, "/libmpi_mpifh"))
    return 0;
  fortran.first = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = first + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    fortran.first = first < fortran.first ? first : fortran.first;
    fortran.end = end > fortran.end ? end : fortran.end;
  }
  return 1;
}

static void find_fortran(void)
{
  dl_iterate_phdr(find_binding, NULL);
}

bool tutti_is_fortran_binding(const void *address)
{
  pthread_once(&fortran_once, find_fortran);
  return (uintptr_t)address >= fortran.first && (uintptr_t)address < fortran.end;
}

__thread const void *tutti_fortran_site;

void (*_Atomic tutti_functions[TUTTI_FUNCTIONS + TUTTI_FORTRAN_FUNCTIONS])(void);

void (*tutti_library_function(int number, const char *name))(void)
{
  void (*function)(void) = tutti_functions[number];
  if (!function) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(&function, &found, sizeof found);
    tutti_functions[number] = function;
  }
  return function;
}
