/* Which measurements a command reads: its options, and what is said where they do not lead to one map. */
#include "unit/harness/store/store_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/machine.h"
#include "cli/command.h"
#include "cli/options/selection.h"
#include "unit/base/scratch_file.h"
#include "unit/cli/said.h"
#include "unit/decision/map_fixture.h"

/* A command line, words with blanks between them, and the store whose map of bcast is read. */
struct asked {
  const char *line;
  const char *database;         /* NULL: none is read */
  tutti_implementation library; /* whose measurements are meant where there are several; Tutti has no library */
};

static int know_platforms(void **state)
{
  (void)state;
  return setenv("TUTTI_PLATFORM_PATH", TUTTI_SOURCE_DIR "/platforms", 1);
}

TEST_GROUP(know_platforms, NULL)

enum { MAX_WORDS = 32 };

static void ask(const void *context)
{
  static const struct option_usage usage = {.help = "Select."};
  const struct asked *asked = context;
  char text[512], *rest, *argv[MAX_WORDS] = {(char *)"tutti try"};
  struct selection_options selected = {0};
  struct measured_map measured;
  char method[TUTTI_METHOD_LENGTH];
  int argc = 1;
  snprintf(text, sizeof text, "%s%s%s", asked->line, asked->database ? " --db " : "",
           asked->database ? asked->database : "");
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    argv[argc++] = word;
  options_parse(selection_table, &usage, argc, argv, &selected);
  if (!asked->database)
    return;
  if (selection_read_map_of(&selected, asked->library, TUTTI_COLL_BCAST, &measured, &error) != TUTTI_OK) {
    puts(error.message);
    return;
  }
  printf("%s %s %s, root %d, %d methods, best %s\n", measured.platform, measured.basis, measured.basis_name,
         measured.root, measured.map.method_count,
         tutti_method_format(&measured.map.methods[measured.map.best[0]], method));
  tutti_decision_map_free(&measured.map);
  options_free(selection_table, &selected);
}

static void assert_refused(const char *line, const char *message)
{
  char said[SAID_LENGTH], whole[512];
  const struct asked asked = {.line = line};
  snprintf(whole, sizeof whole, "tutti try: %s\n", message);
  assert_int_equal(said_by(ask, &asked, said), EXIT_USAGE);
  if (strncmp(said, whole, strlen(whole)) != 0)
    fail_msg("'%s' says '%s' instead of '%s'", line, said, whole);
}

/* What reading the map of bcast says; @p expected stands after "STORE" where it begins with a colon. */
static void assert_read(const struct place *place, const char *line, const char *expected)
{
  char said[SAID_LENGTH], whole[2048];
  const struct asked asked = {.line = line, .database = place->path};
  snprintf(whole, sizeof whole, "%s%s\n", *expected == ':' ? place->path : "", expected);
  const int status = said_by(ask, &asked, said);
  if (status != 0)
    fail_msg("'%s' ends with status %d: %s", line, status, said);
  assert_string_equal(said, whole);
}

static void add_in(const struct place *place, const tutti_environment *environment, tutti_measurement measurement)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  measurement.minimum = measurement.mean = measurement.maximum = measurement.median;
  tutti_total_bytes(&measurement, &measurement.total_bytes);
  assert_int_equal(tutti_store_add(store, environment_id(store, environment), &measurement, 1, NULL), TUTTI_OK);
}

/* On the machine that a platform file with that hash described. */
static void add_hashed(const struct place *place, const char *platform, const char *hash, tutti_measurement measurement)
{
  const tutti_environment environment = {
      .platform = platform, .platform_hash = hash, .flavor = "smpi", .library = "SimGrid", .tutti = "0.1.0"};
  add_in(place, &environment, measurement);
}

static void add(const struct place *place, const char *platform, tutti_measurement measurement)
{
  add_hashed(place, platform, "", measurement);
}

static tutti_measurement point_with(tutti_scheme scheme, int root, const char *arrival)
{
  tutti_measurement point = map_point("bcast/binomial", 8, 1024, 1e-3);
  point.scheme = scheme;
  point.root = root;
  if (arrival)
    assert_int_equal(tutti_arrival_parse(arrival, &point.arrival, NULL), TUTTI_OK);
  return point;
}

TEST(options_that_do_not_go_together)
{
  assert_refused("", "results.db: no such store of measurements; this makes one:");
  assert_refused("--platform platforms/.xml", "--platform: the name '.xml' is empty or too long");
  assert_refused("--platform grig --flavor openmp",
                 "--flavor: 'openmp' (did you mean 'openmpi'?) is none of smpi, fast, flow, mpich, openmpi, other");
  assert_refused("--platform grig --scheme best",
                 "--scheme: unknown measuring scheme 'best': known are occ, window, and of imports osu, imb, repro, "
                 "pico, nccl, ompi, csv");
  assert_refused("--platform grig --arrival none,sorted/1ms",
                 "several patterns: --robust mean or --robust worst says how they are joined");
  assert_refused("--platform grig --arrival soon",
                 "--arrival: arrival pattern 'soon': known are none, uniform, straggler, sorted, reversed, trace");
  assert_refused("--platform grig --robust median",
                 "--robust: unknown way to be robust 'median' (did you mean 'mean'?): known are mean, worst");
  assert_refused("--platform grig --ranks-per-node 0",
                 "--ranks-per-node: '0' is not a whole number from 1 to 2147483647");
  assert_refused("--platform grig --root -1", "--root: '-1' is not a whole number from 0 to 2147483647");
}

/* Numbers of ranks that this machine has cores for. */
static const char *ranks_here(void)
{
  static char text[24];
  int cores = tutti_machine_cores() < 16 ? tutti_machine_cores() : 16;
  snprintf(text, sizeof text, cores < 4 ? "2" : "2..%d*2", cores);
  return text;
}

/* What there is where an environment or a library is not. */
STORE_TEST(unknown_environments)
{
  add(place, "here", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  assert_read(place, "--platform here --environment 7",
              ": no environment 7 on platform here; there is:\n  --environment 1  # smpi, SimGrid");
  assert_read(place, "--platform here --library Simgrit",
              ": no environment with library 'Simgrit' (did you mean 'SimGrid'?) on platform here; there is:\n"
              "  --environment 1  # smpi, SimGrid");
}

/* The message has a command that measures, which can be pasted. */
STORE_TEST(nothing_matches)
{
  char message[1024];
  snprintf(message, sizeof message,
           ": no such store of measurements; this makes one:\n"
           "  tutti bench bcast --platform nowhere --flavor openmpi --of openmpi -P %s -s 4B..1MB*4 --db %s",
           ranks_here(), place->path);
  assert_read(place, "--platform nowhere", message);
  add(place, "nowhere", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  snprintf(message, sizeof message,
           ": no measurement of bcast on platform boba_gige matches; this makes some:\n"
           "  tutti bench bcast --platform boba_gige -P 2..16*2 -s 4B..1MB*4 --db %s",
           place->path);
  assert_read(place, "--platform boba_gige", message);
  snprintf(message, sizeof message,
           ": no measurement of bcast on platform nowhere under arrival sorted/1ms and noise none matches; this makes "
           "some, with the "
           "same --arrival and --noise after it:\n  tutti bench bcast --platform nowhere --flavor mpich --of mpich -P "
           "%s -s 4B..1MB*4 --db %s",
           ranks_here(), place->path);
  assert_read(place, "--platform nowhere --arrival sorted/1ms --flavor mpich", message);
  snprintf(message, sizeof message,
           ": no measurement of bcast on platform nowhere matches; this makes some:\n"
           "  tutti bench bcast --platform ./nowhere.xml -P 2..16*2 -s 4B..1MB*4 --db %s",
           place->path);
  assert_read(place, "--platform nowhere --root 3", message);
  assert_read(place, "--platform nohwhere",
              ": the store has no platform 'nohwhere' (did you mean 'nowhere'?), only nowhere");
  add(place, "here", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  assert_read(place, "--platform hear",
              ": the store has no platform 'hear' (did you mean 'here'?), only here, nowhere");
  snprintf(message, sizeof message,
           ": no measurement of bcast on platform boba_gig matches (did you mean 'boba_gige'?); this makes some:\n"
           "  tutti bench bcast --platform boba_gige -P 2..16*2 -s 4B..1MB*4 --db %s",
           place->path);
  assert_read(place, "--platform boba_gig", message);
}

/* What the library chooses itself is shown where nothing else is there, with what to measure; that was asked for else.
 */
STORE_TEST(native_alone)
{
  char message[1024];
  tutti_measurement native = point_with(TUTTI_SCHEME_OSU, 0, NULL);
  native.method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "native"));
  add(place, "m", native);
  snprintf(message, sizeof message,
           "tutti: note: %s: of bcast on m only what the library chooses itself (bcast/native) was measured, and there "
           "is nothing to choose from; this measures algorithms:\n"
           "  tutti bench bcast --platform ./m.xml -P 8 -s 1KB --db %s\n"
           "m scheme osu, root 0, 1 methods, best bcast/native",
           place->path, place->path);
  assert_read(place, "--platform m", message);
  assert_read(place, "--platform m --native", "m scheme osu, root 0, 1 methods, best bcast/native");
  add(place, "m", point_with(TUTTI_SCHEME_OSU, 0, NULL));
  assert_read(place, "--platform m", "m scheme osu, root 0, 2 methods, best bcast/binomial");
}

/* What is measured beside it is measured under the same settings. */
STORE_TEST(hints_repeat_settings)
{
  const tutti_environment environment = {.platform = "m",
                                         .flavor = "openmpi",
                                         .library = "OpenMPI-4.1.4",
                                         .tutti = "0.1.0",
                                         .settings = "--bind-to=none --mpi=pmix UCX_TLS=sm%20self"};
  char message[1024];
  tutti_measurement native = point_with(TUTTI_SCHEME_OCC, 0, NULL);
  native.method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "native"));
  add_in(place, &environment, native);
  snprintf(message, sizeof message,
           "tutti: note: %s: of bcast on m only what the library chooses itself (bcast/native) was measured, and there "
           "is nothing to choose from; this measures algorithms:\n"
           "  UCX_TLS='sm self' tutti bench bcast --platform m --flavor openmpi --of openmpi -P 8 -s 1KB --db %s "
           "--launcher srun --launcher-args='--bind-to none --mpi pmix'\n"
           "m scheme occ, root 0, 1 methods, best bcast/native",
           place->path, place->path);
  assert_read(place, "--platform m", message);
}

/* The platform file as it is now is meant by its path; older rows are named, and can be asked for. */
STORE_TEST(path_means_the_file_of_today)
{
  static const char older[] = "0000000000000000000000000000000000000000000000000000000000000000";
  char path[512], line[1024], message[2048];
  const struct timespec times[2] = {{.tv_sec = 86400 * 365}, {.tv_sec = 86400 * 365}};
  FREED_BY(tutti_platform_free) tutti_platform platform;
  snprintf(path, sizeof path, "%s.platform.xml", place->path);
  write_file(
      path,
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><cluster id=\"c\" "
      "prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" "
      "bw=\"1GBps\" lat=\"1us\"/></platform>");
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  assert_int_equal(tutti_platform_read(path, &platform, NULL), TUTTI_OK);
  add_hashed(place, platform.name, older, point_with(TUTTI_SCHEME_OCC, 1, NULL));
  snprintf(line, sizeof line, "--platform %s", path);
  snprintf(message, sizeof message,
           "tutti: note: %s: 1 measurement of bcast of %s as it was before it changed (1971-01-01): --platform-hash "
           "00000000 "
           "shows it\n"
           "%s: no measurement of bcast on platform %s, as its file is now, matches; this makes some:\n"
           "  tutti bench bcast --platform %s -P 2..4*2 -s 4B..1MB*4 --db %s",
           place->path, path, place->path, platform.name, path, place->path);
  assert_read(place, line, message);
  add_hashed(place, platform.name, platform.hash, point_with(TUTTI_SCHEME_OCC, 0, NULL));
  snprintf(message, sizeof message,
           "tutti: note: %s: 1 measurement of bcast of %s as it was before it changed (1971-01-01): --platform-hash "
           "00000000 "
           "shows it\n%s scheme occ, root 0, 1 methods, best bcast/binomial",
           place->path, path, platform.name);
  assert_read(place, line, message);
  snprintf(line, sizeof line, "--platform %s --platform-hash 00000000", path);
  snprintf(message, sizeof message, "%s scheme occ, root 1, 1 methods, best bcast/binomial", platform.name);
  assert_read(place, line, message);
  snprintf(line, sizeof line, "--platform %s", platform.name);
  snprintf(message, sizeof message,
           ": 2 sets of measurements match; choose one by adding:\n"
           "  --environment 1  # platform file 00000000\n"
           "  --environment 2  # platform file %.8s\n"
           "or the path of the platform file, which means the file as it is now",
           platform.hash);
  assert_read(place, line, message);
  remove(path);
}

STORE_TEST(one_map_of_several)
{
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  assert_read(place, "--platform grig", "grig scheme occ, root 0, 1 methods, best bcast/binomial");
  assert_read(place, "--platform platforms/grig.xml", "grig scheme occ, root 0, 1 methods, best bcast/binomial");
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 3, NULL));
  assert_read(place, "--platform grig",
              "bcast/binomial with 8 ranks and 1KB was measured more than once, with several roots, numbers of ranks "
              "per node or types: select one (--root, --ranks-per-node)");
  assert_read(place, "--platform grig --root 3", "grig scheme occ, root 3, 1 methods, best bcast/binomial");
  add(place, "grig", point_with(TUTTI_SCHEME_WINDOW, 0, NULL));
  assert_read(place, "--platform grig",
              ": 2 sets of measurements match; choose one by adding:\n  --scheme occ\n"
              "  --scheme window");
  assert_read(place, "--platform grig --scheme window", "grig scheme window, root 0, 1 methods, best bcast/binomial");
}

STORE_TEST(settings_choose_an_environment)
{
  for (int i = 0; i < 2; i++) {
    const tutti_environment environment = {.platform = "here",
                                           .flavor = "mpich",
                                           .library = "MPICH-4.0.2",
                                           .tutti = "0.1.0",
                                           .settings = i ? "MPIR_CVAR_X=1 UCX_TLS=sm" : "UCX_TLS=sm"};
    add_in(place, &environment, point_with(TUTTI_SCHEME_OCC, i, NULL));
  }
  assert_read(place, "--platform here",
              ": 2 sets of measurements match; choose one by adding:\n  --environment 1  # none of these settings\n"
              "  --environment 2  # settings MPIR_CVAR_X=1");
  assert_read(place, "--platform here --setting MPIR_CVAR_X=1",
              "here scheme occ, root 1, 1 methods, best bcast/binomial");
  assert_read(place,
              "--platform here --setting MPIR_CVAR_X=", "here scheme occ, root 0, 1 methods, best bcast/binomial");
  assert_read(place, "--platform here --environment 2", "here scheme occ, root 1, 1 methods, best bcast/binomial");
  assert_refused("--platform here --environment 0",
                 "--environment: '0' is not the number of an environment, from 1 on");
}

/* Two libraries in one store: the flavor tells them apart, and a target means those of its library. */
STORE_TEST(a_library_chooses_an_environment)
{
  static const char *const flavors[] = {"mpich", "openmpi"};
  char said[SAID_LENGTH];
  const struct asked asked = {"--platform here", place->path, TUTTI_IMPLEMENTATION_OPENMPI};
  for (int i = 0; i < 2; i++) {
    const tutti_environment environment = {
        .platform = "here", .flavor = flavors[i], .library = flavors[i], .tutti = "0.1.0"};
    add_in(place, &environment, point_with(TUTTI_SCHEME_OCC, i, NULL));
  }
  assert_read(place, "--platform here",
              ": 2 sets of measurements match; choose one by adding:\n  --flavor mpich  # mpich, library 'mpich'\n"
              "  --flavor openmpi  # openmpi, library 'openmpi'");
  assert_int_equal(said_by(ask, &asked, said), 0);
  assert_string_equal(said, "here scheme occ, root 1, 1 methods, best bcast/binomial\n");
}

STORE_TEST(patterns_are_joined)
{
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, NULL));
  add(place, "grig", point_with(TUTTI_SCHEME_OCC, 0, "sorted/1ms"));
  assert_read(place, "--platform grig --arrival none,sorted/1ms --robust worst",
              "grig scheme occ, worst of arrival none, sorted/1ms, root 0, 1 methods, best bcast/binomial");
  add(place, "grig", point_with(TUTTI_SCHEME_WINDOW, 0, "reversed/1ms"));
  assert_read(place, "--platform grig --arrival none,reversed/1ms --robust mean",
              ": the patterns were measured under several schemes: choose one with --scheme");
}
