/* Importing: repeats. What is imported again is stored once; what another run printed of points that are stored becomes
   a further launch of them, as tutti bench --launches makes them. */
#include <stdlib.h>

#include "store/import_file.h"
#include "store/private.h"
#include "store/rows.h"

/* Rows that the store has in an environment: of all launches. */
struct stored {
  tutti_measurement *rows;
  size_t count;
};

/* What is stored of a point: how many launches, and the one with the same times, -1: none has them. */
struct known {
  int launches, same;
};

static bool has_same_times(const tutti_measurement *left, const tutti_measurement *right)
{
  return left->repetitions == right->repetitions && left->minimum == right->minimum && left->median == right->median &&
         left->mean == right->mean && left->maximum == right->maximum;
}

static struct known find(const struct stored *stored, const tutti_measurement *measurement)
{
  struct known known = {.same = -1};
  for (size_t i = 0; i < stored->count; i++) {
    const tutti_measurement *row = &stored->rows[i];
    if (!tutti_store_is_same_point(row, measurement))
      continue;
    if (row->launch >= known.launches)
      known.launches = row->launch + 1;
    if (has_same_times(row, measurement))
      known.same = row->launch;
  }
  return known;
}

/* Was a table imported before, or a part of it? No time of it differs from what is stored. That one time alone is the
   same says nothing: benchmarks print few digits. */
static bool is_stored(const struct stored *stored, const tutti_import_item *items, size_t count)
{
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    const struct known known = find(stored, &items[i].measurement);
    if (known.launches > 0 && known.same < 0)
      return false;
    any = any || known.same >= 0;
  }
  return any;
}

tutti_status tutti_import_store_table(const tutti_import_item *items, size_t count, tutti_store *store,
                                      int64_t environment, tutti_import_stored *counts, tutti_error *error)
{
  const tutti_selection selection = {.environment = environment,
                                     .collective = items->measurement.method.algorithm->collective,
                                     .scheme = (int)items->measurement.scheme};
  struct stored stored;
  void *rows;
  tutti_status status =
      tutti_store_read_rows(store, TUTTI_ROW_MEASUREMENT, &selection, &rows, &stored.count, NULL, error);
  stored.rows = rows;
  const bool again = status == TUTTI_OK && is_stored(&stored, items, count);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_measurement measurement = items[i].measurement;
    const struct known known = find(&stored, &measurement);
    const bool same = again && known.same >= 0;
    measurement.launch = same ? known.same : known.launches;
    counts->replaced += same;
    counts->repeated += !same && known.launches > 0;
    status = tutti_store_add(store, environment, &measurement, 1, error);
  }
  free(rows);
  return status;
}
