/* Running gnuplot. It reads and writes memory files, so that nothing is left behind however the run ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/table.h"
#include "base/utf8.h"
#include "cli/output/output.h"
#include "cli/plot/plot.h"

enum { MAX_ARGUMENTS = 16 };

static const char *terminal_of(const char *path)
{
  static const char *const known[][2] = {{".svg", "svg"}, {".png", "pngcairo"}, {".pdf", "pdfcairo"}};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (length > 4 && strcasecmp(path + length - 4, known[i][0]) == 0)
      return known[i][1];
  return NULL;
}

tutti_status gnuplot_check_title(const char *title, const char *path, const char *option, tutti_error *error)
{
  return title && !path ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "--title: only with --%s", option) : TUTTI_OK;
}

bool gnuplot_is_page(const char *path)
{
  return strcmp(terminal_of(path), "pdfcairo") == 0;
}

tutti_status gnuplot_option(void *member, const char *path, tutti_error *error)
{
  *(const char **)member = path;
  if (terminal_of(path))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' does not end with .svg, .png or .pdf", path);
}

/* ---- the program ---- */

/* DIRECTORY/name if it can be read, owned by the caller; NULL if not. Frees the directory. */
static char *try_file(char *directory, const char *name)
{
  char *path = directory ? tutti_xprintf("%s/%s", directory, name) : NULL;
  free(directory);
  if (path && access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* In TUTTI_PLOTS, where it was installed, or in the source tree that the program was built in; owned by the caller. */
static tutti_status find_script(const char *script, char **path, tutti_error *error)
{
  const char *named = getenv("TUTTI_PLOTS");
  if (named && *named) {
    *path = try_file(tutti_xstrdup(named), script);
    if (*path)
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_IO, "no %s in TUTTI_PLOTS (%s)", script, named);
  }
  *path = try_file(tutti_self_path("../share/tutti/plots"), script);
  if (!*path)
    *path = try_file(tutti_self_path("../plots"), script);
  if (*path)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "no %s beside this program: name its directory in TUTTI_PLOTS", script);
}

/* What gnuplot gets as LD_PRELOAD: preload/date.c by its descriptor, because paths end at blanks there. */
static char *preloaded(int date)
{
  const char *others = getenv("LD_PRELOAD");
  others = others ? others : "";
  return date < 0 ? tutti_xstrdup(others) : tutti_xprintf("/proc/self/fd/%d%s%s", date, *others ? ":" : "", others);
}

/* @p date is the descriptor of what fixes the date of a picture; -1: nothing does. */
static tutti_status start(char *const arguments[], int date, pid_t *child, tutti_error *error)
{
  char *preload = preloaded(date);
  const struct tutti_variable variables[] = {
      {"TZ", "UTC0"},        /* in which PDF says its date */
      {"LC_ALL", "C.UTF-8"}, /* in others gnuplot complains of characters that it cannot write */
      {"LD_PRELOAD", *preload ? preload : NULL},
      {NULL, NULL}};
  const struct tutti_command command = {
      .arguments = arguments, .variables = variables, .directory = -1, .output = STDERR_FILENO, .errors = -1};
  tutti_error reason;
  tutti_status status = tutti_process_start(&command, child, &reason);
  free(preload);
  return status == TUTTI_OK
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_LAUNCH, "pictures need the program gnuplot: %s", reason.message);
}

static tutti_status wait_for(pid_t child, tutti_error *error)
{
  int code = tutti_process_wait(child);
  if (WIFEXITED(code) && WEXITSTATUS(code) == 0)
    return TUTTI_OK;
  if (WIFSIGNALED(code))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "gnuplot was ended by signal %d", WTERMSIG(code));
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "gnuplot failed with exit status %d", WEXITSTATUS(code));
}

/* What one drawing works with: the script found, the picture's terminal, memory files. */
struct drawing {
  const struct plot_request *request;
  const char *script, *path;
  int data, output;
  int date; /* preload/date.c; -1: not there */
};

/* Built beside this program, or installed with the measuring programs. */
static int open_date(void)
{
  char *path = try_file(tutti_self_directory(), "tutti-date.so");
  if (!path)
    path = try_file(tutti_self_path("../libexec/tutti"), "tutti-date.so");
  int date = path ? open(path, O_RDONLY) : -1;
  free(path);
  return date;
}

/* gnuplot -d -c SCRIPT DATA OUTPUT TERMINAL ARGUMENT... (-d: without the settings of the user) */
static tutti_status run(const struct drawing *drawing, tutti_error *error)
{
  char data[32], output[32];
  const char *arguments[MAX_ARGUMENTS] = {
      "gnuplot", "-d", "-c", drawing->script, data, output, terminal_of(drawing->path)};
  char *shown[MAX_ARGUMENTS] = {NULL};
  for (int i = 7, j = 0; i < MAX_ARGUMENTS - 1 && drawing->request->arguments[j]; i++, j++) {
    arguments[i] = shown[j] = tutti_xstrdup(drawing->request->arguments[j]);
    tutti_utf8_clean(shown[j]);
  }
  snprintf(data, sizeof data, "/proc/self/fd/%d", drawing->data);
  snprintf(output, sizeof output, "/proc/self/fd/%d", drawing->output);
  pid_t child;
  tutti_status status = start((char *const *)arguments, drawing->date, &child, error);
  for (int j = 0; j < MAX_ARGUMENTS; j++)
    free(shown[j]);
  return status == TUTTI_OK ? wait_for(child, error) : status;
}

/* ---- the files ---- */

static tutti_status write_data(const struct drawing *drawing, tutti_error *error)
{
  int copy = dup(drawing->data);
  FILE *data = copy < 0 ? NULL : fdopen(copy, "w");
  if (!data)
    return tutti_fail(error, TUTTI_ERR_IO, "the data of the picture: %s", strerror(errno));
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  drawing->request->write(text.stream, drawing->request->context);
  char *lines = tutti_xclose_text(&text);
  tutti_utf8_clean(lines); /* gnuplot writes control characters into pictures, which are no XML then */
  fputs(lines, data);
  free(lines);
  bool written = !ferror(data);
  if (fclose(data) == 0 && written)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "the data of the picture: %s", strerror(errno));
}

/* gnuplot writes the end of a CDATA section as it is, which no text of an XML file may contain, and no section. */
static bool copy(int from, FILE *to, bool xml)
{
  int copied = dup(from), byte, brackets = 0;
  FILE *stream = copied < 0 ? NULL : fdopen(copied, "r");
  if (!stream)
    return false;
  rewind(stream);
  for (; (byte = getc(stream)) != EOF; brackets = byte == ']' ? brackets + 1 : 0)
    if (xml && byte == '>' && brackets > 1)
      fputs("&gt;", to);
    else
      putc(byte, to);
  bool whole = !ferror(stream) && !ferror(to);
  fclose(stream);
  return whole;
}

static tutti_status deliver(int output, const char *path, tutti_error *error)
{
  struct stat about;
  if (fstat(output, &about) != 0 || about.st_size == 0)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "gnuplot drew nothing for %s", path);
  struct tutti_output file;
  tutti_status status = tutti_output_begin(path, &file, error);
  if (status != TUTTI_OK)
    return status;
  if (!copy(output, file.stream, strcmp(terminal_of(path), "svg") == 0))
    status = tutti_fail(error, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
  return tutti_output_end(&file, status, error);
}

static tutti_status draw(struct drawing *drawing, tutti_error *error)
{
  drawing->data = memfd_create("tutti-data", 0);
  drawing->output = memfd_create("tutti-picture", 0);
  drawing->date = open_date();
  tutti_status status;
  if (drawing->data < 0 || drawing->output < 0)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", drawing->path, strerror(errno));
  else
    status = write_data(drawing, error);
  if (status == TUTTI_OK)
    status = run(drawing, error);
  if (status == TUTTI_OK)
    status = deliver(drawing->output, drawing->path, error);
  close(drawing->data);
  close(drawing->output);
  if (drawing->date >= 0)
    close(drawing->date);
  return status;
}

tutti_status gnuplot_draw(const struct plot_request *request, const char *path, tutti_error *error)
{
  char *script = NULL;
  tutti_status status = find_script(request->script, &script, error);
  if (status == TUTTI_OK) {
    struct drawing drawing = {.request = request, .script = script, .path = path};
    status = draw(&drawing, error);
  }
  free(script);
  return status;
}
