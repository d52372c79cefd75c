/* What tutti advise prints: where the time goes, what would be gained, and the rules. */
#include <math.h>

#include "cli/advise/advise.h"

struct row {
  const char *collective, *ran, *site;
  int ranks;
  uint64_t size, calls;
  double share, waiting; /* percent of the program */
  double gain, least, most;
  tutti_method best; /* none: not known */
};

#define PERCENT(member) TUTTI_FIELD(struct row, member), .unit = "%", .decimals = 2

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct row, collective)},
    {"ranks", "ranks", TUTTI_FIELD(struct row, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct row, size), .get = cell_size},
    {"calls", "calls", TUTTI_FIELD(struct row, calls)},
    {"of program", "share_percent", PERCENT(share)},
    {"waiting", "waiting_percent", PERCENT(waiting)},
    {"gain", "gain_percent", PERCENT(gain)},
    {"least", "gain_min_percent", PERCENT(least)},
    {"most", "gain_max_percent", PERCENT(most)},
    {"ran", "ran", TUTTI_FIELD(struct row, ran)},
    {"best", "method", .at = offsetof(struct row, best), .get = cell_method},
    {"most from", "site", TUTTI_FIELD(struct row, site)},
};

/* Seconds that the program took, and what it is expected to take with the best method for each call. */
struct expectation {
  double recorded, expected, least, most;
  struct notes notes;
};

static const tutti_column facts[] = {
    {NULL, "program_recorded_s", TUTTI_FIELD(struct expectation, recorded)},
    {NULL, "expected_s", TUTTI_FIELD(struct expectation, expected)},
    {NULL, "expected_min_s", TUTTI_FIELD(struct expectation, least)},
    {NULL, "expected_max_s", TUTTI_FIELD(struct expectation, most)},
    {NULL, "notes", .list = list_notes, .at = offsetof(struct expectation, notes)},
};

/* Percent of the time of the program. */
static double percent(const struct program_profile *profile, double seconds)
{
  return 100 * advise_of_program(profile, seconds) / profile->elapsed;
}

static struct row make_row(const struct program_profile *profile, const struct profile_calls *calls)
{
  struct row row = {.collective = tutti_collective_name(calls->collective),
                    .ran = calls->method,
                    .site = calls->site,
                    .ranks = calls->ranks,
                    .size = calls->size,
                    .calls = calls->calls,
                    .share = percent(profile, calls->total),
                    .waiting = calls->samples ? percent(profile, calls->waiting) : NAN,
                    .gain = NAN,
                    .least = NAN,
                    .most = NAN};
  if (calls->known) {
    row.gain = percent(profile, calls->gain);
    row.least = percent(profile, calls->least_gain);
    row.most = percent(profile, calls->most_gain);
    row.best = calls->best;
  }
  return row;
}

/* ---- why the program may gain less, or more, than the interval says ---- */

/* What the times have in the place of the ranks on a node that were recorded, and how these are had. "" where both are
   the same, and only some communicators have other nodes. */
static char *other_layout(const struct advise_options *options, const struct program_profile *profile)
{
  const int ranks = profile->ranks_per_node, others = profile->elsewhere.ranks_per_node;
  if (ranks == others)
    return tutti_xstrdup("");
  const char *given = options->selection.platform_argument;
  char *platform = tutti_xshell_word(given ? given : options->selection.platform);
  char *how = profile->elsewhere.simulated
                  ? tutti_xprintf("tutti whatif %s --set loopback-latency=TIME --set loopback-bandwidth=RATE "
                                  "--set ranks_per_node=%d -o FILE.xml writes a platform of the recorded layout",
                                  platform, ranks)
                  : tutti_xprintf("tutti bench with %d ranks a node measures the recorded layout", ranks);
  char *note = tutti_xprintf(" The program ran with %d rank%s a node, and the times are of %d a node: %s.", ranks,
                             tutti_plural((uint64_t)ranks), others, how);
  free(how);
  free(platform);
  return note;
}

static char *note_layout(const struct advise_options *options, const struct program_profile *profile)
{
  const struct profile_layout *times = &profile->elsewhere;
  const struct profile_calls *calls = times->calls;
  char *other = other_layout(options, profile);
  char *note = tutti_xprintf("calls were recorded on other nodes than the times on %s are of: %s of %d ranks on %d "
                             "node%s, and here on %d. The interval does not include that.%s",
                             options->selection.platform, tutti_collective_name(calls->collective), calls->ranks,
                             calls->nodes, tutti_plural((uint64_t)calls->nodes),
                             (calls->ranks + times->ranks_per_node - 1) / times->ranks_per_node, other);
  free(other);
  return note;
}

static struct notes make_notes(const struct advise_options *options, const struct program_profile *profile)
{
  struct notes notes = {.count = 0};
  if (profile->elsewhere.calls)
    tutti_xpush(&notes, note_layout(options, profile));
  notes_add_turns(
      &notes, profile->ranks_per_node, profile->cores, "",
      "a part of the time in calls was waiting for a core, which no time of a method explains, and the gain "
      "may not be there",
      "");
  return notes;
}

/* ---- what they say together ---- */

struct sums {
  double waiting, sampled, unsampled, known, gain, least, most; /* seconds, of all ranks */
};

static struct sums sum_up(const struct program_profile *profile)
{
  struct sums sums = {.gain = 0};
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    sums.waiting += calls->waiting;
    if (tutti_calls_are_blocking(calls))
      *(calls->samples ? &sums.sampled : &sums.unsampled) += calls->total;
    if (!calls->known)
      continue;
    sums.known += calls->total;
    sums.gain += calls->gain;
    sums.least += calls->least_gain;
    sums.most += calls->most_gain;
  }
  return sums;
}

/* Without samples, as in the profile of a program that was cut, nobody knows who waited. */
static char *describe_waiting(const struct program_profile *profile, const struct sums *sums)
{
  if (!(sums->sampled > 0))
    return tutti_xstrdup("how much of that is waiting for the last rank, which no method can save, is not known");
  char *rest = sums->unsampled > 0 ? tutti_xprintf("; of %.1f %% it is not known", percent(profile, sums->unsampled))
                                   : tutti_xstrdup("");
  char *text = tutti_xprintf("%.1f %% of the program waits in them for the last rank, which no method can save%s",
                             percent(profile, sums->waiting), rest);
  free(rest);
  return text;
}

static void print_head(const struct program_profile *profile, const struct sums *sums)
{
  char *waiting = describe_waiting(profile, sums);
  print_sentence(0,
                 "%s on %d ranks, %d a node, %s: %.4g s, of which a rank spends %.4g s (%.1f %%) in %.0f blocking "
                 "collectives; %s.",
                 profile->program, profile->ranks, profile->ranks_per_node, profile->library, profile->elapsed,
                 advise_of_program(profile, profile->collectives), percent(profile, profile->collectives),
                 advise_of_program(profile, (double)profile->calls), waiting);
  free(waiting);
  if (profile->left_out > 0)
    print_sentence(0, "Of %llu calls %llu are in no line: they had too many places, or sizes.",
                   (unsigned long long)profile->calls, (unsigned long long)profile->left_out);
  putchar('\n');
}

/* ---- what no advice is given about ---- */

/* Percent of the program in calls of the collectives. */
static double share_of(const struct program_profile *profile, unsigned collectives)
{
  double seconds = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    if (collectives & 1U << profile->items.items[i].collective)
      seconds += profile->items.items[i].total;
  return percent(profile, seconds);
}

static void print_unmeasured(const struct advise_options *options, const struct program_profile *profile)
{
  char names[ADVISE_NAMES];
  struct selection_options selection = options->selection;
  const bool simulates = advise_can_simulate(&selection);
  struct advise_bench bench;
  if (!profile->unmeasured)
    return;
  advise_bench_begin(profile, profile->unmeasured, &selection, &bench);
  char *command = selection_bench_command(&selection, TUTTI_COLL_COUNT, NULL);
  advise_name_collectives(profile->unmeasured, ", ", names);
  print_sentence(0,
                 "Left out, because %s has no measurement of them there: %s, in which %.2f %% of the program is "
                 "spent; %s",
                 selection.database, names, share_of(profile, profile->unmeasured),
                 simulates ? "--measure simulates them." : "this measures them:");
  if (!simulates)
    tutti_say(stdout, "  %s\n", command);
  free(command);
  advise_bench_free(&bench);
}

static void print_left_out(const struct advise_options *options, const struct program_profile *profile)
{
  char names[ADVISE_NAMES];
  unsigned local = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    if (tutti_collective_traits(profile->items.items[i].collective) & TUTTI_COUNTS_ARE_LOCAL)
      local |= 1U << profile->items.items[i].collective;
  print_unmeasured(options, profile);
  advise_name_collectives(local, ", ", names);
  if (local)
    print_sentence(0, "Left out, because each rank knows its own sizes only: %s, in which %.2f %% is spent.", names,
                   share_of(profile, local));
}

/* The time of the program after a gain in seconds of all ranks. */
static double time_after(const struct program_profile *profile, double gain)
{
  return profile->elapsed - advise_of_program(profile, gain);
}

static struct expectation expect(const struct program_profile *profile, const struct sums *sums,
                                 const struct notes *notes)
{
  return (struct expectation){.recorded = profile->elapsed,
                              .expected = time_after(profile, sums->gain),
                              .least = time_after(profile, sums->most),
                              .most = time_after(profile, sums->least),
                              .notes = *notes};
}

static void print_range(const struct tuning_rules *rules, size_t first, size_t end)
{
  for (size_t r = first; r < end; r++)
    tutti_tuning_rule_print(stdout, &rules->items[r]);
}

static void print_rules(const struct advise_options *options, const struct program_profile *profile,
                        const struct tuning_rules *rules)
{
  const size_t better = rules->better, native = rules->count - better;
  if (better > 0) {
    putchar('\n');
    print_sentence(0, "%zu rule%s win%s %.1f %% of that:", better, tutti_plural(better), better == 1 ? "s" : "",
                   100 * rules->gain / rules->all);
    print_range(rules, 0, better);
  }
  if (native > 0) {
    putchar('\n');
    print_sentence(0,
                   "%zu rule%s keep%s what the library did itself, where nothing better is known and Tutti's "
                   "built-in rules would run else:",
                   native, tutti_plural(native), native == 1 ? "s" : "");
    print_range(rules, better, rules->count);
  }
  if (rules->count == 0 || !options->output || strncmp(profile->flavor, "smpi", 4) == 0)
    return;
  char *file = tutti_xshell_word(options->output), *platform = tutti_xshell_word(options->selection.platform),
       *database = tutti_xshell_word(options->selection.database);
  print_sentence(
      0,
      "TUTTI_DECISION=%s runs them under the interposer; tutti export %s --format %s --platform %s --db %s -o FILE "
      "tells %s what it has of them, and what is best of its own elsewhere.",
      file, file, strcmp(profile->flavor, "mpich") == 0 ? "mpich" : "openmpi", platform, database, profile->library);
  free(file);
  free(platform);
  free(database);
}

static void print_foot(const struct advise_options *options, const struct program_profile *profile,
                       const struct tuning_rules *rules, const struct sums *sums, const struct expectation *time,
                       const struct notes *compared)
{
  putchar('\n');
  for (size_t i = 0; i < compared->count; i++)
    print_sentence(0, "%s", compared->items[i]);
  print_left_out(options, profile);
  if (profile->collectives > sums->known)
    print_sentence(0, "Of the time in collectives %.1f %% is in calls for which no time of another method is known.",
                   100 * (profile->collectives - sums->known) / profile->collectives);
  print_sentence(
      0,
      "With the best method for each call the program takes %.4g s, between %.4g and %.4g s, instead of %.4g "
      "s: %.2f %% are gained, between %.2f and %.2f %%.",
      time->expected, time->least, time->most, time->recorded, percent(profile, sums->gain),
      percent(profile, sums->least), percent(profile, sums->most));
  for (size_t i = 0; i < time->notes.count; i++)
    print_sentence(0, "Warning: %s", time->notes.items[i]);
  print_rules(options, profile, rules);
}

void advise_print(const struct advise_options *options, const struct program_profile *profile,
                  const struct tuning_rules *rules, const struct notes *compared)
{
  const size_t count = profile->items.count;
  const struct sums sums = sum_up(profile);
  struct row *rows = tutti_xcalloc(count + 1, sizeof *rows);
  for (size_t i = 0; i < count; i++)
    rows[i] = make_row(profile, &profile->items.items[i]);
  const tutti_table table = {.key = "profile_calls", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count), .keys = 3};
  struct notes notes = make_notes(options, profile);
  const struct expectation time = expect(profile, &sums, &notes);
  const tutti_document document = {TUTTI_FACTS(facts, &time), .tables = &table, .table_count = 1};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_head(profile, &sums);
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (options->format == TUTTI_FORMAT_TEXT)
    print_foot(options, profile, rules, &sums, &time, compared);
  notes_free(&notes);
  free(rows);
}
