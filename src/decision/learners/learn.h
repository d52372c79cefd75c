/* Points of decision maps and their classes, for learners that make cases or grids of them. */
#ifndef TUTTI_DECISION_LEARNERS_LEARN_H
#define TUTTI_DECISION_LEARNERS_LEARN_H

#include "tutti/learn.h"
#include "tutti/learners.h"

/* Point i, counted map by map, rank by rank: its map and indices. */
struct point {
  const tutti_decision_map *map;
  int ranks_index, size_index;
};

/* Index into methods of the best one of a point; -1: none. */
int tutti_learn_best_at(const struct point *point);

/* Visit the points of maps that have a best method; false at the end. Begin with {.map = NULL}. */
bool tutti_learn_next_point(const tutti_decision_map *maps, int map_count, struct point *point);

/* Names of classes, each once, in the order in which they are added (names.h). */
struct class_list {
  int count;
  char **names;
};

/* Classes of maps: of the best methods, or of all. Free with tutti_names_free(). */
struct class_list tutti_learn_classes(const tutti_decision_map *maps, int map_count, bool all);

/* Class of each method of a map; to be freed. */
int *tutti_learn_classes_of_methods(const tutti_decision_map *map, const struct class_list *list);

/* Percent of penalty of each class at a point, TUTTI_COST_MISSING where it was not measured. */
void tutti_learn_costs_at(const struct point *point, const int *classes, int class_count, double *costs);

/* A leaf whose class is no method of a collective that reaches it gets a test of the collective. */
void tutti_learn_split_leaves(const tutti_cases *cases, tutti_decision_tree *tree);

/* Set the cases and errors of a tree over continuous attributes to those of the points of maps. */
void tutti_learn_recount(const tutti_decision_map *maps, int map_count, tutti_decision_tree *tree);

/* ---- trees by their costs (penalty_tree) ---- */

/* The cases and their costs. */
struct costed_cases {
  const tutti_cases *cases;
  const double *costs; /* [count][class_count] */
  size_t weight;       /* minimum cases of a branch */
  int *commonest;      /* [attribute_count] most frequent value of a discrete attribute; set while growing */
};

/* Split regions while that lowers the cost, and make a classifier of them. */
void tutti_penalty_grow(const struct costed_cases *data, tutti_classifier *classifier);

/* Options of learners of trees of minimum penalty, whose settings have the members leaves and mean. */
#define TUTTI_LEARN_LEAVES(type)                                                                                       \
  {                                                                                                                    \
    .name = "leaves", .argument = "N", .help = "at most N leaves", .kind = TUTTI_OPTION_NUMBER,                        \
    TUTTI_SETTING(type, leaves), .min = 1, .max = TUTTI_MAX_LEAVES, .otherwise = "as many as it takes",                \
    .in_name = TUTTI_MENTION_CHANGED, .in_usage = TUTTI_MENTION_CHANGED                                                \
  }
#define TUTTI_LEARN_MEAN(type)                                                                                         \
  {                                                                                                                    \
    .name = "mean", .argument = "PERCENT", .help = "the smallest tree whose mean penalty is at most this",             \
    .kind = TUTTI_OPTION_REAL, TUTTI_SETTING(type, mean), .high = 1e6, .in_name = TUTTI_MENTION_CHANGED,               \
    .in_usage = TUTTI_MENTION_CHANGED                                                                                  \
  }

#endif
