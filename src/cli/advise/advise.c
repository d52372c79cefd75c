/* tutti advise: what a program would gain by other methods, from its profile. */
#include <stdio.h>

#include "base/say.h"
#include "cli/advise/advise.h"
#include "cli/command.h"
#include "cli/output/output.h"

static void allow_missing_store(void *values)
{
  ((struct advise_options *)values)->selection.optional = true; /* --measure fills the store */
}

static void check_options(void *values)
{
  const struct advise_options *chosen = values;
  if (chosen->measure && !chosen->selection.platform_argument)
    die("--measure: on which --platform?");
}

static const struct option_row options[] = {
    OPTION_BEGIN(allow_missing_store),
    OPTION_HEADING("The advice:"),
    OPTION_FLAG("measure", struct advise_options, measure,
                "simulate first what the store does not have of the calls of the profile, by the engine fast unless "
                "--engine says another"),
    OPTION_STRING("untuned", "DECISION", struct advise_options, untuned,
                  "what the library's own calls would run, where native methods were not measured",
                  .otherwise = "library:openmpi-4.1 or library:mpich-4.0, as the profile's library"),
    OPTION_REAL("share", "PERCENT", struct advise_options, share, "of the gain that the rules must win", .high = 100,
                .initial = "95"),
    OPTION_STRING("output", "FILE", struct advise_options, output,
                  "write the rules to FILE, for TUTTI_DECISION and tutti export", .letter = 'o'),
    OPTION_FORMAT(struct advise_options, format),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct advise_options, selection, selection_table),
    OPTION_JOBS(struct advise_options, launch.jobs),
    OPTION_PROGRAM(struct advise_options, launch.program),
    OPTION_BUILD_DIR(struct advise_options, launch.build_dir),
    OPTION_QUIET(struct advise_options, launch.quiet),
    ARGUMENT_STRING("PROFILE", struct advise_options, profile),
    OPTION_CHECK(check_options),
    OPTION_END};

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
  const tutti_status status = tutti_profile_read(chosen->profile, &profile, &failure);
  if (profile.cut)
    tutti_say(stderr, "tutti: warning: %s: %s\n", chosen->profile, profile.cut);
  must(status);
  advise_check_store(chosen, &profile);
  if (chosen->output)
    must(tutti_output_test(chosen->output, &failure));
  if (chosen->measure)
    advise_measure(chosen, &profile);
  else
    selection_need_platform(&chosen->selection);
  advise_weigh(chosen, &profile);
  rules = tutti_tuning_rules(&profile, chosen->share);
  advise_print(chosen, &profile, &rules);
  if (chosen->output)
    write_rules(chosen, &rules);
  tutti_vector_free(&rules);
  tutti_profile_free(&profile);
  return EXIT_DONE;
}

extern const char tutti_help_advise[];

const struct command command_advise = {
    .name = "advise",
    .text = tutti_help_advise,
    .options = options,
    .size = sizeof(struct advise_options),
    .run = advise,
};
