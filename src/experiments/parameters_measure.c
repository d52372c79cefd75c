/* Launching tutti-params, and taking in what it measured. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/job.h"
#include "results/parameter_records.h"

static const char program_name[] = "tutti-params";

/* One launch. */
struct survey {
  const tutti_parameters_request *request;
  tutti_parameters_result *result;
  struct launcher launcher;
  struct work work;
  tutti_store *store;
  unsigned number; /* of its files in the work directory */
};

/* So that there are ranks on two nodes. */
static int ranks_of(const tutti_parameters_request *request)
{
  return request->platform ? request->platform->ranks_per_node + 1 : request->ranks;
}

/* ---- before ---- */

static tutti_environment environment_of(const struct survey *survey, const char *library)
{
  const tutti_platform *platform = survey->request->platform;
  return (tutti_environment){.platform = survey->request->name,
                             .platform_hash = platform ? platform->hash : "",
                             .flavor = survey->request->flavor,
                             .library = library,
                             .tutti = TUTTI_VERSION};
}

/* The library of a real machine is known only after a measurement. */
static tutti_status is_present(const struct survey *survey, bool *present, tutti_error *error)
{
  tutti_parameter *parameters;
  size_t count;
  const char *library = *survey->launcher.library ? survey->launcher.library : NULL;
  tutti_environment environment = environment_of(survey, library);
  const tutti_selection selection = {.platform = environment.platform,
                                     .platform_hash = environment.platform_hash,
                                     .flavor = environment.flavor,
                                     .library = library,
                                     .tutti = environment.tutti};
  tutti_status status = tutti_store_read_parameters(survey->store, &selection, &parameters, &count, NULL, error);
  free(parameters);
  *present = status == TUTTI_OK && count > 0;
  return status;
}

static tutti_status check_request(const tutti_parameters_request *request, tutti_error *error)
{
  const tutti_platform *platform = request->platform;
  if (platform && platform->host_count < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: measuring needs two hosts, it has %d", platform->path,
                      platform->host_count);
  if (!platform && request->ranks < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "measuring needs two ranks, not %d", request->ranks);
  return TUTTI_OK;
}

static tutti_status write_order(const struct survey *survey, tutti_error *error)
{
  const tutti_parameters_request *request = survey->request;
  FILE *stream = tutti_work_create(&survey->work, survey->number, "points", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, "tutti-points v=1 largest_B=%" PRIu64 " tolerance=%g\n",
          request->largest ? request->largest : UINT64_C(1) << 20,
          request->tolerance > 0 ? request->tolerance
          : request->platform    ? 0.01
                                 : 0.1);
  return tutti_work_finish(&survey->work, stream, error);
}

/* ---- the launch ---- */

static tutti_status read_records(const struct survey *survey, struct parameter_records *records, tutti_error *error)
{
  int file = tutti_work_file(&survey->work, survey->number, "records", O_RDONLY, error);
  FILE *stream = file < 0 ? NULL : fdopen(file, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: the records of %s cannot be read", survey->work.path, program_name);
  tutti_status status = tutti_parameter_records_read(stream, records, error);
  fclose(stream);
  return status;
}

/* The right program, and all of what it had to say? */
static const char *fault_of(const struct survey *survey, const struct job *job, const struct parameter_records *records,
                            int wait_status)
{
  if (*job->reason)
    return job->reason;
  if (WIFSIGNALED(wait_status))
    return "was killed by a signal";
  if (wait_status != 0)
    return "failed";
  if (!records->ended)
    return "ended without its closing record";
  if (strcmp(records->run.flavor, survey->request->flavor) != 0)
    return "is of another flavor";
  if (strcmp(records->run.tutti, TUTTI_VERSION) != 0)
    return "is of another version of Tutti";
  return NULL;
}

static tutti_status judge(const struct survey *survey, const struct job *job, const struct parameter_records *records,
                          int wait_status, tutti_error *error)
{
  char words[240] = "";
  const char *fault = fault_of(survey, job, records, wait_status);
  int file = tutti_work_file(&survey->work, survey->number, "err", O_RDONLY, error);
  if (file < 0)
    return TUTTI_ERR_IO;
  if (!fault && tutti_job_was_aborted(file))
    fault = "was aborted";
  if (fault)
    tutti_job_last_words(file, words, sizeof words);
  close(file);
  return fault ? tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %s on %d ranks %s%s%s", survey->request->name, program_name,
                            ranks_of(survey->request), fault, *words ? ": " : "", words)
               : TUTTI_OK;
}

static tutti_status store_records(const struct survey *survey, const struct parameter_records *records,
                                  tutti_error *error)
{
  int64_t id;
  tutti_environment environment = environment_of(survey, records->run.library);
  tutti_status status = tutti_store_environment(survey->store, &environment, &id, error);
  if (status == TUTTI_OK)
    status = tutti_store_put_parameters(survey->store, id, records->items, records->count, error);
  survey->result->measured = status == TUTTI_OK;
  survey->result->apart = records->apart;
  snprintf(survey->result->library, sizeof survey->result->library, "%s", records->run.library);
  return status;
}

static tutti_status measure_once(struct survey *survey, tutti_error *error)
{
  const struct launch launch = {.ranks = ranks_of(survey->request), .chunk = survey->number};
  struct job job = {.number = survey->number, .reader = {.file = -1}};
  double limit = survey->request->job_timeout > 0 ? survey->request->job_timeout : JOB_SILENCE;
  struct parameter_records records = {0};
  tutti_status status = write_order(survey, error);
  if (status == TUTTI_OK)
    status =
        tutti_launcher_write_hosts(&survey->launcher, &survey->work, &launch, survey->request->platform, NULL, error);
  if (status == TUTTI_OK)
    status = tutti_launcher_start(&survey->launcher, &survey->work, &launch, &job.process, &job.reader.file, error);
  int wait_status = status == TUTTI_OK ? tutti_job_wait(&job, limit) : 0;
  if (job.reader.file >= 0)
    close(job.reader.file);
  if (status != TUTTI_OK)
    return status;
  status = read_records(survey, &records, error);
  if (status == TUTTI_OK)
    status = judge(survey, &job, &records, wait_status, error);
  if (status == TUTTI_OK)
    status = store_records(survey, &records, error);
  free(records.items);
  return status;
}

/* ---- all ---- */

static tutti_status measure(struct survey *survey, tutti_error *error)
{
  tutti_status status = tutti_work_open(survey->request->database, NULL, &survey->work, error);
  if (status != TUTTI_OK)
    return status;
  survey->number = survey->work.next;
  status = tutti_launcher_link(&survey->launcher, &survey->work, error);
  if (status == TUTTI_OK)
    status = measure_once(survey, error);
  tutti_launcher_unlink(&survey->work);
  tutti_work_remove(&survey->work, survey->number);
  return status;
}

tutti_status tutti_parameters_measure(const tutti_parameters_request *request, tutti_parameters_result *result,
                                      tutti_error *error)
{
  struct survey survey = {.request = request, .result = result, .work = {.directory = -1, .lock = -1}};
  struct signals signals;
  bool present = false;
  *result = (tutti_parameters_result){.apart = true};
  tutti_signals_block(&signals); /* until all is closed again */
  tutti_status status = check_request(request, error);
  if (status == TUTTI_OK)
    status = tutti_launcher_open(request->flavor, program_name, request->program,
                                 request->platform ? request->platform->path : NULL, &survey.launcher, error);
  if (status == TUTTI_OK)
    status = tutti_store_open(request->database, &survey.store, error);
  if (status == TUTTI_OK && !request->again)
    status = is_present(&survey, &present, error);
  snprintf(result->library, sizeof result->library, "%s", survey.launcher.library);
  if (status == TUTTI_OK && !present)
    status = measure(&survey, error);
  tutti_work_close(&survey.work);
  tutti_store_close(survey.store);
  tutti_launcher_close(&survey.launcher);
  tutti_signals_restore(&signals);
  return status;
}
