/* Tables of nodes: each node is found in its own line; jobs, with the nodes that they ran on; switches and nodes. */
#include "base/node_table.h"
#include "harness/platforms/node_list.h"
#include "harness/platforms/wiring.h"
#include "kinds.h"

bool fuzz_feed_nodes(const fuzz_trial *trial)
{
  struct node_table table;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.tsv", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_node_table_read(path, &table, &error), &error, path);
  for (size_t i = 0; taken && i < table.count; i++)
    if (tutti_node_table_find(&table, table.items[i].first) != &table.items[i] ||
        tutti_node_table_find(&table, table.items[i].last) != &table.items[i])
      fuzz_fail(trial, "the nodes of line %d are not found", table.items[i].line);
  tutti_vector_free(&table);
  free(path);
  return taken;
}

/* A job a line, each read alone. */
bool fuzz_feed_jobs(const fuzz_trial *trial)
{
  char *copy = strdup(trial->text->bytes), *rest = copy;
  bool taken = true;
  for (char *line; (line = strsep(&rest, "\n"));) {
    struct tutti_lines lines;
    struct node_job job;
    tutti_error error = {0};
    (void)tutti_lines_open_text(&lines, line, strlen(line), "jobs", &error);
    while (tutti_node_job_next(&lines, NULL, NULL, NULL, &job)) {
      for (size_t i = 0; i < job.nodes.count; i++)
        if (job.nodes.items[i] < 0)
          fuzz_fail(trial, "the number of a node is %d", job.nodes.items[i]);
      tutti_node_job_free(&job);
    }
    taken = fuzz_taken(trial, tutti_lines_close(&lines), &error, NULL) && taken;
  }
  free(copy);
  return taken;
}

/* Switches and nodes: each node lies at a switch, and what is written of them is a platform that SimGrid would run. */
bool fuzz_feed_wiring(const fuzz_trial *trial)
{
  tutti_passed passed = {.strict = false};
  tutti_machine machine = tutti_machine_default();
  tutti_machine_made made;
  tutti_wiring *wiring;
  tutti_platform platform;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input", trial->text->bytes, trial->text->length),
       *written = fuzz_path(trial, "made.xml");
  bool taken = fuzz_taken(trial, tutti_wiring_read(path, &passed, &wiring, &error), &error, path);
  machine.latency = 1e-6;
  machine.bandwidth = 1e9;
  if (taken && tutti_wiring_describe(wiring, &machine, &error) == TUTTI_OK) {
    FILE *stream = fopen(written, "w");
    const tutti_status status = tutti_platform_new(&machine, stream, &made, &error);
    fclose(stream);
    if (status == TUTTI_OK) {
      fuzz_good(trial, "the platform", tutti_platform_read(written, &platform, &error), &error);
      if (platform.host_count != (int)wiring->nodes.count)
        fuzz_fail(trial, "%zu nodes are %d hosts", wiring->nodes.count, platform.host_count);
      for (int i = 0; i < platform.finding_count; i++)
        if (platform.findings[i].refused)
          fuzz_fail(trial, "the platform is refused: %s", platform.findings[i].message);
      tutti_platform_free(&platform);
    }
  }
  tutti_wiring_free(wiring);
  tutti_passed_free(&passed);
  free(written);
  free(path);
  return taken;
}
