/* Tables of nodes: each node is found in its own line; and jobs, with the nodes that they ran on. */
#include "base/node_table.h"
#include "harness/platforms/node_list.h"
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
    while (tutti_node_job_next(&lines, NULL, NULL, &job)) {
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
