/* Options of tutti learn. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/learn/learn.h"

enum {
  KEY_DEPTH = 0x700,
  KEY_ACCURACY,
  KEY_LEAVES,
  KEY_MEAN,
  KEY_SMOOTH,
  KEY_FILL,
  KEY_PER_NODE,
  KEY_TARGET,
  KEY_FOLDS,
  KEY_TEST_SHARE,
  KEY_LEAVE_OUT,
  KEY_SEED,
  KEY_TEST,
  KEY_DATA,
  KEY_PRINT,
  KEY_JSON,
  KEY_KEEP,
};

static const struct argp_option table[] = {
    {.doc = "What to learn from:", .group = 1},
    {"attribute", 'a', "NAME=EXPRESSION", 0,
     "look at this attribute instead of ranks and bytes (and the collective, where there are several): a word (ranks, "
     "bytes, total, ranks_per_node, nodes, collective) or an expression with a name (even=even(ranks), "
     "pow2=pow2(ranks), log=log2(total)); as often as needed",
     1},
    {"smooth", KEY_SMOOTH, "PERCENT", 0, "count a method within so many percent of the best as best", 1},
    {"target", KEY_TARGET, "TARGET", 0, "only methods that this target of tutti export knows (openmpi, mpich, ...)", 1},
    {"fill", KEY_FILL, NULL, 0, "fill in points that were not measured, by substitutes and interpolation", 1},
    {"per-node", KEY_PER_NODE, "LIST", 0,
     "learn from the measurements with each of these numbers of ranks per node; a quadtree becomes an octree", 1},
    {.doc = "Quadtree:", .group = 3},
    {"depth", KEY_DEPTH, "N", 0, "most levels of tests (default: as many as it takes)", 3},
    {"accuracy", KEY_ACCURACY, "PERCENT", 0, "stop where so many percent of the points have the same method", 3},
    {.doc = "Penalty and optimal trees:", .group = 4},
    {"leaves", KEY_LEAVES, "N", 0, "at most N leaves", 4},
    {"mean", KEY_MEAN, "PERCENT", 0, "the smallest tree whose mean penalty is at most this", 4},
    {.doc = "Trust in unseen points:", .group = 5},
    {"folds", KEY_FOLDS, "K", 0,
     "learn K times without one K-th of the points, or of the cases of a file, and test on these", 5},
    {"test-share", KEY_TEST_SHARE, "PERCENT", 0, "learn without so many percent of the points, and test on these", 5},
    {"leave-out", KEY_LEAVE_OUT, NULL, 0, "learn without each communicator size in turn, and test on it", 5},
    {"seed", KEY_SEED, "N", 0, "of the choice of points and windows (default 1)", 5},
    {"test", KEY_TEST, "FILE", 0, "with a file of cases: test on those of another", 5},
    {.doc = "Output:", .group = 6},
    {"output", 'o', "FILE", 0, "write the decision file", 6},
    {"data", KEY_DATA, "FILE", 0, "write the cases: FILE.arff, or FILE.names and FILE.data", 6},
    {"print", KEY_PRINT, NULL, 0, "print the tree even if it is written", 6},
    {"keep", KEY_KEEP, "NAME", OPTION_ARG_OPTIONAL,
     "keep the penalty of what was learnt in the store, under this name (default: the learner with its options)", 6},
    {"json", KEY_JSON, NULL, 0, "print the figures as JSON", 6},
    {0},
};

static void take_target(struct argp_state *state, struct learn_command *command, const char *name)
{
  tutti_error error;
  if (tutti_target_find(name, &command->target, &error) != TUTTI_OK)
    argp_error(state, "--target: %s", error.message);
}

/* "1,2,4", ascending. */
static void take_per_node(struct argp_state *state, struct learn_command *command, char *text)
{
  int before = 0;
  for (char *word; (word = strsep(&text, ","));) {
    if (command->per_node_count == TUTTI_COLL_COUNT)
      argp_error(state, "--per-node: more than %d numbers", TUTTI_COLL_COUNT);
    int number = (int)parse_number(state, "per-node", word, 1, 1 << 15);
    if (number <= before)
      argp_error(state, "--per-node: %d after %d: numbers ascend", number, before);
    command->per_node[command->per_node_count++] = before = number;
  }
}

static void take_attribute(struct argp_state *state, struct learn_command *command, const char *text)
{
  if (command->options.attribute_count == TUTTI_MOST_ATTRIBUTES)
    argp_error(state, "more than %d attributes", TUTTI_MOST_ATTRIBUTES);
  command->attributes[command->options.attribute_count++] = text;
}

/* "c45", then collectives, or one file. */
static void take_argument(struct argp_state *state, struct learn_command *command, const char *text)
{
  tutti_error error;
  if (state->arg_num == 0) {
    if (tutti_learner_parse(text, &command->options.learner, &error) != TUTTI_OK)
      argp_error(state, "%s", error.message);
    return;
  }
  if (strpbrk(text, "./")) {
    if (command->file || command->collective_count > 0)
      argp_error(state, "one file of cases, or collectives, not '%s' too", text);
    command->file = text;
    return;
  }
  if (command->file || command->collective_count == TUTTI_COLL_COUNT)
    argp_error(state, "one file of cases, or collectives, not '%s' too", text);
  if (tutti_collective_parse(text, &command->collectives[command->collective_count++], &error) != TUTTI_OK)
    argp_error(state, "%s", error.message);
}

static error_t parse_sizes(int key, char *text, struct argp_state *state, struct learn_command *command)
{
  tutti_learn_options *options = &command->options;
  switch (key) {
  case KEY_DEPTH:
    options->quadtree.depth = (int)parse_number(state, "depth", text, 0, 30);
    return 0;
  case KEY_ACCURACY:
    options->quadtree.accuracy = learn_parse_percent(state, "accuracy", text, 1, 100) / 100;
    return 0;
  case KEY_LEAVES:
    options->penalty.leaves = options->optimal.leaves = (int)parse_number(state, "leaves", text, 1, TUTTI_MOST_LEAVES);
    return 0;
  case KEY_MEAN:
    options->penalty.mean = options->optimal.mean = learn_parse_percent(state, "mean", text, 0, 1e6);
    return 0;
  case KEY_SMOOTH:
    command->smooth = learn_parse_percent(state, "smooth", text, 0, 1e6);
    return 0;
  case KEY_FILL:
    command->fill = true;
    return 0;
  case KEY_TARGET:
    take_target(state, command, text);
    return 0;
  case KEY_PER_NODE:
    take_per_node(state, command, text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_tests(int key, char *text, struct argp_state *state, struct learn_command *command)
{
  switch (key) {
  case KEY_FOLDS:
    command->folds = (int)parse_number(state, "folds", text, 2, 1000);
    return 0;
  case KEY_TEST_SHARE:
    command->share = learn_parse_percent(state, "test-share", text, 1, 99) / 100;
    return 0;
  case KEY_LEAVE_OUT:
    command->leave_out = true;
    return 0;
  case KEY_SEED:
    command->seed = command->options.c45.seed = parse_number(state, "seed", text, 0, UINT64_MAX);
    return 0;
  case KEY_TEST:
    command->test = text;
    return 0;
  default:
    return parse_sizes(key, text, state, command);
  }
}

/* What says nothing to the learner would be a slip. */
static void check_learner(struct argp_state *state, const struct learn_command *command)
{
  const tutti_learn_options usual = tutti_learn_defaults(), *chosen = &command->options;
  const tutti_c45_options *c45 = &chosen->c45;
  tutti_learner learner = chosen->learner;
  bool sized = chosen->penalty.leaves != usual.penalty.leaves || chosen->penalty.mean != usual.penalty.mean;
  if (sized && learner != TUTTI_LEARN_PENALTY && learner != TUTTI_LEARN_OPTIMAL)
    argp_error(state, "--leaves and --mean go with penalty and optimal");
  if ((chosen->quadtree.depth >= 0 || chosen->quadtree.accuracy != usual.quadtree.accuracy) &&
      learner != TUTTI_LEARN_QUADTREE)
    argp_error(state, "--depth and --accuracy go with quadtree");
  if (learner != TUTTI_LEARN_C45 && (c45->weight != usual.c45.weight || c45->confidence != usual.c45.confidence ||
                                     c45->grouping || c45->gain || c45->unpruned || c45->no_raising ||
                                     c45->limit != usual.c45.limit || c45->trials || c45->window || c45->increment))
    argp_error(state, "-m, -c, -s, -t, -w, -i, --gain, --unpruned, --no-raising and --limit go with c45");
}

static void check(struct argp_state *state, const struct learn_command *command)
{
  check_learner(state, command);
  if (command->selection.natives)
    argp_error(state, "--native: no decision can pick what a library does by itself");
  if (command->file && command->options.learner != TUTTI_LEARN_C45)
    argp_error(state, "from a file of cases only c45 learns: the others need times");
  if (command->file && (command->output || command->options.attribute_count > 0 || command->share > 0 ||
                        command->leave_out || command->smooth > 0 || command->fill || command->target || command->keep))
    argp_error(state,
               "a file of cases is learnt from as it is and its tree is printed: without -a, -o, --fill, --smooth, "
               "--target, --test-share, --leave-out and --keep");
  if (command->collective_count * command->per_node_count > TUTTI_COLL_COUNT)
    argp_error(state, "--per-node: more than %d maps", TUTTI_COLL_COUNT);
  if (!command->file && command->test)
    argp_error(state, "--test goes with a file of cases");
  if (!command->file && command->collective_count == 0)
    argp_error(state, "which collective, or which file of cases?");
  if (!command->file && !*command->selection.platform)
    argp_error(state, "--platform NAME is missing");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct learn_command *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &command->selection;
    state->child_inputs[1] = &command->options.c45;
    return 0;
  case 'a':
    take_attribute(state, command, text);
    return 0;
  case 'o':
    command->output = text;
    return 0;
  case KEY_DATA:
    command->data = text;
    return 0;
  case KEY_PRINT:
    command->print = true;
    return 0;
  case KEY_JSON:
    command->json = true;
    return 0;
  case KEY_KEEP:
    command->keep = true;
    command->keep_as = text;
    return 0;
  case ARGP_KEY_ARG:
    take_argument(state, command, text);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which learner: c45, quadtree, penalty or optimal?");
    return 0;
  case ARGP_KEY_SUCCESS:
    check(state, command);
    return 0;
  default:
    return parse_tests(key, text, state, command);
  }
}

static const struct argp_child children[] = {
    {&selection_argp, 0, "Measurements:", 9}, {&learn_c45_argp, 0, "C4.5:", 2}, {0}};

static const struct argp argp = {
    .options = table,
    .parser = parse,
    .args_doc = "c45|quadtree|penalty|optimal COLLECTIVE...\nc45 FILE.arff|FILE.names",
    .doc =
        "Learn a decision function from the best measured methods: C4.5 (few wrong methods), a quadtree, a tree grown "
        "by its penalty, or the tree over ranks and bytes that no other of its size beats. Several collectives make "
        "one combined tree (c45, penalty).",
    .children = children,
};

void learn_parse(int argc, char **argv, struct learn_command *command)
{
  *command = (struct learn_command){.selection = selection_defaults(), .options = tutti_learn_defaults(), .seed = 1};
  command->selection.optional = true;
  command->options.c45.seed = 1;
  parse_options(&argp, argc, argv, command);
  command->options.attributes = command->attributes;
}
