/* tutti whatif --trace: a program on both machines. */
#include <math.h>

#include "cli/whatif/whatif.h"

struct part_row {
  const char *what;
  double before, after, speedup; /* seconds: of the program, else of a rank in the mean */
  uint64_t calls, messages[2];
};

static const tutti_column columns[] = {
    {"of the program", "what", TUTTI_FIELD(struct part_row, what)},
    {"calls", "calls", TUTTI_FIELD(struct part_row, calls)},
    WHATIF_TIME_COLUMNS(struct part_row, "before_s", "after_s"),
    {"messages", "messages_before", TUTTI_FIELD(struct part_row, messages[0])},
    {"after", "messages_after", TUTTI_FIELD(struct part_row, messages[1])},
};

static void add_part(struct whatif *whatif, struct part_row row)
{
  row.speedup = whatif_ratio(row.before, row.after);
  must(tutti_table_add(&whatif->replayed, &row, &failure));
}

static struct part_row row_of(const struct workload *workload, const char *what, const struct replay_part *before,
                              const struct replay_part *after)
{
  return (struct part_row){.what = what,
                           .before = replay_mean(workload, before->seconds),
                           .after = replay_mean(workload, after->seconds),
                           .calls = before->calls,
                           .messages = {before->messages, after->messages}};
}

static void make_table(struct whatif *whatif, const struct workload *workload, const struct replay_answer answers[2])
{
  const struct replay_answer *before = &answers[BEFORE], *after = &answers[AFTER];
  struct part_row whole = row_of(workload, "all of it", &before->all, &after->all);
  whole.before = whatif->program[BEFORE] = before->seconds;
  whole.after = whatif->program[AFTER] = after->seconds;
  whatif->replayed = (tutti_table){
      .key = "results", TUTTI_COLUMNS(columns), .row_size = sizeof(struct part_row), .indent = 2, .gap = 2};
  add_part(whatif, whole);
  add_part(whatif, (struct part_row){.what = "computation",
                                     .before = replay_mean(workload, before->compute),
                                     .after = replay_mean(workload, after->compute)});
  for (int c = 0; c < WORKLOAD_PARTS; c++)
    if (before->parts[c].calls > 0)
      add_part(whatif, row_of(workload, replay_part_name(c), &before->parts[c], &after->parts[c]));
  add_part(whatif, (struct part_row){
                       .what = "rest", .before = replay_rest(workload, before), .after = replay_rest(workload, after)});
}

static void warn(struct whatif *whatif, const struct workload *workload, const struct replay_answer answers[2])
{
  char *edits = replay_edits_text(&whatif->options->edits);
  const struct replay_traffic traffic = {.platform = whatif->names[BEFORE],
                                         .ranks = (int)workload->rank_count,
                                         .ranks_per_node = whatif->ranks_per_node[BEFORE],
                                         .hosts = whatif->hosts[BEFORE]};
  replay_warn_layout(&whatif->notes, &traffic, "whatif", whatif->options->platform, whatif->options->format);
  replay_warn_few(&whatif->notes, &traffic);
  replay_warn_recording(&whatif->notes, workload, &answers[BEFORE]);
  replay_warn_unchanged(&whatif->notes, &answers[BEFORE], &answers[AFTER], edits);
  free(edits);
}

static bool has_note(const struct notes *notes, const char *note)
{
  for (size_t i = 0; i < notes->count; i++)
    if (strcmp(notes->items[i], note) == 0)
      return true;
  return false;
}

/* A note of both machines is kept once, one of a single machine with its name. */
static void merge_notes(struct whatif *whatif, const struct notes of[2])
{
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < of[side].count; i++) {
      const char *note = of[side].items[i];
      const bool both = has_note(&of[!side], note);
      if (!both || side == BEFORE)
        tutti_xpush(&whatif->notes, tutti_xprintf("%s%s%s", both ? "" : whatif->names[side], both ? "" : ": ", note));
    }
}

/* Computation is as much faster as processors are: `speed` is that of the first machine. */
static void replay_side(struct whatif *whatif, int side, const struct workload *workload,
                        const struct replay_decisions *decisions, double *speed, struct notes *notes,
                        struct replay_answer *answer)
{
  struct engine_machine machine;
  double own;
  must(tutti_machine_read(whatif->paths[side], &machine, &failure));
  must(tutti_machine_speed(&machine, &own, &failure));
  machine.ranks_per_node = whatif->ranks_per_node[side];
  machine.tolerance = tutti_flavor_tolerance(whatif->options->engine);
  *speed = side == BEFORE ? own : *speed;
  const double factor = workload->flops ? 1 : *speed / own;
  const struct replay_question question =
      replay_question_of(decisions, &whatif->places[side], replay_compute(workload, factor, own));
  *notes = replay_make_notes(workload, &question);
  must(tutti_replay(workload, &machine, &question, answer, &failure));
  if (whatif->options->sensitivity)
    replay_add_sensitivity(side == BEFORE ? "before" : "after", workload, &machine, &question, &whatif->sensitivity);
  tutti_machine_free(&machine);
}

static void replay_sides(struct whatif *whatif, const struct workload *workload,
                         const struct replay_decisions *decisions, struct replay_answer answers[2])
{
  double speed = 0;
  struct notes notes[2] = {{.count = 0}, {.count = 0}};
  for (int side = 0; side < 2; side++)
    replay_side(whatif, side, workload, decisions, &speed, &notes[side], &answers[side]);
  merge_notes(whatif, notes);
  notes_free(&notes[BEFORE]);
  notes_free(&notes[AFTER]);
}

void whatif_replay(struct whatif *whatif)
{
  struct workload workload;
  struct replay_decisions decisions = {.untuned = {{.name = NULL}}};
  struct replay_answer answers[2];
  tutti_passed passed = {.strict = false};
  must(tutti_workload_read(whatif->options->trace, &workload, &passed, &failure));
  tutti_passed_print(&passed, stderr, 0);
  tutti_passed_free(&passed);
  replay_decisions_read(&whatif->options->replay, &workload, &decisions);
  replay_sides(whatif, &workload, &decisions, answers);
  make_table(whatif, &workload, answers);
  warn(whatif, &workload, answers);
  replay_decisions_free(&decisions);
  tutti_workload_free(&workload);
}
