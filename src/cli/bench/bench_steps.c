/* Steps of an experiment: command lines of tutti, run by this very program. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/process.h"
#include "cli/bench/bench.h"
#include "cli/command.h"

enum { MOST_WORDS = 60 };

/* A line taken apart. */
struct words {
  char *items[MOST_WORDS + 4]; /* owned; NULL at the end */
  int count;
  bool names_store; /* by --db */
};

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

/* What stands for $NAME at @p text, whose length becomes *length; NULL if it is no name of ours. */
static const char *variable(const struct bench_options *options, const char *here, const char *text, char *number,
                            size_t *length)
{
  const struct {
    const char *name, *value;
  } variables[] = {{"$db", options->launch.database}, {"$here", here}, {"$jobs", number}};
  sprintf(number, "%d", program_jobs(&options->launch));
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    *length = strlen(variables[i].name);
    if (strncmp(text, variables[i].name, *length) == 0 && !isalnum((unsigned char)text[*length]))
      return variables[i].value;
  }
  return NULL;
}

/* Append to a word what stands there, a character or the value of a variable; returns what follows. */
static const char *extend(const struct bench_options *options, const char *here, const char *text, FILE *word)
{
  char number[16];
  size_t length;
  const char *value = *text == '$' ? variable(options, here, text, number, &length) : NULL;
  if (!value) {
    fputc(*text, word);
    return text + 1;
  }
  fputs(value, word);
  return text + length;
}

/* The next word of a line, with its quotes off. */
static const char *next_word(const struct bench_options *options, const char *here, const char *text,
                             struct words *words, tutti_error *error, tutti_status *status)
{
  char quote = '\0';
  struct tutti_text_stream read;
  tutti_xopen_text(&read);
  while (*text && (quote || !isspace((unsigned char)*text)))
    if (*text == quote || (!quote && (*text == '"' || *text == '\'')))
      quote = quote ? '\0' : *text, text++;
    else
      text = extend(options, here, text, read.stream);
  char *word = tutti_xclose_text(&read);
  if (quote)
    *status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quote %c is not closed", quote);
  words->names_store = words->names_store || strcmp(word, "--db") == 0;
  append(words, word);
  return text + strspn(text, " \t\r\n");
}

static tutti_status take_apart(const struct bench_options *options, const tutti_experiment *experiment,
                               const char *text, struct words *words, tutti_error *error)
{
  const char *slash = strrchr(experiment->path, '/');
  char *here = slash ? tutti_xstrndup(experiment->path, (size_t)(slash - experiment->path)) : tutti_xstrdup(".");
  tutti_status status = TUTTI_OK;
  append(words, tutti_xstrdup("tutti"));
  while (status == TUTTI_OK && *text) {
    if (words->count == MOST_WORDS)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d words", MOST_WORDS);
    else
      text = next_word(options, here, text, words, error, &status);
  }
  free(here);
  if (status == TUTTI_OK && !words->names_store) {
    append(words, tutti_xstrdup("--db"));
    append(words, tutti_xstrdup(options->launch.database));
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

static tutti_status start(char **arguments, tutti_error *error)
{
  FILE *output = tmpfile();
  pid_t process;
  if (!output)
    return tutti_fail(error, TUTTI_ERR_IO, "no temporary file: %s", strerror(errno));
  fflush(NULL);
  const struct tutti_command command = {.arguments = arguments,
                                        .program = "/proc/self/exe",
                                        .directory = -1,
                                        .output = fileno(output),
                                        .errors = fileno(output)};
  tutti_status status = tutti_process_start(&command, &process, error);
  if (status == TUTTI_OK)
    status = judge(tutti_process_wait(process), output, error);
  fclose(output);
  return status;
}

tutti_status bench_run_steps(const struct bench_options *options, const tutti_experiment *experiment,
                             tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_error reason = {0};
  for (int i = 0; i < experiment->step_count && status == TUTTI_OK; i++) {
    struct words words = {.count = 0};
    const tutti_experiment_step *step = &experiment->steps[i];
    status = take_apart(options, experiment, step->text, &words, &reason);
    if (status == TUTTI_OK)
      status = start(words.items, &reason);
    free_words(&words);
    if (status != TUTTI_OK)
      tutti_fail(error, status, "%s:%d: step '%.120s': %.300s", experiment->path, step->line, step->text,
                 reason.message);
  }
  return status;
}
