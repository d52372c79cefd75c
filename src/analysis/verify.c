#include "tutti/verify.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/barrier_check.h"
#include "analysis/ensemble.h"
#include "analysis/memory.h"
#include "analysis/races.h"

static tutti_status check_all_races(const tutti_schedule *schedules, int size, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < size && status == TUTTI_OK; r++)
    status = tutti_check_races(&schedules[r], error);
  return status;
}

static tutti_status check_data(const struct ensemble *e, const tutti_call *calls, const tutti_contract *contract,
                               tutti_error *error)
{
  struct memory memory;
  tutti_status status = tutti_memory_create(&memory, e, calls, contract, error);
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(e, tutti_memory_visit, &memory, error);
  if (status == TUTTI_OK)
    status = tutti_memory_check(&memory, error);
  tutti_memory_free(&memory);
  return status;
}

static tutti_status check_synchronization(const struct ensemble *e, tutti_error *error)
{
  struct barrier_check knowledge;
  tutti_status status = tutti_barrier_check_create(&knowledge, e, error);
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(e, tutti_barrier_check_visit, &knowledge, error);
  if (status == TUTTI_OK)
    status = tutti_barrier_check_result(&knowledge, error);
  tutti_barrier_check_free(&knowledge);
  return status;
}

tutti_status tutti_verify(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                          tutti_error *error)
{
  struct ensemble ensemble;
  tutti_status status = tutti_ensemble_create(&ensemble, schedules, calls->size, error);
  if (status == TUTTI_OK)
    status = check_data(&ensemble, calls, contract, error);
  if (status == TUTTI_OK)
    status = check_all_races(schedules, calls->size, error);
  if (status == TUTTI_OK && contract->synchronizes)
    status = check_synchronization(&ensemble, error);
  tutti_ensemble_free(&ensemble);
  return status;
}

tutti_status tutti_verify_calls(const tutti_method *method, const tutti_call *calls, tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule *schedules;
  tutti_arena_init(&arena);
  tutti_status status = tutti_schedules_of(method, calls, &arena, &schedules, error);
  if (status == TUTTI_OK)
    status = tutti_verify(schedules, calls, tutti_contract_of(method->algorithm->collective), error);
  tutti_arena_release(&arena);
  return status;
}

tutti_status tutti_verify_method(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  tutti_arena arena;
  tutti_call *calls;
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(call, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = tutti_verify_calls(method, calls, error);
  tutti_arena_release(&arena);
  return status;
}
