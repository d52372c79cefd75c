/* The script of an array: which element measures which chunks, and how. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/slurm.h"

/* For a shell. */
static void print_quoted(FILE *stream, const char *text)
{
  fputc('\'', stream);
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stream);
    else
      fputc(*text, stream);
  fputc('\'', stream);
}

static void print_environment(FILE *stream, const struct launcher *launcher, int ranks)
{
  char preload[LAUNCH_PRELOAD_LENGTH];
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  tutti_launcher_environment(launcher, ranks, preload, variables);
  for (const struct tutti_variable *each = variables; each->name; each++) {
    fprintf(stream, "    %s %s", each->value ? "export" : "unset", each->name);
    if (each->value) {
      fputc('=', stream);
      print_quoted(stream, each->value);
    }
    fputc('\n', stream);
  }
}

static void print_task(FILE *stream, const struct launcher *launcher, const struct slurm_task *task)
{
  char **arguments = tutti_launcher_arguments(launcher, &task->launch);
  fprintf(stream, "  %06u)\n", task->chunk);
  print_environment(stream, launcher, task->launch.ranks);
  fprintf(stream, "    exec");
  for (char **each = arguments; *each; each++) {
    fputc(' ', stream);
    print_quoted(stream, *each);
  }
  fprintf(stream, " ;;\n");
  free(arguments);
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

/* What was stored in the meantime is stored under the hash that the file had. */
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
  fprintf(stream, "measure() { # CHUNK\n");
  print_check(stream, launcher, hash);
  fprintf(stream, "  case $1 in\n");
  for (size_t i = 0; i < count; i++)
    print_task(stream, launcher, &tasks[i]);
  fprintf(stream, "  esac\n}\n"
                  "failed=0\n"
                  "for chunk in $chunks; do\n"
                  "  (measure \"$chunk\") < /dev/null >> \"$chunk.records\" 2>> \"$chunk.err\"\n"
                  "  code=$?\n"
                  "  [ $code -eq 0 ] || failed=1\n"
                  "  echo $code > \"$chunk.status.new\" && mv \"$chunk.status.new\" \"$chunk.status\"\n"
                  "done\n"
                  "exit $failed\n");
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
