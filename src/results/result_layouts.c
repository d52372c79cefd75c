/* The kinds of results, described. A change of these tables changes the schema of the store (tutti_store_sql.h), which
 * needs a new version then; tests/unit/store/test_store_results.c holds what version 5 is. */
#include <limits.h>
#include <stddef.h>

#include "tutti/result.h"

#define WORD_KEY(field, label, as_usual, known)     [field] = {label, TUTTI_FIELD_WORD, true, 0, 0, as_usual, known}
#define WHOLE_KEY(field, label, from, to, as_usual) [field] = {label, TUTTI_FIELD_WHOLE, true, from, to, as_usual, NULL}
#define WHOLE(field, label, from)                   [field] = {label, TUTTI_FIELD_WHOLE, false, from, INT64_MAX, NULL, NULL}
#define SECONDS(field, label)                       [field] = {label, TUTTI_FIELD_SECONDS, false, 0, 0, NULL, NULL}
#define REAL(field, label)                          [field] = {label, TUTTI_FIELD_REAL, false, 0, 0, NULL, NULL}
#define LENGTH(array)                               (int)(sizeof array / sizeof *array)

static const tutti_field sort_fields[] = {
    WORD_KEY(TUTTI_SORT_FIELD_ALGORITHM, "algorithm", "janus", "janus sample hypercube"),
    WORD_KEY(TUTTI_SORT_FIELD_LAYER, "layer", "ranges", "ranges create-group split create-group/mpich split/mpich -"),
    WORD_KEY(TUTTI_SORT_FIELD_ORDER, "order", "alternating", "alternating cascaded -"),
    WORD_KEY(TUTTI_SORT_FIELD_ASSIGNMENT, "assignment", "greedy", "greedy deterministic -"),
    WORD_KEY(TUTTI_SORT_FIELD_DISTRIBUTION, "distribution", "uniform",
             "uniform equal few sorted reversed staggered single"),
    WORD_KEY(TUTTI_SORT_FIELD_TYPE, "type", "double", "double int64 struct"),
    WHOLE_KEY(TUTTI_SORT_FIELD_RANKS, "ranks", 1, INT_MAX, NULL),
    WHOLE_KEY(TUTTI_SORT_FIELD_COUNT, "count", 0, INT64_MAX, NULL),
    WHOLE_KEY(TUTTI_SORT_FIELD_SEED, "seed", 0, INT64_MAX, "1"),
    WHOLE(TUTTI_SORT_FIELD_ELEMENTS, "elements", 0),
    WHOLE(TUTTI_SORT_FIELD_REPETITIONS, "repetitions", 1),
    SECONDS(TUTTI_SORT_FIELD_MINIMUM, "minimum_s"),
    SECONDS(TUTTI_SORT_FIELD_MEDIAN, "median_s"),
    SECONDS(TUTTI_SORT_FIELD_MEAN, "mean_s"),
    SECONDS(TUTTI_SORT_FIELD_MAXIMUM, "maximum_s"),
    WHOLE(TUTTI_SORT_FIELD_LEVELS, "levels", 0),
    WHOLE(TUTTI_SORT_FIELD_JANUS_LEVELS, "janus_levels", 0),
    WHOLE(TUTTI_SORT_FIELD_GROUPS, "groups", 0),
    WHOLE(TUTTI_SORT_FIELD_MESSAGES, "messages", 0),
    WHOLE(TUTTI_SORT_FIELD_SENT, "sent_B", 0),
    WHOLE(TUTTI_SORT_FIELD_MOST_SENT, "most_sent", 0),
    WHOLE(TUTTI_SORT_FIELD_MOST_RECEIVED, "most_received", 0),
    WHOLE(TUTTI_SORT_FIELD_LEAST_ELEMENTS, "least_elements", 0),
    WHOLE(TUTTI_SORT_FIELD_MOST_ELEMENTS, "most_elements", 0),
};

static const int sort_pairs[][2] = {
    {TUTTI_SORT_FIELD_MINIMUM, TUTTI_SORT_FIELD_MEDIAN},
    {TUTTI_SORT_FIELD_MEDIAN, TUTTI_SORT_FIELD_MAXIMUM},
    {TUTTI_SORT_FIELD_JANUS_LEVELS, TUTTI_SORT_FIELD_LEVELS},
    {TUTTI_SORT_FIELD_LEAST_ELEMENTS, TUTTI_SORT_FIELD_MOST_ELEMENTS},
    {TUTTI_SORT_FIELD_MOST_ELEMENTS, TUTTI_SORT_FIELD_ELEMENTS},
};

static const tutti_field range_fields[] = {
    WORD_KEY(TUTTI_RANGE_FIELD_OPERATION, "operation", NULL,
             "create overlapping bcast reduce scan gather subrange-bcast"),
    WORD_KEY(TUTTI_RANGE_FIELD_WAY, "way", "ranges", NULL),
    WORD_KEY(TUTTI_RANGE_FIELD_ORDER, "order", "alternating", "alternating cascaded -"),
    WHOLE_KEY(TUTTI_RANGE_FIELD_RANKS, "ranks", 1, INT_MAX, NULL),
    WHOLE_KEY(TUTTI_RANGE_FIELD_SIZE, "size", 1, INT_MAX, NULL),
    WHOLE_KEY(TUTTI_RANGE_FIELD_COUNT, "count", 0, INT64_MAX, "0"),
    WHOLE_KEY(TUTTI_RANGE_FIELD_TYPE_SIZE, "type_B", 1, INT_MAX, "8"),
    WHOLE_KEY(TUTTI_RANGE_FIELD_USES, "uses", 0, INT_MAX, "0"),
    WHOLE(TUTTI_RANGE_FIELD_REPETITIONS, "repetitions", 1),
    SECONDS(TUTTI_RANGE_FIELD_MINIMUM, "minimum_s"),
    SECONDS(TUTTI_RANGE_FIELD_MEDIAN, "median_s"),
    SECONDS(TUTTI_RANGE_FIELD_MEAN, "mean_s"),
    SECONDS(TUTTI_RANGE_FIELD_MAXIMUM, "maximum_s"),
};

static const int range_pairs[][2] = {
    {TUTTI_RANGE_FIELD_MINIMUM, TUTTI_RANGE_FIELD_MEDIAN},
    {TUTTI_RANGE_FIELD_MEDIAN, TUTTI_RANGE_FIELD_MAXIMUM},
    {TUTTI_RANGE_FIELD_SIZE, TUTTI_RANGE_FIELD_RANKS},
};

static const tutti_field map_fields[] = {
    WORD_KEY(TUTTI_MAP_FIELD_GROUP, "group", NULL, NULL),
    WORD_KEY(TUTTI_MAP_FIELD_KIND, "kind", NULL, NULL),
    WORD_KEY(TUTTI_MAP_FIELD_STRATEGY, "strategy", "-", NULL),
    WHOLE_KEY(TUTTI_MAP_FIELD_WORLD, "world", 1, INT_MAX, NULL),
    WHOLE_KEY(TUTTI_MAP_FIELD_MEMBERS, "members", 0, INT_MAX, NULL),
    WHOLE(TUTTI_MAP_FIELD_BYTES, "map_B", 1),
    SECONDS(TUTTI_MAP_FIELD_CREATE, "create_s"),
    SECONDS(TUTTI_MAP_FIELD_SELECT_ALL, "select_all_s"),
    SECONDS(TUTTI_MAP_FIELD_SELECT_ONE, "select_one_s"),
    SECONDS(TUTTI_MAP_FIELD_RANK_ONE, "rank_one_s"),
    SECONDS(TUTTI_MAP_FIELD_ARRAY_SELECT_ALL, "array_select_all_s"),
    SECONDS(TUTTI_MAP_FIELD_ARRAY_SELECT_ONE, "array_select_one_s"),
};

static const int map_pairs[][2] = {{TUTTI_MAP_FIELD_MEMBERS, TUTTI_MAP_FIELD_WORLD}};

static const tutti_field penalty_fields[] = {
    WORD_KEY(TUTTI_PENALTY_FIELD_DECISION, "decision", NULL, NULL),
    WORD_KEY(TUTTI_PENALTY_FIELD_COLLECTIVE, "collective", NULL, NULL),
    WORD_KEY(TUTTI_PENALTY_FIELD_BASIS, "basis", NULL, NULL),
    WHOLE_KEY(TUTTI_PENALTY_FIELD_ROOT, "root", 0, INT_MAX, "0"),
    WHOLE(TUTTI_PENALTY_FIELD_POINTS, "points", 1),
    WHOLE(TUTTI_PENALTY_FIELD_SERVED, "served", 1),
    REAL(TUTTI_PENALTY_FIELD_MINIMUM, "minimum_percent"),
    REAL(TUTTI_PENALTY_FIELD_MEAN, "mean_percent"),
    REAL(TUTTI_PENALTY_FIELD_MEDIAN, "median_percent"),
    REAL(TUTTI_PENALTY_FIELD_MAXIMUM, "maximum_percent"),
    SECONDS(TUTTI_PENALTY_FIELD_DECIDE, "decide_s"),
    WHOLE(TUTTI_PENALTY_FIELD_LEAVES, "leaves", 0),
    WHOLE(TUTTI_PENALTY_FIELD_NODES, "nodes", 0),
    WHOLE(TUTTI_PENALTY_FIELD_DEPTH_LEAST, "depth_least", 0),
    REAL(TUTTI_PENALTY_FIELD_DEPTH_MEAN, "depth_mean"),
    WHOLE(TUTTI_PENALTY_FIELD_DEPTH_MOST, "depth_most", 0),
};

static const int penalty_pairs[][2] = {
    {TUTTI_PENALTY_FIELD_POINTS, TUTTI_PENALTY_FIELD_SERVED},
    {TUTTI_PENALTY_FIELD_MINIMUM, TUTTI_PENALTY_FIELD_MEDIAN},
    {TUTTI_PENALTY_FIELD_MEDIAN, TUTTI_PENALTY_FIELD_MAXIMUM},
    {TUTTI_PENALTY_FIELD_LEAVES, TUTTI_PENALTY_FIELD_NODES},
    {TUTTI_PENALTY_FIELD_DEPTH_LEAST, TUTTI_PENALTY_FIELD_DEPTH_MOST},
};

_Static_assert(LENGTH(sort_fields) == TUTTI_SORT_FIELDS && LENGTH(range_fields) == TUTTI_RANGE_FIELDS &&
                   LENGTH(map_fields) == TUTTI_MAP_FIELDS && LENGTH(penalty_fields) == TUTTI_PENALTY_FIELDS,
               "every field is described");
_Static_assert(TUTTI_SORT_FIELDS <= TUTTI_RESULT_FIELDS && TUTTI_RANGE_FIELDS <= TUTTI_RESULT_FIELDS &&
                   TUTTI_MAP_FIELDS <= TUTTI_RESULT_FIELDS && TUTTI_PENALTY_FIELDS <= TUTTI_RESULT_FIELDS,
               "there is room for every field");

static const tutti_result_layout layouts[TUTTI_RESULT_KINDS] = {
    [TUTTI_RESULT_SORT] = {"tutti-sort", "sort_run", TUTTI_SORT_FIELD_RANKS, TUTTI_SORT_FIELDS, sort_fields,
                           LENGTH(sort_pairs), sort_pairs},
    [TUTTI_RESULT_RANGE] = {"tutti-range", "range_run", TUTTI_RANGE_FIELD_RANKS, TUTTI_RANGE_FIELDS, range_fields,
                            LENGTH(range_pairs), range_pairs},
    [TUTTI_RESULT_MAP] = {"tutti-map", "group_map", -1, TUTTI_MAP_FIELDS, map_fields, LENGTH(map_pairs), map_pairs},
    [TUTTI_RESULT_PENALTY] = {"tutti-penalty", "decision_penalty", -1, TUTTI_PENALTY_FIELDS, penalty_fields,
                              LENGTH(penalty_pairs), penalty_pairs},
};

const tutti_result_layout *tutti_result_layout_of(tutti_result_kind kind)
{
  return (unsigned)kind < TUTTI_RESULT_KINDS ? &layouts[kind] : NULL;
}
