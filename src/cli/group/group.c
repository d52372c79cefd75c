/* tutti group: its command line. */
#include <limits.h>

#include "cli/command.h"
#include "cli/group/group.h"

/* The command line: lists whose combinations make the sweep of the options. */
struct group_words {
  struct group_options options;
  struct group_plot plot;
  struct {
    TUTTI_VECTOR(const tutti_group_builder *);
  } builders;
  struct {
    TUTTI_VECTOR(tutti_group_sample);
  } samples;
  struct {
    TUTTI_VECTOR(int);
  } ranks;
  bool ranked; /* numbers of ranks were given */
  int branching, colors, node_ranks;
  uint64_t seed;
  bool in_process;
};

/* ---- lists ---- */

/* Calls @p add for each word of a list, which end with commas. */
static void read_list(struct group_words *words, const char *list,
                      void (*add)(struct group_words *words, const char *word))
{
  char *copy = tutti_xstrdup(list), *rest = copy;
  for (char *word; (word = strsep(&rest, ","));)
    add(words, word);
  free(copy);
}

static int read_whole(const char *word, uint64_t min)
{
  uint64_t value;
  if (!tutti_parse_integer(word, min, INT_MAX, &value))
    die("'%s' is not a whole number from %d to %d", word, (int)min, INT_MAX);
  return (int)value;
}

static void add_ranks(struct group_words *words, const char *word)
{
  tutti_xpush(&words->ranks, read_whole(word, 1));
}

static void add_fraction(struct group_words *words, const char *word)
{
  double fraction;
  if (!tutti_parse_real(word, &fraction) || !(fraction >= 0 && fraction <= 1))
    die("'%s' is not a number from 0 to 1", word);
  tutti_xpush(&words->samples, ((tutti_group_sample){.fraction = fraction, .members = -1}));
}

static void add_members(struct group_words *words, const char *word)
{
  tutti_xpush(&words->samples, (tutti_group_sample){.members = read_whole(word, 0)});
}

static void add_builder(struct group_words *words, const char *word)
{
  if (strcmp(word, "all") == 0) {
    words->options.all_builders = true;
    return;
  }
  const tutti_group_builder *builder = tutti_group_builder_find(word, &failure);
  if (!builder)
    must(failure.status);
  tutti_xpush(&words->builders, builder);
}

static void read_ranks(void *values, const char *list)
{
  read_list(values, list, add_ranks);
}

static void read_fractions(void *values, const char *list)
{
  read_list(values, list, add_fraction);
}

static void read_members(void *values, const char *list)
{
  read_list(values, list, add_members);
}

static void read_builders(void *values, const char *list)
{
  read_list(values, list, add_builder);
}

/* ---- defaults, and options that exclude each other ---- */

/* Where a list is empty, use the default. */
static void complete(struct group_words *words)
{
  const tutti_group_builder *builder;
  words->options.all_builders |= words->builders.count == 0;
  if (words->options.all_builders)
    words->builders.count = 0;
  for (int i = 0; words->options.all_builders && (builder = tutti_group_builder_at(i)); i++)
    tutti_xpush(&words->builders, builder);
  if (words->samples.count == 0)
    tutti_xpush(&words->samples, ((tutti_group_sample){.fraction = 0.3, .members = -1}));
  words->ranked = words->ranks.count > 0;
  if (!words->ranked)
    tutti_xpush(&words->ranks, 1024);
}

static void check_options(void *values)
{
  struct group_words *words = values;
  struct group_options *options = &words->options;
  const struct program_options *launch = &options->launch;
  const char *simulation = options->engine           ? "engine"
                           : launch->program         ? "program"
                           : launch->build_dir       ? "build-dir"
                           : launch->jobs > 0        ? "jobs"
                           : launch->job_timeout > 0 ? "job-timeout"
                                                     : NULL;
  complete(words);
  if (words->in_process && options->platform)
    die("--in-process cannot be combined with --platform");
  if (simulation && !options->platform)
    die("--%s: only with --platform", simulation);
  if (options->platform && !options->launch.database)
    options->launch.database = "results.db";
  if (!options->engine)
    options->engine = "smpi";
}

static const struct option_row option_table[] = {
    OPTION_PARSE_ALL("ranks", "LIST", read_ranks, "processes; several numbers, separated by commas", .letter = 'P',
                     .otherwise = "1024", .aliases = "n"),
    OPTION_PARSE_ALL("builder", "NAMES", read_builders,
                     "another way to name builders, separated by commas, or all of them", .letter = 'b',
                     .everyday = true),
    OPTION_PARSE_ALL("fraction", "FRACTIONS", read_fractions, "probability of each process to be a member",
                     .letter = 'f', .otherwise = "0.3"),
    OPTION_PARSE_ALL("members", "NUMBERS", read_members, "exactly so many members instead", .everyday = true),
    OPTION_NUMBER("branching", "K", struct group_words, branching,
                  "branching factor of the original tree and the new one", .letter = 'k', .min = 2, .initial = "3"),
    OPTION_NUMBER("seed", "N", struct group_words, seed,
                  "seed of the members: the same ones for every builder and transport", .max = INT64_MAX,
                  .initial = "1", .aliases = "s"),
    OPTION_NUMBER("colors", "C", struct group_words, colors, "build C groups at once", .letter = 'c', .min = 1,
                  .initial = "1", .aliases = "colours"),
    OPTION_NUMBER("ranks-per-node", "R", struct group_words, node_ranks,
                  "build inside each node of R ranks first, then among nodes", .min = 1, .initial = "1",
                  .aliases = "node-ranks"),
    OPTION_HEADING("Where:"),
    OPTION_FLAG("in-process", struct group_words, in_process,
                "among actors of this process, and count; the default without --platform"),
    OPTION_STRING("platform", "PLATFORM", struct group_words, options.platform, "simulate on a platform, and time",
                  .aliases = "p"),
    OPTION_ENGINE(struct group_words, options.engine, "smpi"),
    OPTION_STRING("db", "FILE", struct group_words, options.launch.database, "the store",
                  .otherwise = "results.db with --platform, else none"),
    OPTION_JOBS(struct group_words, options.launch.jobs),
    OPTION_TABLE(struct group_words, options.launch, program_table),
    OPTION_HEADING("Output:"),
    OPTION_QUIET(struct group_words, options.launch.quiet),
    OPTION_FORMAT(struct group_words, options.format),
    OPTION_HEADING("Picture:"),
    OPTION_TABLE(struct group_words, plot, group_plot_table),
    ARGUMENT_PARSE_ALL("BUILDER", read_builders, .optional = true, .many = true),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- all combinations ---- */

/* Make the sweep of the options, whose points the caller frees; its ranks are those of the words. */
static void multiply(struct group_words *words)
{
  tutti_group_sweep *sweep = &words->options.sweep;
  const size_t builders = words->builders.count, count = words->samples.count * builders;
  *sweep = (tutti_group_sweep){.ranks = words->ranks.items,
                               .ranks_count = (int)words->ranks.count,
                               .points = tutti_xcalloc(count, sizeof *sweep->points),
                               .point_count = count};
  for (size_t i = 0; i < count; i++) {
    sweep->points[i] = (tutti_group_point){.builder = words->builders.items[i % builders],
                                           .sample = words->samples.items[i / builders],
                                           .branching = words->branching,
                                           .node_ranks = words->node_ranks};
    sweep->points[i].sample.colors = words->colors;
    sweep->points[i].sample.seed = words->seed;
  }
}

static void build_all(const struct group_options *options, struct group_results *results)
{
  if (options->platform)
    group_simulate(options, results);
  else
    group_build_in_process(options, results);
}

static void print_results(const struct group_words *words, const struct group_results *results)
{
  const struct group_options *options = &words->options;
  const char *where = options->platform ? results->platform : "in-process";
  group_print(results, where, options->format);
  fflush(stdout); /* the text is there whatever becomes of the picture */
  if (words->plot.path)
    group_plot_draw(&words->plot, results, where);
}

static int build_groups(void *values)
{
  struct group_words *words = values;
  const struct group_options *options = &words->options;
  struct group_results results = {.builds = NULL};
  multiply(words);
  group_plot_check(&words->plot, options);
  build_all(options, &results);
  print_results(words, &results);
  free(results.builds);
  free(options->sweep.points);
  tutti_vector_free(&words->builders);
  tutti_vector_free(&words->samples);
  tutti_vector_free(&words->ranks);
  if (!words->ranked)
    note_default("ranks", "1024");
  return EXIT_DONE;
}

DEFINE_COMMAND(group, "group", option_table, struct group_words, build_groups);
