/* Decision trees: making, measuring and asking them. */
#include "tutti/classifier.h"

#include <math.h>
#include <stdlib.h>

#include "decision/cases/names.h"

void tutti_classifier_free(tutti_classifier *classifier)
{
  for (int i = 0; i < classifier->node_count; i++)
    free(classifier->nodes[i].branch_of);
  free(classifier->nodes);
  free(classifier->distributions);
  tutti_names_free_attributes(classifier->attributes, classifier->attribute_count);
  tutti_names_free(classifier->classes, classifier->class_count);
  *classifier = (tutti_classifier){.attribute_count = 0};
}

tutti_status tutti_classifier_create(const tutti_cases *cases, tutti_classifier *classifier, tutti_error *error)
{
  *classifier = (tutti_classifier){
      .attributes = tutti_names_copy_attributes(cases->attributes, cases->attribute_count),
      .classes = tutti_names_copy(cases->classes, cases->class_count),
  };
  if (!classifier->attributes || !classifier->classes) {
    tutti_names_free_attributes(classifier->attributes, cases->attribute_count);
    tutti_names_free(classifier->classes, cases->class_count);
    *classifier = (tutti_classifier){.attribute_count = 0};
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a classifier");
  }
  classifier->attribute_count = cases->attribute_count;
  classifier->class_count = cases->class_count;
  return TUTTI_OK;
}

int tutti_classifier_leaves(const tutti_classifier *classifier)
{
  int leaves = 0;
  for (int i = 0; i < classifier->node_count; i++)
    leaves += classifier->nodes[i].branch_count == 0;
  return leaves;
}

/* Children come after their parent: one pass, and no recursion however deep the tree is. */
int tutti_classifier_depth(const tutti_classifier *classifier)
{
  int *depths = calloc((size_t)classifier->node_count + 1, sizeof *depths);
  int deepest = 0;
  if (!depths)
    return -1;
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    for (int b = 0; b < node->branch_count; b++)
      depths[node->first + b] = depths[i] + 1;
    deepest = depths[i] > deepest ? depths[i] : deepest;
  }
  free(depths);
  return deepest;
}
