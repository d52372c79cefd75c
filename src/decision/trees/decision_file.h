/* What decision files of trees begin with, and laying out a tree. */
#ifndef TUTTI_DECISION_DECISION_FILE_H
#define TUTTI_DECISION_DECISION_FILE_H

#include "tutti/decision_tree.h"

#define DECISION_FILE_WORD "tutti-decision"
#define DECISION_FILE_HEAD DECISION_FILE_WORD " 1"

/*
 * Add an attribute to a tree whose collectives are known: "NAME = EXPRESSION", or an expression that is a name. The
 * values of truths are "no" and "yes", those of the collective the collectives that the tree answers for.
 * TUTTI_ERR_ARGUMENT says what is wrong with @p text.
 */
tutti_status tutti_decision_tree_add_attribute(tutti_decision_tree *tree, const char *text, tutti_error *error);

/* Add a tree that answers for nothing yet; NULL if out of memory. */
tutti_decision_tree *tutti_decision_trees_append(tutti_decision_trees *trees);

#endif
