/* Steps of an experiment: command lines of tutti, run by this very program, and of measuring programs. */
#include <ctype.h>
#include <errno.h>
#include <sys/wait.h>

#include "base/process.h"
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/options/steps.h"
#include "harness/experiments/plan/work.h"
#include "tutti/import.h"

enum { MAX_WORDS = 60 };

/* A line taken apart. */
struct words {
  char *items[MAX_WORDS + 4]; /* owned; NULL at the end */
  int count;
  bool names_store; /* by --db */
};

/* "tutti-rank-maps": the words are not those of a subcommand. */
static bool is_program(const struct words *words)
{
  return words->count > 1 && step_is_program(words->items[1]);
}

static void free_words(struct words *words)
{
  for (int i = 0; i < words->count; i++)
    free(words->items[i]);
}

/* Takes over @p word. */
static void append(struct words *words, char *word)
{
  words->items[words->count++] = word;
}

/* What $NAME stands for in the text of steps; the values are owned. */
struct variable {
  const char *name;
  char *value;
};

enum { VARIABLES = 5 };

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? tutti_xstrndup(path, (size_t)(slash - path)) : tutti_xstrdup(".");
}

static void set_variables(const struct bench_options *options, const tutti_experiment *experiment,
                          struct variable *variables)
{
  variables[0] = (struct variable){"$db", tutti_xstrdup(options->launch.database)};
  variables[1] = (struct variable){"$here", folder_of(experiment->path)};
  variables[2] = (struct variable){"$work", step_folder(options->launch.database)};
  variables[3] = (struct variable){"$jobs", tutti_xprintf("%d", program_jobs(&options->launch))};
  const char *flavor = experiment->flavor;
  variables[4] =
      (struct variable){"$engine", tutti_xstrdup(flavor && tutti_flavor_is_simulated(flavor) ? flavor : "smpi")};
}

static const struct variable *find_variable(const struct variable *variables, const char *text)
{
  for (int i = 0; i < VARIABLES; i++) {
    size_t length = strlen(variables[i].name);
    if (strncmp(text, variables[i].name, length) == 0 && !isalnum((unsigned char)text[length]))
      return &variables[i];
  }
  return NULL;
}

/* Append to a word what stands there, a character or the value of a variable; returns what follows. */
static const char *extend(const struct variable *variables, const char *text, FILE *word)
{
  const struct variable *variable = find_variable(variables, text);
  if (!variable) {
    fputc(*text, word);
    return text + 1;
  }
  fputs(variable->value, word);
  return text + strlen(variable->name);
}

/* The next word of a line, with its quotes off. */
static const char *next_word(const struct variable *variables, const char *text, struct words *words,
                             tutti_error *error, tutti_status *status)
{
  char quote = '\0';
  struct tutti_text_stream read;
  tutti_xopen_text(&read);
  while (*text && (quote || !isspace((unsigned char)*text)))
    if (*text == quote || (!quote && (*text == '"' || *text == '\'')))
      quote = quote ? '\0' : *text, text++;
    else
      text = extend(variables, text, read.stream);
  char *word = tutti_xclose_text(&read);
  if (quote)
    *status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quote %c is not closed", quote);
  words->names_store = words->names_store || strcmp(word, "--db") == 0;
  append(words, word);
  return text + strspn(text, " \t\r\n");
}

static tutti_status take_apart(const struct variable *variables, const char *text, struct words *words,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  append(words, tutti_xstrdup("tutti"));
  while (status == TUTTI_OK && *text) {
    if (words->count == MAX_WORDS)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d words", MAX_WORDS);
    else
      text = next_word(variables, text, words, error, &status);
  }
  if (status == TUTTI_OK && !words->names_store && !is_program(words)) {
    append(words, tutti_xstrdup("--db"));
    append(words, tutti_xstrdup(variables[0].value));
  }
  return status;
}

/* ---- running ---- */

/* The last line that is not empty. */
static void last_words(FILE *output, char *line, size_t size)
{
  char next[400];
  *line = '\0';
  rewind(output);
  while (fgets(next, sizeof next, output))
    if (next[strspn(next, " \r\n")])
      snprintf(line, size, "%.*s", (int)strcspn(next, "\n"), next);
}

static tutti_status judge(int status, FILE *output, tutti_error *error)
{
  char line[400];
  if (WIFEXITED(status) && (WEXITSTATUS(status) == EXIT_DONE || WEXITSTATUS(status) == EXIT_FOUND))
    return TUTTI_OK;
  last_words(output, line, sizeof line);
  if (WIFSIGNALED(status))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "ended by signal %d: %s", WTERMSIG(status), line);
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "status %d: %s", WEXITSTATUS(status), line);
}

/* Put the records that a program printed into the store. */
static tutti_status store_records(FILE *output, const char *name, const char *database, tutti_error *error)
{
  tutti_imported_runs runs = {.count = 0};
  tutti_store *store = NULL;
  rewind(output);
  tutti_status status = tutti_import_runs_read(&runs, output, name, error);
  if (status == TUTTI_OK)
    status = tutti_store_open(database, &store, error);
  if (status == TUTTI_OK)
    status = tutti_import_runs_store(&runs, NULL, store, error);
  tutti_store_close(store);
  tutti_imported_runs_free(&runs);
  return status;
}

/* @p allowed: what the step may do, as a value of STEP_VARIABLE; NULL: anything. */
static tutti_status start(struct words *words, const char *allowed, const char *database, tutti_error *error)
{
  FILE *output = tmpfile();
  pid_t process;
  if (!output)
    return tutti_fail(error, TUTTI_ERR_IO, "no temporary file: %s", strerror(errno));
  fflush(NULL);
  const char *name = is_program(words) ? words->items[1] : NULL;
  char *program = name ? program_find(NULL, NULL, name) : tutti_xstrdup("/proc/self/exe");
  const struct tutti_command command = {.arguments = words->items + (name ? 1 : 0),
                                        .program = program,
                                        .variables = (struct tutti_variable[]){{STEP_VARIABLE, allowed}, {NULL, NULL}},
                                        .directory = -1,
                                        .output = fileno(output),
                                        .errors = fileno(output)};
  tutti_status status = tutti_process_start(&command, &process, error);
  if (status == TUTTI_OK)
    status = judge(tutti_process_wait(process), output, error);
  if (status == TUTTI_OK && name)
    status = store_records(output, name, database, error);
  fclose(output);
  free(program);
  return status;
}

static tutti_status run_step(const struct bench_options *options, const struct variable *variables, const char *text,
                             tutti_error *error)
{
  struct words words = {.count = 0};
  char *allowed = NULL;
  tutti_status status = take_apart(variables, text, &words, error);
  if (status == TUTTI_OK && !options->trust)
    status = step_environment(variables[1].value, options->launch.database, &allowed, error);
  if (status == TUTTI_OK && strstr(text, "$work"))
    status = tutti_work_make_folder(options->launch.database, "steps", error);
  if (status == TUTTI_OK)
    status = start(&words, allowed, options->launch.database, error);
  free(allowed);
  free_words(&words);
  return status;
}

tutti_status bench_run_steps(const struct bench_options *options, const tutti_experiment *experiment,
                             tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_error reason = {0};
  struct variable variables[VARIABLES];
  set_variables(options, experiment, variables);
  for (int i = 0; i < experiment->step_count && status == TUTTI_OK; i++) {
    const tutti_experiment_step *step = &experiment->steps[i];
    status = run_step(options, variables, step->text, &reason);
    if (status != TUTTI_OK)
      tutti_fail(error, status, "%s:%d: step '%.120s': %.300s", experiment->path, step->line, step->text,
                 reason.message);
  }
  for (int i = 0; i < VARIABLES; i++)
    free(variables[i].value);
  return status;
}
