/* An array, its files and its script, and arrays of an earlier run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "harness/experiments/launch/slurm.h"

#define TITLE "tutti-batch v=1"

enum { MAX_CHUNK = 999999999 };

/* Forget all arrays but the first @p count. */
static void truncate_batches(struct slurm *slurm, size_t count)
{
  while (slurm->count > count) {
    struct slurm_batch *last = &slurm->items[--slurm->count];
    for (size_t e = 0; e < last->count; e++)
      tutti_vector_free(&last->items[e]);
    tutti_vector_free(last);
  }
}

void tutti_slurm_free(struct slurm *slurm)
{
  truncate_batches(slurm, 0);
  for (size_t i = 0; i < slurm->pending.count; i++)
    free(slurm->pending.items[i]);
  tutti_vector_free(&slurm->pending);
  tutti_vector_free(slurm);
}

struct slurm_batch *tutti_slurm_append(struct slurm *slurm, unsigned number)
{
  tutti_xpush(slurm, (struct slurm_batch){.number = number});
  return &slurm->items[slurm->count - 1];
}

void tutti_slurm_add_chunk(struct slurm_batch *batch, size_t element, unsigned chunk)
{
  if (element == batch->count)
    tutti_xpush(batch, (struct slurm_element){.state = SLURM_QUEUED});
  tutti_xpush(&batch->items[element], chunk);
}

/* ---- the file ---- */

tutti_status tutti_slurm_write(const struct work *work, const struct slurm_batch *batch, tutti_error *error)
{
  FILE *stream = tutti_work_create(work, batch->number, "batch.new", error);
  if (!stream)
    return TUTTI_ERR_IO;
  fprintf(stream, TITLE "\n");
  if (batch->job)
    fprintf(stream, "job=%ld\n", batch->job);
  for (size_t e = 0; e < batch->count; e++) {
    fprintf(stream, "element=");
    for (size_t c = 0; c < batch->items[e].count; c++)
      fprintf(stream, "%s%u", c ? " " : "", batch->items[e].items[c]);
    fprintf(stream, "\n");
  }
  tutti_status status = tutti_work_finish(work, stream, error);
  return status == TUTTI_OK ? tutti_work_rename(work, batch->number, "batch.new", "batch", error) : status;
}

static bool read_chunks(struct slurm_batch *batch, char *text)
{
  size_t element = batch->count;
  uint64_t chunk;
  char *rest = NULL;
  for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    if (!tutti_parse_integer(word, 0, MAX_CHUNK, &chunk))
      return false;
    tutti_slurm_add_chunk(batch, element, (unsigned)chunk);
  }
  return batch->count == element + 1;
}

static bool read_line(struct slurm_batch *batch, char *line)
{
  uint64_t job;
  if (strncmp(line, "element=", 8) == 0)
    return read_chunks(batch, line + 8);
  if (strncmp(line, "job=", 4) != 0 || !tutti_parse_integer(line + 4, 1, LONG_MAX, &job))
    return false;
  batch->job = (long)job;
  return true;
}

tutti_status tutti_slurm_read(const struct work *work, unsigned number, struct slurm_batch *batch, tutti_error *error)
{
  struct tutti_lines lines;
  bool good = true;
  tutti_status status = tutti_work_lines(work, number, "batch", &lines, error);
  if (status != TUTTI_OK)
    return status;
  while (good && tutti_lines_next(&lines))
    good = lines.number == 1 ? strcmp(lines.text, TITLE) == 0 : read_line(batch, lines.text);
  char name[WORK_NAME_LENGTH];
  if (tutti_lines_close(&lines) == TUTTI_OK && good && batch->count > 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s/%s does not describe an array of Tutti's", work->path,
                    tutti_work_name(number, "batch", name));
}

void tutti_slurm_remove(const struct work *work, const struct slurm_batch *batch)
{
  static const char *const suffixes[] = {"points", "probe.new", "probe", "sh", "batch"};
  char suffix[32], name[WORK_NAME_LENGTH];
  for (size_t e = 0; e < batch->count; e++) {
    snprintf(suffix, sizeof suffix, "%zu.log", e);
    unlinkat(work->directory, tutti_work_name(batch->number, suffix, name), 0);
  }
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    unlinkat(work->directory, tutti_work_name(batch->number, suffixes[i], name), 0);
}

/* ---- what an earlier run left in the queue ---- */

static tutti_status read_batches(const struct work *work, struct slurm *slurm, tutti_error *error)
{
  unsigned *numbers;
  size_t count;
  tutti_status status = tutti_work_list(work, "batch", &numbers, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_slurm_read(work, numbers[i], tutti_slurm_append(slurm, numbers[i]), error);
  free(numbers);
  return status;
}

/* Release chunks that have ended, so that their records are stored; returns how many have not. */
static size_t release(const struct work *work, const struct slurm_batch *batch, size_t index)
{
  const struct slurm_element *element = &batch->items[index];
  size_t held = 0, lost = 0;
  for (size_t c = 0; c < element->count; c++) {
    unsigned chunk = element->items[c];
    char name[WORK_NAME_LENGTH];
    if (!tutti_work_has(work, chunk, "queued"))
      continue;
    bool ended = tutti_work_has(work, chunk, "status");
    lost += !ended && element->state == SLURM_OVER;
    if (ended || element->state == SLURM_OVER)
      unlinkat(work->directory, tutti_work_name(chunk, "queued", name), 0);
    else
      held++;
  }
  if (lost > 0 && batch->job)
    tutti_say(stderr,
              "tutti: %s: element %zu of Slurm job %ld %s%s with %zu of its %zu chunks unfinished, from %06u on\n",
              work->path, index, batch->job, *element->word ? "ended as " : "left the queue", element->word, lost,
              element->count, element->items[element->count - lost]);
  return held;
}

/* Keep queued arrays, remove the others. */
static void drop_ended(const struct work *work, struct slurm *slurm)
{
  size_t kept = 0;
  for (size_t i = 0; i < slurm->count; i++) {
    struct slurm_batch batch = slurm->items[i];
    size_t held = 0;
    for (size_t e = 0; e < batch.count; e++)
      held += release(work, &batch, e);
    if (held == 0)
      tutti_slurm_remove(work, &batch);
    slurm->items[i] = slurm->items[kept];
    slurm->items[kept] = batch;
    kept += held > 0;
  }
  truncate_batches(slurm, kept);
}

tutti_status tutti_slurm_review(const struct work *work, struct slurm *slurm, tutti_error *error)
{
  tutti_error reason = {0};
  tutti_status status = read_batches(work, slurm, error);
  if (status != TUTTI_OK || slurm->count == 0)
    return status;
  if (tutti_slurm_ask(slurm, work, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: an earlier run queued jobs that may still run, but %.300s",
                      work->path, reason.message);
  drop_ended(work, slurm);
  return TUTTI_OK;
}

/* ---- the script: which element measures which chunks, and how ---- */

static void print_quoted(FILE *stream, const char *text)
{
  char *quoted = tutti_xshell_quoted(text);
  fputs(quoted, stream);
  free(quoted);
}

static void print_environment(FILE *stream, const struct launcher *launcher, const struct launch *launch)
{
  char preload[LAUNCH_PRELOAD_LENGTH];
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  tutti_launcher_environment(launcher, launch, preload, variables);
  for (const struct tutti_variable *each = variables; each->name; each++) {
    fprintf(stream, "    %s %s", each->value ? "export" : "unset", each->name);
    if (each->value) {
      fputc('=', stream);
      print_quoted(stream, each->value);
    }
    fputc('\n', stream);
  }
}

static void print_launch(FILE *stream, const struct launcher *launcher, const struct launch *launch)
{
  char **arguments = tutti_launcher_arguments(launcher, launch);
  print_environment(stream, launcher, launch);
  fprintf(stream, "    exec");
  for (char **each = arguments; *each; each++) {
    fputc(' ', stream);
    print_quoted(stream, *each);
  }
  free(arguments);
}

static void print_task(FILE *stream, const struct launcher *launcher, const struct slurm_task *task)
{
  fprintf(stream, "  %06u)\n", task->chunk);
  print_launch(stream, launcher, &task->launch);
  fprintf(stream, " ;;\n");
}

/* The records of one rank that inspects the node precede the records of each chunk, so that these name their own
   environment, whoever reads them. */
static void print_probe(FILE *stream, const struct launcher *launcher, unsigned batch)
{
  const struct launch launch = {.ranks = 1, .chunk = batch};
  if (launcher->simulated)
    return;
  fprintf(stream, "probe() { # the node, once\n  [ -e %06u.probe ] || { (\n", batch);
  print_launch(stream, launcher, &launch);
  fprintf(stream,
          "\n  ) > %06u.probe.new && mv %06u.probe.new %06u.probe; } || return\n"
          "  cat %06u.probe\n}\n",
          batch, batch, batch, batch);
}

static void print_elements(FILE *stream, const struct slurm_batch *batch)
{
  fprintf(stream, "case $SLURM_ARRAY_TASK_ID in\n");
  for (size_t e = 0; e < batch->count; e++) {
    fprintf(stream, "  %zu) chunks='", e);
    for (size_t c = 0; c < batch->items[e].count; c++)
      fprintf(stream, "%s%06u", c ? " " : "", batch->items[e].items[c]);
    fprintf(stream, "' ;;\n");
  }
  fprintf(stream, "esac\n");
}

/* Measurements are stored under the hash of the file at submission: check that it still has it. */
static void print_check(FILE *stream, const struct launcher *launcher, const char *hash)
{
  if (!launcher->simulated)
    return;
  fprintf(stream, "  case $(sha256sum < ");
  print_quoted(stream, launcher->platform);
  fprintf(stream,
          ") in %s*) ;; *) echo 'tutti-bench: the platform file has changed since this was submitted' >&2\n"
          "    exit 1 ;;\n  esac\n",
          hash);
}

static void print_script(FILE *stream, const struct slurm_batch *batch, const struct launcher *launcher,
                         const char *hash, const struct slurm_task *tasks, size_t count)
{
  fprintf(stream, "#!/bin/sh\n"
                  "# Written by tutti bench: an element of this array measures some chunks, one after the other.\n"
                  "if [ \"${SLURM_RESTART_COUNT:-0}\" -gt 0 ]; then\n"
                  "  echo 'requeued: what is missing is submitted by the next run of tutti bench'\n"
                  "  exit 75\n"
                  "fi\n");
  print_elements(stream, batch);
  print_probe(stream, launcher, batch->number);
  fprintf(stream, "measure() { # CHUNK\n");
  print_check(stream, launcher, hash);
  fprintf(stream, "  case $1 in\n");
  for (size_t i = 0; i < count; i++)
    print_task(stream, launcher, &tasks[i]);
  fprintf(stream,
          "  esac\n}\n"
          "failed=0\n"
          "for chunk in $chunks; do\n"
          "  (%smeasure \"$chunk\") < /dev/null >> \"$chunk.records\" 2>> \"$chunk.err\"\n"
          "  code=$?\n"
          "  [ $code -eq 0 ] || failed=1\n"
          "  echo $code > \"$chunk.status.new\" && mv \"$chunk.status.new\" \"$chunk.status\"\n"
          "done\n"
          "exit $failed\n",
          launcher->simulated ? "" : "probe && ");
}

tutti_status tutti_slurm_write_script(const struct work *work, const struct slurm_batch *batch,
                                      const struct launcher *launcher, const char *platform_hash,
                                      const struct slurm_task *tasks, size_t count, tutti_error *error)
{
  FILE *stream = tutti_work_create(work, batch->number, "sh", error);
  if (!stream)
    return TUTTI_ERR_IO;
  print_script(stream, batch, launcher, platform_hash, tasks, count);
  return tutti_work_finish(work, stream, error);
}
