/* tutti check --init: the gate of a repository, from what is there. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/check/check_gate.h"
#include "cli/output/output.h"
#include "tutti/plugin.h"

#define WORKFLOW   ".github/workflows/tutti.yml"
#define GITLAB     ".gitlab-ci.yml"
#define GITLAB_JOB ".gitlab/tutti.yml" /* where GITLAB is somebody's already */
#define BEGUN      ".tutti.baseline.new"

extern const char tutti_skeleton_workflow[], tutti_skeleton_gitlab[];

/* What the first gate of a repository has of each algorithm, and without any of the catalogue. */
static const int usual_ranks[] = {4, 7, 16};
static const uint64_t usual_sizes[] = {8, 65536};
static const tutti_collective watched[] = {TUTTI_COLL_BCAST, TUTTI_COLL_REDUCE, TUTTI_COLL_ALLREDUCE,
                                           TUTTI_COLL_ALLGATHER, TUTTI_COLL_ALLTOALL};

/* ---- before anything is written ---- */

static const char *gitlab_file(const struct check_options *options)
{
  const bool there = access(GITLAB, F_OK) == 0;
  if (there)
    return GITLAB_JOB;
  return options->gitlab ? GITLAB : NULL;
}

static const char *platform_of(const struct check_options *options)
{
  return options->subjects.platform ? options->subjects.platform : "fast_ethernet";
}

static void refuse_existing(const char *path, bool force)
{
  if (!force && path && access(path, F_OK) == 0)
    die("%s is there already: --force replaces it", path);
}

static void check_place(const struct check_options *options)
{
  tutti_platform platform;
  if (access(".git", F_OK) != 0)
    die("this is not the top of a git repository: go there, or begin one with: git init");
  refuse_existing(CHECK_GATE, options->force);
  refuse_existing(CHECK_BASELINE, options->force);
  refuse_existing(WORKFLOW, options->force);
  refuse_existing(gitlab_file(options), options->force);
  must(platform_load(platform_of(options), &platform, &failure));
  tutti_platform_free(&platform);
}

/* ---- the baseline: points of algorithms as lines without values ---- */

static void write_point(FILE *stream, const tutti_algorithm *algorithm, int ranks, uint64_t bytes)
{
  const bool sized = algorithm->collective != TUTTI_COLL_BARRIER;
  const tutti_method method = tutti_method_default(algorithm);
  const tutti_call call = {.size = ranks, .count = bytes, .type_size = 1, .commutative = true};
  if (tutti_method_check(&method, &call, NULL) != TUTTI_OK || (!sized && bytes != usual_sizes[0]))
    return;
  fprintf(stream, "%s/%s ranks=%d%s", tutti_collective_name(algorithm->collective), algorithm->name, ranks,
          tutti_collective_traits(algorithm->collective) & TUTTI_HAS_ROOT ? " root=0" : "");
  fprintf(stream, sized ? " bytes=%lluB\n" : "\n", (unsigned long long)bytes);
}

static void write_points(FILE *stream, const struct check_options *options, const tutti_algorithm *algorithm)
{
  const struct option_numbers *given = &options->subjects.ranks;
  const int count = given->count > 0 ? given->count : (int)(sizeof usual_ranks / sizeof *usual_ranks);
  for (int i = 0; i < count; i++)
    for (size_t s = 0; s < sizeof usual_sizes / sizeof *usual_sizes; s++)
      write_point(stream, algorithm, given->count > 0 ? (int)given->items[i] : usual_ranks[i], usual_sizes[s]);
}

static bool is_watched(const tutti_algorithm *algorithm)
{
  for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
    if (watched[i] == algorithm->collective)
      return strcmp(algorithm->name, "native") != 0;
  return false;
}

/* Those of the plug-ins that are loaded; without a part all that are watched. */
static void write_baseline(const struct check_options *options, bool plugins, bool all)
{
  struct tutti_output output;
  const tutti_algorithm *algorithm;
  output_begin(BEGUN, &output);
  fprintf(output.stream,
          "tutti-baseline 2\n\n# What is compared on each push; `tutti check --update` writes it anew, and "
          "fills in lines without values.\n");
  if (plugins || all)
    fprintf(output.stream, "points %s\n", platform_of(options));
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if ((plugins && tutti_algorithm_is_plugin(algorithm)) || (all && is_watched(algorithm)))
      write_points(output.stream, options, algorithm);
  output_end(&output);
}

static void remove_begun(void *path)
{
  unlink(path);
}

/* ---- parts ---- */

/* The options of a section for programs that is begun. */
static void add_program_options(const struct check_options *options, struct subcommand *command)
{
  const struct option_numbers *ranks = &options->subjects.ranks;
  subcommand_add_option(command, "--platform", platform_of(options));
  if (ranks->count > 0)
    subcommand_add_numbers(command, "--ranks", ranks);
  else
    subcommand_add_option(command, "--ranks", "4,16");
  subcommand_add_option(command, "--selector",
                        check_subjects_selector(&options->subjects) ? check_subjects_selector(&options->subjects)
                                                                    : "mpich");
}

/* The first line of a file, without "tutti: " at its beginning; owned by the caller. */
static char *first_line(FILE *stream)
{
  char *line = NULL;
  size_t capacity = 0;
  rewind(stream);
  const ssize_t length = getline(&line, &capacity, stream);
  const char *text = length > 0 ? line : "it failed, and said nothing";
  text += strncmp(text, "tutti: ", 7) == 0 ? 7 : 0;
  char *copy = tutti_xstrndup(text, strcspn(text, "\n"));
  free(line);
  return copy;
}

/* Run a program alone, with a baseline that is dropped. Returns what is wrong with it, or NULL. */
static char *try_program(const struct check_options *options, const struct gate *gate, struct gate_part *part)
{
  struct gate one = {.items = part, .count = 1};
  char *baseline = tutti_xprintf("%s/%s.baseline", gate->folder, part->name);
  FILE *output = subcommand_open_output();
  struct subcommand command = gate_command(&one, baseline);
  subcommand_add(&command, "--update");
  subcommand_add(&command, "--quiet");
  add_program_options(options, &command);
  char *trouble = subcommand_try(&command, output) == EXIT_DONE ? NULL : first_line(output);
  fclose(output);
  subcommand_free(&command);
  free(baseline);
  return trouble;
}

/* Compile it, and see that it can be measured. */
static void try_part(const struct check_options *options, const struct gate *gate, struct gate_part *part)
{
  if (!part->trouble)
    part->trouble = gate_build(gate, part);
  if (!part->trouble && part->program)
    part->trouble = try_program(options, gate, part);
  else if (!part->trouble && tutti_plugin_load(part->built, &failure) != TUTTI_OK)
    part->trouble = tutti_xstrdup(failure.message);
  tutti_say(stdout, "  %s %s: %s%s\n", part->program ? "program" : "plugin ", part->sources.items[0],
            part->trouble ? "left out: " : "taken", part->trouble ? part->trouble : "");
}

static size_t count_taken(const struct gate *gate, bool program)
{
  size_t count = 0;
  for (size_t i = 0; i < gate->count; i++)
    count += !gate->items[i].trouble && gate->items[i].program == program;
  return count;
}

/* ---- files ---- */

static void make_folders(const char *path)
{
  for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
    char *folder = tutti_xstrndup(path, (size_t)(slash - path));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
      die("%s: %s", folder, strerror(errno));
    free(folder);
  }
}

static void write_filled(const char *path, const char *text, const struct fill_word *words)
{
  struct tutti_output output;
  make_folders(path);
  output_begin(path, &output);
  fill_words(output.stream, text, words);
  output_end(&output);
}

static void write_gate(const struct gate *gate)
{
  struct tutti_output output;
  output_begin(CHECK_GATE, &output);
  fprintf(output.stream, "tutti-gate 1\n\n# What `tutti check` compiles, and compares with " CHECK_BASELINE
                         ": plugin NAME SOURCE..., program NAME SOURCE...\n");
  for (size_t i = 0; i < gate->count; i++)
    if (!gate->items[i].trouble)
      fprintf(output.stream, "%s %s %s\n", gate->items[i].program ? "program" : "plugin", gate->items[i].name,
              gate->items[i].sources.items[0]);
  output_end(&output);
}

static bool has_cplusplus(const struct gate *gate)
{
  bool found = false;
  for (size_t i = 0; i < gate->count; i++)
    found |= !gate->items[i].trouble && tutti_stem_length(gate->items[i].sources.items[0], ".c") == 0;
  return found;
}

/* The packages that the gate needs: the workflow installs no others. */
static const char *packages_of(const struct gate *gate)
{
  const bool plugins = count_taken(gate, false) > 0, programs = count_taken(gate, true) > 0;
  if (programs)
    return plugins ? "tutti tutti-smpi libtutti-dev" : "tutti tutti-smpi";
  return plugins ? "tutti libtutti-dev" : "tutti";
}

static void write_workflows(const struct check_options *options, const struct gate *gate)
{
  const bool compiles = count_taken(gate, false) + count_taken(gate, true) > 0;
  char *tools = tutti_xprintf("%s%s%s", compiles ? " gcc libc6-dev" : "", has_cplusplus(gate) ? " g++" : "",
                              count_taken(gate, true) > 0 ? " libsimgrid-dev" : "");
  const struct fill_word words[] = {
      {"VERSION", TUTTI_VERSION}, {"TOOLS", tools}, {"PACKAGES", packages_of(gate)}, {NULL, NULL}};
  write_filled(WORKFLOW, tutti_skeleton_workflow, words);
  if (gitlab_file(options))
    write_filled(gitlab_file(options), tutti_skeleton_gitlab, words);
  free(tools);
}

/* ---- measuring ---- */

static void measure(const struct check_options *options, const struct gate *gate)
{
  const size_t programs = count_taken(gate, true);
  struct subcommand command = gate_command(gate, BEGUN);
  subcommand_add(&command, "--update");
  subcommand_add(&command, "--engine=fast");
  subcommand_add(&command, "--quiet");
  if (programs > 0)
    add_program_options(options, &command);
  FILE *output = subcommand_open_output();
  if (subcommand_try(&command, output) != EXIT_DONE)
    die("the first measurement failed, and nothing was written: %s", first_line(output));
  fclose(output);
  subcommand_free(&command);
}

/* ---- what was done ---- */

static void print_next_steps(const struct check_options *options, const struct gate *gate, const char *gitlab)
{
  const char *platform = platform_of(options), *file = strchr(platform, '/') ? platform : NULL;
  char *packages = tutti_xstrdup(packages_of(gate)), *rest = packages;
  tutti_say(stdout, "\nCommit:\n  git add %s %s %s%s%s%s%s\n", CHECK_GATE, CHECK_BASELINE, WORKFLOW, gitlab ? " " : "",
            gitlab ? gitlab : "", file ? " " : "", file ? file : "");
  tutti_say(stdout,
            "\nThe gate runs on each push and pull request, and here by: tutti check\n"
            "It fails if a time is more than 1 %% longer, or more messages, bytes or memory are needed.\n"
            "After an intended change: tutti check --update, and commit %s.\n"
            "\nOnce: the variable TUTTI_RELEASE of the repository is the address of a release of Tutti, and\n"
            "tutti.sha256 has the digests of its packages. Where you have these:\n  sha256sum",
            CHECK_BASELINE);
  for (char *name; (name = strsep(&rest, " "));)
    tutti_say(stdout, " %s_%s_amd64.deb", name, TUTTI_VERSION);
  tutti_say(stdout, " >tutti.sha256\n  git add tutti.sha256\n");
  if (gitlab && strcmp(gitlab, GITLAB_JOB) == 0)
    tutti_say(stdout, "\nIn %s, add:\n  include: /%s\n", GITLAB, GITLAB_JOB);
  free(packages);
}

/* What is compared. */
static void print_found(const struct check_options *options, const struct gate *gate)
{
  if (count_taken(gate, false) + count_taken(gate, true) > 0)
    return;
  char *names = tutti_xstrdup("");
  for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
    char *more = tutti_xprintf("%s%s%s", names, i > 0 ? ", " : "", tutti_collective_name(watched[i]));
    free(names);
    names = more;
  }
  tutti_say(
      stdout,
      "No source here includes tutti/plugin.h, and no MPI program can be measured. Watched are the algorithms of\n"
      "Tutti for %s on %s: a new version of Tutti that makes one slower, or a\n"
      "changed platform file, is found.\n",
      names, platform_of(options));
  free(names);
}

int check_init(const struct check_options *options)
{
  struct gate gate = {0};
  check_place(options);
  const char *gitlab = gitlab_file(options);
  gate_begin(&gate);
  gate_detect(&gate);
  for (size_t i = 0; i < gate.count; i++)
    try_part(options, &gate, &gate.items[i]);
  print_found(options, &gate);
  const size_t plugins = count_taken(&gate, false), programs = count_taken(&gate, true);
  write_baseline(options, plugins > 0, plugins + programs == 0);
  failure_undo(remove_begun, (void *)BEGUN);
  measure(options, &gate);
  if (rename(BEGUN, CHECK_BASELINE) != 0)
    die("%s: %s", CHECK_BASELINE, strerror(errno));
  failure_forget();
  write_gate(&gate);
  write_workflows(options, &gate);
  gate_end(&gate);
  print_next_steps(options, &gate, gitlab);
  return EXIT_DONE;
}
