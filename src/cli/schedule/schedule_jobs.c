/* tutti schedule --allocation: what a method sends between the nodes, switches and groups of jobs, without simulating.
 */
#include <limits.h>

#include "base/node_table.h"
#include "base/numbers.h"
#include "base/words.h"
#include "cli/schedule/schedule.h"
#include "harness/platforms/node_list.h"

/* Parts of the lowest level are the nodes themselves. */
enum { LEVELS = NODE_TABLE_LEVELS + 1 };

_Static_assert((int)LEVELS <= TUTTI_MAX_LEVELS, "algorithms can be told of all levels");

struct message {
  int from, to;
  uint64_t bytes;
};

/* The messages of a method on one number of ranks. */
struct messages {
  int ranks;
  TUTTI_VECTOR(struct message);
};

/* A method, and its messages by number of ranks, as jobs needed them. */
struct subject {
  const tutti_method *method;
  TUTTI_VECTOR(struct messages);
};

struct counting {
  const struct schedule_jobs *options;
  tutti_call call; /* but for size and count, which are the job's */
  struct node_table table;
  struct tutti_lines lines;
  struct subject subjects[2]; /* the second: --against */
  int subject_count;
  bool counted; /* --count or --size: not one element a rank */
  size_t left_out;
  tutti_error reason;   /* of the first one that was left out */
  tutti_guess machines; /* of the jobs, with --machine */
  tutti_passed passed;  /* lines that are no jobs, and jobs on nodes that are not in the table */
  struct {
    TUTTI_VECTOR(struct level_row);
  } levels;
  struct {
    TUTTI_VECTOR(struct reduction_row);
  } reductions;
};

/* ---- messages ---- */

struct adding {
  struct messages *messages;
  uint64_t type_size;
};

static tutti_status add_message(void *context, int from, int to, uint64_t elements, tutti_error *error)
{
  const struct adding *adding = context;
  (void)error;
  tutti_xpush(adding->messages, (struct message){from, to, elements * adding->type_size});
  return TUTTI_OK;
}

static tutti_status find_messages(struct subject *subject, const tutti_call *call, const struct messages **found,
                                  tutti_error *error)
{
  for (size_t i = 0; i < subject->count; i++)
    if (subject->items[i].ranks == call->size && !tutti_method_needs_places(subject->method)) {
      *found = &subject->items[i];
      return TUTTI_OK;
    }
  struct messages messages = {.ranks = call->size};
  struct adding adding = {&messages, call->type_size};
  const tutti_status status = tutti_each_message(subject->method, call, add_message, &adding, error);
  if (status != TUTTI_OK) {
    tutti_vector_free(&messages);
    return status;
  }
  tutti_xpush(subject, messages);
  *found = &subject->items[subject->count - 1];
  return TUTTI_OK;
}

/* ---- jobs ---- */

/* The nodes of a job in the order of its ranks, and the part of each, from 0, at each level. */
struct job {
  struct node_list nodes;
  uint32_t *parts[LEVELS]; /* [nodes.count] */
  size_t part_counts[LEVELS];
  int *ids[LEVELS]; /* [ranks] the part of each rank */
};

/* Numbers of parts become their places among those that occur. */
static size_t number_parts(uint32_t *parts, size_t count)
{
  uint64_t *sorted = tutti_xcalloc(count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = parts[i];
  const size_t unique = tutti_numbers_unique(sorted, count);
  for (size_t i = 0; i < count; i++) {
    size_t place = 0;
    for (size_t left = unique; left > 1;) {
      const size_t half = left / 2;
      if (sorted[place + half] <= parts[i])
        place += half;
      left -= half;
    }
    parts[i] = (uint32_t)place;
  }
  free(sorted);
  return unique;
}

static tutti_status find_parts(const struct counting *counting, struct job *job, tutti_error *error)
{
  const size_t count = job->nodes.count;
  for (int level = 0; level <= counting->table.level_count; level++)
    job->parts[level] = tutti_xcalloc(count, sizeof **job->parts);
  for (size_t i = 0; i < count; i++) {
    const int node = job->nodes.items[i];
    const struct node_range *range = tutti_node_table_find(&counting->table, node);
    if (!range)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "node %d is not in %s", node, counting->options->levels);
    job->parts[0][i] = (uint32_t)node;
    for (int level = 1; level <= counting->table.level_count; level++)
      job->parts[level][i] = range->parts[level - 1];
  }
  for (int level = 0; level <= counting->table.level_count; level++)
    job->part_counts[level] = number_parts(job->parts[level], count);
  return job->part_counts[0] == count ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "a node stands there twice");
}

/* What algorithms are told: nodes, where several ranks share one, and the levels of the file. */
static void tell_levels(const struct counting *counting, struct job *job, tutti_call *call)
{
  const int per_node = (int)counting->options->ranks_per_node;
  for (int level = 0; level <= counting->table.level_count; level++) {
    int *ids = job->ids[level] = tutti_xcalloc((size_t)call->size, sizeof *ids);
    for (int r = 0; r < call->size; r++)
      ids[r] = (int)job->parts[level][r / per_node];
    call->levels[call->level_count++].ids = ids;
  }
  call->nodes = job->ids[0];
}

static void free_job(struct job *job)
{
  for (int level = 0; level < LEVELS; level++) {
    free(job->parts[level]);
    free(job->ids[level]);
  }
}

/* Where ranks are on different parts of the level. */
static void count_level(const struct counting *counting, const struct job *job, const struct messages *messages,
                        int level, struct level_row *row)
{
  const int per_node = (int)counting->options->ranks_per_node;
  uint64_t *sent = tutti_xcalloc(job->part_counts[level], sizeof *sent);
  row->parts = job->part_counts[level];
  for (size_t i = 0; i < messages->count; i++) {
    const struct message *m = &messages->items[i];
    const uint32_t from = job->parts[level][m->from / per_node], to = job->parts[level][m->to / per_node];
    if (from == to)
      continue;
    row->messages++;
    row->bytes += m->bytes;
    sent[from] += m->bytes;
    row->largest = sent[from] > row->largest ? sent[from] : row->largest;
  }
  free(sent);
}

static void add_levels(struct counting *counting, const struct job *job, const struct messages *messages)
{
  for (int level = 0; level <= counting->table.level_count; level++) {
    struct level_row row = {.line = counting->lines.number,
                            .nodes = (int)job->nodes.count,
                            .level = level == 0 ? "node" : counting->table.level_names[level - 1]};
    count_level(counting, job, messages, level, &row);
    tutti_xpush(&counting->levels, row);
  }
}

/* Add the reduction of the traffic between the parts of the uppermost level; 0 without traffic. */
static void add_reduction(struct counting *counting, const struct job *job, const struct messages *const *messages)
{
  const int level = counting->table.level_count;
  struct level_row rows[2] = {{.line = 0}};
  for (int s = 0; s < 2; s++)
    count_level(counting, job, messages[s], level, &rows[s]);
  const double other = (double)rows[1].bytes;
  const struct reduction_row row = {counting->lines.number, (int)job->nodes.count, job->part_counts[level],
                                    other > 0 ? 100 * (1 - (double)rows[0].bytes / other) : 0};
  tutti_xpush(&counting->reductions, row);
}

static tutti_status count_job(struct counting *counting, struct job *job, tutti_error *error)
{
  const struct messages *messages[2] = {NULL};
  tutti_call call = counting->call;
  if (job->nodes.count * counting->options->ranks_per_node > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "too many ranks");
  call.size = (int)(job->nodes.count * counting->options->ranks_per_node);
  if (!counting->counted)
    call.count = (uint64_t)call.size;
  tutti_status status = find_parts(counting, job, error);
  if (status != TUTTI_OK)
    return status;
  tell_levels(counting, job, &call);
  for (int s = 0; s < counting->subject_count; s++) {
    status = tutti_method_check(counting->subjects[s].method, &call, &counting->reason);
    if (status != TUTTI_OK) {
      counting->left_out++;
      return TUTTI_OK;
    }
    status = find_messages(&counting->subjects[s], &call, &messages[s], error);
    if (status != TUTTI_OK)
      return status;
  }
  if (counting->subject_count == 2)
    add_reduction(counting, job, messages);
  else
    add_levels(counting, job, messages[0]);
  return TUTTI_OK;
}

/* ---- the file ---- */

static void count_jobs(struct counting *counting)
{
  struct node_job listed;
  while (tutti_node_job_next(&counting->lines, counting->options->machine, &counting->machines, &counting->passed,
                             &listed)) {
    struct job job = {.nodes = listed.nodes};
    tutti_error reason;
    if (count_job(counting, &job, &reason) != TUTTI_OK)
      (void)tutti_pass_over(&counting->passed, counting->lines.path, (uint64_t)counting->lines.number,
                            "a job that is not counted", NULL, "%s", reason.message);
    free_job(&job);
    tutti_node_job_free(&listed);
  }
}

/* ---- all ---- */

static void free_counting(struct counting *counting)
{
  for (int s = 0; s < 2; s++) {
    for (size_t i = 0; i < counting->subjects[s].count; i++)
      tutti_vector_free(&counting->subjects[s].items[i]);
    tutti_vector_free(&counting->subjects[s]);
  }
  tutti_passed_free(&counting->passed);
  tutti_vector_free(&counting->table);
  tutti_vector_free(&counting->levels);
  tutti_vector_free(&counting->reductions);
}

static void print(const struct counting *counting)
{
  const tutti_format format = counting->options->format;
  if (counting->subject_count == 2)
    schedule_reductions_print(counting->reductions.items, counting->reductions.count, format);
  else
    schedule_levels_print(counting->levels.items, counting->levels.count, format);
}

static void refuse_file(const struct counting *counting)
{
  const struct schedule_jobs *options = counting->options;
  char meant[2 * TUTTI_GUESS_LENGTH];
  if (counting->passed.count > 0)
    die("%s: no job is left, the first is passed over: %s", options->allocations,
        tutti_passed_first(&counting->passed));
  if (options->machine)
    die("%s: no jobs of a machine '%s'%s (--machine)", options->allocations, options->machine,
        tutti_guess_text(&counting->machines, meant));
  die("%s: no jobs", options->allocations);
}

static void count_file(struct counting *counting)
{
  must(tutti_lines_open(&counting->lines, counting->options->allocations, TUTTI_INPUT_RECORDS, &failure));
  count_jobs(counting);
  must(tutti_lines_close(&counting->lines));
  if (counting->levels.count + counting->reductions.count > 0) {
    print(counting);
    return;
  }
  if (counting->left_out != 0)
    die("%s", counting->reason.message);
  refuse_file(counting);
}

static void read_against(const struct schedule_jobs *options, const tutti_method *method, tutti_method *other)
{
  tutti_error reason;
  char *name = tutti_experiment_method_name(method->algorithm->collective, options->against, other, &reason);
  const bool found = name != NULL;
  free(name);
  if (!found)
    die("--against: %s", reason.message);
}

void schedule_jobs_count(const struct schedule_jobs *options, const tutti_method *method, const tutti_call *call,
                         bool counted)
{
  tutti_method other;
  struct counting counting = {.options = options,
                              .call = *call,
                              .counted = counted,
                              .machines = {.word = options->machine},
                              .subjects = {{.method = method}, {.method = &other}},
                              .subject_count = options->against ? 2 : 1};
  if (options->against)
    read_against(options, method, &other);
  must(tutti_node_table_read(options->levels, &counting.table, &failure));
  count_file(&counting);
  if (counting.left_out > 0)
    tutti_say(stderr, "tutti: note: %zu job%s left out: %s\n", counting.left_out, tutti_plural(counting.left_out),
              counting.reason.message);
  tutti_passed_print(&counting.passed, stderr, 0);
  free_counting(&counting);
}
