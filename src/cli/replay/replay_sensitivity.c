/* How the time of a program depends on the machine: one replay for all derivatives, some more for each tolerance. */
#include <math.h>

#include "cli/replay/replay_sensitivity.h"
#include "harness/engine/machine/loads.h"
#include "harness/engine/riders/link_slopes.h"

struct varied {
  const struct workload *workload;
  struct engine_machine machine;
  struct replay_question question;
  int parameter; /* enum engine_parameter */
  double unit;   /* of ENGINE_MESSAGE: x - 1 are so many seconds; else 1 */
};

static tutti_status replay_at(const struct varied *varied, double x, struct replay_answer *answer, tutti_error *error)
{
  struct engine_change change = tutti_slopes_unchanged();
  struct engine_machine machine = varied->machine;
  change.of[varied->parameter] = varied->parameter == ENGINE_MESSAGE ? (x - 1) * varied->unit : x;
  machine.change = &change;
  return tutti_replay(varied->workload, &machine, &varied->question, answer, error);
}

static tutti_status time_at(const void *context, int function, double x, tutti_line *line, tutti_error *error)
{
  const struct varied *varied = context;
  struct replay_answer answer;
  (void)function;
  tutti_status status = replay_at(varied, x, &answer, error);
  *line = (tutti_line){x, answer.seconds, answer.slopes.of[varied->parameter] * varied->unit};
  return status;
}

/* "latency: level 2". */
static void name_parameter(const struct varied *varied, char *name, size_t length)
{
  struct link_loads levels;
  const int p = varied->parameter;
  if (p <= ENGINE_CONSTANT) {
    snprintf(name, length, "%s", p < ENGINE_CONSTANT ? tutti_slopes_name(p) : "rest");
    return;
  }
  const bool latency = p < ENGINE_LEVEL_BYTE;
  const int level = p - (latency ? ENGINE_LEVEL_LATENCY : ENGINE_LEVEL_BYTE);
  tutti_link_levels(&varied->machine.network, &levels);
  snprintf(name, length, "%s: %s", tutti_slopes_name(latency ? ENGINE_LATENCY : ENGINE_BYTE),
           level < levels.count && level < ENGINE_LEVELS - 1 ? levels.levels[level].name : "limiters");
}

/* Of all links, loopbacks and limiters too. */
static double sum_levels(const struct replay_answer *here, int first)
{
  double sum = 0;
  for (int l = 0; l < ENGINE_LEVELS; l++)
    sum += here->slopes.of[first + l];
  return sum;
}

static void add_row(struct varied *varied, const char *scenario, const struct replay_answer *here,
                    struct sensitivity_rows *rows)
{
  const int p = varied->parameter;
  const tutti_times_of_x times = {time_at, varied, 1, 0};
  const double slope = here->slopes.of[p];
  struct sensitivity_row row = {.scenario = scenario,
                                .unit = p == ENGINE_MESSAGE ? "s" : "1",
                                .value = p != ENGINE_MESSAGE ? 1
                                         : slope > 0         ? sum_levels(here, ENGINE_LEVEL_LATENCY) / slope
                                                             : 0,
                                .slope = slope,
                                .from = NAN,
                                .to = NAN,
                                .more = {NAN, NAN, NAN},
                                .jump = NAN};
  name_parameter(varied, row.parameter, sizeof row.parameter);
  row.share_percent = 100 * row.value * slope / here->seconds;
  varied->unit = p == ENGINE_MESSAGE && slope > 0 ? here->seconds / slope / 100 : 1;
  if (slope != 0 && p != ENGINE_CONSTANT)
    must(tutti_sensitivity_tolerances(&times, 0, 1, row.more, &row.jump, &failure));
  for (int i = 0; i < TUTTI_TOLERANCES; i++)
    row.more[i] *= varied->unit;
  tutti_xpush(rows, row);
}

/* How many levels of links are on the path, in either way; more than 1, too, if there are others than all rows have. */
static int count_levels(const struct replay_answer *here)
{
  const double apart = sum_levels(here, ENGINE_LEVEL_LATENCY) + sum_levels(here, ENGINE_LEVEL_BYTE) -
                       here->slopes.of[ENGINE_LATENCY] - here->slopes.of[ENGINE_BYTE];
  if (apart > 1e-9 * here->seconds)
    return ENGINE_LEVELS;
  int count = 0;
  for (int l = 0; l < ENGINE_LEVELS; l++)
    count += here->slopes.of[ENGINE_LEVEL_LATENCY + l] > 0 || here->slopes.of[ENGINE_LEVEL_BYTE + l] > 0;
  return count;
}

/* ---- single links ---- */

static tutti_status time_changed(const void *context, const struct engine_change *change, double *seconds,
                                 struct engine_slope *slopes, tutti_error *error)
{
  const struct varied *varied = context;
  struct engine_machine machine = varied->machine;
  struct replay_answer answer;
  machine.change = change;
  const tutti_status status = tutti_replay(varied->workload, &machine, &varied->question, &answer, error);
  *seconds = answer.seconds;
  *slopes = answer.slopes;
  return status;
}

static void add_links(const struct varied *varied, const char *scenario, double seconds, struct sensitivity_rows *rows)
{
  struct link_slopes links;
  const struct sensitivity_row like = {
      .scenario = scenario, .unit = "1", .value = 1, .from = NAN, .to = NAN, .more = {NAN, NAN, NAN}, .jump = NAN};
  must(tutti_link_slopes_find(&varied->machine, time_changed, varied, &links, &failure));
  sensitivity_add_links(&like, &varied->machine, seconds, &links, rows);
}

void replay_add_sensitivity(const char *scenario, const struct workload *workload, const struct engine_machine *machine,
                            const struct replay_question *question, struct sensitivity_rows *rows)
{
  struct varied varied = {.workload = workload, .machine = *machine, .question = *question, .unit = 1};
  struct replay_answer here;
  varied.question.slopes = true;
  must(replay_at(&varied, 1, &here, &failure));
  const int end = count_levels(&here) > 1 ? ENGINE_PARAMETERS : ENGINE_CONSTANT + 1;
  for (int p = 0; p < end && here.seconds > 0; p++) {
    patience_at("replay changed machines", (double)p / end);
    varied.parameter = p;
    if (p < ENGINE_CONSTANT || fabs(here.slopes.of[p]) > 1e-9 * here.seconds)
      add_row(&varied, scenario, &here, rows);
  }
  if (here.seconds > 0)
    add_links(&varied, scenario, here.seconds, rows);
  patience_at(NULL, 1);
}

void replay_print_sensitivity(const struct sensitivity_rows *rows)
{
  const tutti_table table = sensitivity_table(rows);
  if (rows->count == 0)
    return;
  printf("\nThe time depends on\n");
  must(tutti_table_print(&table, stdout, &failure));
  putchar('\n');
  for (size_t i = 0; i < rows->count; i++) {
    const struct sensitivity_row *row = &rows->items[i];
    if (strcmp(row->parameter, tutti_slopes_name(ENGINE_MESSAGE)) == 0 && isfinite(row->more[0]))
      print_sentence(
          0, "%s: it tolerates %.4g us more latency of each message for 1 %%, %.4g us for 2 %%, %.4g us for 5 %%",
          row->scenario, 1e6 * row->more[0], 1e6 * row->more[1], 1e6 * row->more[2]);
  }
  for (size_t i = 0; i < rows->notes.count; i++)
    print_sentence(0, "%s", rows->notes.items[i]);
}
