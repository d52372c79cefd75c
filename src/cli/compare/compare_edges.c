/* The sizes at which the rules of the files begin and end: learners put bounds between sizes that were measured, so
   what lies just inside a rule was measured nowhere. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "cli/compare/compare.h"
#include "tutti/tuning.h"

static void add_size(tutti_sweep *sweep, uint64_t low, uint64_t high, uint64_t size)
{
  if (size <= low || size >= high)
    return;
  sweep->sizes = tutti_xrealloc(sweep->sizes, ((size_t)sweep->size_count + 1) * sizeof *sweep->sizes);
  sweep->sizes[sweep->size_count++] = size;
}

/* The first and the last size of each rule for the communicator of the sweep, between its smallest and largest size. */
static void add_edges(const tutti_step_table *table, tutti_sweep *sweep)
{
  const uint64_t low = sweep->sizes[0], high = sweep->sizes[sweep->size_count - 1];
  const tutti_step_row *row = &table->rows[0];
  for (int i = 1; i < table->row_count && table->rows[i].ranks <= sweep->ranks[0]; i++)
    row = &table->rows[i];
  for (int i = 0; i < row->count; i++) {
    if (row->steps[i].method < 0)
      continue;
    add_size(sweep, low, high, row->steps[i].bytes);
    if (i + 1 < row->count)
      add_size(sweep, low, high, row->steps[i + 1].bytes - 1);
  }
  sweep->size_count = (int)tutti_numbers_unique(sweep->sizes, (size_t)sweep->size_count);
}

/* Of one number of ranks of a sweep. */
static tutti_sweep sweep_of(const tutti_sweep *all, int ranks)
{
  tutti_sweep sweep = *all;
  sweep.ranks_count = 1;
  sweep.ranks = tutti_xcalloc(1, sizeof *sweep.ranks);
  sweep.ranks[0] = ranks;
  sweep.methods = tutti_xcalloc(1, sizeof *sweep.methods);
  sweep.methods[0] = all->methods[0];
  sweep.sizes = tutti_xcalloc((size_t)all->size_count, sizeof *sweep.sizes);
  memcpy(sweep.sizes, all->sizes, (size_t)all->size_count * sizeof *sweep.sizes);
  return sweep;
}

tutti_status compare_add_edges(const struct compare_options *options, tutti_experiment *experiment, tutti_error *error)
{
  const tutti_sweep all = experiment->sweeps[--experiment->sweep_count];
  tutti_step_table tables[2] = {{.row_count = 0}, {.row_count = 0}};
  tutti_status status = TUTTI_OK;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++)
    if (!compare_is_untuned(options->names[side]))
      status = tuning_file_steps(options->names[side], all.collective, &tables[side], error);
  experiment->sweeps = tutti_xrealloc(
      experiment->sweeps, (size_t)(experiment->sweep_count + all.ranks_count + TUTTI_COLL_COUNT) * sizeof all);
  for (int i = 0; i < all.ranks_count; i++) {
    tutti_sweep *sweep = &experiment->sweeps[experiment->sweep_count++];
    *sweep = sweep_of(&all, all.ranks[i]);
    for (int side = 0; side < 2 && status == TUTTI_OK; side++)
      if (tables[side].row_count > 0)
        add_edges(&tables[side], sweep);
  }
  for (int side = 0; side < 2; side++)
    tutti_step_table_free(&tables[side]);
  free(all.ranks);
  free(all.sizes);
  free(all.methods);
  return status;
}
