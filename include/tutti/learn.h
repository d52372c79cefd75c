/**
 * @file learn.h
 * @ingroup decision
 * Learning decision trees from decision maps, by any of the learners in one table. No MPI.
 *
 * A learner is a descriptor: its name, what it learns from, its options and the function that learns. The table of
 * learners (src/decision/learners/learners.def) is all that tutti_learn() and the command `tutti learn` know of them;
 * docs/how-to/add-a-learner.md adds one.
 */
#ifndef TUTTI_LEARN_H
#define TUTTI_LEARN_H

#include "tutti/decision_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type of an option of a learner. */
typedef enum tutti_learner_option_kind {
  TUTTI_OPTION_FLAG,   /**< bool */
  TUTTI_OPTION_NUMBER, /**< int, size_t or uint64_t: min .. max */
  TUTTI_OPTION_REAL,   /**< double: low .. high as given, times scale in the settings */
  TUTTI_OPTION_WORD,   /**< int or enumeration: index into words */
} tutti_learner_option_kind;

/** Where the value of an option is written. */
typedef enum tutti_learner_mention {
  TUTTI_MENTION_NEVER,
  TUTTI_MENTION_CHANGED, /**< if it is not the default */
  TUTTI_MENTION_ALWAYS,
} tutti_learner_mention;

/** An option of a learner: a member of its settings that a user can change. */
typedef struct tutti_learner_option {
  const char *name;     /**< long name without dashes; NULL ends a table */
  char letter;          /**< short name; '\0': none */
  const char *argument; /**< name of the value in the help; NULL of a flag */
  const char *help;     /**< begins with a small letter, ends without a full stop, without the default */
  tutti_learner_option_kind kind;
  size_t offset, width;           /**< of the member: TUTTI_SETTING() */
  uint64_t min, max;              /**< of a number */
  double low, high;               /**< of a real */
  double scale;                   /**< 0.01 makes a fraction of a percentage; 0: 1 */
  const char *const *words;       /**< of a word, ended by NULL */
  const char *otherwise;          /**< the default in words, if its value means nothing to a user; may be NULL */
  tutti_learner_mention in_name;  /**< in the name of the result: tutti_learner_format_name() */
  tutti_learner_mention in_usage; /**< in the comment of a decision file: tutti_learner_format_usage() */
} tutti_learner_option;

/** Offset and width of a member of a struct of settings, in a row of options. */
#define TUTTI_SETTING(type, member) .offset = offsetof(type, member), .width = sizeof(((type *)0)->member)

/** The input of a learner. */
typedef enum tutti_learns_from {
  TUTTI_FROM_CASES, /**< cases and their classes, of any attributes; several collectives make one tree */
  TUTTI_FROM_COSTS, /**< the same with the penalty of each class in each case */
  TUTTI_FROM_MAPS,  /**< maps of one collective, which differ in their ranks per node */
  TUTTI_FROM_MAP,   /**< one map */
} tutti_learns_from;

/** The input of a learner. */
typedef struct tutti_learner_input {
  const tutti_decision_map *maps;
  int map_count;
  const tutti_cases *cases; /**< TUTTI_FROM_CASES, TUTTI_FROM_COSTS */
  const double *costs;      /**< TUTTI_FROM_COSTS: [cases->count][cases->class_count] percent of penalty */
  uint64_t seed;            /**< of its random numbers */
} tutti_learner_input;

/** Maximum figures of a learner. */
#define TUTTI_MAX_FIGURES 8

/** A number that only this learner reports. */
typedef struct tutti_learner_figure {
  const char *key;     /**< in JSON: "grown_leaves" */
  const char *heading; /**< in a table: "leaves grown" */
  const char *unit;    /**< may be NULL */
  double value;
  int decimals; /**< digits after the point in a table; 0 for a whole number */
} tutti_learner_figure;

/** The result of learning. */
typedef struct tutti_learn_report {
  int classes;   /**< classes that are best somewhere */
  size_t cases;  /**< points */
  size_t errors; /**< points where the tree's class is not the best one of the map */
  int leaves, depth;
  tutti_classifier_shape shape; /**< of the learner's own form if it has one, else of the tree */
  int figure_count;
  tutti_learner_figure figures[TUTTI_MAX_FIGURES];
} tutti_learn_report;

/** A learner. All strings and tables are static. */
typedef struct tutti_learner {
  const char *name; /**< "c45" */
  const char *help; /**< a clause: "C4.5: few points with a wrong method" */
  tutti_learns_from from;
  size_t settings_size; /**< bytes of its struct of settings; 0: it has none */
  const void *defaults; /**< [settings_size] */
  const tutti_learner_option *options;
  /**
   * Learn a tree.
   * @param settings    its struct of settings
   * @param classifier  receives the tree, or stays {0}. Its attributes and classes are those of the cases; of a learner
   *                    from maps, attributes are expressions (decision_tree.h) and classes methods without collective
   * @param report      zeros; a learner may set its figures, and the shape if it has a form of its own
   */
  tutti_status (*learn)(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                        tutti_learn_report *report, tutti_error *error);
} tutti_learner;

/** Number of learners. */
int tutti_learner_count(void);

/** A learner of the table, 0 .. tutti_learner_count() - 1. */
const tutti_learner *tutti_learner_at(int index);

/** The learner of a name; NULL, and TUTTI_ERR_ARGUMENT with the known names in @p error, for an unknown one. */
const tutti_learner *tutti_learner_find(const char *name, tutti_error *error);

/** An option of a learner by its long name; NULL: it has none. */
const tutti_learner_option *tutti_learner_option_find(const tutti_learner *learner, const char *name);

/** Names of the learners that learn from one of @p first .. @p last: "c45 and penalty". Returns @p text. */
char *tutti_learner_list(tutti_learns_from first, tutti_learns_from last, char *text, size_t size);

/** Name of a learner with the settings that make its trees large or small: "quadtree/depth=3". Returns @p text. */
char *tutti_learner_format_name(const tutti_learner *learner, const void *settings, char *text, size_t size);

/** Options that give these settings: "-m 2 -c 25"; may be empty. Returns @p text. */
char *tutti_learner_format_usage(const tutti_learner *learner, const void *settings, char *text, size_t size);

/** Percent of penalty that a class costs where it was not measured. */
#define TUTTI_COST_MISSING 1e5

/** Options of learning. {0}: the attributes collective (if there are several), ranks and bytes. */
typedef struct tutti_learn_options {
  int attribute_count;
  const char *const *attributes; /**< [attribute_count] "NAME = EXPRESSION" or a name (decision_tree.h); not for
                                    learners from maps */
  uint64_t seed;
} tutti_learn_options;

/**
 * Points of maps as cases: a point each that has a best method, map by map, ranks by ranks; its class is the best
 * method without its collective. Classes come in the order of the maps and methods.
 * @param tree     receives attributes, expressions and the collectives of the maps; no nodes, no classes
 * @param costs    receives [count][class_count] percent of penalty, TUTTI_COST_MISSING where not measured, to be freed;
 *                 NULL: only methods that are best somewhere become classes, else all that were measured
 */
tutti_status tutti_learn_cases(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                               tutti_decision_tree *tree, tutti_cases *cases, double **costs, tutti_error *error);

/**
 * Learn a tree from @p maps of different collectives or different ranks per node. A leaf of a combined tree whose class
 * is no method of a collective that reaches it gets a further test of the collective, with the most frequent possible
 * class there.
 * @param settings  of the learner; NULL: its defaults
 * @param report    may be NULL
 * @return TUTTI_ERR_ARGUMENT
 */
tutti_status tutti_learn(const tutti_learner *learner, const void *settings, const tutti_learn_options *options,
                         const tutti_decision_map *maps, int map_count, tutti_decision_tree *tree,
                         tutti_learn_report *report, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
