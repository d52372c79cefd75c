/* tutti run: an MPI program as it is, with the interposer of its library. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/output/output.h"
#include "cli/run/run.h"
#include "decision/libraries/tutti/variables.h"
#include "tutti/plugin.h"

static const char *const flavors[] = {"mpich", "openmpi", "abi"};

enum { FLAVORS = sizeof flavors / sizeof *flavors };

static void read_flavor(void *member, const char *text)
{
  for (int i = 0; i < FLAVORS; i++)
    if (strcmp(text, flavors[i]) == 0) {
      *(const char **)member = flavors[i];
      return;
    }
  die("'%.40s' is none of mpich, openmpi, abi", text);
}

static void check_options(void *values)
{
  const struct run_options *options = values;
  if (options->candidates && !options->adapt)
    die("--candidates goes with --adapt");
}

static const struct option_row option_table[] = {
    OPTION_HEADING("What the collectives do:"),
    OPTION_STRINGS("decision", "FILE|METHOD", struct run_options, decisions,
                   "a decision file decides, or of one collective this method (bcast/binomial, bcast/native); may be "
                   "repeated with several methods",
                   .otherwise = "Tutti's built-in rules"),
    OPTION_FLAG(
        "native", struct run_options, native,
        "the library's own choice for all calls that --decision does not decide, in place of the built-in rules"),
    OPTION_FLAG("nonblocking", struct run_options, nonblocking,
                "nonblocking and persistent collectives run these methods, too"),
    OPTION_STRING("neighbors", "linear|combining", struct run_options, neighbors,
                  "neighborhood collectives run this method, too", .otherwise = "the library's own"),
    OPTION_STRING("adapt", "FILE", struct run_options, adapted,
                  "try candidates while the program runs, and write what was found into FILE as rules", .bare = true,
                  .otherwise = "no file is written", OPTION_GIVEN(struct run_options, adapt)),
    OPTION_STRING("candidates", "FILE", struct run_options, candidates,
                  "with --adapt: all rules of FILE that match a call are its candidates"),
    OPTION_STRING("levels", "FILE", struct run_options, levels,
                  "the switch, cell or group of each node, for multi-level methods"),
    OPTION_HEADING("What is recorded:"),
    OPTION_STRING("profile", "FILE", struct run_options, profile, "what the collectives cost, for tutti advise",
                  .writes = WRITES_TEXT),
    OPTION_STRING("trace", "FILE", struct run_options, trace, "all calls and messages, for tutti replay",
                  .writes = WRITES_TEXT),
    OPTION_STRING(
        "ran", "FILE", struct run_options, ran,
        "the messages of each kind of call that is left to Open MPI, for tutti explain --ran; implies --native",
        .writes = WRITES_TEXT),
    OPTION_FLAG("verbose", struct run_options, verbose, "a report on standard error at the end"),
    OPTION_HEADING("How:"),
    OPTION_FLAG("print", struct run_options, print, "print the line that would run, and end"),
    OPTION_PARSE("flavor", "mpich|openmpi|abi", struct run_options, flavor, read_flavor,
                 "the MPI library of the program",
                 .otherwise = "that which the program, or what starts it, is linked with"),
    OPTION_STRING("build-dir", "DIR", struct run_options, build_dir, "look for the interposer in DIR/FLAVOR"),
    ARGUMENT_STRINGS("COMMAND", struct run_options, command),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- the library ---- */

/* The path of a word of the command that is a file to execute; owned, or NULL. */
static char *path_of(const char *word)
{
  struct stat about;
  char *path = strchr(word, '/') ? tutti_xstrdup(word) : tutti_program_find(word);
  if (!path)
    path = tutti_xstrdup(word);
  if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* The first word that is linked with an MPI library: the program, whatever stands before it. */
static const char *flavor_of_program(const struct option_strings *command, size_t first, const char **program)
{
  for (size_t i = first; i < command->count; i++) {
    char *path = *command->items[i] == '-' ? NULL : path_of(command->items[i]);
    const char *flavor = path ? run_flavor_of_file(path) : NULL;
    free(path);
    *program = command->items[i];
    if (flavor)
      return flavor;
  }
  *program = NULL;
  return NULL;
}

static const char *name_of_flavor(const char *flavor)
{
  return strcmp(flavor, "mpich") == 0 ? "MPICH" : strcmp(flavor, "openmpi") == 0 ? "Open MPI" : flavor;
}

/* A program that another library's launcher starts runs as many times alone. */
static void warn_of_launcher(const char *launcher, const char *starts, const char *program, const char *flavor)
{
  if (starts && strcmp(starts, flavor) != 0 && strcmp(flavor, "abi") != 0)
    tutti_say(stderr,
              "tutti: warning: %s starts programs of %s, and %s is linked with %s: each rank may run alone; "
              "mpiexec.%s may be the right one\n",
              launcher, name_of_flavor(starts), program, name_of_flavor(flavor), flavor);
}

static const char *choose_flavor(const struct run_options *options, enum run_launcher *launcher)
{
  const struct option_strings *command = &options->command;
  const char *starts, *program;
  if (strcmp(command->items[0], "smpirun") == 0)
    die("smpirun: a simulated program is linked with the interposer, or smpirun has a wrapper: "
        "docs/how-to/interpose.md");
  *launcher = run_launcher_of(command->items[0], &starts);
  const bool starts_ranks = *launcher != RUN_LAUNCHER_NONE;
  const char *flavor = flavor_of_program(command, starts_ranks, &program);
  if (flavor && strcmp(flavor, "smpi") == 0)
    die("%s: is linked with SimGrid: docs/how-to/interpose.md says how simulated programs are run", program);
  if (flavor && !options->flavor)
    warn_of_launcher(command->items[0], starts, program, flavor);
  flavor = options->flavor ? options->flavor : flavor ? flavor : starts;
  if (!flavor)
    die("%s: no word of the command is linked with an MPI library that is known: say which with --flavor",
        command->items[0]);
  return flavor;
}

/* ---- the interposer ---- */

/* In the build directory, or where it is installed: LIB/tutti/FLAVOR beside bin. Owned. */
static char *find_interposer(const struct run_options *options, const char *flavor)
{
  static const char file[] = "libtutti_mpi.so";
  const struct program_options where = {.build_dir = options->build_dir};
  char *built = program_find(&where, flavor, file), *folder = tutti_self_path("../" TUTTI_LIBDIR "/tutti");
  char *installed = tutti_xprintf("%s/%s/%s", folder ? folder : "", flavor, file);
  free(folder);
  const bool is_built = access(built, R_OK) == 0;
  if (!is_built && (options->build_dir || access(installed, R_OK) != 0))
    die("%s: not there, and neither is %s: the interposer for %s was not built, or not installed (tutti doctor says "
        "what "
        "is missing)",
        built, installed, name_of_flavor(flavor));
  char *found = realpath(is_built ? built : installed, NULL);
  free(built);
  free(installed);
  if (!found || strpbrk(found, ": "))
    die("%s: LD_PRELOAD takes no path with a blank or a colon", found ? found : "the interposer");
  return found;
}

/* Before what is preloaded already. */
static void add_preload(struct run_variables *variables, const char *interposer)
{
  const char *other = getenv("LD_PRELOAD");
  char *both = tutti_xprintf("%s%s%s", interposer, other && *other ? ":" : "", other ? other : "");
  run_variables_add(variables, "LD_PRELOAD", both);
  free(both);
}

/* ---- its variables ---- */

/* Ranks may run in another folder. */
static char *absolute(const char *path)
{
  char *copy = tutti_xstrdup(path), *other = tutti_xstrdup(path), *folder = realpath(dirname(copy), NULL);
  if (!folder)
    die("%s: %s", path, strerror(errno));
  char *whole = tutti_xprintf("%s/%s", strcmp(folder, "/") == 0 ? "" : folder, basename(other));
  free(copy);
  free(other);
  free(folder);
  return whole;
}

static void add_input(struct run_variables *variables, const char *name, const char *path)
{
  if (!path)
    return;
  if (access(path, R_OK) != 0)
    die("%s: %s", path, strerror(errno));
  char *whole = absolute(path);
  run_variables_add(variables, name, whole);
  free(whole);
}

static void add_output(struct run_variables *variables, const char *name, const char *path)
{
  if (!path)
    return;
  must(tutti_output_test(path, &failure));
  char *whole = absolute(path);
  run_variables_add(variables, name, whole);
  free(whole);
}

static void add_switch(struct run_variables *variables, const char *name, bool on)
{
  if (on)
    run_variables_add(variables, name, "1");
}

/* A method is the variable of its collective, anything else a file. */
static void add_decisions(const struct option_strings *decisions, struct run_variables *variables)
{
  const char *file = NULL;
  for (size_t i = 0; i < decisions->count; i++) {
    const char *word = decisions->items[i], *slash = strchr(word, '/');
    char name[TUTTI_VARIABLE_LENGTH];
    tutti_method method;
    uint64_t code;
    const bool is_method = access(word, F_OK) != 0 && slash && tutti_method_parse(word, &method, &failure) == TUTTI_OK;
    if (is_method && tutti_algorithm_plugin_file(method.algorithm, &code))
      die("--decision %s: of a plug-in, and the interposer loads none", word);
    if (is_method)
      run_variables_add(variables, tutti_interposer_variable(method.algorithm->collective, name), slash + 1);
    else if (file)
      die("--decision %s: one file decides, and that is %s", word, file);
    else
      file = word;
  }
  add_input(variables, "TUTTI_DECISION", file);
}

static bool is_set(const struct run_variables *variables, const char *name)
{
  for (size_t i = 0; i < variables->count; i++)
    if (strcmp(variables->items[i].name, name) == 0)
      return true;
  return false;
}

/* Those that are set already, too, because some launchers hand on to other nodes only what they are told. */
static void add_environment(struct run_variables *variables)
{
  extern char **environ;
  for (char **variable = environ; *variable; variable++) {
    const char *equals = strchr(*variable, '=');
    char *name = tutti_xstrndup(*variable, equals ? (size_t)(equals - *variable) : 0);
    if (equals && equals[1] && tutti_interposer_reads(name) && !is_set(variables, name))
      run_variables_add(variables, name, equals + 1);
    free(name);
  }
}

/* Open MPI's own component tells its messages. */
static void add_monitoring(struct run_variables *variables, const char *flavor, const char *ran)
{
  static const char name[] = "OMPI_MCA_pml_monitoring_enable";
  if (ran && strcmp(flavor, "mpich") == 0)
    die("--ran: MPICH does not tell what it does in single calls; Open MPI does");
  if (ran && !getenv(name))
    run_variables_add(variables, name, "2");
}

static struct run_variables make_variables(const struct run_options *options, const char *flavor,
                                           const char *interposer)
{
  struct run_variables variables = {.items = NULL};
  add_preload(&variables, interposer);
  add_decisions(&options->decisions, &variables);
  add_switch(&variables, "TUTTI_NATIVE", options->native || options->ran);
  add_switch(&variables, "TUTTI_NONBLOCKING", options->nonblocking);
  if (options->neighbors)
    run_variables_add(&variables, "TUTTI_NEIGHBORS", options->neighbors);
  add_switch(&variables, "TUTTI_VERBOSE", options->verbose);
  add_switch(&variables, "TUTTI_ADAPT", options->adapt && !options->adapted);
  add_output(&variables, "TUTTI_ADAPT", options->adapted);
  add_input(&variables, "TUTTI_CANDIDATES", options->candidates);
  add_input(&variables, "TUTTI_LEVELS", options->levels);
  add_output(&variables, "TUTTI_PROFILE", options->profile);
  add_output(&variables, "TUTTI_TRACE", options->trace);
  add_output(&variables, "TUTTI_RAN", options->ran);
  add_monitoring(&variables, flavor, options->ran);
  add_environment(&variables);
  return variables;
}

/* ---- the command ---- */

static void print_word(const char *word)
{
  char *quoted = tutti_xshell_word(word);
  printf("%s", quoted);
  free(quoted);
}

static void print_line(const struct run_words *words, const struct run_variables *variables)
{
  for (size_t i = 0; i < variables->count; i++) {
    printf("%s%s=", i == 0 ? "env " : "", variables->items[i].name);
    print_word(variables->items[i].value);
    printf(" ");
  }
  for (size_t i = 0; i < words->count; i++) {
    printf("%s", i ? " " : "");
    print_word(words->items[i]);
  }
  printf("\n");
}

/* This process becomes the command: its input, its signals and its exit status are those of the program. */
static _Noreturn void become(struct run_words *words, const struct run_variables *variables)
{
  for (size_t i = 0; i < variables->count; i++)
    setenv(variables->items[i].name, variables->items[i].value, 1);
  tutti_xpush(words, (char *)NULL);
  patience_end();
  execvp(words->items[0], words->items);
  die("cannot start %s: %s", words->items[0], strerror(errno));
}

static int run(void *values)
{
  const struct run_options *options = values;
  enum run_launcher launcher;
  const char *flavor = choose_flavor(options, &launcher);
  char *interposer = find_interposer(options, flavor);
  struct run_variables variables = make_variables(options, flavor, interposer);
  struct run_words words = run_compose(&options->command, launcher, &variables);
  if (!options->print)
    become(&words, &variables);
  print_line(&words, &variables);
  return EXIT_DONE;
}

DEFINE_COMMAND(run, "run", option_table, struct run_options, run);
