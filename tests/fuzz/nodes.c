/* Tables of nodes: each node is found in its own line; and jobs, with the nodes that they ran on. */
#include <stdlib.h>
#include <string.h>

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

/* A job a line. */
bool fuzz_feed_jobs(const fuzz_trial *trial)
{
  char *copy = strdup(trial->text->bytes), *rest = copy;
  bool taken = true;
  for (char *line; (line = strsep(&rest, "\n"));) {
    struct node_list nodes = {.count = 0};
    tutti_error error = {0};
    char *machine, *run;
    if (!*line || tutti_node_job_is_heading(line))
      continue;
    tutti_node_job_origin(line, &machine, &run);
    taken = fuzz_taken(trial, tutti_node_job_parse(line, &nodes, &error), &error, NULL) && taken;
    for (size_t i = 0; i < nodes.count; i++)
      if (nodes.items[i] < 0)
        fuzz_fail(trial, "the number of a node is %d", nodes.items[i]);
    tutti_vector_free(&nodes);
    free(machine);
    free(run);
  }
  free(copy);
  return taken;
}
