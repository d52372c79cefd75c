/* Importing, storing: all of it in one transaction. */
#include <string.h>
#include <strings.h>

#include "store/private.h"
#include "tutti/import.h"

const char *tutti_import_flavor(const char *library)
{
  static const struct {
    const char *word, *flavor;
  } words[] = {{"open mpi", "openmpi"}, {"open-mpi", "openmpi"}, {"openmpi", "openmpi"}, {"ompi", "openmpi"},
               {"mpich", "mpich"},      {"mvapich", "mpich"},    {"intel", "mpich"},     {"impi", "mpich"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(library, words[i].word))
      return words[i].flavor;
  return NULL;
}

static tutti_status store_item(const tutti_import_item *item, tutti_environment *environment, tutti_store *store,
                               size_t *replaced, tutti_error *error)
{
  int64_t id;
  bool present;
  environment->tutti = item->program;
  tutti_status status = tutti_store_environment(store, environment, &id, error);
  if (status == TUTTI_OK)
    status = tutti_store_has(store, id, &item->measurement, &present, error);
  if (status != TUTTI_OK)
    return status;
  *replaced += present;
  return tutti_store_add(store, id, &item->measurement, 1, error);
}

static tutti_status store_all(const tutti_imported *imported, tutti_environment *environment, tutti_store *store,
                              size_t *replaced, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < imported->count && status == TUTTI_OK; i++)
    status = store_item(&imported->items[i], environment, store, replaced, error);
  return status;
}

tutti_status tutti_import_store(const tutti_imported *imported, const tutti_import_machine *machine, tutti_store *store,
                                size_t *replaced, tutti_error *error)
{
  tutti_environment environment = {.platform = machine->platform,
                                   .platform_hash = "",
                                   .flavor = machine->flavor ? machine->flavor : tutti_import_flavor(machine->library),
                                   .library = machine->library};
  *replaced = 0;
  if (!environment.flavor)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%s': is this library one of the kind of MPICH or of Open MPI? Say it with --flavor",
                      machine->library);
  tutti_status status = tutti_store_begin_together(store, error);
  if (status == TUTTI_OK)
    status = tutti_store_end_together(store, store_all(imported, &environment, store, replaced, error), error);
  return status;
}
