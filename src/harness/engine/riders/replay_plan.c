/* The text files between tutti replay --engine smpi and its program of SMPI. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "harness/engine/riders/replay.h"

/* ---- the plan ---- */

static tutti_status write_methods(const struct workload *workload, const struct replay_question *question, FILE *stream,
                                  tutti_error *error)
{
  char text[TUTTI_METHOD_LENGTH];
  for (size_t s = 0; s < workload->shapes.count; s++) {
    const struct workload_shape *shape = &workload->shapes.items[s];
    struct replay_chosen chosen = {.method = shape->method};
    if (shape->communicator != WORKLOAD_UNKNOWN && !tutti_replay_choose(question, shape, &chosen))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, REPLAY_UNDECIDED, tutti_collective_name(shape->collective),
                        (unsigned long long)shape->bytes, shape->call.size);
    fprintf(stream, "%s\n", tutti_method_format(&chosen.method, text));
  }
  return TUTTI_OK;
}

tutti_status tutti_replay_plan_write(const char *path, const struct replay_plan *plan, const struct workload *workload,
                                     const struct replay_question *question, tutti_error *error)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  fprintf(stream, "%s\n%.17g\n%d\n", plan->trace, plan->compute, plan->ranks_per_node);
  tutti_status status = write_methods(workload, question, stream, error);
  const bool failed = ferror(stream);
  if ((fclose(stream) != 0 || failed) && status == TUTTI_OK)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be written", path);
  return status;
}

static void read_head(struct tutti_lines *lines, struct replay_plan *plan)
{
  uint64_t per_node = 0;
  if (!tutti_lines_next(lines))
    return;
  snprintf(plan->trace, sizeof plan->trace, "%s", lines->text);
  if (tutti_lines_next(lines) && !tutti_parse_real(lines->text, &plan->compute))
    tutti_lines_fault(lines, "how long computation takes is expected");
  if (tutti_lines_next(lines) && !tutti_parse_integer(lines->text, 1, 1 << 20, &per_node))
    tutti_lines_fault(lines, "the number of ranks on a node is expected");
  plan->ranks_per_node = (int)per_node;
}

static void read_methods(struct tutti_lines *lines, struct workload *workload)
{
  tutti_error reason;
  for (size_t s = 0; s < workload->shapes.count; s++)
    if (!tutti_lines_next(lines))
      tutti_lines_fault(lines, "%zu methods are expected", workload->shapes.count);
    else if (tutti_method_parse(lines->text, &workload->shapes.items[s].method, &reason) != TUTTI_OK)
      tutti_lines_fault(lines, "%s", reason.message);
}

tutti_status tutti_replay_plan_read(const char *path, struct replay_plan *plan, struct workload *workload,
                                    tutti_error *error)
{
  struct tutti_lines lines;
  tutti_passed passed = {.strict = false}; /* who wrote the plan has told */
  *workload = (struct workload){.rank_count = 0};
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  read_head(&lines, plan);
  tutti_status status =
      lines.status == TUTTI_OK ? tutti_workload_read(plan->trace, workload, &passed, error) : TUTTI_OK;
  tutti_passed_free(&passed);
  if (status == TUTTI_OK)
    read_methods(&lines, workload);
  const tutti_status closed = tutti_lines_close(&lines);
  return status == TUTTI_OK ? closed : status;
}

/* ---- the answer: a line for each part, and one for what holds for all ---- */

#define PART_LINE "tutti-replay-part v=1 part="
#define ALL_LINE  "tutti-replay v=1 "

static void write_part(const char *name, const struct replay_part *part, FILE *stream)
{
  fprintf(stream,
          PART_LINE "%s calls=%" PRIu64 " messages=%" PRIu64 " across=%" PRIu64
                    " sent_B=%.17g time_s=%.17g waiting_s=%.17g slowest_s=%.17g\n",
          name, part->calls, part->messages, part->across, part->bytes, part->seconds, part->waiting, part->slowest);
}

void tutti_replay_answer_write(const struct replay_answer *answer, FILE *stream)
{
  char name[16];
  for (int p = 0; p < WORKLOAD_PARTS; p++) {
    snprintf(name, sizeof name, "%d", p);
    write_part(name, &answer->parts[p], stream);
  }
  write_part("all", &answer->all, stream);
  fprintf(stream, ALL_LINE "program_s=%.17g compute_s=%.17g\n", answer->seconds, answer->compute);
}

static bool read_part(const char *line, struct replay_answer *answer)
{
  struct replay_part part;
  char name[16];
  uint64_t number = 0;
  if (sscanf(line,
             PART_LINE "%15s calls=%" SCNu64 " messages=%" SCNu64 " across=%" SCNu64
                       " sent_B=%lf time_s=%lf waiting_s=%lf slowest_s=%lf",
             name, &part.calls, &part.messages, &part.across, &part.bytes, &part.seconds, &part.waiting,
             &part.slowest) != 8)
    return false;
  if (strcmp(name, "all") == 0)
    answer->all = part;
  else if (tutti_parse_integer(name, 0, WORKLOAD_PARTS - 1, &number))
    answer->parts[number] = part;
  else
    return false;
  return true;
}

tutti_status tutti_replay_answer_read(const char *text, struct replay_answer *answer, tutti_error *error)
{
  int parts = 0;
  *answer = (struct replay_answer){.seconds = 0};
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    parts += read_part(line, answer);
    if (parts == WORKLOAD_PARTS + 1 &&
        sscanf(line, ALL_LINE "program_s=%lf compute_s=%lf", &answer->seconds, &answer->compute) == 2)
      return TUTTI_OK;
  }
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "the simulation printed no answer: %.200s", text);
}
