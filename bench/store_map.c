#include "store_map.h"

#include <stdlib.h>

tutti_status store_map_read(const char *path, const char *platform, const char *collective, tutti_selection selection,
                            tutti_decision_map *map, tutti_error *error)
{
  tutti_measurement *measurements = NULL;
  tutti_store *store;
  size_t count;
  selection.platform = platform;
  tutti_status status = tutti_collective_parse(collective, &selection.collective, error);
  if (status == TUTTI_OK)
    status = tutti_store_open_existing(path, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_read(store, &selection, &measurements, &count, error);
  tutti_store_close(store);
  if (status == TUTTI_OK && count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no measurement of %s on platform %s", path, collective,
                      platform ? platform : "(any)");
  if (status == TUTTI_OK)
    status = tutti_decision_map_create(measurements, count, map, error);
  free(measurements);
  return status;
}
