/* MPI programs that are checked: what the command line says about them. */
#include "cli/check/check.h"

/* A word that is not given leaves what a baseline says. */
static const char *const units[] = {"", "s", "ms", "us", "ns", NULL};

static const char *const selectors[] = {"", "default", "ompi", "mpich", "mvapich2", "impi", NULL};

const char *check_subjects_selector(const struct check_subjects *subjects)
{
  return subjects->selector ? selectors[subjects->selector] : NULL;
}

void check_subjects_note(const struct check_subjects *subjects, const tutti_baseline *before,
                         const tutti_baseline *after)
{
  for (size_t i = 0; i < after->count; i++) {
    const char *was = before->sections[i].program.selector, *is = after->sections[i].program.selector;
    if (was && is && strcmp(was, is) != 0)
      tutti_say(stderr, "tutti: note: %s: %s: ran under SMPI's collectives '%s', the baseline was of '%s'\n",
                after->path, after->sections[i].name, is, was);
    else if (!was && is && !subjects->selector && strcmp(is, "default") == 0)
      tutti_say(stderr,
                "tutti: note: %s: %s: collectives of the program, also its barriers, are the plainest ones of SMPI; "
                "--selector ompi (mpich, mvapich2, impi) are those of a library\n",
                after->path, after->sections[i].name);
  }
}

/* The first time of a program whose last digit is coarser than what is compared; a tolerance of 0 is one of a hundredth
   of a percent here. */
static void warn_of_digits(const tutti_baseline *after, const tutti_baseline_section *section, double percent)
{
  for (size_t i = 0; i < section->count; i++) {
    const tutti_baseline_entry *entry = &section->entries[i];
    double share = 100 * entry->digit / entry->values[TUTTI_METRIC_TIME];
    if (share <= (percent > 0.01 ? percent : 0.01))
      continue;
    char shown[32];
    snprintf(shown, sizeof shown, share < 10 ? "%.2g" : "%.0f", share);
    tutti_say(stderr,
              "tutti: warning: %s: %s: %s: the last digit that the program prints is %s %% of the time, and the "
              "tolerance %g %%: print more digits, or a smaller unit (--unit)\n",
              after->path, section->name, entry->key, shown, percent);
    return;
  }
}

void check_subjects_warn(const tutti_baseline *after, const tutti_tolerance *tolerance)
{
  for (size_t i = 0; i < after->count; i++)
    if (after->sections[i].kind == TUTTI_SECTION_PROGRAM)
      warn_of_digits(after, &after->sections[i], tolerance->percent[TUTTI_ASPECT_TIME]);
}

static bool has_program(const tutti_baseline *baseline, const char *subject)
{
  size_t length = strcspn(subject, "=");
  for (size_t i = 0; i < baseline->count; i++)
    if (baseline->sections[i].kind == TUTTI_SECTION_PROGRAM && strlen(baseline->sections[i].name) == length &&
        strncmp(baseline->sections[i].name, subject, length) == 0)
      return true;
  return false;
}

/* True if the baseline lacks a program. Then the options for programs apply to the ones that it lacks. */
static bool has_new(const struct check_subjects *subjects, const tutti_baseline *baseline)
{
  for (size_t i = 0; i < subjects->commands.count; i++)
    if (!has_program(baseline, subjects->commands.items[i]))
      return true;
  return false;
}

void check_subjects_add(const struct check_subjects *subjects, tutti_baseline *baseline)
{
  const bool new_ones = has_new(subjects, baseline);
  int *ranks = tutti_xcalloc((size_t)subjects->ranks.count + 1, sizeof *ranks);
  for (int i = 0; i < subjects->ranks.count; i++)
    ranks[i] = (int)subjects->ranks.items[i];
  for (size_t i = 0; i < subjects->commands.count && subjects->platform; i++) {
    const char *subject = subjects->commands.items[i];
    if (new_ones && has_program(baseline, subject))
      continue;
    char *name = tutti_xstrndup(subject, strcspn(subject, "="));
    must(tutti_baseline_add_program(
        baseline, name,
        &(tutti_baseline_program){.platform = (char *)subjects->platform,
                                  .times = (char *)subjects->times,
                                  .unit = subjects->unit ? (char *)units[subjects->unit] : NULL,
                                  .ranks = ranks,
                                  .rank_count = (size_t)subjects->ranks.count},
        &failure));
    free(name);
  }
  free(ranks);
}

void check_subjects_used(const struct check_subjects *subjects, const struct checked *checked, size_t count)
{
  for (size_t s = 0; s < subjects->commands.count; s++) {
    const char *subject = subjects->commands.items[s];
    bool used = false;
    for (size_t i = 0; i < count; i++)
      used |= has_program(&checked[i].before, subject);
    if (!used)
      die("--subject: '%.*s' is no program of %s, so it would not run: --update --platform NAME --ranks LIST adds it",
          (int)strcspn(subject, "="), subject, count == 1 ? checked->before.path : "these baselines");
  }
}

/* True if an earlier one has the same NAME=. */
static bool is_twice(const struct option_strings *commands, size_t index)
{
  size_t length = strcspn(commands->items[index], "=") + 1;
  for (size_t i = 0; i < index; i++)
    if (strncmp(commands->items[i], commands->items[index], length) == 0)
      return true;
  return false;
}

void check_subjects_usage(const struct check_subjects *subjects, bool update, size_t baselines)
{
  bool about = subjects->platform || subjects->ranks.count > 0 || subjects->times || subjects->unit;
  for (size_t i = 0; i < subjects->commands.count; i++) {
    const char *subject = subjects->commands.items[i];
    size_t length = strcspn(subject, "= \t");
    if (length == 0 || subject[length] != '=')
      die("--subject: '%s' is not NAME=PATH ARGUMENTS", subject);
    if (is_twice(&subjects->commands, i))
      die("--subject: '%.*s' is named twice", (int)length, subject);
  }
  if (about && (!update || subjects->commands.count == 0))
    die("--platform, --ranks, --times and --unit are written into a baseline: with --update --subject");
  if (subjects->selector && subjects->commands.count == 0)
    die("--selector: of which program? --subject NAME=COMMAND");
  if ((subjects->ranks.count > 0 || subjects->times || subjects->unit) && !subjects->platform)
    die("--ranks, --times and --unit: on which --platform?");
  if (subjects->platform && baselines > 1)
    die("to which baseline should '%s' be added?", subjects->commands.items[0]);
}

const struct option_row check_subjects_table[] = {
    OPTION_STRINGS("subject", "NAME=COMMAND", struct check_subjects, commands,
                   "the program, compiled with smpicc, and its arguments, that baselines call NAME; several times for "
                   "several programs; the baselines themselves start none"),
    OPTION_STRING(
        "platform", "NAME", struct check_subjects, platform,
        "with --update: add the programs that the baseline does not have yet, or, if it has all of them, all, on "
        "this platform; with --engines: of collectives; with --init: of all"),
    OPTION_NUMBERS("ranks", struct check_subjects, ranks, tutti_experiment_parse_rank_count,
                   "with --update, --engines or --init: numbers of ranks to run them with", .letter = 'P'),
    OPTION_STRING("times", "REGEX", struct check_subjects, times,
                  "with --update: what a line with a time looks like, an extended regular expression with a group of "
                  "the number, or one of the name and one of the number; the median of a name counts",
                  .otherwise = "a line 'tutti-time NAME SECONDS'"),
    OPTION_WORD("selector", struct check_subjects, selector, selectors,
                "whose collectives SMPI runs in the programs, written into the baseline; a check under other ones than "
                "those of the baseline is refused",
                .otherwise = "what the baseline says, else the platform file, else default"),
    OPTION_WORD("unit", struct check_subjects, unit, units, "with --update: of these numbers", .otherwise = "s"),
    OPTION_END};
