/* tutti penalty: its options, its table, and penalties in the store, which tutti learn has, too. */
#ifndef TUTTI_CLI_PENALTY_H
#define TUTTI_CLI_PENALTY_H

#include "base/table.h"
#include "cli/options/predictors.h"
#include "tutti/classifier.h"

struct penalty_options {
  struct selection_options selection;
  struct predictor_options predictor;
  tutti_collective collective; /* TUTTI_COLL_COUNT: that of each decision */
  tutti_format format;
  int worst;                   /* points to show */
  bool store;                  /* penalties, in the store */
  const char *store_as;        /* the name of the only decision there; NULL: as it was asked for */
  const char *against;         /* NULL: the best */
  const char *only;            /* a class of reproducibility; NULL: none */
  bool times;                  /* print them, with --against */
  struct option_numbers ranks; /* with --against: for each of them; none: for all together */
  struct option_strings names; /* the decisions */
};

/* A decision, and the parameters that it refers to. */
struct penalty_decision {
  const char *name;
  tutti_decision decision;
  struct predictors predictors;
};

/* The decisions of a command, all of which are judged by one implementation. Begin with {0}. */
struct penalty_decisions {
  TUTTI_VECTOR(struct penalty_decision);
  tutti_implementation implementation; /* unless options name one */
};

/* Add the decision that NAME on the command line stands for, and read the map of its collective unless @p measured has
   that one already. A decision about a library's algorithms that were measured chooses the implementation; two of
   different libraries are an error. */
void penalty_add_decision(const struct penalty_options *chosen, const char *name, struct penalty_decisions *decisions,
                          struct measured_map *measured);
void penalty_decisions_free(struct penalty_decisions *decisions);

/* ---- reproducible:CLASS, the fastest measured method that has the class (penalty_reproducible.c) ---- */

bool penalty_names_reproducible(const char *name);

/* The decision, in the map that was read last; @p measured must stay. Dies of a name that is no class. */
tutti_decision penalty_reproducible(const char *name, tutti_collective collective, const struct measured_map *measured);

/* Add what --only names to the decisions. */
void penalty_add_only(struct penalty_options *options);

/* ---- judged ---- */

/* Let a decision be judged, when all are read; the map is read if need be. */
void penalty_judge(const struct penalty_options *chosen, struct penalty_decisions *decisions, size_t index,
                   struct measured_map *measured);

/* What the decisions gain over chosen->against, printed. */
void penalty_show_against(const struct penalty_options *chosen);

/* ---- the table: a decision, a row ---- */

struct penalty_row {
  const char *name;
  tutti_collective collective;
  const char *scheme; /* name */
  tutti_candidates candidates;
  tutti_penalty penalty;
  int worst_count;
  tutti_penalty_point *worst; /* [worst_count] */
  char *compared;             /* what a comparison says of the collective; NULL: there is none */
};

/* The table "penalties" of these rows. */
tutti_table penalty_table(const struct penalty_row *rows, int count);

/* As text, with a title and what kept points from being counted; with @p worst also the worst points of each. */
void penalty_table_print(const struct penalty_row *rows, int count, const char *platform, bool worst);

/* A line, if a decision leaves the library its own choice anywhere. */
void penalty_print_own_choices(const char *name, const tutti_penalty *penalty);

/* ---- penalties in the store ---- */

/* A decision, the map that it is compared with, and its penalty there. */
struct stored_penalty {
  const char *name; /* to store it under */
  const tutti_decision *decision;
  const tutti_decision_map *map;
  const char *basis;   /* what the map is of: a scheme */
  int64_t environment; /* of the measurements, and so are */
  int root, ranks_per_node;
  const tutti_classifier_shape *shape; /* as learnt; NULL: that of the tree that decides, if one does */
  tutti_penalty penalty;
};

/* What is stored of the name of a decision: of a path that is too long its last folders. */
const char *penalty_stored_name(const char *name);

/*
 * Put it into the store that the selection reads from, in the environment of the measurements, with the time of a
 * decision, measured here. Die if no point was counted, or the name is too long for the store.
 */
void penalty_store(const struct selection_options *selected, const struct stored_penalty *stored);

/* Store a result with all its values. */
void penalty_store_result(const struct selection_options *selected, int64_t environment, const tutti_result *result);

/* "Penalties of best, bcast/linear, stored in small.db", after an empty line. @p first and @p others may be NULL;
   @p count is that of the penalties. */
void penalty_print_stored(const char *first, const struct option_strings *others, size_t count, const char *database);

/* How far models were asked, which takes its time where they go by schedules. */
struct penalty_asked {
  const tutti_decision *decision;
  int questions, points; /* that were asked, and that there are */
};

/* The decision, that of models so that it shows how far it was asked: patience_at(). It lives as long as @p evaluated
   and
   @p asked, and owns nothing. */
tutti_decision penalty_ask(const struct penalty_decision *evaluated, const tutti_decision_map *map,
                           struct penalty_asked *asked);

#endif
