/* Leaving out of a table rules without effect: methods that the library would run without the file. A rule that is left
   out is replaced by "the library's own choice", so that no neighbor extends over it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/export.h"

struct leaving {
  const tutti_target *target;
  tutti_step_table *table;
  tutti_tuning *untuned;
  tutti_tuning **told; /* [table->method_count] files that select a method; NULL: not yet */
  tutti_error *error;
  tutti_status status; /* the first failure */
};

static tutti_tuning *told_of(struct leaving *leaving, int method)
{
  tutti_tuning **told = &leaving->told[method];
  if (!*told && leaving->status == TUTTI_OK)
    leaving->status = tutti_tuning_of_method(leaving->target, &leaving->table->methods[method], told, leaving->error);
  return *told;
}

static bool answer(struct leaving *leaving, const tutti_tuning *tuning, const tutti_explained_call *call,
                   tutti_explanation *found)
{
  if (leaving->status == TUTTI_OK)
    leaving->status = tutti_explain_answer(tuning, call, found, leaving->error);
  return leaving->status == TUTTI_OK;
}

/* Whether the library runs the same method, told and untold, for messages from call->rank_bytes up to before `end`. A
   layer of MPICH that is told to hand a call on does not do so untold. */
static bool same_over(struct leaving *leaving, const tutti_tuning *told, tutti_explained_call call, uint64_t end)
{
  tutti_explanation own, run;
  for (uint64_t last; call.rank_bytes < end; call.rank_bytes = last + 1) {
    if (!answer(leaving, leaving->untuned, &call, &own) || !answer(leaving, told, &call, &run) ||
        !tutti_untuned_same(&own, &run, UINT64_MAX) || tutti_selector_owner(run.selector) == TUTTI_IMPLEMENTATION_MPICH)
      return false;
    last = own.max < run.max ? own.max : run.max;
    if (last == UINT64_MAX)
      return true;
  }
  return true;
}

/* Checked with elements of 1, 4 and 8 bytes. */
static bool is_own_choice(struct leaving *leaving, const tutti_step_row *row, int index)
{
  static const uint64_t types[] = {1, 4, 8};
  const tutti_step *step = &row->steps[index];
  const tutti_tuning *told = told_of(leaving, step->method);
  tutti_explained_call call = {.collective = leaving->table->collective,
                               .ranks = row->ranks,
                               .ranks_per_node = leaving->table->ranks_per_node,
                               .rank_bytes = step->bytes};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    call.type_bytes = types[i];
    if (!told || !same_over(leaving, told, call, index + 1 < row->count ? step[1].bytes : UINT64_MAX))
      return false;
  }
  return true;
}

/* Whether the row is about one communicator size. Others cover sizes that are not examined. */
static bool is_single(const tutti_step_table *table, int index)
{
  const tutti_step_row *row = &table->rows[index];
  return index + 1 < table->row_count && row[1].ranks == row->ranks + 1 && (index > 0 || row->ranks <= 2);
}

static void leave_row(struct leaving *leaving, int index)
{
  tutti_step_row *row = &leaving->table->rows[index];
  for (int i = 0; i < row->count && is_single(leaving->table, index); i++)
    if (row->steps[i].method >= 0 && is_own_choice(leaving, row, i))
      row->steps[i].method = -1;
  tutti_step_row_join(row);
}

static tutti_status leave_all(const tutti_target *target, tutti_step_table *table, tutti_error *error)
{
  const tutti_library_version version = tutti_library_version_of_target(target);
  struct leaving leaving = {.target = target, .table = table, .error = error};
  leaving.told = tutti_xcalloc((size_t)table->method_count, sizeof(tutti_tuning *));
  leaving.status = tutti_untuned_open(&version, &leaving.untuned, error);
  for (int i = 0; i < table->row_count && leaving.untuned && leaving.status == TUTTI_OK; i++)
    leave_row(&leaving, i);
  for (int i = 0; i < table->method_count; i++)
    tutti_tuning_close(leaving.told[i]);
  free(leaving.told);
  tutti_tuning_close(leaving.untuned);
  return leaving.status;
}

/* Totals of different communicators are different keys: joining such rows is left to tutti_size_blocks_create(). */
static void merge(const tutti_target *target, tutti_step_table *table)
{
  if (target->unit(table->collective) != TUTTI_UNIT_TOTAL)
    tutti_step_table_merge(table);
}

static tutti_status measure(const tutti_target *target, const tutti_step_table *table, size_t *length,
                            tutti_error *error)
{
  const tutti_export_part part = {.table = *table};
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  tutti_status status = target->write(&part, 1, NULL, text.stream, error);
  free(tutti_xclose_text(&text));
  *length = text.length;
  return status;
}

/* Only if the file is shorter then: the library's own conditions may be longer than one rule. */
static tutti_status choose_shorter(const tutti_target *target, tutti_step_table *table, tutti_step_table *left,
                                   tutti_error *error)
{
  size_t length = 0, left_length = 0;
  tutti_status status = measure(target, table, &length, error);
  if (status == TUTTI_OK)
    status = measure(target, left, &left_length, error);
  if (status == TUTTI_OK && left_length < length) {
    tutti_step_table swap = *table;
    *table = *left;
    *left = swap;
  }
  return status;
}

tutti_status tutti_export_leave_own_choice(const tutti_target *target, tutti_step_table *table, bool keep,
                                           tutti_error *error)
{
  if (!target->own_choice || keep) {
    merge(target, table);
    return TUTTI_OK;
  }
  tutti_step_table left = tutti_step_table_copy(table);
  tutti_status status = leave_all(target, &left, error);
  merge(target, table);
  merge(target, &left);
  if (status == TUTTI_OK)
    status = choose_shorter(target, table, &left, error);
  tutti_step_table_free(&left);
  return status;
}
