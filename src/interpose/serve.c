#include "interpose/serve.h"

#include <stdio.h>

#include "interpose/communicator.h"
#include "interpose/process.h"
#include "mpi/collectives/operation.h"

/* ---- errors ---- */

/* As the library would: by the error handler of the communicator. */
static int raise_error(MPI_Comm comm, int code)
{
#ifdef SMPI_HELPERS_H /* its PMPI_Comm_call_errhandler() knows no predefined handlers */
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_RETURN || handler == MPI_ERRHANDLER_NULL)
    return code;
  if (handler == MPI_ERRORS_ARE_FATAL)
    PMPI_Abort(comm, code);
#endif
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

static int error_class(tutti_status status)
{
  return status == TUTTI_ERR_MEMORY ? MPI_ERR_NO_MEM : status == TUTTI_ERR_ARGUMENT ? MPI_ERR_ARG : MPI_ERR_OTHER;
}

/* MPI's classes say little, so say what happened. */
static int fail(MPI_Comm comm, tutti_collective collective, tutti_status status, const tutti_error *error)
{
  fprintf(stderr, "tutti: %s: %s\n", tutti_collective_name(collective), error->message);
  return raise_error(comm, error->mpi_code != MPI_SUCCESS ? error->mpi_code : error_class(status));
}

/* ---- decisions ---- */

/* The same on all ranks: from what all of them know. */
static void decide(const struct settings *settings, tutti_collective collective, uint64_t bytes,
                   struct communicator *communicator, struct choice *choice)
{
  const tutti_question question = {collective, communicator->view.size, 0, bytes};
  choice->native =
      !tutti_settings_decide(settings, &question, &choice->method) || tutti_method_is_native(&choice->method);
  if (!choice->native && choice->method.algorithm->domain & TUTTI_NEEDS_NODES && choice->method.parameters.k < 1)
    tutti_communicator_find_nodes(communicator);
  choice->bytes = bytes;
  choice->known = true;
}

static bool is_served_by_op(const struct arguments *arguments, struct choice *choice)
{
  MPI_Datatype type = arguments->output.type;
  if (!(tutti_collective_traits(arguments->collective) & TUTTI_REDUCES))
    return true;
  if (choice->op == arguments->op && choice->type == type && choice->known)
    return true;
  if (!tutti_operation_serves(arguments->op, type))
    return false;
  choice->op = arguments->op;
  choice->type = type;
  return true;
}

/* NULL if there is nothing against serving a call that differs from the last one: then *choice says how. */
static const char *why_not_serve(const struct settings *settings, const struct arguments *arguments,
                                 struct communicator *communicator, struct choice *choice, uint64_t *bytes)
{
  const tutti_view *view = &communicator->view;
  if (!tutti_arguments_are_valid(arguments, view) ||
      tutti_arguments_bytes(arguments, view->size, view->rank == arguments->root, bytes, NULL) != TUTTI_OK)
    return "arguments";
  if (!is_served_by_op(arguments, choice))
    return "operation";
  if (!choice->known || choice->bytes != *bytes)
    decide(settings, arguments->collective, *bytes, communicator, choice);
  return choice->native ? "no method" : NULL;
}

/* NULL if collectives on the communicator are served: then *communicator is what is known about it. */
static const char *why_native(struct process *process, tutti_collective collective, MPI_Comm comm,
                              struct communicator **communicator)
{
  if (process->ended)
    return "after the end";
  const struct override *override = &process->settings->overrides[collective];
  if (override->given && override->native)
    return "by its variable";
  if (!process->settings->builtin[collective].decide)
    return "no method";
  *communicator = tutti_communicator_of(&process->known, comm, process->settings->digest);
  return *communicator ? (*communicator)->native : "no valid communicator";
}

/* ---- calls ---- */

static void count(struct process *process, const struct executor *executor, uint64_t bytes, double start)
{
  double seconds = PMPI_Wtime() - start;
  pthread_mutex_lock(&process->lock);
  tutti_usage_add(&process->usage, executor, bytes, seconds);
  pthread_mutex_unlock(&process->lock);
}

static void count_served(struct process *process, const tutti_method *method, uint64_t bytes, double start)
{
  const struct executor executor = {.collective = method->algorithm->collective, .method = *method};
  count(process, &executor, bytes, start);
}

static tutti_status run_cached(struct process *process, struct cached_operation *cached, double start,
                               tutti_error *error)
{
  tutti_status status = tutti_cached_operation_run(cached, error);
  if (process->settings->verbose)
    count_served(process, &cached->method, cached->bytes, start);
  return status;
}

static tutti_status run(struct process *process, const struct arguments *arguments, const tutti_view *view,
                        struct choice *choice, double start, tutti_error *error)
{
  tutti_method ran;
  if (tutti_operation_is_cacheable(arguments, choice->bytes, view->size)) {
    tutti_status status =
        tutti_cached_operation_prepare(&choice->cached, &choice->method, arguments, choice->bytes, view, true, error);
    return status == TUTTI_OK ? run_cached(process, &choice->cached, start, error) : status;
  }
  tutti_status status = tutti_run_substituted(&choice->method, arguments, view, &ran, error);
  if (process->settings->verbose && status == TUTTI_OK)
    count_served(process, &ran, choice->bytes, start);
  return status;
}

bool tutti_serve(struct arguments *arguments, MPI_Comm comm, struct passthrough *passthrough, int *result)
{
  struct process *process = tutti_process();
  struct communicator *communicator = NULL;
  tutti_status status;
  tutti_error error;
  uint64_t bytes;
  double start = process->settings->verbose ? PMPI_Wtime() : 0.0;
  *passthrough = (struct passthrough){.collective = arguments->collective, .start = start};
  passthrough->reason = why_native(process, arguments->collective, comm, &communicator);
  if (passthrough->reason)
    return false;
  tutti_arguments_normalize(arguments, communicator->view.rank);
  struct choice *choice = &communicator->choices[arguments->collective];
  if (tutti_cached_operation_fits(&choice->cached, arguments))
    status = run_cached(process, &choice->cached, start, &error);
  else {
    passthrough->reason = why_not_serve(process->settings, arguments, communicator, choice, &bytes);
    if (passthrough->reason)
      return false;
    status = run(process, arguments, &communicator->view, choice, start, &error);
  }
  *result = status == TUTTI_OK ? MPI_SUCCESS : fail(comm, arguments->collective, status, &error);
  return true;
}

int tutti_passed(const struct passthrough *passthrough, MPI_Comm comm, int result)
{
  struct process *process = tutti_process();
  const struct executor executor = {.collective = passthrough->collective, .native = passthrough->reason};
  if (process->settings->verbose)
    count(process, &executor, 0, passthrough->start);
#ifdef SMPI_HELPERS_H /* its error handlers are called by the functions without P */
  if (result != MPI_SUCCESS && comm != MPI_COMM_NULL)
    return raise_error(comm, result);
#else
  (void)comm;
#endif
  return result;
}
