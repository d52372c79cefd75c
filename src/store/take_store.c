/* Taking in what was run by hand, storing: all of it in one transaction. */
#include <stdlib.h>
#include <string.h>

#include "store/private.h"
#include "store/rows.h"
#include "tutti/platform.h"
#include "tutti/take.h"

/* The platform by its name, and the hash of the file that simulated runs used. */
struct machine {
  const char *argument;
  tutti_platform platform; /* of simulated runs */
  bool simulated;          /* the platform was read */
};

static tutti_status read_platform(struct machine *machine, tutti_error *error)
{
  char *path;
  tutti_status status = tutti_platform_find(machine->argument, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_read(path, &machine->platform, error);
  machine->simulated = status == TUTTI_OK;
  free(path);
  return status;
}

static tutti_status environment_of(const tutti_record *run, struct machine *machine, tutti_store *store, int64_t *id,
                                   tutti_error *error)
{
  bool simulated = strcmp(run->flavor, "smpi") == 0;
  tutti_status status = simulated && !machine->simulated ? read_platform(machine, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  const tutti_environment environment = {.platform = simulated ? machine->platform.name : machine->argument,
                                         .platform_hash = simulated ? machine->platform.hash : "",
                                         .flavor = run->flavor,
                                         .library = run->library,
                                         .tutti = run->tutti};
  return tutti_store_environment(store, &environment, id, error);
}

static tutti_status store_record(const tutti_record *record, int64_t environment, tutti_store *store,
                                 tutti_error *error)
{
  const void *row;
  enum tutti_row kind = tutti_row_of(tutti_kind_of_record(record, &row));
  return tutti_store_add_rows(store, kind, environment, row, 1, error);
}

static tutti_status store_all(const tutti_taken *taken, struct machine *machine, tutti_store *store, tutti_error *error)
{
  int64_t environment = 0;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < taken->count && status == TUTTI_OK; i++)
    if (taken->records[i].kind == TUTTI_RECORD_RUN)
      status = environment_of(&taken->records[i], machine, store, &environment, error);
    else
      status = store_record(&taken->records[i], environment, store, error);
  return status;
}

tutti_status tutti_taken_store(const tutti_taken *taken, const char *platform, tutti_store *store, tutti_error *error)
{
  struct machine machine = {.argument = platform};
  tutti_status status = tutti_store_begin_together(store, error);
  if (status == TUTTI_OK)
    status = tutti_store_end_together(store, store_all(taken, &machine, store, error), error);
  if (machine.simulated)
    tutti_platform_free(&machine.platform);
  return status;
}
