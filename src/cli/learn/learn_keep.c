/* tutti learn --keep: the penalties of what was learnt, into the store. */
#include <stdio.h>

#include "cli/penalty/penalty_keep.h"
#include "cli/learn/report_learn.h"

/* "quadtree/depth=3/accuracy=100", "c45/m=2/c=25", "optimal/leaves=8": the learner with what sizes its trees. */
static void name_tree(const struct learn_command *command, char *name, size_t size)
{
  const tutti_learn_options *options = &command->options, usual = tutti_learn_defaults();
  int used = snprintf(name, size, "%s", tutti_learner_name(options->learner));
  if (options->learner == TUTTI_LEARN_C45)
    snprintf(name + used, size - (size_t)used, "/m=%g/c=%g", options->c45.weight, options->c45.confidence);
  if (options->learner == TUTTI_LEARN_QUADTREE && options->quadtree.depth >= 0)
    used += snprintf(name + used, size - (size_t)used, "/depth=%d", options->quadtree.depth);
  if (options->learner == TUTTI_LEARN_QUADTREE && options->quadtree.accuracy != usual.quadtree.accuracy)
    snprintf(name + used, size - (size_t)used, "/accuracy=%g", 100 * options->quadtree.accuracy);
  if (options->penalty.leaves != usual.penalty.leaves)
    used += snprintf(name + used, size - (size_t)used, "/leaves=%d", options->penalty.leaves);
  if (options->penalty.mean != usual.penalty.mean)
    snprintf(name + used, size - (size_t)used, "/mean=%g", options->penalty.mean);
}

tutti_status learn_keep(const struct learn_report *report, tutti_error *error)
{
  const struct learn_command *command = report->command;
  const struct maps *maps = report->maps;
  const tutti_learn_report *first = &report->trained->reports[0];
  char name[2 * TUTTI_RESULT_WORD];
  name_tree(command, name, sizeof name);
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < maps->count && status == TUTTI_OK; i++) {
    const struct kept_penalty kept = {.name = command->keep_as ? command->keep_as : name,
                                      .decision = &report->trained->decision,
                                      .map = &maps->items[i],
                                      .basis = report->scheme,
                                      .root = maps->roots[i],
                                      .ranks_per_node = maps->per_node[i],
                                      .shape = first->quadtree.leaves > 0 && maps->count == 1 ? &first->quadtree : NULL,
                                      .penalty = report->rows[i].penalty};
    status = penalty_keep(&command->selection, &kept, error);
  }
  return status;
}
