/* What launchers, queues and measuring programs leave: hostfiles, manifests, arrays in a queue, arrival traces, and
   what programs printed. */
#include <fcntl.h>

#include "decision/results/parameter_records.h"
#include "harness/experiments/launch/launcher.h"
#include "harness/experiments/launch/slurm.h"
#include "kinds.h"
#include "tutti/arrival.h"
#include "tutti/import.h"

/* ---- hostfiles ---- */

/* Written for either launcher, the hosts read back the same. @p between  a name and its slots */
static void write_hosts(const fuzz_trial *trial, const struct hosts *hosts, const char *between)
{
  struct hosts again;
  tutti_error error = {0};
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    abort();
  for (size_t i = 0; i < hosts->count; i++)
    fprintf(stream, "%s%s%d\n", hosts->items[i], between, hosts->slots);
  fclose(stream);
  char *path = fuzz_file(trial, "back.hosts", text, length);
  fuzz_good(trial, "reading back", tutti_hosts_read(path, &again, &error), &error);
  if (again.count != hosts->count || again.slots != hosts->slots)
    fuzz_fail(trial, "written and read back, %zu hosts of %d slots are %zu of %d", hosts->count, hosts->slots,
              again.count, again.slots);
  for (size_t i = 0; i < hosts->count; i++)
    if (strcmp(hosts->items[i], again.items[i]) != 0)
      fuzz_fail(trial, "written and read back, host %zu is another", i);
  tutti_hosts_free(&again);
  free(path);
  free(text);
}

bool fuzz_feed_hosts(const fuzz_trial *trial)
{
  struct hosts hosts;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.hosts", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_hosts_read(path, &hosts, &error), &error, path);
  if (taken) {
    write_hosts(trial, &hosts, " slots=");
    write_hosts(trial, &hosts, ":");
    tutti_hosts_free(&hosts);
  }
  free(path);
  return taken;
}

/* ---- the work directory ---- */

static struct work work_in(const fuzz_trial *trial)
{
  struct work work = {.path = (char *)trial->folder, .lock = -1, .next = 2};
  work.directory = open(trial->folder, O_RDONLY | O_DIRECTORY);
  if (work.directory < 0)
    abort();
  return work;
}

/* The file NUMBER.SUFFIX with this text. */
static void work_file(const fuzz_trial *trial, const char *suffix, const char *bytes, size_t length)
{
  char name[WORK_NAME_LENGTH];
  free(fuzz_file(trial, tutti_work_name(1, suffix, name), bytes, length));
}

bool fuzz_feed_manifest(const fuzz_trial *trial)
{
  struct job_manifest manifest, again;
  tutti_error error = {0};
  struct work work = work_in(trial);
  work_file(trial, "card", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_manifest_read(&work, 1, &manifest, &error), &error, trial->folder);
  if (taken) {
    fuzz_good(trial, "writing", tutti_manifest_write(&work, 1, &manifest, &error), &error);
    fuzz_good(trial, "reading back", tutti_manifest_read(&work, 1, &again, &error), &error);
    if (strcmp(manifest.platform, again.platform) != 0 || strcmp(manifest.library, again.library) != 0 ||
        manifest.scheme != again.scheme || manifest.ranks != again.ranks)
      fuzz_fail(trial, "written and read back, the manifest is another");
  }
  close(work.directory);
  return taken;
}

static void free_batch(struct slurm_batch *batch)
{
  for (size_t e = 0; e < batch->count; e++)
    tutti_vector_free(&batch->items[e]);
  tutti_vector_free(batch);
}

static void check_batch(const fuzz_trial *trial, const struct work *work, const struct slurm_batch *batch)
{
  struct slurm_batch again = {.number = 1};
  tutti_error error = {0};
  fuzz_good(trial, "writing", tutti_slurm_write(work, batch, &error), &error);
  fuzz_good(trial, "reading back", tutti_slurm_read(work, 1, &again, &error), &error);
  if (again.count != batch->count || again.job != batch->job)
    fuzz_fail(trial, "written and read back, the array is another");
  free_batch(&again);
}

/* An array, and after a line "---- squeue" what the queue says of it. */
bool fuzz_feed_slurm(const fuzz_trial *trial)
{
  static const char part[] = "---- squeue\n";
  const fuzz_text *text = trial->text;
  const char *end = text->bytes + text->length, *found = memmem(text->bytes, text->length, part, sizeof part - 1);
  struct slurm slurm = {.count = 0};
  tutti_error error = {0};
  struct work work = work_in(trial);
  work_file(trial, "batch", text->bytes, (size_t)((found ? found : end) - text->bytes));
  struct slurm_batch *batch = tutti_slurm_append(&slurm, 1);
  bool taken = fuzz_taken(trial, tutti_slurm_read(&work, 1, batch, &error), &error, trial->folder);
  if (taken) {
    char *answer = strdup(found ? found + sizeof part - 1 : "");
    check_batch(trial, &work, batch);
    tutti_slurm_parse_queue(&slurm, answer, "/work");
    free(answer);
    answer = strdup(found ? found + sizeof part - 1 : "");
    if (tutti_slurm_parse_job(answer) < 0)
      fuzz_fail(trial, "a job with a negative number");
    free(answer);
  }
  tutti_slurm_free(&slurm);
  close(work.directory);
  return taken;
}

/* ---- arrival patterns ---- */

bool fuzz_feed_trace(const fuzz_trial *trial)
{
  tutti_arrival arrival;
  tutti_trace trace;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.trace", trial->text->bytes, trial->text->length);
  tutti_status status = tutti_arrival_read("trace/input.trace", trial->folder, &arrival, &trace, &error);
  bool taken = fuzz_taken(trial, status, &error, "input.trace");
  if (taken) {
    uint64_t most = tutti_arrival_latest(&arrival, &trace, 8);
    for (int rank = 0; rank < 8; rank++)
      if (tutti_arrival_delay(&arrival, &trace, rank, 8) > most)
        fuzz_fail(trial, "rank %d is later than the latest", rank);
  }
  tutti_trace_free(&trace);
  free(path);
  return taken;
}

/* ---- what programs printed ---- */

bool fuzz_feed_pingpong(const fuzz_trial *trial)
{
  platform_probe probe;
  tutti_error error = {0};
  char *copy = strdup(trial->text->bytes);
  bool taken = fuzz_taken(trial, tutti_platform_probe_parse(copy, &probe, 1, &error), &error, NULL);
  if (taken && (!isfinite(probe.alpha) || !isfinite(probe.beta) || probe.sizes < 0))
    fuzz_fail(trial, "latency %g, %g s a byte, %d sizes", probe.alpha, probe.beta, probe.sizes);
  free(copy);
  return taken;
}

/* What a machine is made of is one that can be read. */
bool fuzz_feed_trips(const fuzz_trial *trial)
{
  tutti_machine machine = tutti_machine_default();
  tutti_error error = {0};
  char *path = fuzz_file(trial, "trips", trial->text->bytes, trial->text->length);
  bool taken =
      fuzz_taken(trial, tutti_machine_read_pingpong(path, &machine, &(tutti_machine_fit){0}, &error), &error, path);
  if (taken && (!(machine.latency > 0) || !(machine.bandwidth > 0)))
    fuzz_fail(trial, "latency %g, %g B/s", machine.latency, machine.bandwidth);
  free(path);
  return taken;
}

static FILE *open_text(const fuzz_trial *trial)
{
  char *path = fuzz_file(trial, "input.txt", trial->text->bytes, trial->text->length);
  FILE *stream = fopen(path, "r");
  if (!stream)
    abort();
  free(path);
  return stream;
}

bool fuzz_feed_parameters(const fuzz_trial *trial)
{
  struct parameter_records records = {.apart = false};
  tutti_error error = {0};
  FILE *stream = open_text(trial);
  bool taken = fuzz_taken(trial, tutti_parameter_records_read(stream, &records, &error), &error, NULL);
  for (size_t i = 0; taken && i < records.count; i++)
    if (!isfinite(records.items[i].value))
      fuzz_fail(trial, "value %zu is %g", i, records.items[i].value);
  tutti_vector_free(&records);
  fclose(stream);
  return taken;
}

bool fuzz_feed_runs(const fuzz_trial *trial)
{
  tutti_imported_runs runs = {.records = NULL};
  tutti_error error = {0};
  FILE *stream = open_text(trial);
  bool taken = fuzz_taken(trial, tutti_import_runs_read(&runs, stream, "runs.txt", &error), &error, "runs.txt");
  if (taken && (runs.count < runs.runs || (runs.count > 0 && runs.records[0].kind != TUTTI_RECORD_RUN)))
    fuzz_fail(trial, "%zu records of %zu runs", runs.count, runs.runs);
  tutti_imported_runs_free(&runs);
  fclose(stream);
  return taken;
}
