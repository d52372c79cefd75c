/* Tables of nodes: each node is found in its own line. */
#include <stdlib.h>

#include "base/node_table.h"
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
