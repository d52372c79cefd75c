/* tutti new: what a user begins with, written outside Tutti. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "tutti/algorithm.h"

/* The files of skeletons/, compiled in. */
#define SKELETONS(F)                                                                                                   \
  F(plugin)                                                                                                            \
  F(Makefile)                                                                                                          \
  F(README)                                                                                                            \
  F(experiment)                                                                                                        \
  F(baseline)                                                                                                          \
  F(gitignore)                                                                                                         \
  F(combine)                                                                                                           \
  F(bcast)                                                                                                             \
  F(barrier) F(scatter) F(gather) F(allgather) F(alltoall) F(reduce) F(reduce_scatter) F(allreduce) F(scan) F(exscan)
#define DECLARE(name) extern const char tutti_skeleton_##name[];
SKELETONS(DECLARE)
#undef DECLARE

struct new_options {
  const char *name, *folder;
  tutti_collective collective;
  bool given; /* the collective */
};

/* ---- files ---- */

enum { WORDS = 12 };

static void write_file(const char *folder, const char *name, const char *text, const struct fill_word *words)
{
  struct tutti_output output;
  char *path = tutti_xprintf("%s/%s", folder, name);
  if (access(path, F_OK) == 0)
    die("%s: is there already", path);
  output_begin(path, &output);
  fill_words(output.stream, text, words);
  output_end(&output);
  free(path);
}

/* ---- an algorithm ---- */

/* The build function: of an irregular collective it is that of the regular one. */
static char *build_function(tutti_collective collective)
{
  static const char *const texts[TUTTI_COLL_COUNT] = {
      [TUTTI_COLL_BCAST] = tutti_skeleton_bcast,
      [TUTTI_COLL_BARRIER] = tutti_skeleton_barrier,
      [TUTTI_COLL_SCATTER] = tutti_skeleton_scatter,
      [TUTTI_COLL_SCATTERV] = tutti_skeleton_scatter,
      [TUTTI_COLL_GATHER] = tutti_skeleton_gather,
      [TUTTI_COLL_GATHERV] = tutti_skeleton_gather,
      [TUTTI_COLL_ALLGATHER] = tutti_skeleton_allgather,
      [TUTTI_COLL_ALLGATHERV] = tutti_skeleton_allgather,
      [TUTTI_COLL_ALLTOALL] = tutti_skeleton_alltoall,
      [TUTTI_COLL_ALLTOALLV] = tutti_skeleton_alltoall,
      [TUTTI_COLL_ALLTOALLW] = tutti_skeleton_alltoall,
      [TUTTI_COLL_REDUCE] = tutti_skeleton_reduce,
      [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = tutti_skeleton_reduce_scatter,
      [TUTTI_COLL_REDUCE_SCATTER] = tutti_skeleton_reduce_scatter,
      [TUTTI_COLL_ALLREDUCE] = tutti_skeleton_allreduce,
      [TUTTI_COLL_SCAN] = tutti_skeleton_scan,
      [TUTTI_COLL_EXSCAN] = tutti_skeleton_exscan,
  };
  bool combines = strstr(texts[collective], " combine(");
  return tutti_xprintf("%s%s", combines ? tutti_skeleton_combine : "", texts[collective]);
}

static char *upper_case(const char *text)
{
  char *copy = tutti_xstrdup(text);
  for (char *letter = copy; *letter; letter++)
    if (*letter >= 'a' && *letter <= 'z')
      *letter = (char)(*letter - 'a' + 'A');
  return copy;
}

static void write_files(const struct new_options *options, const char *folder, const struct fill_word *words)
{
  char *source = tutti_xprintf("%s.c", options->name), *experiment = tutti_xprintf("%s.xml", options->name);
  char *baseline = tutti_xprintf("%s.baseline", options->name);
  write_file(folder, source, tutti_skeleton_plugin, words);
  write_file(folder, "Makefile", tutti_skeleton_Makefile, words);
  write_file(folder, experiment, tutti_skeleton_experiment, words);
  write_file(folder, baseline, tutti_skeleton_baseline, words);
  write_file(folder, ".gitignore", tutti_skeleton_gitignore, words);
  write_file(folder, "README.md", tutti_skeleton_README, words);
  free(source);
  free(experiment);
  free(baseline);
}

static void write_algorithm(const struct new_options *options, const char *folder)
{
  const char *collective = tutti_collective_name(options->collective);
  bool sized = options->collective != TUTTI_COLL_BARRIER;
  bool rooted = tutti_collective_traits(options->collective) & TUTTI_HAS_ROOT;
  char *build = build_function(options->collective), *upper = upper_case(collective);
  char *method = tutti_xprintf("%s/%s", collective, options->name);
  const struct fill_word words[WORDS + 1] = {
      {"NAME", options->name},
      {"METHOD", method},
      {"COLLECTIVE", collective},
      {"COLL", upper},
      {"BUILD", build},
      {"PARAMETERS", strstr(build, "tutti_segments(") ? " .parameters = TUTTI_TAKES_SEGMENT," : ""},
      {"ROOTS", rooted ? "0 $$((ranks - 1))" : "0"},
      {"SWEEPROOT", rooted ? " root=\"0\"" : ""},
      {"ROOT", rooted ? " root=0" : ""},
      {"SMALL", sized ? " bytes=8B" : ""},
      {"LARGE", sized ? " bytes=64KB" : ""},
      {"SIZES", sized ? "\n    <sizes>8B 1KB 64KB</sizes>" : ""},
  };
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    die("%s: %s", folder, strerror(errno));
  write_files(options, folder, words);
  free(build);
  free(upper);
  free(method);
}

/* What to type next; the path of this program where the shell would not find it. */
static void print_next_step(const struct new_options *options, const char *folder)
{
  char *found = tutti_program_find("tutti"), *own = tutti_self_path("tutti"), *quoted = tutti_xshell_word(folder),
       *self = tutti_xshell_word(own ? own : "");
  tutti_say(stdout, "%s: %s/%s.c is a correct algorithm to begin with; prove it:\n  make -C %s check%s%s\n", folder,
            folder, options->name, quoted, found || !own ? "" : " TUTTI=", found || !own ? "" : self);
  free(found);
  free(own);
  free(quoted);
  free(self);
}

/* COLLECTIVE/NAME. */
static void take_collective(struct new_options *options)
{
  const char *slash = strchr(options->name, '/');
  tutti_collective collective;
  if (!slash)
    return;
  char *word = tutti_xstrndup(options->name, (size_t)(slash - options->name));
  const tutti_status status = tutti_collective_parse(word, &collective, &failure);
  free(word);
  if (status != TUTTI_OK && options->given)
    return; /* it is no name, either */
  must(status);
  if (options->given && options->collective != collective)
    die("'%.60s' or --collective %s?", options->name, tutti_collective_name(options->collective));
  options->name = slash + 1;
  options->collective = collective;
  options->given = true;
}

static void check(void *values)
{
  struct new_options *options = values;
  take_collective(options);
  if (!options->given)
    die("of which collective? --collective NAME");
  if (options->name[strspn(options->name, "abcdefghijklmnopqrstuvwxyz0123456789-_")] || strlen(options->name) > 40)
    die("'%.60s': the name of an algorithm is of at most 40 small letters, digits and '-'", options->name);
  const tutti_algorithm *there = tutti_algorithm_find(options->collective, options->name);
  if (there)
    die("there is an algorithm %s/%s already", tutti_collective_name(options->collective), options->name);
}

static const struct option_row options[] = {
    OPTION_PARSE("collective", "NAME", struct new_options, collective, option_collective, "the collective",
                 OPTION_GIVEN(struct new_options, given)),
    OPTION_STRING("output", "DIR", struct new_options, folder, "the folder to write", .letter = 'o',
                  .otherwise = "NAME"),
    ARGUMENT_STRING("NAME", struct new_options, name), OPTION_CHECK(check), OPTION_END};

static int run(void *values)
{
  const struct new_options *chosen = values;
  const char *folder = chosen->folder ? chosen->folder : chosen->name;
  write_algorithm(chosen, folder);
  print_next_step(chosen, folder);
  return EXIT_DONE;
}

DEFINE_COMMAND(new_algorithm, "algorithm", options, struct new_options, run);

static const struct command *const verbs[] = {&command_new_algorithm, NULL};

DEFINE_COMMAND(new, "new", NULL, char, NULL, .verbs = verbs);
