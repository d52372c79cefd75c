#include "cli/subcommand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "harness/experiments/jobs/job.h"

struct subcommand subcommand(const char *name)
{
  struct subcommand command = {0};
  subcommand_add(&command, name);
  return command;
}

void subcommand_free(struct subcommand *command)
{
  for (size_t i = 0; i < command->count; i++)
    free(command->items[i]);
  for (size_t i = 0; i < command->under.count; i++)
    free(command->under.items[i]);
  tutti_vector_free(&command->under);
  tutti_vector_free(command);
}

void subcommand_add(struct subcommand *command, const char *word)
{
  tutti_xpush(command, tutti_xstrdup(word));
}

void subcommand_add_format(struct subcommand *command, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_xpush(command, tutti_xvprintf(format, arguments));
  va_end(arguments);
}

void subcommand_under(struct subcommand *command, const char *word)
{
  tutti_xpush(&command->under, tutti_xstrdup(word));
}

void subcommand_under_format(struct subcommand *command, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_xpush(&command->under, tutti_xvprintf(format, arguments));
  va_end(arguments);
}

void subcommand_add_option(struct subcommand *command, const char *option, const char *value)
{
  if (value)
    subcommand_add_format(command, "%s=%s", option, value);
}

void subcommand_add_numbers(struct subcommand *command, const char *option, const struct option_numbers *numbers)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (int i = 0; i < numbers->count; i++)
    fprintf(list.stream, "%s%llu", i > 0 ? "," : "", (unsigned long long)numbers->items[i]);
  char *text = tutti_xclose_text(&list);
  subcommand_add_option(command, option, text);
  free(text);
}

void subcommand_add_given(struct subcommand *command, const char *const *names)
{
  const char *name, *text;
  for (size_t i = 0; option_given_at(i, &name, &text); i++)
    for (size_t j = 0; names[j]; j++)
      if (strcmp(names[j], name) == 0 && text)
        subcommand_add_format(command, "--%s=%s", name, text);
      else if (strcmp(names[j], name) == 0)
        subcommand_add_format(command, "--%s", name);
}

static void print_words(char *const *words, size_t count, FILE *stream)
{
  for (size_t i = 0; i < count; i++) {
    char *word = tutti_xshell_word(words[i]);
    fprintf(stream, "%s%s", ftell(stream) > 0 ? " " : "", word);
    free(word);
  }
}

char *subcommand_text(const struct subcommand *command)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  print_words(command->under.items, command->under.count, text.stream);
  fputs(command->under.count ? " tutti" : "tutti", text.stream);
  print_words(command->items, command->count, text.stream);
  return tutti_xclose_text(&text);
}

struct child {
  pid_t process;
  int status;
};

static bool has_ended(void *of, int signal)
{
  struct child *child = of;
  if (signal)
    kill(child->process, signal);
  return waitpid(child->process, &child->status, WNOHANG) != 0;
}

/* A signal that ends this process ends the child first, as it ends by itself: then what is half written is undone. */
static int wait_for(pid_t process)
{
  struct child child = {.process = process};
  const int ended = tutti_signals_wait_for(has_ended, &child);
  if (ended)
    failure_end(128 + ended);
  return child.status;
}

static int run(const struct subcommand *command, int output, int errors)
{
  pid_t process;
  const size_t under = command->under.count;
  char *self = under ? realpath("/proc/self/exe", NULL) : NULL; /* another program would find itself there */
  char **words = tutti_xcalloc(under + command->count + 2, sizeof *words);
  if (under)
    memcpy(words, command->under.items, under * sizeof *words);
  words[under] = self ? self : (char *)"tutti";
  memcpy(words + under + 1, command->items, command->count * sizeof *words);
  const struct tutti_command child = {.arguments = words,
                                      .program = under ? NULL : "/proc/self/exe",
                                      .directory = -1,
                                      .output = output,
                                      .errors = errors};
  fflush(NULL);
  must(tutti_process_start(&child, &process, &failure));
  const int status = wait_for(process);
  free(words);
  free(self);
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  failure_signal = WTERMSIG(status);
  die("tutti %s was ended by signal %d", command->items[0], failure_signal);
}

int subcommand_run(const struct subcommand *command)
{
  return run(command, -1, -1);
}

int subcommand_run_into(const struct subcommand *command, FILE *output)
{
  return run(command, fileno(output), -1);
}

int subcommand_try(const struct subcommand *command, FILE *said)
{
  return run(command, fileno(said), fileno(said));
}

FILE *subcommand_open_output(void)
{
  FILE *file = tmpfile();
  if (!file)
    die("no temporary file: %s", strerror(errno));
  return file;
}

/* End as the command did, if it failed, after what it said. */
static void check(int code, FILE *said)
{
  int c;
  if (said)
    rewind(said);
  while (code > EXIT_FOUND && said && (c = getc(said)) != EOF)
    fputc(c, stderr);
  if (said)
    fclose(said);
  if (code > EXIT_FOUND)
    failure_end(code);
}

void subcommand_run_silently(const struct subcommand *command)
{
  FILE *said = subcommand_open_output();
  check(subcommand_try(command, said), said);
}

/* Takes over the text. */
static void parse(char *text, size_t length, const char *name, struct json *document)
{
  struct json_fault fault = {.reason = NULL};
  struct json_liberty liberty;
  if (!tutti_json_parse(text, length, &(struct json_style){.levels = 16}, document, &fault, &liberty))
    die("%s: no JSON: %s", name, fault.reason);
  free(text);
}

void document_read(const char *path, struct json *document)
{
  char *text;
  size_t length;
  must(tutti_input_read(path, TUTTI_INPUT_RECORDS, &text, &length, &failure));
  parse(text, length, path, document);
}

int subcommand_read(const struct subcommand *command, bool silent, struct json *document)
{
  char *text;
  size_t length;
  FILE *output = subcommand_open_output(), *said = silent ? subcommand_open_output() : NULL;
  const int code = run(command, fileno(output), said ? fileno(said) : -1);
  check(code, said);
  rewind(output);
  must(tutti_input_read_opened(fileno(output), command->items[0], TUTTI_INPUT_RECORDS, &text, &length, &failure));
  fclose(output);
  parse(text, length, command->items[0], document);
  return code;
}

/* ---- compilers ---- */

enum { COMPILE_TEXT = 1 << 14, COMPILE_SECONDS = 300 };

/* The line of what a compiler or linker said that has the first error. */
static char *first_error(const char *text)
{
  const char *line = strstr(text, "undefined reference");
  if (!line && !(line = strstr(text, "error:")))
    line = text;
  while (line > text && line[-1] != '\n')
    line--;
  return tutti_xstrndup(line, strcspn(line, "\n"));
}

char *subcommand_compile(const struct subcommand *compiler, const char *folder, char **said)
{
  const char *name = compiler->items[0];
  const int directory = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder && directory < 0)
    die("%s: %s", folder, strerror(errno));
  char **words = tutti_xcalloc(compiler->count + 1, sizeof *words), *trouble = NULL;
  memcpy(words, compiler->items, compiler->count * sizeof *words);
  *said = tutti_xcalloc(1, COMPILE_TEXT);
  const struct tutti_command command = {.arguments = words, .directory = directory, .seconds = COMPILE_SECONDS};
  const int code = tutti_process_capture(&command, *said, COMPILE_TEXT);
  if (code == TUTTI_CAPTURE_LATE)
    trouble = tutti_xprintf("%s took more than %d s", name, COMPILE_SECONDS);
  else if (code == TUTTI_CAPTURE_FAILED)
    trouble = tutti_xprintf("%s cannot be started, or was ended by a signal", name);
  else if (code != 0) {
    char *error = first_error(*said);
    trouble = tutti_xprintf("%s does not compile it: %s", name, error);
    free(error);
  }
  if (folder)
    close(directory);
  free(words);
  return trouble;
}
