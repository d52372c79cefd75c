#include "harness/experiments/plan/simulation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "harness/experiments/jobs/job.h"

/* A directory with plain names: smpirun splits its arguments at blanks and expands globs in them. */
struct stage {
  char *directory, *platform, *program, *hosts;
  char *whole; /* the platform itself, where it names files, which SimGrid looks for beside it; else NULL */
};

static void stage_close(struct stage *stage)
{
  char *const paths[] = {stage->platform, stage->program, stage->hosts};
  for (int i = 0; i < 3; i++) {
    if (paths[i])
      unlink(paths[i]);
    free(paths[i]);
  }
  if (stage->directory)
    rmdir(stage->directory);
  free(stage->directory);
  free(stage->whole);
}

static tutti_status open_whole(const tutti_platform *platform, struct stage *stage, tutti_error *error)
{
  stage->whole = platform->has_files ? realpath(platform->path, NULL) : NULL;
  return !stage->whole ? TUTTI_OK : tutti_launcher_check_beside(stage->whole, error);
}

static tutti_status link_to(const char *target, const char *link, tutti_error *error)
{
  char *absolute = realpath(target, NULL);
  if (!absolute)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", target, strerror(errno));
  int failed = symlink(absolute, link), reason = errno;
  free(absolute);
  return failed ? tutti_fail(error, TUTTI_ERR_IO, "%s: %s", link, strerror(reason)) : TUTTI_OK;
}

static tutti_status write_hosts(const struct simulation *simulation, const char *path, tutti_error *error)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  tutti_status status = tutti_platform_write_hostfile(simulation->platform, simulation->ranks, stream, error);
  if (fclose(stream) != 0 && status == TUTTI_OK)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  return status;
}

char *tutti_simulation_folder(tutti_error *error)
{
  const char *temporary = getenv("TMPDIR");
  char *directory = tutti_xprintf(
      "%s/tutti-XXXXXX", temporary && *temporary == '/' && tutti_launcher_is_plain(temporary) ? temporary : "/tmp");
  if (mkdtemp(directory))
    return directory;
  tutti_fail(error, TUTTI_ERR_IO, "%s: %s", directory, strerror(errno));
  free(directory);
  return NULL;
}

static tutti_status stage_open(const struct simulation *simulation, struct stage *stage, tutti_error *error)
{
  char *directory = tutti_simulation_folder(error);
  if (!directory)
    return TUTTI_ERR_IO;
  *stage = (struct stage){directory, tutti_xprintf("%s/platform.xml", directory),
                          tutti_xprintf("%s/program", directory), tutti_xprintf("%s/hosts", directory), NULL};
  tutti_status status = link_to(simulation->platform->path, stage->platform, error);
  if (status == TUTTI_OK)
    status = link_to(simulation->program, stage->program, error);
  if (status == TUTTI_OK)
    status = open_whole(simulation->platform, stage, error);
  return status == TUTTI_OK ? write_hosts(simulation, stage->hosts, error) : status;
}

/* ---- last words ---- */

enum { LAST_LINES = 3 };

struct line {
  const char *text;
  int length;
};

static bool has_word(struct line line, const char *word)
{
  for (size_t length = strlen(word); (size_t)line.length >= length; line.text++, line.length--)
    if (strncasecmp(line.text, word, length) == 0)
      return true;
  return false;
}

static bool has_any(struct line line, const char *const *words)
{
  for (; *words; words++)
    if (has_word(line, *words))
      return true;
  return false;
}

/* Also the last two lines of smpirun, its command and the status. */
static bool is_of_simgrid(struct line line)
{
  static const char *const words[] = {"/WARNING] ", "/CRITICAL] ", "/ERROR] ", "/INFO] ", " --cfg=smpi/", NULL};
  static const char status[] = "Execution failed with code ";
  return has_any(line, words) || strncmp(line.text, status, strlen(status)) == 0;
}

static bool is_complaint(struct line line)
{
  static const char *const words[] = {"error", "fatal", "fail", "cannot", "can't", "assert", "abort", "fault", NULL};
  return has_any(line, words);
}

/* The last lines, the latest at the end. */
struct last_lines {
  struct line items[LAST_LINES];
  int count;
};

/* Without a full stop: libraries and shells name a signal with and without. */
static int plain_length(struct line line)
{
  return line.length - (line.length > 1 && line.text[line.length - 1] == '.');
}

/* A line that all ranks print is kept once, where it came first. */
static void keep(struct last_lines *lines, struct line line)
{
  for (int i = 0; i < lines->count; i++)
    if (plain_length(lines->items[i]) == plain_length(line) &&
        memcmp(lines->items[i].text, line.text, (size_t)plain_length(line)) == 0)
      return;
  if (lines->count == LAST_LINES)
    memmove(lines->items, lines->items + 1, (size_t)--lines->count * sizeof *lines->items);
  lines->items[lines->count++] = line;
}

static void append_words(const struct last_lines *lines, int first, char *text)
{
  for (int i = first; i < lines->count; i++) {
    size_t used = strlen(text);
    snprintf(text + used, SIMULATION_WORDS_LENGTH - used, "%s%.*s", used ? " | " : "",
             lines->items[i].length < 120 ? lines->items[i].length : 120, lines->items[i].text);
  }
}

const char *tutti_simulation_last_words(const char *output, char *text)
{
  struct last_lines complaints = {.count = 0}, others = {.count = 0};
  for (const char *next; *output; output = next) {
    struct line line = {output, (int)strcspn(output, "\r\n")};
    next = output + line.length + strspn(output + line.length, "\r\n");
    if (line.length > 0 && !is_of_simgrid(line))
      keep(is_complaint(line) ? &complaints : &others, line);
  }
  text[0] = '\0';
  int room = LAST_LINES - complaints.count;
  append_words(&others, others.count > room ? others.count - room : 0, text);
  append_words(&complaints, 0, text);
  return text;
}

/* ---- how it ended ---- */

const char *tutti_simulation_early_end(const char *output)
{
  /* of SimGrid 3.32 to 4; the first may lead to the second */
  static const char *const sentences[][2] = {
      {"WARNING] MPI_Abort was called", "a rank called MPI_Abort"},
      {"CRITICAL] Oops! Deadlock detected", "deadlock: ranks wait for messages that never come"},
  };
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
    if (strstr(output, sentences[i][0]))
      return sentences[i][1];
  return NULL;
}

/* The rank that ended first with a status, of "[HOST:RANK:(PROCESS) TIME] PLACE: SMPI process did not return 0. ...".
 */
static bool find_ended_rank(const char *output, int *rank, int *status)
{
  static const char told[] = "SMPI process did not return 0. Return value : ";
  const char *at = strstr(output, told), *line = at;
  while (line && line > output && line[-1] != '\n')
    line--;
  return line && sscanf(line, "%*[^:]:%d:", rank) == 1 && sscanf(at + strlen(told), "%d", status) == 1;
}

static tutti_status fail_early(const struct simulation *simulation, const char *output, const char *early,
                               const char *words, tutti_error *error)
{
  int rank, code;
  char ended[96];
  snprintf(ended, sizeof ended, "%s", early);
  if (strstr(early, "deadlock") && find_ended_rank(output, &rank, &code))
    snprintf(ended, sizeof ended, "rank %d ended with status %d, and others wait for it", rank, code);
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: did not run to its end: %s%s%s", simulation->name, ended,
                    *words ? "; its last lines: " : "", words);
}

static int count_words(char *const *words)
{
  int count = 0;
  while (words && words[count])
    count++;
  return count;
}

/* smpirun keeps options of SimGrid for itself. */
static bool reaches_program(const char *word)
{
  return tutti_launcher_is_plain(word) && strncmp(word, "--cfg=", 6) != 0 && strncmp(word, "--log=", 6) != 0;
}

static tutti_status check_words(const struct simulation *simulation, tutti_error *error)
{
  for (int i = 0; i < count_words(simulation->words); i++)
    if (!reaches_program(simulation->words[i]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: smpirun would change the argument '%s'", simulation->name,
                        simulation->words[i]);
  return TUTTI_OK;
}

/* The arguments of smpirun, in one block owned by the caller; @p ranks is its text. A selector (NULL: none) comes after
   the options of the platform, which it overrides. */
static char **list_arguments(const struct simulation *simulation, const struct stage *stage, char *command,
                             const tutti_platform_options *options, char *ranks, char *selector)
{
  enum { FIXED = 14 };
  int words = count_words(simulation->words), count = 0;
  char **arguments = tutti_xcalloc((size_t)(FIXED + options->count + words + 1), sizeof *arguments);
  char *const fixed[] = {command,
                         "-np",
                         ranks,
                         "-platform",
                         stage->whole ? stage->whole : stage->platform,
                         "-hostfile",
                         stage->hosts,
                         "--log=root.thres:warning",
                         "--cfg=smpi/simulate-computation:no"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    arguments[count++] = fixed[i];
  if (simulation->shares_variables)
    arguments[count++] = "-no-privatize";
  for (int i = 0; i < options->count; i++)
    arguments[count++] = (char *)options->items[i];
  if (simulation->native && !simulation->platform->eager)
    arguments[count++] = LAUNCHER_BUFFERED;
  if (selector)
    arguments[count++] = selector;
  arguments[count++] = stage->program;
  for (int i = 0; i < words; i++)
    arguments[count++] = simulation->words[i];
  return arguments;
}

static tutti_status judge(const struct simulation *simulation, int code, const char *output, tutti_error *error)
{
  char words[SIMULATION_WORDS_LENGTH];
  const char *early = tutti_simulation_early_end(output);
  if (code == TUTTI_CAPTURE_LATE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun did not end within %d s", simulation->name,
                      simulation->seconds);
  if (code == TUTTI_CAPTURE_INTERRUPTED)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: interrupted", simulation->name);
  if (code == 0 && !early)
    return TUTTI_OK;
  /* A program that returned has printed the reason itself, if any. */
  bool returned = code > 0 && code <= 128;
  tutti_simulation_last_words(output, words);
  if (!early && !(returned && *words) && !tutti_job_find_reason(output, words, sizeof words))
    tutti_simulation_last_words(output, words);
  if (early)
    return fail_early(simulation, output, early, words, error);
  const char *other = strstr(output, "cannot dynamically load") ? ": is it compiled with smpicc?" : "";
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun ended with status %d%s%s%s", simulation->name, code,
                    *words ? ": " : "", words, other);
}

static tutti_status run_stage(const struct simulation *simulation, const struct stage *stage, char *command,
                              char *output, size_t size, tutti_error *error)
{
  tutti_platform_options options;
  char ranks[16];
  tutti_status status = tutti_launcher_platform_options(command, simulation->platform, &options, error);
  if (status != TUTTI_OK)
    return status;
  snprintf(ranks, sizeof ranks, "%d", simulation->ranks);
  char *selector = simulation->selector ? tutti_xprintf(LAUNCHER_SELECTOR "%s", simulation->selector) : NULL;
  char **arguments = list_arguments(simulation, stage, command, &options, ranks, selector);
  const struct tutti_command smpirun = {.arguments = arguments, .directory = -1, .seconds = simulation->seconds};
  int code = tutti_process_capture(&smpirun, output, size);
  free(arguments);
  free(selector);
  return judge(simulation, code, output, error);
}

tutti_status tutti_simulation_run(const struct simulation *simulation, char *output, size_t length, tutti_error *error)
{
  struct stage stage = {0};
  tutti_status status = check_words(simulation, error);
  if (status != TUTTI_OK)
    return status;
  char *command = tutti_launcher_find("smpi", error);
  status = command ? stage_open(simulation, &stage, error) : TUTTI_ERR_LAUNCH;
  if (status == TUTTI_OK)
    status = run_stage(simulation, &stage, command, output, length, error);
  stage_close(&stage);
  free(command);
  return status;
}
