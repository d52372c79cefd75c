/* Running gnuplot. It reads and writes memory files, so that nothing is left behind however the run ends. */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/utf8.h"
#include "cli/options/common.h"
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

void gnuplot_check_title(const char *title, const char *path, const char *option)
{
  if (title && !path)
    die("--title: only with --%s", option);
}

bool gnuplot_is_page(const char *path)
{
  return strcmp(terminal_of(path), "pdfcairo") == 0;
}

void gnuplot_option(void *member, const char *path)
{
  *(const char **)member = path;
  if (!terminal_of(path))
    die("'%s' does not end with .svg, .png or .pdf", path);
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
static char *find_script(const char *script)
{
  const char *named = getenv("TUTTI_PLOTS");
  char *path = try_file(named && *named ? tutti_xstrdup(named) : tutti_self_path("../share/tutti/plots"), script);
  if (!path && named && *named)
    die("no %s in TUTTI_PLOTS (%s)", script, named);
  if (!path)
    path = try_file(tutti_self_path("../plots"), script);
  if (!path)
    die("no %s beside this program: name its directory in TUTTI_PLOTS", script);
  return path;
}

/* What gnuplot gets as LD_PRELOAD: preload/date.c by its descriptor, because paths end at blanks there. */
static char *preloaded(int date)
{
  const char *others = getenv("LD_PRELOAD");
  others = others ? others : "";
  return date < 0 ? tutti_xstrdup(others) : tutti_xprintf("/proc/self/fd/%d%s%s", date, *others ? ":" : "", others);
}

/* @p date is the descriptor of what fixes the date of a picture; -1: nothing does. */
static void start(char *const arguments[], int date, pid_t *child)
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
  const tutti_status status = tutti_process_start(&command, child, &reason);
  free(preload);
  if (status != TUTTI_OK)
    die("pictures need the program gnuplot: %s", reason.message);
}

static void wait_for(pid_t child)
{
  int code = tutti_process_wait(child);
  if (WIFEXITED(code) && WEXITSTATUS(code) == 0)
    return;
  if (WIFSIGNALED(code))
    die("gnuplot was ended by signal %d", WTERMSIG(code));
  die("gnuplot failed with exit status %d", WEXITSTATUS(code));
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
  char *path = program_find(NULL, NULL, "tutti-date.so");
  int date = open(path, O_RDONLY);
  free(path);
  return date;
}

/* gnuplot -d -c SCRIPT DATA OUTPUT TERMINAL ARGUMENT... (-d: without the settings of the user) */
static void run(const struct drawing *drawing)
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
  start((char *const *)arguments, drawing->date, &child);
  for (int j = 0; j < MAX_ARGUMENTS; j++)
    free(shown[j]);
  wait_for(child);
}

/* ---- the files ---- */

static void write_data(const struct drawing *drawing)
{
  int copy = dup(drawing->data);
  FILE *data = copy < 0 ? NULL : fdopen(copy, "w");
  if (!data)
    die("the data of the picture: %s", strerror(errno));
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  drawing->request->write(text.stream, drawing->request->context);
  char *lines = tutti_xclose_text(&text);
  tutti_utf8_clean(lines); /* gnuplot writes control characters into pictures, which are no XML then */
  fputs(lines, data);
  free(lines);
  bool written = !ferror(data);
  if (fclose(data) != 0 || !written)
    die("the data of the picture: %s", strerror(errno));
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

static void deliver(int output, const char *path)
{
  struct stat about;
  if (fstat(output, &about) != 0 || about.st_size == 0)
    die("gnuplot drew nothing for %s", path);
  struct tutti_output file;
  output_begin(path, &file);
  if (!copy(output, file.stream, strcmp(terminal_of(path), "svg") == 0))
    must(tutti_fail(&failure, TUTTI_ERR_IO, "could not be written: %s", strerror(errno)));
  output_end(&file);
}

static void draw(struct drawing *drawing)
{
  drawing->data = memfd_create("tutti-data", 0);
  drawing->output = memfd_create("tutti-picture", 0);
  drawing->date = open_date();
  if (drawing->data < 0 || drawing->output < 0)
    die("%s: %s", drawing->path, strerror(errno));
  write_data(drawing);
  run(drawing);
  deliver(drawing->output, drawing->path);
  close(drawing->data);
  close(drawing->output);
  if (drawing->date >= 0)
    close(drawing->date);
}

void gnuplot_draw(const struct plot_request *request, const char *path)
{
  char *script = find_script(request->script);
  struct drawing drawing = {.request = request, .script = script, .path = path};
  draw(&drawing);
  free(script);
}
