/* What is tuned: the library, the collectives, ranks and sizes, as far as the command line leaves them open. */
#include "base/machine.h"
#include "base/numbers.h"
#include "base/words.h"
#include "cli/doctor/doctor.h"
#include "cli/tune/tune.h"
#include "decision/libraries/libraries.h"
#include "decision/tuning/tuning.h"
#include "harness/experiments/launch/launcher.h"
#include "tutti/library.h"

/* ---- the library ---- */

static const char *const flavors[] = {"openmpi", "mpich"};

enum { FLAVORS = sizeof flavors / sizeof *flavors };

/* What was found of a library first; NULL: nothing. */
static const struct finding *find_library(const struct findings *findings, const char *flavor)
{
  for (size_t i = 0; i < findings->count; i++)
    if (strcmp(findings->items[i].check, flavor) == 0)
      return &findings->items[i];
  return NULL;
}

static bool works(const struct finding *found)
{
  return found && strcmp(found->state, "ok") == 0;
}

/* Whether two paths lead to one file. */
static bool is_same(const char *left, const char *right)
{
  char *a = left ? realpath(left, NULL) : NULL, *b = right ? realpath(right, NULL) : NULL;
  const bool same = a && b && strcmp(a, b) == 0;
  free(a);
  free(b);
  return same;
}

static tutti_status open_launcher(const struct tune_options *options, const char *flavor, struct launcher *launcher,
                                  tutti_error *error)
{
  char *program = program_find(&options->launch, flavor, "tutti-bench");
  tutti_status status = tutti_launcher_open(flavor, "tutti-bench", program, NULL, launcher, error);
  if (status == TUTTI_OK)
    status = tutti_launcher_choose(launcher, options->place.command, options->place.arguments, error);
  free(program);
  return status;
}

/* Of several libraries that whose launcher is called mpiexec; NULL: neither. */
static const char *usual_flavor(const struct tune_options *options)
{
  const char *usual = NULL;
  char *mpiexec = tutti_program_find("mpiexec");
  for (int i = 0; i < FLAVORS && !usual; i++) {
    struct launcher launcher;
    if (open_launcher(options, flavors[i], &launcher, NULL) == TUTTI_OK && is_same(launcher.command, mpiexec))
      usual = flavors[i];
    tutti_launcher_close(&launcher);
  }
  free(mpiexec);
  return usual;
}

static const char *choose_flavor(const struct tune_options *options, const struct program_profile *profile,
                                 const struct findings *findings)
{
  const char *only = NULL;
  int working = 0;
  if (options->flavor)
    return options->flavor;
  if (options->profile && tutti_word_find(flavors, FLAVORS, profile->flavor) >= 0)
    return profile->flavor;
  for (int i = 0; i < FLAVORS; i++)
    if (works(find_library(findings, flavors[i]))) {
      only = flavors[i];
      working++;
    }
  if (working == 0)
    die("neither Open MPI nor MPICH can be measured here: tutti doctor says why");
  if (working > 1)
    only = usual_flavor(options);
  if (!only)
    die("Open MPI and MPICH are here, and mpiexec is of neither: say which by --flavor openmpi or --flavor mpich");
  if (working > 1 && !options->quiet)
    tutti_say(stderr, "tutti tune: %s, as mpiexec is; --flavor %s tunes the other library\n", only,
              flavors[only == flavors[0]]);
  return only;
}

static void look_at_library(const struct tune_options *options, const struct program_profile *profile,
                            struct tuning *tuning)
{
  const struct doctor_options doctor = {.launch = options->launch};
  struct findings findings = {.count = 0};
  tutti_library_version version;
  doctor_check_libraries(&doctor, &findings);
  tuning->flavor = tutti_xstrdup(choose_flavor(options, profile, &findings));
  const struct finding *found = find_library(&findings, tuning->flavor);
  if (!works(found))
    die("%s cannot be measured here: %s", tuning->flavor, found ? found->found : "it is not there");
  tuning->library = tutti_xstrndup(found->found, strcspn(found->found, ","));
  if (!options->place.command && !options->place.arguments && !options->place.slurm)
    tuning->binds = found->binds;
  must(tutti_library_version_of_run(tuning->flavor, tuning->library, &version, &failure));
  tuning->target = tutti_target_of_version(&version);
  findings_free(&findings);
}

/* ---- ranks, sizes and collectives as words ---- */

typedef const char *format_number(uint64_t number, char text[32]);

static const char *format_ranks(uint64_t number, char text[32])
{
  snprintf(text, 32, "%llu", (unsigned long long)number);
  return text;
}

static const char *format_size(uint64_t number, char text[32])
{
  return tutti_size_format(number, text);
}

static char *list(const uint64_t *numbers, size_t count, format_number *format)
{
  struct tutti_text_stream text;
  char word[32];
  tutti_xopen_text(&text);
  for (size_t i = 0; i < count; i++)
    fprintf(text.stream, "%s%s", i ? "," : "", format(numbers[i], word));
  return tutti_xclose_text(&text);
}

static char *list_collectives(unsigned collectives)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (collectives >> c & 1)
      fprintf(text.stream, "%s%s", ftell(text.stream) > 0 ? "," : "", tutti_collective_name((tutti_collective)c));
  return tutti_xclose_text(&text);
}

/* Those that programs spend most of their time in. */
static const unsigned USUAL = 1u << TUTTI_COLL_ALLGATHER | 1u << TUTTI_COLL_ALLREDUCE | 1u << TUTTI_COLL_ALLTOALL |
                              1u << TUTTI_COLL_BCAST | 1u << TUTTI_COLL_REDUCE;

/* The collectives that files of the library decide. */
static unsigned choose_collectives(const struct tuning *tuning, const struct program_profile *profile)
{
  const struct tune_options *options = tuning->options;
  unsigned all = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (tuning->target->unit((tutti_collective)c) != TUTTI_UNIT_ABSENT)
      all |= 1u << c;
  unsigned wanted = options->collectives ? options->collectives
                    : options->profile   ? tutti_profile_judged(profile)
                                         : USUAL;
  if (!(wanted & all))
    die("files of %s decide none of %s", tuning->target->name, list_collectives(wanted));
  if (wanted & ~all && options->collectives && !options->quiet)
    tutti_say(stderr, "tutti tune: files of %s do not decide %s\n", tuning->target->name,
              list_collectives(wanted & ~all));
  return wanted & all;
}

struct numbers {
  TUTTI_VECTOR(uint64_t);
};

/* Cores, or the slots of a hostfile. */
static uint64_t count_slots(const struct tuning *tuning)
{
  const struct tune_options *options = tuning->options;
  struct launcher launcher;
  struct hosts hosts = {.count = 0};
  if (options->place.hostfile) {
    must(tutti_hosts_read(options->place.hostfile, &hosts, &failure));
    const uint64_t slots = hosts.count * (uint64_t)hosts.slots;
    tutti_hosts_free(&hosts);
    return slots;
  }
  must(open_launcher(options, tuning->flavor, &launcher, &failure));
  const int cores = tutti_launcher_cores(&launcher);
  tutti_launcher_close(&launcher);
  return cores > 0 ? (uint64_t)cores : (uint64_t)tutti_machine_cores();
}

/* 2, 4, 8, ... and all. */
static struct numbers suggest_ranks(uint64_t slots)
{
  struct numbers ranks = {.count = 0};
  for (uint64_t p = 2; p < slots; p *= 2)
    tutti_xpush(&ranks, p);
  tutti_xpush(&ranks, slots);
  return ranks;
}

/* Calls that take less than this part of the time in collectives add no point of their own. */
static const double SHARE = 0.005;

static struct numbers profile_numbers(const struct program_profile *profile, unsigned collectives, bool of_sizes,
                                      uint64_t limit)
{
  struct numbers numbers = {.count = 0};
  for (size_t i = 0; i < profile->items.count; i++) {
    const struct profile_calls *calls = &profile->items.items[i];
    uint64_t number = of_sizes ? 1 : (uint64_t)calls->ranks;
    while (of_sizes && number < calls->size) /* of sizes that are near to each other one is enough */
      number *= 2;
    if (tutti_calls_can_be_judged(calls) && collectives >> calls->collective & 1 && number <= limit &&
        calls->total >= SHARE * profile->collectives)
      tutti_xpush(&numbers, number);
  }
  numbers.count = tutti_numbers_unique(numbers.items, numbers.count);
  return numbers;
}

static void choose_ranks(struct tuning *tuning, const struct program_profile *profile, unsigned collectives)
{
  const struct tune_options *options = tuning->options;
  struct numbers ranks = {.count = 0};
  const uint64_t slots = options->ranks.count ? 0 : count_slots(tuning);
  for (int i = 0; i < options->ranks.count; i++)
    tutti_xpush(&ranks, options->ranks.items[i]);
  if (!options->ranks.count && options->profile)
    ranks = profile_numbers(profile, collectives, false, options->place.oversubscribe ? UINT32_MAX : slots);
  else if (!options->ranks.count && slots >= 2)
    ranks = suggest_ranks(slots);
  if (ranks.count == 0 && options->profile)
    die("%s: its calls are of more than %llu ranks, for which there is room here: give hosts by --hostfile, or -P LIST",
        options->profile, (unsigned long long)slots);
  if (ranks.count == 0)
    die("one core: there is nothing to tune; give hosts by --hostfile, or -P LIST with --oversubscribe");
  tuning->max_ranks = (int)ranks.items[ranks.count - 1];
  tuning->ranks = list(ranks.items, ranks.count, format_ranks);
  tutti_vector_free(&ranks);
}

/* Bytes of all blocks together of the largest call that is measured unless more is asked for. */
static const uint64_t MOST_BYTES = UINT64_C(1) << 28;

static void choose_sizes(struct tuning *tuning, const struct program_profile *profile, unsigned collectives)
{
  const struct tune_options *options = tuning->options;
  struct numbers sizes = {.count = 0};
  for (int i = 0; i < options->sizes.count; i++)
    tutti_xpush(&sizes, options->sizes.items[i]);
  if (!options->sizes.count && options->profile)
    sizes = profile_numbers(profile, collectives, true, UINT64_MAX);
  for (uint64_t size = 4; sizes.count == 0 || size <= 1 << 20; size *= 4)
    if (!options->sizes.count && !options->profile && (uint64_t)tuning->max_ranks * size <= MOST_BYTES)
      tutti_xpush(&sizes, size);
    else
      break;
  if (sizes.count == 0)
    die("%s: no calls with a size that all ranks know: say which by -s LIST", options->profile);
  tuning->sizes = list(sizes.items, sizes.count, format_size);
  tutti_vector_free(&sizes);
}

/* ---- all ---- */

/* "untuned" is the library without a file that the environment of this process names. */
static void leave_alone(struct tuning *tuning)
{
  tutti_library_version version;
  struct tutti_text_stream environment;
  tutti_xopen_text(&environment);
  struct tutti_variable variables[LIBRARY_VARIABLES + 1];
  must(tutti_library_version_of_run(tuning->flavor, tuning->library, &version, &failure));
  tutti_library_variables(&version, NULL, variables);
  for (int i = 0; variables[i].name; i++) {
    const char *set = getenv(variables[i].name);
    if (set && (!variables[i].value || strcmp(set, variables[i].value) != 0) && !tuning->options->quiet)
      tutti_say(stderr, "tutti tune: %s=%s is not used: the library is measured as it is without\n", variables[i].name,
                set);
    if (variables[i].value) {
      if (!set || strcmp(set, variables[i].value) != 0)
        fprintf(environment.stream, "%s=%s ", variables[i].name, variables[i].value);
      setenv(variables[i].name, variables[i].value, 1);
    } else
      unsetenv(variables[i].name);
  }
  tuning->environment = tutti_xclose_text(&environment);
}

void tune_look(const struct tune_options *options, struct tuning *tuning)
{
  struct program_profile profile = {.calls = 0};
  tuning->load = tutti_machine_load();
  if (options->profile)
    must(tutti_profile_read(options->profile, &profile, &failure));
  look_at_library(options, &profile, tuning);
  leave_alone(tuning);
  const unsigned collectives = choose_collectives(tuning, &profile);
  tuning->collectives = list_collectives(collectives);
  choose_ranks(tuning, &profile, collectives);
  choose_sizes(tuning, &profile, collectives);
  tuning->platform = options->platform ? tutti_xstrdup(options->platform) : platform_of_host();
  /* a name that no step takes for an option */
  tuning->folder = options->folder ? tutti_xprintf("%s%s", *options->folder == '-' ? "./" : "", options->folder)
                                   : tutti_xprintf("tutti-tune-%s", tuning->flavor);
  if (options->profile)
    tutti_profile_free(&profile);
}

void tune_free(struct tuning *tuning)
{
  char *texts[] = {tuning->flavor, tuning->library, tuning->platform, tuning->collectives,
                   tuning->ranks,  tuning->sizes,   tuning->folder,   tuning->environment};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
}
