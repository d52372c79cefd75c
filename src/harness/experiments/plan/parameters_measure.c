/* Launching tutti-params, and taking in what it measured. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decision/results/parameter_records.h"
#include "harness/experiments/jobs/job.h"
#include "harness/store/rows.h"

static const char program_name[] = "tutti-params";

/* One launch. */
struct survey {
  const tutti_parameters_request *request;
  tutti_parameters_result *result;
  struct launcher launcher;
  struct work work;
  tutti_store *store;
  unsigned number; /* of its files in the work directory */
  char *settings;  /* owned */
  char hosts[TUTTI_DIGEST_LENGTH];
};

/* So that there are ranks on two nodes. */
static int ranks_of(const tutti_parameters_request *request)
{
  return request->platform ? request->platform->ranks_per_node + 1 : request->ranks;
}

/* ---- before ---- */

/* @p run: what tutti-params reported; NULL: nothing yet. */
static tutti_environment environment_of(const struct survey *survey, const tutti_record *run)
{
  const tutti_platform *platform = survey->request->platform;
  tutti_environment environment = {.platform = survey->request->name,
                                   .platform_hash = platform ? platform->hash : "",
                                   .flavor = survey->request->flavor,
                                   .library = *survey->launcher.library ? survey->launcher.library : NULL,
                                   .tutti = TUTTI_VERSION,
                                   .settings = survey->settings,
                                   .hosts = survey->hosts};
  if (run) {
    environment.library = run->library;
    environment.build = run->library_build;
    environment.cpu = run->cpu;
    environment.cores = run->cores;
    environment.binding = run->binding;
  }
  return environment;
}

/* The library of a real machine, and the machine, are known only after a measurement. */
static tutti_status is_present(const struct survey *survey, bool *present, tutti_error *error)
{
  tutti_environment environment = environment_of(survey, NULL);
  const tutti_selection selection = {.platform = environment.platform,
                                     .platform_hash = environment.platform_hash,
                                     .flavor = environment.flavor,
                                     .library = environment.library,
                                     .tutti = environment.tutti,
                                     .settings = environment.settings,
                                     .hosts = environment.hosts};
  tutti_status status = tutti_store_environment_of_rows(survey->store, TUTTI_ROW_PARAMETER, &selection,
                                                        &survey->result->environment, error);
  *present = status == TUTTI_OK && survey->result->environment != 0;
  return status;
}

static tutti_status describe_machine(struct survey *survey, tutti_error *error)
{
  struct hosts hosts;
  survey->settings = tutti_settings_collect(survey->request->flavor, survey->launcher.command, NULL, NULL);
  if (survey->launcher.simulated)
    return TUTTI_OK;
  tutti_status status = tutti_slurm_hosts("mpiexec", NULL, &hosts, error);
  if (status == TUTTI_OK)
    tutti_settings_hosts(hosts.items, hosts.count, survey->hosts);
  tutti_hosts_free(&hosts);
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

/* What is wrong with the records: another program, or an incomplete output. */
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
  char words[240] = "", name[WORK_NAME_LENGTH];
  const char *fault = fault_of(survey, job, records, wait_status);
  int file = tutti_work_file(&survey->work, survey->number, "err", O_RDONLY, error);
  if (file < 0)
    return TUTTI_ERR_IO;
  if (!fault && tutti_job_was_aborted(file))
    fault = "was aborted";
  if (fault)
    tutti_job_last_words(file, words, sizeof words);
  close(file);
  return fault ? tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %s on %d ranks %s%s%s (see %s/%s)", survey->request->name,
                            program_name, job->manifest.ranks, fault, *words ? ": " : "", words, survey->work.path,
                            tutti_work_name(survey->number, "err", name))
               : TUTTI_OK;
}

static tutti_status store_records(const struct survey *survey, const struct parameter_records *records,
                                  tutti_error *error)
{
  int64_t id = 0;
  tutti_result launch;
  tutti_environment environment = environment_of(survey, &records->run);
  tutti_status status = tutti_store_environment(survey->store, &environment, &id, error);
  if (status == TUTTI_OK)
    status = tutti_store_put_parameters(survey->store, id, records->items, records->count, error);
  if (status == TUTTI_OK && tutti_record_launch(&records->run, &records->end, &launch))
    status = tutti_store_add_results(survey->store, id, &launch, 1, error);
  survey->result->measured = status == TUTTI_OK;
  survey->result->environment = id;
  survey->result->apart = records->apart;
  snprintf(survey->result->library, sizeof survey->result->library, "%s", records->run.library);
  return status;
}

static tutti_status take_in(struct survey *survey, const struct job *job, int wait_status, tutti_error *error)
{
  struct parameter_records records = {0};
  tutti_status status = read_records(survey, &records, error);
  if (status == TUTTI_OK)
    status = judge(survey, job, &records, wait_status, error);
  if (status == TUTTI_OK)
    status = store_records(survey, &records, error);
  free(records.items);
  return status;
}

static tutti_status measure_once(struct survey *survey, const struct job_setting *setting, struct job *job,
                                 tutti_error *error)
{
  const struct launch launch = tutti_job_launch(job);
  double limit = survey->request->job_timeout > 0 ? survey->request->job_timeout : JOB_SILENCE;
  tutti_status status = write_order(survey, error);
  if (status == TUTTI_OK)
    status = tutti_launcher_write_hosts(setting->launcher, setting->work, &launch, setting->platform, NULL, error);
  if (status == TUTTI_OK)
    status = tutti_launcher_start(setting->launcher, setting->work, &launch, &job->process, &job->reader.file, error);
  return status == TUTTI_OK ? take_in(survey, job, tutti_job_wait(job, setting, limit), error) : status;
}

/* ---- all ---- */

static tutti_status measure(struct survey *survey, tutti_error *error)
{
  tutti_status status = tutti_work_open(survey->request->database, NULL, &survey->work, error);
  if (status != TUTTI_OK)
    return status;
  tutti_launcher_warn(&survey->launcher);
  survey->number = survey->work.next;
  const struct job_setting setting = {.work = &survey->work,
                                      .launcher = &survey->launcher,
                                      .platform = survey->request->platform,
                                      .program = program_name};
  struct job job = {.number = survey->number, .manifest = {.ranks = ranks_of(survey->request)}, .reader = {.file = -1}};
  status = tutti_launcher_link(&survey->launcher, &survey->work, error);
  if (status == TUTTI_OK)
    status = measure_once(survey, &setting, &job, error);
  if (status == TUTTI_ERR_LAUNCH)
    tutti_job_print_rest(&job, &setting, error);
  tutti_launcher_unlink(&survey->work);
  tutti_job_close(&job, &setting, status == TUTTI_ERR_LAUNCH ? JOB_FILES_KEEP_ERRORS : JOB_FILES_REMOVE);
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
    status = tutti_launcher_open(request->flavor, program_name, request->program, request->platform, &survey.launcher,
                                 error);
  survey.launcher.oversubscribe = request->oversubscribe;
  if (status == TUTTI_OK)
    status = tutti_launcher_check_ranks(&survey.launcher, ranks_of(request), request->name, error);
  if (status == TUTTI_OK)
    status = describe_machine(&survey, error);
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
  free(survey.settings);
  tutti_signals_restore(&signals);
  return status;
}
