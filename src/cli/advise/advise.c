/* tutti advise: what a program would gain by other methods, from its profile. */
#include "cli/advise/advise.h"
#include "base/numbers.h"
#include "cli/command.h"

static void check_options(void *values)
{
  const struct advise_options *chosen = values;
  if (chosen->measure && !chosen->selection.platform_argument)
    die("--measure: on which --platform?");
}

static const struct option_row options[] = {
    OPTION_HEADING("The advice:"),
    OPTION_FLAG("measure", struct advise_options, measure,
                "simulate first what the store does not have of the calls of the profile, by the engine fast unless "
                "--engine says another",
                .everyday = true),
    OPTION_STRING("untuned", "DECISION", struct advise_options, untuned,
                  "what the library's own calls would run, where native methods were not measured",
                  .otherwise = "library:openmpi-4.1 or library:mpich-4.0, as the profile's library", .everyday = true),
    OPTION_REAL("share", "PERCENT", struct advise_options, share, "of the gain that the rules must win", .high = 100,
                .initial = "95"),
    OPTION_STRING("output", "FILE", struct advise_options, output,
                  "write the rules to FILE, for TUTTI_DECISION and tutti export", .letter = 'o', .writes = WRITES_TEXT),
    OPTION_FORMAT(struct advise_options, format),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct advise_options, selection, optional_selection_table),
    OPTION_JOBS(struct advise_options, launch.jobs),
    OPTION_PROGRAM(struct advise_options, launch.program),
    OPTION_BUILD_DIR(struct advise_options, launch.build_dir),
    OPTION_QUIET(struct advise_options, launch.quiet),
    ARGUMENT_STRING("PROFILE", struct advise_options, profile),
    OPTION_CHECK(check_options),
    OPTION_END};

/* ---- the points of a profile, simulated by the fast engine ---- */

/* Sizes of a collective on so many ranks, ascending, into sizes[items.count]. */
static int list_sizes(const struct program_profile *profile, const struct profile_calls *like, uint64_t *sizes)
{
  size_t count = 0;
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (calls->collective == like->collective && calls->ranks == like->ranks)
      sizes[count++] = calls->size;
  }
  return (int)tutti_numbers_unique(sizes, count);
}

static void simulate_points(const struct advise_options *options, const tutti_experiment_words *words)
{
  tutti_experiment experiment = {0};
  tutti_run_summary summary = {0};
  must(tutti_experiment_of_words(words, &experiment, &failure));
  program_measure(&options->launch, &experiment, (tutti_run_options){.database = options->selection.database},
                  &summary);
  tutti_experiment_free(&experiment);
}

static bool is_first_of_its_kind(const struct program_profile *profile, size_t index)
{
  const struct profile_calls *calls = &profile->items.items[index];
  for (size_t i = 0; i < index; i++)
    if (profile->items.items[i].collective == calls->collective && profile->items.items[i].ranks == calls->ranks &&
        tutti_calls_can_be_judged(&profile->items.items[i]))
      return false;
  return true;
}

static void simulate_profile(const struct advise_options *options, const struct program_profile *profile)
{
  uint64_t *sizes = tutti_xcalloc(profile->items.count + 1, sizeof *sizes);
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    if (!tutti_calls_can_be_judged(calls) || !is_first_of_its_kind(profile, i))
      continue;
    const uint64_t ranks = (uint64_t)calls->ranks;
    const tutti_experiment_words words = {.collectives = 1U << calls->collective,
                                          .platform = options->selection.platform_argument,
                                          .engine =
                                              options->selection.engine ? options->selection.engine : TUTTI_FLAVOR_FAST,
                                          .ranks_count = 1,
                                          .ranks = &ranks,
                                          .size_count = list_sizes(profile, calls, sizes),
                                          .sizes = sizes};
    simulate_points(options, &words);
  }
  free(sizes);
}

static void write_rules(const struct advise_options *chosen, const struct tuning_rules *rules)
{
  struct tutti_output output;
  output_begin(chosen->output, &output);
  for (size_t r = 0; r < rules->count; r++)
    tutti_tuning_rule_print(output.stream, &rules->items[r]);
  output_end(&output);
}

static int advise(void *values)
{
  struct advise_options *chosen = values;
  struct program_profile profile;
  struct tuning_rules rules = {.count = 0};
  struct notes compared = {.count = 0};
  const tutti_status status = tutti_profile_read(chosen->profile, &profile, &failure);
  if (profile.cut)
    tutti_say(stderr, "tutti: warning: %s: %s\n", chosen->profile, profile.cut);
  must(status);
  advise_check_store(chosen, &profile);
  if (chosen->output)
    must(tutti_output_test(chosen->output, &failure));
  if (chosen->measure)
    simulate_profile(chosen, &profile);
  else
    selection_need_platform(&chosen->selection);
  advise_weigh(chosen, &profile, &compared);
  rules = tutti_tuning_rules(&profile, chosen->share);
  advise_print(chosen, &profile, &rules, &compared);
  if (chosen->output)
    write_rules(chosen, &rules);
  tutti_vector_free(&rules);
  notes_free(&compared);
  tutti_profile_free(&profile);
  return EXIT_DONE;
}

DEFINE_COMMAND(advise, "advise", options, struct advise_options, advise);
