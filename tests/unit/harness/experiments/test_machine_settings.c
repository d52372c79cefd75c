/* Settings as canonical text: whatever way something was set, and nothing that changes by itself or is secret. */
#include <sched.h>
#include <sys/stat.h>

#include "base/machine.h"
#include "harness/experiments/settings/settings.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

struct place {
  char directory[64], home[96], path[160];
};

/* No variable but PATH and HOME, which has no file, and no file of the system's. */
static int set_up(void **state)
{
  struct place *place = calloc(1, sizeof *place);
  *state = place;
  strcpy(place->directory, "/tmp/tutti-settings-XXXXXX");
  if (!mkdtemp(place->directory))
    return -1;
  snprintf(place->home, sizeof place->home, "%s/.openmpi", place->directory);
  snprintf(place->path, sizeof place->path, "%s/etc", place->directory);
  clearenv();
  setenv("HOME", place->directory, 1);
  setenv("OPAL_PREFIX", place->directory, 1);
  if (mkdir(place->home, 0700) != 0 || mkdir(place->path, 0700) != 0)
    return -1;
  snprintf(place->path, sizeof place->path, "%s/etc/openmpi-mca-params.conf", place->directory);
  write_file(place->path, "");
  return 0;
}

static int tear_down(void **state)
{
  char command[128];
  FREED_BY(free_memory) struct place *place = *state;
  snprintf(command, sizeof command, "rm -r '%s'", place->directory);
  setenv("PATH", "/usr/bin:/bin", 1);
  return system(command);
}

#define SETTINGS_TEST(name) TEST_WITH(name, set_up, tear_down)

static void assert_settings(const char *flavor, char *const *arguments, const tutti_launch_options *launch,
                            const char *expected)
{
  FREED_BY(free_memory) char *text = tutti_settings_collect(flavor, NULL, arguments, launch);
  assert_string_equal(text, expected);
}

SETTINGS_TEST(a_library_has_its_own)
{
  setenv("OMPI_MCA_coll", "^han", 1);
  setenv("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial", 1);
  setenv("UCX_TLS", "sm self", 1);
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("HOSTNAME", "a", 1);
  setenv("TUTTI_PLOTS", "a", 1);
  assert_settings("openmpi", NULL, NULL, "OMPI_MCA_coll=^han OMP_NUM_THREADS=2 UCX_TLS=sm%20self");
  assert_settings("mpich", NULL, NULL, "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial OMP_NUM_THREADS=2 UCX_TLS=sm%20self");
  assert_settings("smpi", NULL, NULL, "");
}

/* Where a setting is from: the last origin, whose value counts. */
SETTINGS_TEST(settings_have_an_origin)
{
  const struct place *place = *state;
  struct tutti_settings_part parts[TUTTI_SETTINGS_PARTS];
  char user[160], environment[300];
  snprintf(user, sizeof user, "%s/mca-params.conf", place->home);
  write_file(place->path, "btl = tcp\npml = ucx\n");
  write_file(user, "coll = ^han\nbtl = self\n");
  setenv("OMPI_MCA_coll", "^adapt", 1);
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", place->path, 1);
  snprintf(environment, sizeof environment, "OMPI_MCA_coll=^adapt OMPI_MCA_coll_tuned_dynamic_rules_filename=%s",
           place->path);
  size_t count = tutti_settings_parts("openmpi", NULL, parts), found = 0;
  const char *const expected[][2] = {
      {user, "OMPI_MCA_btl=self"}, {place->path, "OMPI_MCA_pml=ucx"}, {"the environment", environment}};
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < 3; j++)
      found += strcmp(parts[i].from, expected[j][0]) == 0 && strcmp(parts[i].text, expected[j][1]) == 0;
    free(parts[i].from);
    free(parts[i].text);
  }
  assert_int_equal(found, 3);
}

/* In place of those of the system and of the user; the first one in the list counts. */
SETTINGS_TEST(parameter_files_may_be_listed)
{
  const struct place *place = *state;
  char own[160], list[400], expected[600];
  snprintf(own, sizeof own, "%s/own.conf", place->directory);
  write_file(place->path, "btl = tcp\npml = ucx\n");
  write_file(own, "btl = self\n");
  snprintf(list, sizeof list, "/nowhere/a.conf,,~/own.conf,%s,%s", own, place->path);
  setenv("OMPI_MCA_mca_base_param_files", list, 1);
  snprintf(expected, sizeof expected, "OMPI_MCA_btl=self OMPI_MCA_mca_base_param_files=%s OMPI_MCA_pml=ucx", list);
  assert_settings("openmpi", NULL, NULL, expected);
  setenv("OMPI_MCA_mca_base_param_files", "none", 1);
  assert_settings("openmpi", NULL, NULL, "OMPI_MCA_mca_base_param_files=none");
}

SETTINGS_TEST(a_missing_file_is_named_before_mpich_crashes)
{
  const struct place *place = *state;
  setenv("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "", 1);
  assert_int_equal(tutti_settings_check_files("mpich", &error), TUTTI_OK);
  setenv("MPICH_CH4_COLL_SELECTION_TUNING_JSON_FILE", place->path, 1);
  assert_int_equal(tutti_settings_check_files("mpich", &error), TUTTI_OK);
  setenv("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "/nowhere/a.json", 1);
  assert_int_equal(tutti_settings_check_files("openmpi", &error), TUTTI_OK);
  assert_fails(tutti_settings_check_files("mpich", &error), TUTTI_ERR_ARGUMENT, error,
               "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names /nowhere/a.json: No such file");
}

/* Open MPI says nothing of it: the last one counts, as Open MPI sees it. */
SETTINGS_TEST(a_rules_file_that_is_ignored_is_named)
{
  static char x[] = "-x", pair[] = "OMPI_MCA_coll_tuned_dynamic_rules_filename=/nowhere/c.rules", mca[] = "--mca",
              name[] = "coll_tuned_dynamic_rules_filename", path[] = "/nowhere/b.rules";
  const struct place *place = *state;
  char *const arguments[] = {mca, name, path, NULL}, *const exported[] = {x, pair, NULL};
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", place->path, 1);
  assert_null(tutti_settings_ignored_file("openmpi", NULL, NULL));
  char *text = tutti_settings_ignored_file("openmpi", NULL, arguments);
  assert_string_equal(text, "OMPI_MCA_coll_tuned_dynamic_rules_filename of the command line names /nowhere/b.rules, "
                            "which cannot be read: Open MPI says nothing and goes on without rules");
  free(text);
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", "/nowhere/a.rules", 1);
  assert_null(tutti_settings_ignored_file("mpich", NULL, NULL));
  text = tutti_settings_ignored_file("openmpi", NULL, NULL);
  assert_non_null(strstr(text, " of the environment names /nowhere/a.rules, "));
  free(text);
  text = tutti_settings_ignored_file("openmpi", NULL, exported);
  assert_non_null(strstr(text, " names /nowhere/c.rules, "));
  free(text);
}

/* Two runs under the interposer, whose methods differ, are no measurement of the same. */
SETTINGS_TEST(so_has_the_interposer)
{
  setenv("TUTTI_BCAST", "linear", 1);
  setenv("TUTTI_VERBOSE", "0", 1);
  assert_settings("openmpi", NULL, NULL, "TUTTI_BCAST=linear TUTTI_VERBOSE=0");
}

SETTINGS_TEST(secrets_and_numbers_of_jobs_are_left_out)
{
  setenv("UCX_AUTH_TOKEN", "x", 1);
  setenv("FI_OPX_SECRET_KEY", "x", 1);
  setenv("OMPI_MCA_orte_precondition_transports", "x", 1);
  setenv("OMPI_MCA_orte_hnp_uri", "x", 1);
  char *const arguments[] = {"-genv", "MY_PASSWORD", "x", "-x", "TOKEN=x", NULL};
  assert_settings("openmpi", arguments, NULL, "");
  setenv("UCX_TLS", "no_secret", 1); /* the name tells, not the value */
  assert_settings("openmpi", arguments, NULL, "UCX_TLS=no_secret");
}

SETTINGS_TEST(arguments_set_what_variables_set)
{
  setenv("OMPI_MCA_btl", "tcp", 1);
  setenv("MINE", "7", 1);
  char *const openmpi[] = {"--bind-to", "none", "--mca",   "btl",     "self,sm", "-x",
                           "MINE",      "-x",   "YOURS=8", "--quiet", NULL};
  assert_settings("openmpi", openmpi, NULL, "--bind-to=none --quiet MINE=7 OMPI_MCA_btl=self,sm YOURS=8");
  setenv("OMPI_MCA_btl", "self,sm", 1);
  char *const less[] = {"--quiet", NULL};
  assert_settings("openmpi", less, NULL, "--quiet OMPI_MCA_btl=self,sm");
  char *const mpich[] = {"-genv", "MPIR_CVAR_X", "1", "-hosts", "a", "b", NULL};
  assert_settings("mpich", mpich, NULL, "-hosts=a,b MPIR_CVAR_X=1");
}

SETTINGS_TEST(files_count_less_than_variables)
{
  const struct place *place = *state;
  char path[160];
  snprintf(path, sizeof path, "%s/mca-params.conf", place->home);
  write_file(place->path, "# system\nbtl = ^uct # why\n pml=ob1\ncoll = ^sm\nnonsense\n");
  write_file(path, "pml = cm\n");
  setenv("OMPI_MCA_coll", "^han", 1);
  assert_settings("openmpi", NULL, NULL, "OMPI_MCA_btl=^uct OMPI_MCA_coll=^han OMPI_MCA_pml=cm");
  assert_settings("mpich", NULL, NULL, "");
}

SETTINGS_TEST(the_content_of_a_file_is_the_setting)
{
  const struct place *place = *state;
  char path[160], other[160];
  snprintf(path, sizeof path, "%s/bcast.rules", place->directory);
  snprintf(other, sizeof other, "%s/bcast.rules", place->home);
  write_file(path, "1\n");
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", path, 1);
  char *first = tutti_settings_collect("openmpi", NULL, NULL, NULL);
  assert_non_null(strstr(first, "_filename=bcast.rules@"));
  write_file(other, "1\n");
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", other, 1);
  assert_settings("openmpi", NULL, NULL, first);
  write_file(other, "2\n");
  char *second = tutti_settings_collect("openmpi", NULL, NULL, NULL);
  assert_string_not_equal(first, second);
  free(first);
  free(second);
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", "/none", 1);
  assert_settings("openmpi", NULL, NULL, "OMPI_MCA_coll_tuned_dynamic_rules_filename=/none");
}

SETTINGS_TEST(of_a_queue_the_choice_of_nodes_counts)
{
  tutti_launch_options launch = {.slurm = true, .slurm_options = "-p fast -t 30 --constraint=gold -wn1"};
  assert_settings("mpich", NULL, &launch, "--constraint=gold --nodelist=n1 --partition=fast");
  launch.slurm_options = "-t 10 --mail-user=x -p";
  assert_settings("mpich", NULL, &launch, "");
  launch.slurm_options = "-pslow --partition fast";
  assert_settings("mpich", NULL, &launch, "--partition=fast");
}

SETTINGS_TEST(a_bound_process_says_so)
{
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2 || CPU_COUNT(&all) != tutti_machine_cores())
    skip();
  CPU_ZERO(&one);
  CPU_SET(CPU_ISSET(0, &all) ? 0 : 1, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  char *text = tutti_settings_collect("mpich", NULL, NULL, NULL);
  assert_int_equal(strncmp(text, "processors=1@", strlen("processors=1@")), 0);
  free(text);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

SETTINGS_TEST(long_texts_end_with_a_digest)
{
  char name[32], value[128];
  memset(value, 'v', sizeof value - 1);
  value[sizeof value - 1] = '\0';
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "UCX_%02d", i);
    setenv(name, value, 1);
  }
  FREED_BY(free_memory) char *first = tutti_settings_collect("mpich", NULL, NULL, NULL);
  assert_true(strlen(first) < TUTTI_SETTINGS_LENGTH);
  const char *last = strrchr(first, ' ');
  assert_int_equal(strncmp(last, " more=", 6), 0);
  setenv("UCX_39", "other", 1);
  FREED_BY(free_memory) char *second = tutti_settings_collect("mpich", NULL, NULL, NULL);
  assert_string_not_equal(first, second);
}

static void assert_again(const char *flavor, const char *settings, const char *variables, const char *arguments)
{
  char *text = tutti_settings_again(flavor, settings, true);
  assert_string_equal(text, variables);
  free(text);
  text = tutti_settings_again(flavor, settings, false);
  assert_string_equal(text, arguments);
  free(text);
}

/* What is set already need not be said, what is known by its digest cannot. */
SETTINGS_TEST(settings_can_be_said_again)
{
  setenv("OMPI_MCA_op", "^avx", 1);
  assert_again("openmpi", "--bind-to=core --quiet OMPI_MCA_btl=self,tcp OMPI_MCA_op=^avx UCX_TLS=sm%20self",
               "OMPI_MCA_btl=self,tcp UCX_TLS='sm self' ", "--bind-to core --quiet");
  assert_again(
      "mpich",
      "--partition=fast MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=a@0123456789abcdef processors=1@0123 more=12", "",
      "");
  /* of a store that somebody else made */
  assert_again("openmpi",
               "OMPI_MCA_a;touch=1 $(touch)=1 9=1 =1 OMPI_MCA_b=$(touch) --x=a%20--y --z=1%0Atouch --w=$(touch)",
               "OMPI_MCA_b='$(touch)' ", "--w $(touch)");
}

SETTINGS_TEST(hosts_are_a_set)
{
  char one[TUTTI_DIGEST_LENGTH], other[TUTTI_DIGEST_LENGTH];
  char *const names[] = {"b", "a"}, *const sorted[] = {"a", "b"};
  assert_string_equal(tutti_settings_hosts(names, 2, one), tutti_settings_hosts(sorted, 2, other));
  tutti_settings_hosts(NULL, 0, other);
  assert_string_not_equal(one, other);
}
