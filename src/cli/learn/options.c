/* Options of tutti learn: its own, and those of the learners of the table. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/learn/learn.h"
#include "cli/options/common.h"

/* ---- options of the learners ---- */

/* An option of the help, of the first learner that has it. Others of the same name have the same meaning. */
struct shared_option {
  int owner; /* index of the learner */
  const tutti_learner_option *option;
};

struct learner_options {
  int count;
  struct shared_option items[LEARN_MAX_OPTIONS];
  struct option_row rows[LEARN_MAX_OPTIONS + 2 * LEARN_MAX_LEARNERS]; /* with headings */
  char *texts[LEARN_MAX_OPTIONS + 2 * LEARN_MAX_LEARNERS];
  int row_count, text_count;
};

static const char *keep_text(struct learner_options *all, char *text)
{
  return all->texts[all->text_count++] = text;
}

/* Which learners have an option, by bit. */
static uint32_t owners_of(const char *name)
{
  uint32_t owners = 0;
  for (int i = 0; i < tutti_learner_count(); i++)
    if (tutti_learner_option_find(tutti_learner_at(i), name))
      owners |= UINT32_C(1) << i;
  return owners;
}

/* "penalty and optimal" */
static char *list_owners(uint32_t owners)
{
  char *list = NULL;
  for (int i = 0; i < tutti_learner_count(); i++) {
    if (!(owners & UINT32_C(1) << i))
      continue;
    bool last = owners >> i == 1;
    char *longer = tutti_xprintf("%s%s%s", list ? list : "",
                                 !list  ? ""
                                 : last ? " and "
                                        : ", ",
                                 tutti_learner_at(i)->name);
    free(list);
    list = longer;
  }
  return list;
}

/* The default in words: of numbers and words as they would be given. */
static const char *default_of(struct learner_options *all, const tutti_learner *learner,
                              const tutti_learner_option *option)
{
  const char *member = (const char *)learner->defaults + option->offset;
  if (option->otherwise || option->kind == TUTTI_OPTION_FLAG)
    return option->otherwise;
  if (option->kind == TUTTI_OPTION_WORD)
    return option->words[*(const int *)member];
  if (option->kind == TUTTI_OPTION_REAL)
    return *(const double *)member == 0
               ? NULL
               : keep_text(all, tutti_xprintf("%g", *(const double *)member / (option->scale > 0 ? option->scale : 1)));
  unsigned long long value = 0;
  memcpy(&value, member, option->width);
  return keep_text(all, tutti_xprintf("%llu", value));
}

static void add_option(struct learner_options *all, int owner, const tutti_learner_option *option)
{
  static const enum option_kind kinds[] = {[TUTTI_OPTION_FLAG] = OPTION_KIND_FLAG,
                                           [TUTTI_OPTION_NUMBER] = OPTION_KIND_NUMBER,
                                           [TUTTI_OPTION_REAL] = OPTION_KIND_REAL,
                                           [TUTTI_OPTION_WORD] = OPTION_KIND_WORD};
  all->rows[all->row_count++] = (struct option_row){
      .kind = kinds[option->kind],
      .name = option->name,
      .letter = option->letter,
      .argument = option->argument,
      .help = option->help,
      .offset = offsetof(struct learn_command, settings) + (size_t)owner * LEARN_SETTINGS_SIZE + option->offset,
      .width = option->width,
      .given = offsetof(struct learn_command, given) + (size_t)all->count + 1,
      .min = option->min,
      .max = option->max,
      .low = option->low,
      .high = option->high,
      .scale = option->scale,
      .words = option->words,
      .otherwise = default_of(all, tutti_learner_at(owner), option)};
  all->items[all->count++] = (struct shared_option){owner, option};
}

static bool is_first_owner(int index, uint32_t owners)
{
  return (owners & ((UINT32_C(1) << index) - 1)) == 0;
}

/* Options under a heading for each set of learners that have them, in the order of the table. */
static void collect_options(struct learner_options *all)
{
  for (int i = 0; i < tutti_learner_count(); i++) {
    const tutti_learner *learner = tutti_learner_at(i);
    uint32_t before = 0;
    for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
      uint32_t owners = owners_of(option->name);
      if (!is_first_owner(i, owners))
        continue;
      if (owners != before) {
        char *list = list_owners(owners);
        all->rows[all->row_count++] = (struct option_row)OPTION_HEADING(
            keep_text(all, tutti_xprintf("Learner%s %s:", (owners & (owners - 1)) ? "s" : "", list)));
        free(list);
      }
      before = owners;
      add_option(all, i, option);
    }
  }
  all->rows[all->row_count] = (struct option_row)OPTION_END;
}

static const tutti_learner_option *find_in(const tutti_learner *learner, const struct shared_option *shared)
{
  return tutti_learner_option_find(learner, shared->option->name);
}

/* "-m, -c and --gain": all options of the same learners, as they are given. */
static char *list_options(const struct learner_options *all, uint32_t owners)
{
  char *list = NULL;
  for (int i = 0; i < all->count; i++) {
    const tutti_learner_option *option = all->items[i].option;
    if (owners_of(option->name) != owners)
      continue;
    char *longer = option->letter ? tutti_xprintf("%s%s-%c", list ? list : "", list ? ", " : "", option->letter)
                                  : tutti_xprintf("%s%s--%s", list ? list : "", list ? ", " : "", option->name);
    free(list);
    list = longer;
  }
  return list;
}

static struct learner_options learner_options;

/* What was given to another learner of the same option is for the chosen one. An option that the chosen learner does
   not have is a mistake. */
static tutti_status collect_settings(struct learn_command *command, tutti_error *error)
{
  int chosen = 0;
  while (tutti_learner_at(chosen) != command->learner)
    chosen++;
  for (int i = 0; i < learner_options.count; i++) {
    const struct shared_option *shared = &learner_options.items[i];
    const tutti_learner_option *option = find_in(command->learner, shared);
    if (!command->given[i])
      continue;
    if (!option) {
      uint32_t owners = owners_of(shared->option->name);
      char *options = list_options(&learner_options, owners), *learners = list_owners(owners);
      tutti_status status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s go with %s", options, learners);
      free(options);
      free(learners);
      return status;
    }
    memmove(command->settings[chosen] + option->offset, command->settings[shared->owner] + shared->option->offset,
            option->width);
  }
  return TUTTI_OK;
}

const void *learn_settings(const struct learn_command *command)
{
  int chosen = 0;
  while (tutti_learner_at(chosen) != command->learner)
    chosen++;
  return command->settings[chosen];
}

tutti_learn_options learn_options(const struct learn_command *command)
{
  return (tutti_learn_options){.attribute_count = (int)command->attributes.count,
                               .attributes = command->attributes.items,
                               .seed = command->seed};
}

/* ---- checks ---- */

static void begin(void *values)
{
  struct learn_command *command = values;
  command->selection.optional = true;
  command->seed = 1;
  for (int i = 0; i < tutti_learner_count(); i++)
    if (tutti_learner_at(i)->settings_size > 0)
      memcpy(command->settings[i], tutti_learner_at(i)->defaults, tutti_learner_at(i)->settings_size);
}

static tutti_status read_learner(void *member, const char *text, tutti_error *error)
{
  const tutti_learner **learner = member;
  *learner = tutti_learner_find(text, error);
  return *learner ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

static tutti_status read_target(void *member, const char *text, tutti_error *error)
{
  return tutti_target_find(text, member, error);
}

static tutti_status refuse(tutti_error *error, const char *reason)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s", reason);
}

/* Collectives, or one file of cases, which is what has a '.' or a '/'. */
static tutti_status read_subjects(struct learn_command *command, tutti_error *error)
{
  for (size_t i = 0; i < command->subjects.count; i++) {
    const char *text = command->subjects.items[i];
    bool file = strpbrk(text, "./");
    if (command->file || (file && i > 0) || command->collective_count == TUTTI_COLL_COUNT)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "one file of cases, or collectives, not '%s' too", text);
    if (file)
      command->file = text;
    else if (tutti_collective_parse(text, &command->collectives[command->collective_count++], error) != TUTTI_OK)
      return TUTTI_ERR_ARGUMENT;
  }
  return TUTTI_OK;
}

static tutti_status check_file(const struct learn_command *command, tutti_error *error)
{
  char able[120];
  if (command->learner->from != TUTTI_FROM_CASES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "from a file of cases only %s learns: the others need times",
                      tutti_learner_list(TUTTI_FROM_CASES, TUTTI_FROM_CASES, able, sizeof able));
  if (command->output || command->attributes.count > 0 || command->share > 0 || command->leave_out ||
      command->smooth > 0 || command->fill || command->target || command->store)
    return refuse(error, "a file of cases is learnt from as it is and its tree is printed: without -a, -o, --fill, "
                         "--smooth, --target, --test-share, --leave-out and --store-as");
  return TUTTI_OK;
}

static tutti_status check(void *values, tutti_error *error)
{
  struct learn_command *command = values;
  char known[160];
  if (!command->learner)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which learner of %s?",
                      tutti_learner_list(TUTTI_FROM_CASES, TUTTI_FROM_MAP, known, sizeof known));
  tutti_status status = collect_settings(command, error);
  if (status == TUTTI_OK)
    status = read_subjects(command, error);
  if (status == TUTTI_OK && command->file)
    status = check_file(command, error);
  if (status != TUTTI_OK)
    return status;
  if (command->selection.natives)
    return refuse(error, "--native: no decision can pick what a library does by itself");
  if (command->attributes.count > TUTTI_MAX_ATTRIBUTES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d attributes", TUTTI_MAX_ATTRIBUTES);
  if (command->collective_count * command->per_node.count > TUTTI_COLL_COUNT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--ranks-per-node: more than %d maps", TUTTI_COLL_COUNT);
  if (!command->file && command->test)
    return refuse(error, "--test goes with a file of cases");
  if (!command->file && command->collective_count == 0)
    return refuse(error, "which collective, or which file of cases?");
  if (!command->file && !*command->selection.platform)
    return refuse(error, "--platform NAME is missing");
  return TUTTI_OK;
}

/* ---- the table ---- */

#define COMMAND struct learn_command

static const struct option_row table[] = {
    ARGUMENT_PARSE("LEARNER", COMMAND, learner, read_learner, .optional = true),
    ARGUMENT_STRINGS("COLLECTIVE|FILE", COMMAND, subjects, .optional = true),
    OPTION_HEADING("What to learn from:"),
    OPTION_STRINGS("attribute", "NAME=EXPRESSION", COMMAND, attributes,
                   "test this attribute instead of ranks and bytes (and the collective, where there are several): a "
                   "word (ranks, bytes, total, ranks_per_node, nodes, collective) or an expression with a name "
                   "(even=even(ranks), pow2=pow2(ranks), log=log2(total)); may be given several times",
                   .letter = 'a'),
    OPTION_REAL("smooth", "PERCENT", COMMAND, smooth, "count a method within so many percent of the best as best",
                .high = 1e6),
    OPTION_PARSE("target", "TARGET", COMMAND, target, read_target,
                 "only methods that this target of tutti export knows (openmpi, mpich, ...)"),
    OPTION_FLAG("fill", COMMAND, fill, "fill in points that were not measured, by substitutes and interpolation"),
    OPTION_NUMBERS("ranks-per-node", COMMAND, per_node, tutti_experiment_parse_rank_count,
                   "learn from the measurements with each of these numbers of ranks per node; a quadtree becomes an "
                   "octree",
                   .aliases = "per-node"),
    {.kind = OPTION_KIND_TABLE, .table = learner_options.rows},
    OPTION_HEADING("Tests on unseen points:"),
    OPTION_NUMBER("folds", "K", COMMAND, folds,
                  "learn K times without one K-th of the points, or of the cases of a file, and test on these",
                  .min = 2, .max = 1000),
    OPTION_REAL("test-share", "PERCENT", COMMAND, share,
                "learn without so many percent of the points, and test on these", .low = 1, .high = 99, .scale = 0.01),
    OPTION_FLAG("leave-out", COMMAND, leave_out, "learn without each communicator size in turn, and test on it"),
    OPTION_NUMBER("seed", "N", COMMAND, seed, "seed of the choice of points and windows", .otherwise = "1"),
    OPTION_STRING("test", "FILE", COMMAND, test, "with a file of cases: test on the cases of another file"),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "FILE", COMMAND, output, "write the decision file", .letter = 'o'),
    OPTION_STRING("data", "FILE", COMMAND, data, "write the cases: FILE.arff, or FILE.names and FILE.data"),
    OPTION_FLAG("print", COMMAND, print, "print the tree even if it is written to a file"),
    OPTION_STRING("store-as", "NAME", COMMAND, store_as,
                  "put the penalty of what was learnt into the store, under this name", .bare = true,
                  OPTION_GIVEN(COMMAND, store), .otherwise = "the learner with its options", .aliases = "keep"),
    OPTION_SET("json", COMMAND, format, TUTTI_FORMAT_JSON, "print JSON"),
    OPTION_SET("csv", COMMAND, format, TUTTI_FORMAT_CSV, "print CSV"),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(COMMAND, selection, selection_table),
    OPTION_BEGIN(begin),
    OPTION_CHECK(check),
    OPTION_END};

/* A paragraph with a line for each learner. */
static char *describe_learners(void)
{
  char *text = tutti_xstrdup("Learn a decision function from the best measured methods. Several collectives make one "
                             "combined tree where the learner can do that. The learners:\n");
  for (int i = 0; i < tutti_learner_count(); i++) {
    char *longer = tutti_xprintf("%s\n  %-9s %s", text, tutti_learner_at(i)->name, tutti_learner_at(i)->help);
    free(text);
    text = longer;
  }
  return text;
}

void learn_parse(int argc, char **argv, struct learn_command *command)
{
  char *help = describe_learners();
  const struct option_usage usage = {.arguments = "LEARNER COLLECTIVE...\nLEARNER FILE.arff|FILE.names", .help = help};
  *command = (struct learn_command){.learner = NULL};
  collect_options(&learner_options);
  options_parse(table, &usage, argc, argv, command);
  free(help);
}

void learn_options_free(struct learn_command *command)
{
  options_free(table, command);
  for (int i = 0; i < learner_options.text_count; i++)
    free(learner_options.texts[i]);
  learner_options.count = learner_options.row_count = learner_options.text_count = 0;
}
