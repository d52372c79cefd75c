/* XML: an experiment is planned, a platform gives a hostfile. */
#include "harness/platforms/platform_private.h"
#include "kinds.h"
#include "tutti/job.h"
#include "tutti/platform.h"

/* Plans of more points take too long for a hundred thousand of them. */
enum { MAX_POINTS = 4096 };

static double points_of(const tutti_experiment *experiment)
{
  double points = 0;
  for (int i = 0; i < experiment->sweep_count; i++) {
    const tutti_sweep *sweep = &experiment->sweeps[i];
    points += (double)sweep->ranks_count * sweep->size_count * sweep->method_count + (double)sweep->pick_count;
  }
  for (int i = 0; i < experiment->group_count; i++)
    points += (double)experiment->groups[i].ranks_count * (double)experiment->groups[i].point_count;
  for (int i = 0; i < experiment->result_count; i++)
    points += (double)experiment->results[i].point_count;
  return points;
}

static void plan(const fuzz_trial *trial, const tutti_experiment *experiment)
{
  tutti_plan_options options = {.ranks_per_node = 1, .jobs = 2};
  tutti_present present = {.rows = NULL};
  tutti_plan plan;
  tutti_error error = {0};
  if (!fuzz_taken(trial, tutti_plan_create(experiment, &options, &present, &plan, &error), &error, NULL))
    return; /* a root outside the group */
  if (plan.point_count > 0 && plan.chunk_count == 0)
    fuzz_fail(trial, "a plan of %zu points without a chunk", plan.point_count);
  tutti_plan_free(&plan);
}

bool fuzz_feed_experiment(const fuzz_trial *trial)
{
  tutti_experiment experiment;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.xml", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_experiment_read(path, &experiment, &error), &error, path);
  if (taken) {
    if (points_of(&experiment) <= MAX_POINTS)
      plan(trial, &experiment);
    tutti_experiment_free(&experiment);
  }
  free(path);
  return taken;
}

static void write_hosts(const fuzz_trial *trial, const tutti_platform *platform)
{
  tutti_error error = {0};
  char *text = NULL;
  size_t length = 0;
  long room = (long)platform->host_count * platform->ranks_per_node;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    abort();
  tutti_status status = tutti_platform_write_hostfile(platform, room < 1000 ? (int)room : 1000, stream, &error);
  fuzz_good(trial, "the hostfile", status, &error);
  fclose(stream);
  free(text);
}

/* Findings name the file; partners are hosts. */
static void check_findings(const fuzz_trial *trial, const tutti_platform *platform)
{
  tutti_platform_partner partners[TUTTI_PLATFORM_MAX_PARTNERS];
  tutti_error error = {0};
  int count = 0;
  for (int i = 0; i < platform->finding_count; i++)
    if (strncmp(platform->findings[i].message, platform->path, strlen(platform->path)) != 0)
      fuzz_fail(trial, "the finding '%s' does not name the file", platform->findings[i].message);
  fuzz_good(trial, "the partners", tutti_platform_partners(platform, partners, &count, &error), &error);
  for (int i = 0; i < count; i++)
    if (partners[i].host < 0 || partners[i].host >= platform->host_count)
      fuzz_fail(trial, "partner %d is host %d of %d", i, partners[i].host, platform->host_count);
}

bool fuzz_feed_platform(const fuzz_trial *trial)
{
  tutti_platform platform;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.xml", trial->text->bytes, trial->text->length);
  bool taken = fuzz_taken(trial, tutti_platform_read(path, &platform, &error), &error, path);
  if (taken) {
    write_hosts(trial, &platform);
    check_findings(trial, &platform);
    tutti_platform_free(&platform);
  }
  free(path);
  return taken;
}

/* How the speed of a host changes, in a file beside a platform; SimGrid prints lines that it cannot read. */
bool fuzz_feed_speed(const fuzz_trial *trial)
{
  char *path = fuzz_file(trial, "input.speed", trial->text->bytes, trial->text->length),
       *platform = fuzz_file(trial, "speed.xml", "", 0);
  tutti_error error = {0};
  bool missing;
  const bool taken = fuzz_taken(
      trial, tutti_platform_check_profile(platform, "speed_file", "input.speed", &missing, &error), &error, NULL);
  if (missing)
    fuzz_fail(trial, "the file is missed");
  if (taken && strlen(trial->text->bytes) != trial->text->length)
    fuzz_fail(trial, "a zero byte, and what is after it, is left to SimGrid");
  free(platform);
  free(path);
  return taken;
}

/* One edit a line, of a platform that has something of everything. */
bool fuzz_feed_edit(const fuzz_trial *trial)
{
  enum { MAX_EDITS = 8 };
  tutti_edited_platform edited;
  tutti_error error = {0};
  const char *edits[MAX_EDITS];
  int count = 0;
  char *copy = strdup(trial->text->bytes), *rest = NULL;
  if (!copy)
    abort();
  for (char *line = strtok_r(copy, "\n", &rest); line && count < MAX_EDITS; line = strtok_r(NULL, "\n", &rest))
    edits[count++] = line;
  bool taken = fuzz_taken(
      trial,
      tutti_platform_edit(TUTTI_SOURCE_DIR "/tests/fuzz/seeds/platform_zones.xml", edits, count, &edited, &error),
      &error, NULL);
  if (taken) {
    tutti_platform platform;
    char *path = fuzz_file(trial, "edited.xml", edited.bytes, edited.length);
    fuzz_good(trial, "reading the edited file", tutti_platform_read(path, &platform, &error), &error);
    if (platform.host_count != edited.host_count)
      fuzz_fail(trial, "%d hosts are %d", edited.host_count, platform.host_count);
    tutti_platform_free(&platform);
    tutti_edited_platform_free(&edited);
    free(path);
  }
  free(copy);
  return taken;
}
