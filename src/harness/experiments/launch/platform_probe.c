#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/simulation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "tutti/record.h"

enum { OUTPUT_LENGTH = 1 << 18 };

/* Counts all sizes in *sizes; the fit of a partner comes after its sizes. */
static tutti_status parse_line(const char *line, platform_probe *probes, int count, int *fits, int *sizes, bool *ended,
                               tutti_error *error)
{
  tutti_record record;
  tutti_error reason;
  double alpha, beta, time;
  if (sscanf(line, "tutti-pingpong v=1 bytes=%*u time_s=%lf", &time) == 1) {
    probes[*fits < count ? *fits : count - 1].sizes++;
    ++*sizes;
  }
  if (sscanf(line, "tutti-pingpong-fit v=1 alpha_s=%lf beta_s_per_B=%lf", &alpha, &beta) == 2 && *fits < count) {
    probes[*fits].alpha = alpha;
    probes[(*fits)++].beta = beta;
  }
  if (strncmp(line, "tutti-end ", strlen("tutti-end ")) != 0)
    return TUTTI_OK;
  if (tutti_record_parse(line, &record, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s", reason.message);
  *ended = record.kind == TUTTI_RECORD_END && record.measurements == (uint64_t)*sizes;
  return TUTTI_OK;
}

tutti_status tutti_platform_probe_parse(char *output, platform_probe *probes, int count, tutti_error *error)
{
  bool ended = false;
  int fits = 0, sizes = 0;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count; i++)
    probes[i] = (platform_probe){NAN, NAN, 0};
  for (char *line; status == TUTTI_OK && (line = strsep(&output, "\n"));)
    status = parse_line(line, probes, count, &fits, &sizes, &ended, error);
  if (status != TUTTI_OK)
    return status;
  if (!ended)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "no closing record for %d measurement%s", sizes,
                      tutti_plural((uint64_t)sizes));
  for (int i = 0; i < count; i++)
    if (!isfinite(probes[i].alpha) || !isfinite(probes[i].beta))
      return tutti_fail(error, TUTTI_ERR_LAUNCH, "no fit of alpha and beta");
  return TUTTI_OK;
}

static tutti_status check_measurable(const tutti_platform *platform, const char *program, tutti_error *error)
{
  if (platform->host_count < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: measuring needs two hosts, it has %d", platform->path,
                      platform->host_count);
  return access(program, X_OK) == 0 ? TUTTI_OK : tutti_launcher_fail_program("smpi", "tutti-pingpong", program, error);
}

static tutti_status parse(const tutti_platform *platform, const char *output, platform_probe *probes, int count,
                          tutti_error *error)
{
  tutti_error reason;
  char words[240];
  char *copy = tutti_xstrdup(output);
  tutti_status status = tutti_platform_probe_parse(copy, probes, count, &reason);
  free(copy);
  if (status == TUTTI_OK)
    return TUTTI_OK;
  const bool said = tutti_job_find_reason(output, words, sizeof words);
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %s%s%s", platform->path, reason.message, said ? ": " : "",
                    said ? words : "");
}

/* The same machine with only these hosts, one of which may occur twice, and a rank on each. */
static tutti_platform restrict_to(const tutti_platform *platform, const tutti_platform_partner *partners, int count)
{
  tutti_platform few = *platform;
  few.ranks_per_node = 1;
  few.host_count = 1 + count;
  few.hosts = tutti_xcalloc((size_t)few.host_count, sizeof *few.hosts);
  few.hosts[0] = platform->hosts[0];
  for (int i = 0; i < count; i++)
    few.hosts[1 + i] = platform->hosts[partners[i].host];
  return few;
}

tutti_status tutti_platform_probe_run(const tutti_platform *platform, const tutti_platform_partner *partners, int count,
                                      const char *program, int seconds, platform_probe *probes, tutti_error *error)
{
  tutti_status status = check_measurable(platform, program, error);
  if (status != TUTTI_OK)
    return status;
  char *words[] = {"all", NULL}, *output = tutti_xmalloc(OUTPUT_LENGTH);
  tutti_platform few = restrict_to(platform, partners, count);
  const struct simulation simulation = {.platform = &few,
                                        .name = platform->path,
                                        .program = program,
                                        .words = words,
                                        .ranks = few.host_count,
                                        .seconds = seconds,
                                        .shares_variables = true};
  status = tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, error);
  if (status == TUTTI_OK)
    status = parse(platform, output, probes, count, error);
  free(few.hosts);
  free(output);
  return status;
}
