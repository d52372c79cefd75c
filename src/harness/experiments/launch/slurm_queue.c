/* Talking to Slurm by its commands: sbatch, squeue, scancel, sinfo. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/process.h"
#include "harness/experiments/launch/slurm.h"

enum { ANSWER_LENGTH = 1 << 22, MAX_WORDS = 64 };
enum { ANSWER_SECONDS = 300 }; /* a busy controller lets its commands wait and try again */

static bool changes_queue(const char *name)
{
  return strcmp(name, "sbatch") == 0 || strcmp(name, "scancel") == 0;
}

static char *run_command(char **words, tutti_error *error)
{
  const char *name = words[0];
  const struct tutti_command command = {
      .arguments = words, .directory = -1, .seconds = ANSWER_SECONDS, .finish = changes_queue(name)};
  char *program = words[0] = tutti_program_find(name);
  if (!program) {
    tutti_fail(error, TUTTI_ERR_LAUNCH, "%s not found in PATH: install the commands of Slurm (Debian: slurm-client)",
               name);
    return NULL;
  }
  char *answer = tutti_xmalloc(ANSWER_LENGTH);
  int code = tutti_process_capture(&command, answer, ANSWER_LENGTH);
  free(program);
  if (code == 0)
    return answer;
  if (code == TUTTI_CAPTURE_LATE)
    tutti_fail(error, TUTTI_ERR_LAUNCH, "%s did not answer within %d s", name, ANSWER_SECONDS);
  else
    tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %.*s", name, (int)strcspn(answer, "\n"),
               *answer ? answer : "could not be run");
  free(answer);
  return NULL;
}

/* The commands, a word a line. */
static const char sbatch[] = "sbatch\n--parsable\n--no-requeue\n"
                             "--export=ALL\n" /* not SBATCH_EXPORT: the settings of this process are the stored ones */
                             "--chdir=%s\n--job-name=tutti-%06u\n--output=%06u.%%a.log\n--array=0-%zu%s\n--ntasks=%d\n"
                             "--ntasks-per-node=%d\n%s\n%s/%06u.sh",
                  squeue[] = "squeue\n--me\n--array\n--noheader\n--states=all\n--format\n%%F|%%K|%%T|%%j|%%Z",
                  scancel[] = "scancel\n%ld", sinfo[] = "sinfo\n--noheader\n--Node\n--all\n--format\n%%P %%n%s%s%s%s";

/* Run a command of Slurm; its answer is owned by the caller, NULL with @p error filled in if it failed. A signal ends a
   query, but not a command that changes the queue: its outcome would be unknown. */
__attribute__((format(printf, 2, 3))) static char *call(tutti_error *error, const char *format, ...)
{
  char *text, *words[MAX_WORDS + 1] = {NULL}, *rest = NULL;
  int count = 0;
  va_list values;
  va_start(values, format);
  if (vasprintf(&text, format, values) < 0)
    tutti_out_of_memory();
  va_end(values);
  for (char *word = strtok_r(text, "\n", &rest); word && count < MAX_WORDS; word = strtok_r(NULL, "\n", &rest))
    words[count++] = word;
  char *answer = run_command(words, error);
  free(text);
  return answer;
}

/* ---- squeue ---- */

static bool is_over(const char *word)
{
  static const char *const over[] = {"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
                                     "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
  for (size_t i = 0; i < sizeof over / sizeof *over; i++)
    if (strcmp(word, over[i]) == 0)
      return true;
  return false;
}

static void set_state(struct slurm_element *element, const char *word)
{
  snprintf(element->word, sizeof element->word, "%s", word);
  element->state = is_over(word) ? SLURM_OVER : strcmp(word, "PENDING") == 0 ? SLURM_QUEUED : SLURM_RUNNING;
}

static void forget_states(struct slurm *slurm)
{
  for (size_t i = 0; i < slurm->count; i++)
    for (size_t e = 0; e < slurm->items[i].count; e++) {
      struct slurm_element *element = &slurm->items[i].items[e];
      if (element->state == SLURM_OVER && *element->word)
        continue; /* Slurm forgets them after a while */
      element->state = SLURM_OVER;
      element->word[0] = '\0';
    }
}

static char *batch_name(unsigned number, char *name)
{
  snprintf(name, WORK_NAME_LENGTH, "tutti-%06u", number);
  return name;
}

/* One line JOB|ELEMENT|STATE|NAME|DIRECTORY. */
static void parse_line(struct slurm *slurm, char *line, const char *directory)
{
  char *fields[5], name[WORK_NAME_LENGTH];
  for (int i = 0; i < 5; i++) {
    fields[i] = i < 4 ? strsep(&line, "|") : line;
    if (!fields[i] || (i < 4 && !line))
      return;
  }
  long job = strtol(fields[0], NULL, 10), element = strtol(fields[1], NULL, 10);
  for (size_t i = 0; i < slurm->count; i++) {
    struct slurm_batch *batch = &slurm->items[i];
    if (!batch->job && strcmp(fields[3], batch_name(batch->number, name)) == 0 && strcmp(fields[4], directory) == 0)
      batch->job = job;
    if (batch->job == job && element >= 0 && element < (long)batch->count)
      set_state(&batch->items[element], fields[2]);
  }
}

void tutti_slurm_parse_queue(struct slurm *slurm, char *answer, const char *directory)
{
  char *rest = NULL;
  for (char *line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    parse_line(slurm, line, directory);
}

tutti_status tutti_slurm_ask(struct slurm *slurm, const struct work *work, tutti_error *error)
{
  char *directory = realpath(work->path, NULL);
  char *answer = directory ? call(error, squeue) : NULL;
  if (answer) {
    forget_states(slurm);
    tutti_slurm_parse_queue(slurm, answer, directory);
  }
  bool asked = answer;
  free(answer);
  free(directory);
  return asked ? TUTTI_OK : error ? error->status : TUTTI_ERR_LAUNCH;
}

/* ---- sbatch ---- */

long tutti_slurm_parse_job(char *answer)
{
  char *rest = NULL, *end;
  for (char *line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    long job = strtol(line, &end, 10);
    if (end != line && job > 0 && (!*end || *end == ';'))
      return job;
  }
  return 0;
}

tutti_status tutti_slurm_submit(struct slurm_batch *batch, const struct work *work, const struct slurm_order *order,
                                tutti_error *error)
{
  char *directory = realpath(work->path, NULL), limit[16] = "";
  if (!directory)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot resolve: %s", work->path, strerror(errno));
  char *options = tutti_xstrdup(order->options ? order->options : "");
  for (char *at = options; *at; at++)
    *at = *at == ' ' || *at == '\t' ? '\n' : *at;
  if (order->limit > 0)
    snprintf(limit, sizeof limit, "%%%d", order->limit);
  const unsigned number = batch->number;
  char *answer = call(error, sbatch, directory, number, number, batch->count - 1, limit, order->ranks,
                      order->ranks_per_node, options, directory, number);
  batch->job = answer ? tutti_slurm_parse_job(answer) : 0;
  if (answer && !batch->job)
    tutti_fail(error, TUTTI_ERR_LAUNCH, "sbatch does not say which job it made");
  free(answer);
  free(options);
  free(directory);
  return batch->job ? TUTTI_OK : TUTTI_ERR_LAUNCH;
}

tutti_status tutti_slurm_cancel(const struct slurm_batch *batch, tutti_error *error)
{
  char *answer = call(error, scancel, batch->job);
  bool cancelled = answer;
  free(answer);
  return cancelled ? TUTTI_OK : TUTTI_ERR_LAUNCH;
}

/* ---- sinfo ---- */

void tutti_slurm_parse_nodes(char *answer, bool any_partition, struct hosts *hosts)
{
  char *rest = NULL;
  for (char *line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *blank = strchr(line, ' ');
    if (blank && blank > line && (any_partition || blank[-1] == '*'))
      tutti_xpush(hosts, tutti_xstrdup(blank + 1));
  }
}

/* The hosts of nodes and of a partition; NULL: of all of them. */
static tutti_status ask_nodes(const char *nodes, const char *partition, bool any_partition, struct hosts *hosts,
                              tutti_error *error)
{
  char *answer = call(error, sinfo, nodes ? "\n--nodes=" : "", nodes ? nodes : "", partition ? "\n--partition=" : "",
                      partition ? partition : "");
  if (answer)
    tutti_slurm_parse_nodes(answer, any_partition, hosts);
  bool asked = answer;
  free(answer);
  return asked ? TUTTI_OK : TUTTI_ERR_LAUNCH;
}

/* On nodes, and in containers, the commands of Slurm may be missing: then the list is a name like others. */
static tutti_status list_allocated(const char *nodes, struct hosts *hosts, tutti_error *error)
{
  char *sinfo = tutti_program_find("sinfo");
  if (!sinfo) {
    tutti_xpush(hosts, tutti_xstrdup(nodes));
    return TUTTI_OK;
  }
  free(sinfo);
  return ask_nodes(nodes, NULL, true, hosts, error);
}

/* Nodes that a job may get. */
static tutti_status list_available(const char *preset, const char *options, struct hosts *hosts, tutti_error *error)
{
  char *partition = tutti_slurm_option(options ? options : "", "-p", "--partition");
  char *nodes = tutti_slurm_option(options ? options : "", "-w", "--nodelist");
  const char *named = partition ? partition : preset && *preset ? preset : NULL;
  tutti_status status = ask_nodes(nodes, named, named != NULL, hosts, error);
  free(partition);
  free(nodes);
  return status;
}

tutti_status tutti_slurm_hosts(const char *command, const char *options, struct hosts *hosts, tutti_error *error)
{
  const char *allocated = getenv("SLURM_JOB_NODELIST");
  *hosts = (struct hosts){.count = 0};
  if (strcmp(command, "sbatch") == 0)
    return list_available(getenv("SBATCH_PARTITION"), options, hosts, error);
  if (allocated && *allocated)
    return list_allocated(allocated, hosts, error);
  return strcmp(command, "srun") == 0 ? list_available(getenv("SLURM_PARTITION"), options, hosts, error) : TUTTI_OK;
}
