#include "harness/experiments/plan/run_present.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "harness/experiments/plan/plan.h"

tutti_status tutti_run_read_allowed(struct run *run, tutti_selection *selection, tutti_present *present)
{
  tutti_store_contents contents;
  tutti_status status = tutti_store_contents_read(run->store, &contents, run->error);
  for (int i = 0; i < contents.environment_count && status == TUTTI_OK; i++)
    if (tutti_manifest_allows(&run->manifest, &contents.environments[i])) {
      selection->environment = contents.ids[i];
      status = tutti_present_read(run->store, run->experiment, selection, present, run->error);
    }
  tutti_store_contents_free(&contents);
  return status;
}

/* SQLite writes beside the file, too. */
static bool is_fixed(const char *path)
{
  char *copy = tutti_xstrdup(path);
  const bool fixed = access(path, R_OK) == 0 && (access(path, W_OK) != 0 || access(dirname(copy), W_OK) != 0);
  free(copy);
  return fixed;
}

static tutti_status plan_all(struct run *run)
{
  tutti_present present = {.row_count = 0};
  tutti_selection selection = {
      .scheme = (int)run->manifest.scheme, .any_pattern = true, .ranks_per_node = run->manifest.ranks_per_node};
  const tutti_plan_options options = {.library = run->manifest.library,
                                      .ranks_per_node = run->manifest.ranks_per_node,
                                      .most_messages = run->options->most_messages,
                                      .jobs = 1};
  tutti_status status = tutti_run_read_allowed(run, &selection, &present);
  if (status == TUTTI_OK)
    status = tutti_plan_create(run->experiment, &options, &present, &run->plan, run->error);
  tutti_present_free(&present);
  return status;
}

bool tutti_run_has_all(struct run *run)
{
  const bool known = run->experiment->platform_path && *run->manifest.library;
  if (!known || !is_fixed(run->options->database) ||
      tutti_store_open_existing(run->options->database, &run->store, NULL) != TUTTI_OK)
    return false;
  tutti_error *error = run->error, reason;
  run->error = &reason;
  const bool all = plan_all(run) == TUTTI_OK && run->plan.point_count == 0;
  run->error = error;
  tutti_store_close(run->store);
  run->store = NULL;
  if (all) {
    snprintf(run->summary->library, sizeof run->summary->library, "%.63s", run->manifest.library);
    run->summary->ranks_per_node = run->manifest.ranks_per_node;
    run->summary->present = run->plan.present;
    run->summary->outside = run->plan.outside;
    run->summary->library_only = run->plan.library_only;
    run->summary->large = run->plan.large;
    memcpy(run->summary->large_names, run->plan.large_names, sizeof run->summary->large_names);
    return true;
  }
  tutti_plan_free(&run->plan);
  run->plan = (tutti_plan){.point_count = 0};
  return false;
}
