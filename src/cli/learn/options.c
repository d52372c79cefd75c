/* Options of tutti learn: its own, and those of the learners of the table. */
#include "cli/learn/learn.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

/* ---- options of the learners ---- */

/* An option of the help, of the first learner that has it. Others of the same name have the same meaning. */
struct shared_option {
  int owner; /* index of the learner */
  const tutti_learner_option *option;
  char initial[32]; /* of a number: its default */
};

enum { LIST_LENGTH = 160 };

/* The rows of all learners, made when they are first asked for. */
static struct {
  int count, row_count, heading_count;
  struct shared_option items[LEARN_MAX_OPTIONS];
  struct option_row rows[LEARN_MAX_OPTIONS + 2 * LEARN_MAX_LEARNERS]; /* with headings */
  char headings[2 * LEARN_MAX_LEARNERS][LIST_LENGTH];
} all;

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
static void list_owners(uint32_t owners, char list[LIST_LENGTH])
{
  *list = '\0';
  for (int i = 0; i < tutti_learner_count(); i++)
    if (owners & UINT32_C(1) << i)
      text_append(list, LIST_LENGTH, "%s%s",
                  !*list             ? ""
                  : owners >> i == 1 ? " and "
                                     : ", ",
                  tutti_learner_at(i)->name);
}

/* The default in words: of numbers and words as they would be given. */
static const char *default_of(const struct shared_option *shared, char *text, size_t size)
{
  const tutti_learner_option *option = shared->option;
  const char *member = (const char *)tutti_learner_at(shared->owner)->defaults + option->offset;
  unsigned long long value = 0;
  if (option->otherwise || option->kind == TUTTI_OPTION_FLAG)
    return option->otherwise;
  if (option->kind == TUTTI_OPTION_WORD)
    return option->words[*(const int *)member];
  if (option->kind == TUTTI_OPTION_REAL) {
    double real = *(const double *)member;
    snprintf(text, size, "%g", real / (option->scale > 0 ? option->scale : 1));
    return real == 0 ? NULL : text;
  }
  memcpy(&value, member, option->width);
  snprintf(text, size, "%llu", value);
  return text;
}

static void add_option(int owner, const tutti_learner_option *option)
{
  static const enum option_kind kinds[] = {[TUTTI_OPTION_FLAG] = OPTION_KIND_FLAG,
                                           [TUTTI_OPTION_NUMBER] = OPTION_KIND_NUMBER,
                                           [TUTTI_OPTION_REAL] = OPTION_KIND_REAL,
                                           [TUTTI_OPTION_WORD] = OPTION_KIND_WORD};
  struct shared_option *shared = &all.items[all.count];
  *shared = (struct shared_option){.owner = owner, .option = option};
  all.rows[all.row_count++] = (struct option_row){
      .kind = kinds[option->kind],
      .name = option->name,
      .letter = option->letter,
      .argument = option->argument,
      .help = option->help,
      .offset = offsetof(struct learn_command, settings) + (size_t)owner * LEARN_SETTINGS_SIZE + option->offset,
      .width = option->width,
      .given = offsetof(struct learn_command, given) + (size_t)all.count + 1,
      .min = option->min,
      .max = option->max,
      .low = option->low,
      .high = option->high,
      .scale = option->scale,
      .words = option->words,
      .otherwise = default_of(shared, shared->initial, sizeof shared->initial)};
  all.count++;
}

static void add_heading(uint32_t owners)
{
  char *heading = all.headings[all.heading_count++], list[LIST_LENGTH];
  list_owners(owners, list);
  snprintf(heading, LIST_LENGTH, "Learner%s %.*s:", owners & (owners - 1) ? "s" : "", LIST_LENGTH - 12, list);
  all.rows[all.row_count++] = (struct option_row)OPTION_HEADING(heading);
}

static bool is_first_owner(int index, uint32_t owners)
{
  return (owners & ((UINT32_C(1) << index) - 1)) == 0;
}

/* Options under a heading for each set of learners that have them, in the order of the table of learners. */
static const struct option_row *learner_rows(void)
{
  for (int i = 0; i < tutti_learner_count() && all.rows[all.row_count].kind == OPTION_KIND_END; i++) {
    const tutti_learner *learner = tutti_learner_at(i);
    uint32_t before = 0;
    for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
      uint32_t owners = owners_of(option->name);
      if (!is_first_owner(i, owners))
        continue;
      if (owners != before)
        add_heading(owners);
      before = owners;
      add_option(i, option);
    }
  }
  return all.rows;
}

static int index_of(const tutti_learner *learner)
{
  int index = 0;
  while (tutti_learner_at(index) != learner)
    index++;
  return index;
}

/* "-m, -c and --gain go with c45": all options of the same learners, as they are given. */
static void refuse_option(const char *name)
{
  uint32_t owners = owners_of(name);
  char options[400] = "", learners[LIST_LENGTH];
  for (int i = 0; i < all.count; i++) {
    const tutti_learner_option *option = all.items[i].option;
    const char letter[] = {option->letter, '\0'};
    if (owners_of(option->name) == owners)
      text_append(options, sizeof options, "%s%s%s", *options ? ", " : "", option->letter ? "-" : "--",
                  option->letter ? letter : option->name);
  }
  list_owners(owners, learners);
  die("%s go with %s", options, learners);
}

/* What was given to another learner of the same option is for the chosen one. An option that the chosen learner does
   not have is a mistake. */
static void collect_settings(struct learn_command *command)
{
  char *settings = command->settings[index_of(command->learner)];
  for (int i = 0; i < all.count; i++) {
    const struct shared_option *shared = &all.items[i];
    const tutti_learner_option *option = tutti_learner_option_find(command->learner, shared->option->name);
    if (command->given[i] && !option) {
      refuse_option(shared->option->name);
      return;
    }
    if (command->given[i])
      memmove(settings + option->offset, command->settings[shared->owner] + shared->option->offset, option->width);
  }
}

const void *learn_settings(const struct learn_command *command)
{
  return command->settings[index_of(command->learner)];
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
  command->seed = 1;
  for (int i = 0; i < tutti_learner_count(); i++)
    if (tutti_learner_at(i)->settings_size > 0)
      memcpy(command->settings[i], tutti_learner_at(i)->defaults, tutti_learner_at(i)->settings_size);
}

static void read_learner(void *member, const char *text)
{
  const tutti_learner **learner = member;
  tutti_collective collective;
  if (tutti_collective_parse(text, &collective, NULL) == TUTTI_OK)
    die("which learner? For example: tutti learn c45 %s", text);
  *learner = tutti_learner_find(text, &failure);
  must(*learner ? TUTTI_OK : TUTTI_ERR_ARGUMENT);
}

/* "bcast", "bcast,allreduce" */
static void add_collectives(struct learn_command *command, const char *text)
{
  unsigned read = 0;
  option_collectives(&read, text);
  for (int c = 0; c < TUTTI_COLL_COUNT && command->collective_count < TUTTI_COLL_COUNT; c++)
    if (read >> c & 1)
      command->collectives[command->collective_count++] = (tutti_collective)c;
}

static void read_subjects(struct learn_command *command)
{
  for (size_t i = 0; i < command->subjects.count; i++) {
    const char *text = command->subjects.items[i];
    if (strpbrk(text, "./"))
      die("%.80s: files of cases are not read any more: learn from measurements, which tutti bench and tutti import "
          "store (tutti learn %s COLLECTIVE), or give the file to WEKA",
          text, command->learner->name);
    add_collectives(command, text);
  }
}

static void check(void *values)
{
  struct learn_command *command = values;
  char known[160];
  if (!command->learner)
    die("which learner of %s?", tutti_learner_list(TUTTI_FROM_CASES, TUTTI_FROM_MAP, known, sizeof known));
  collect_settings(command);
  read_subjects(command);
  if (command->attributes.count > TUTTI_MAX_ATTRIBUTES)
    die("more than %d attributes", TUTTI_MAX_ATTRIBUTES);
  if (command->collective_count * command->per_node.count > TUTTI_COLL_COUNT)
    die("--ranks-per-node: more than %d maps", TUTTI_COLL_COUNT);
  if (command->collective_count == 0)
    die("which collective?");
  selection_need_store(&command->selection, command->collectives[0]);
}

/* ---- the table ---- */

#define COMMAND          struct learn_command
#define TEXT_OF_(number) #number
#define TEXT_OF(number)  TEXT_OF_(number)

const struct option_row learn_table[] = {
    ARGUMENT_PARSE("LEARNER", COMMAND, learner, read_learner, .optional = true),
    ARGUMENT_STRINGS("COLLECTIVE", COMMAND, subjects, .optional = true),
    OPTION_HEADING("What to learn from:"),
    OPTION_STRINGS("attribute", "NAME=EXPRESSION", COMMAND, attributes,
                   "test this attribute instead of ranks and bytes (and the collective, where there are several): a "
                   "word (ranks, bytes, total, ranks_per_node, nodes, collective) or an expression with a name "
                   "(even=even(ranks), pow2=pow2(ranks), log=log2(total)); may be given several times",
                   .letter = 'a'),
    OPTION_REAL("smooth", "PERCENT", COMMAND, smooth, "count a method within so many percent of the best as best",
                .high = 1e6),
    OPTION_PARSE("target", "TARGET", COMMAND, target, option_target,
                 "only methods that this target of tutti export knows (openmpi, mpich, ...): the library's own "
                 "algorithms and its own choice where these were measured",
                 .everyday = true),
    OPTION_REAL("margin", "PERCENT", COMMAND, margin,
                "with --target on a real machine: take a method in place of the library's own choice if it is faster "
                "by more than the noise of both, and by so much at least",
                .initial = TEXT_OF(TUTTI_TARGET_MARGIN), .high = 100),
    OPTION_FLAG("fill", COMMAND, fill, "fill in points that were not measured, by substitutes and interpolation"),
    OPTION_NUMBERS("ranks-per-node", COMMAND, per_node, tutti_experiment_parse_rank_count,
                   "learn from the measurements with each of these numbers of ranks per node; a quadtree becomes an "
                   "octree",
                   .aliases = "per-node"),
    OPTION_TABLE_FROM(learner_rows),
    OPTION_HEADING("Tests on unseen points:"),
    OPTION_NUMBER("folds", "K", COMMAND, folds, "learn K times without one K-th of the points, and test on these",
                  .min = 2, .max = 1000),
    OPTION_REAL("test-share", "PERCENT", COMMAND, share,
                "learn without so many percent of the points, and test on these", .low = 1, .high = 99, .scale = 0.01,
                .everyday = true),
    OPTION_FLAG("leave-out", COMMAND, leave_out, "learn without each communicator size in turn, and test on it"),
    OPTION_NUMBER("seed", "N", COMMAND, seed, "seed of the choice of points and windows", .otherwise = "1"),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "FILE", COMMAND, output, "write the decision file", .letter = 'o', .writes = WRITES_TEXT),
    OPTION_STRING("data", "FILE", COMMAND, data, "write the cases: FILE.arff, or FILE.names and FILE.data",
                  .writes = WRITES_TEXT),
    OPTION_FLAG("print", COMMAND, print, "print the tree even if it is written to a file", .everyday = true),
    OPTION_STRING("store-as", "NAME", COMMAND, store_as,
                  "put the penalty of what was learnt into the store, under this name", .bare = true,
                  OPTION_GIVEN(COMMAND, store), .otherwise = "the learner with its options", .aliases = "keep"),
    OPTION_FORMAT(COMMAND, format),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(COMMAND, selection, optional_selection_table),
    OPTION_BEGIN(begin),
    OPTION_CHECK(check),
    OPTION_END};
