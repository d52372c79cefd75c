/* MPI programs as sections of baselines: run under SMPI, by the times that they print. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/process.h"
#include "base/say.h"
#include "base/words.h"
#include "harness/experiments/launch/launcher.h"
#include "harness/experiments/plan/simulation.h"
#include "harness/experiments/regression/private.h"

enum { OUTPUT_LENGTH = 1 << 24, DEFAULT_SECONDS = 3600 };

/* ---- sections ---- */

/* The section of a program on a platform, or NULL. */
static tutti_baseline_section *find_program(const tutti_baseline *baseline, const char *name, const char *platform)
{
  for (size_t i = 0; i < baseline->count; i++) {
    tutti_baseline_section *section = &baseline->sections[i];
    if (section->kind == TUTTI_SECTION_PROGRAM && strcmp(section->name, name) == 0 &&
        strcmp(section->program.platform, platform) == 0)
      return section;
  }
  return NULL;
}

static void set_text(char **member, const char *text)
{
  if (!text)
    return;
  free(*member);
  *member = tutti_xstrdup(text);
}

/* NULL members stay unchanged. */
static void set_program(tutti_baseline_program *program, const tutti_baseline_program *given)
{
  set_text(&program->platform, given->platform);
  set_text(&program->arguments, given->arguments);
  set_text(&program->times, given->times);
  set_text(&program->unit, given->unit);
  set_text(&program->selector, given->selector);
  if (given->rank_count == 0)
    return;
  program->ranks = tutti_xrealloc(program->ranks, given->rank_count * sizeof *program->ranks);
  memcpy(program->ranks, given->ranks, given->rank_count * sizeof *program->ranks);
  program->rank_count = given->rank_count;
}

tutti_status tutti_baseline_add_program(tutti_baseline *baseline, const char *name,
                                        const tutti_baseline_program *program, tutti_error *error)
{
  tutti_baseline_program given = *program;
  char *path = NULL;
  if (tutti_platform_is_path(program->platform)) {
    tutti_status status = tutti_baseline_name_beside(baseline, program->platform, &path, error);
    if (status != TUTTI_OK)
      return status;
    given.platform = path;
  }
  tutti_baseline_section *section = find_program(baseline, name, given.platform);
  if (!section)
    section = tutti_baseline_add_section(baseline, TUTTI_SECTION_PROGRAM, name);
  set_program(&section->program, &given);
  free(path);
  return TUTTI_OK;
}

/* ---- the command that the user names ---- */

/* PATH ARGUMENTS of the program of a section; NULL if it is not named. */
static const char *find_command(const tutti_baseline_run *run, const char *name)
{
  size_t length = strlen(name);
  for (size_t i = 0; i < run->program_count; i++)
    if (strncmp(run->programs[i], name, length) == 0 && run->programs[i][length] == '=')
      return run->programs[i] + length + 1;
  return NULL;
}

/* The command of a program, split. */
struct program {
  char *text;   /* owned, of the words */
  char **words; /* owned, NULL at the end; the first one is the path */
  char *joined; /* owned: the arguments, with one blank between them */
};

static void program_free(struct program *program)
{
  free(program->text);
  free(program->words);
  free(program->joined);
}

static struct program take_apart(const char *command)
{
  struct program program = {.text = tutti_xstrdup(command)};
  struct tutti_text_stream joined;
  size_t count = 0;
  char *rest = NULL;
  program.words = tutti_xcalloc(strlen(command) / 2 + 2, sizeof *program.words);
  tutti_xopen_text(&joined);
  for (char *word = strtok_r(program.text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
    if (count > 0)
      fprintf(joined.stream, "%s%s", count > 1 ? " " : "", word);
    program.words[count++] = word;
  }
  program.joined = tutti_xclose_text(&joined);
  return program;
}

static tutti_status open_program(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                 const tutti_baseline_run *run, struct program *program, tutti_error *error)
{
  const char *command = find_command(run, section->name);
  *program = (struct program){.text = NULL};
  if (!command)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%d: which program is '%s'? A baseline starts none: --subject '%s=PATH ARGUMENTS'",
                      baseline->path, section->line, section->name, section->name);
  if (strpbrk(command, "'\""))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: --subject splits '%s' at blanks: its arguments cannot be quoted, and have no blanks",
                      section->name, command);
  *program = take_apart(command);
  if (!program->words[0] || access(program->words[0], R_OK) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no program '%s' that can be read", section->name,
                      program->words[0] ? program->words[0] : "");
  return TUTTI_OK;
}

/* ---- numbers of ranks ---- */

/* The numbers of the points and those to add: ascending, each once; owned by the caller. */
static int *list_ranks(const tutti_baseline_section *section, size_t *count)
{
  const tutti_baseline_program *program = &section->program;
  size_t all = 0;
  int *ranks = tutti_xcalloc(section->count + program->rank_count + 1, sizeof *ranks);
  for (size_t i = 0; i < section->count; i++)
    ranks[all++] = section->entries[i].ranks;
  for (size_t i = 0; i < program->rank_count; i++)
    ranks[all++] = program->ranks[i];
  *count = tutti_ints_unique(ranks, all);
  return ranks;
}

/* ---- running ---- */

static tutti_status run_once(const struct program *program, const tutti_platform *platform, int ranks,
                             const tutti_baseline_run *run, char *output, tutti_baseline_section *section,
                             tutti_error *error)
{
  bool limited = run->job_timeout > 0 && run->job_timeout < INT_MAX;
  char *name = tutti_xprintf("%s on %d rank%s", section->name, ranks, tutti_plural((uint64_t)ranks));
  const struct simulation simulation = {.platform = platform,
                                        .name = name,
                                        .program = program->words[0],
                                        .words = program->words + 1,
                                        .ranks = ranks,
                                        .selector = section->program.selector,
                                        .seconds = limited ? (int)ceil(run->job_timeout) : DEFAULT_SECONDS};
  tutti_error reason;
  tutti_status status = tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, error);
  if (status == TUTTI_OK && strlen(output) == OUTPUT_LENGTH - 1)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: prints more than %d MB", name, OUTPUT_LENGTH >> 20);
  if (status == TUTTI_OK) {
    status = tutti_baseline_read_times(&section->program, output, ranks, section, &reason);
    if (status != TUTTI_OK)
      tutti_fail(error, status, "%s: %s", name, reason.message);
  }
  free(name);
  return status;
}

static tutti_status run_all(const struct program *program, const tutti_baseline_section *asked,
                            const tutti_platform *platform, const tutti_baseline_run *run,
                            tutti_baseline_section *section, tutti_error *error)
{
  size_t count;
  int *ranks = list_ranks(asked, &count);
  char *output = tutti_xmalloc(OUTPUT_LENGTH);
  tutti_status status =
      count > 0 ? TUTTI_OK
                : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: on how many ranks? --ranks LIST", section->name);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = run_once(program, platform, ranks[i], run, output, section, error);
  tutti_baseline_sort(section);
  free(output);
  free(ranks);
  return status;
}

static void note_contention(const tutti_platform *platform)
{
  if (tutti_platform_contends(platform))
    tutti_say(stderr,
              "tutti: note: %s: its links lose throughput for programs that are linked with Tutti's library for SMPI "
              "(pkg-config tutti-smpi), not for others\n",
              platform->name);
}

static tutti_status open_platform(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                  tutti_platform *platform, tutti_error *error)
{
  const char *name = section->program.platform;
  char *path = NULL, *beside = tutti_platform_is_path(name) ? tutti_baseline_beside(baseline, name) : NULL;
  tutti_status status = tutti_baseline_find_platform(baseline, section, beside ? beside : name, &path, error);
  if (status == TUTTI_OK)
    status = tutti_platform_read(path, platform, error);
  free(path);
  free(beside);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_accept(platform, 0, stderr, error);
  if (status == TUTTI_OK)
    note_contention(platform);
  else
    tutti_platform_free(platform);
  return status;
}

/* ---- whose collectives ---- */

static const char usual_selector[] = "default";

bool tutti_program_has_selector(const char *selector)
{
  for (int i = 1; i <= TUTTI_LAST_SMPI_SELECTOR; i++)
    if (strcmp(selector, tutti_selector_name(i)) == 0)
      return true;
  return strcmp(selector, usual_selector) == 0;
}

/* Record the selector in the section, so that it can be compared. */
static tutti_status choose_selector(const tutti_baseline_run *run, const tutti_platform *platform,
                                    tutti_baseline_section *section, tutti_error *error)
{
  char **recorded = &section->program.selector;
  if (run->selector)
    set_text(recorded, run->selector);
  else if (!*recorded)
    *recorded = tutti_xstrdup(*platform->selector ? platform->selector : usual_selector);
  return tutti_program_has_selector(*recorded)
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: under which collectives of SMPI? '%s' is not %s (--selector)",
                          section->name, *recorded, TUTTI_PROGRAM_SELECTORS);
}

static tutti_status name_library(tutti_baseline_section *section, tutti_error *error)
{
  char library[LAUNCHER_LIBRARY_LENGTH];
  char *smpirun = tutti_launcher_find("smpi", error);
  tutti_status status = smpirun ? tutti_launcher_library(smpirun, library, error) : TUTTI_ERR_LAUNCH;
  free(smpirun);
  if (status == TUTTI_OK)
    section->library = tutti_xstrdup(library);
  return status;
}

tutti_status tutti_baseline_run_program(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                        const tutti_baseline_run *run, tutti_baseline_section *section,
                                        tutti_error *error)
{
  struct program program;
  tutti_platform platform;
  set_program(&section->program, &asked->program);
  tutti_status status = open_program(baseline, asked, run, &program, error);
  if (status == TUTTI_OK)
    status = name_library(section, error);
  if (status == TUTTI_OK)
    status = open_platform(baseline, asked, &platform, error);
  if (status == TUTTI_OK) {
    set_text(&section->program.arguments, program.joined);
    section->platform = tutti_xstrdup(platform.name);
    section->platform_hash = tutti_xstrdup(platform.hash);
    status = choose_selector(run, &platform, section, error);
    if (status == TUTTI_OK)
      status = run_all(&program, asked, &platform, run, section, error);
    tutti_platform_free(&platform);
  }
  program_free(&program);
  return status;
}
