/* Experiment files that are wrong: each fault has its status, its line and its sentence. */
#include "tutti/experiment.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

#define GRIG          TUTTI_SOURCE_DIR "/platforms/grig_fast_ethernet.xml" /* 64 hosts, one rank each */
#define HEAD          "<experiment name=\"t\">\n"                          /* line 1 */
#define PLATFORM      "<platform file=\"" GRIG "\"/>\n"                    /* line 2 */
#define START         HEAD PLATFORM "<sweep collective=\"bcast\">\n"       /* line 3 */
#define END           "</sweep>\n</experiment>\n"
#define RANKS(text)   "<ranks>" text "</ranks>\n" /* line 4 */
#define SIZES(text)   "<sizes>" text "</sizes>\n" /* line 5 */
#define METHOD(text)  "<method " text "/>\n"      /* line 6 */
#define LINEAR        METHOD("algorithm=\"linear\"")
#define SWEEP         "<sweep collective=\"bcast\">\n" RANKS("2") SIZES("1") LINEAR "</sweep>\n"
#define MEASURE(text) HEAD PLATFORM "<measure " text "/>\n" SWEEP "</experiment>\n"
#define ON(text)      HEAD "<platform " text "/>\n" SWEEP "</experiment>\n"

/* The message must be "PATH:" and then begin with @c begin. */
static const struct fault {
  const char *text, *begin;
} faults[] = {
    /* XML and structure */
    {"", "1: malformed XML: Document is empty"},
    {HEAD "<sweep>\n</experiment>\n", "3: malformed XML: Opening and ending tag mismatch: sweep line 2"},
    {"<!DOCTYPE experiment [<!ENTITY x \"y\">]>\n<experiment/>\n", "1: entity 'x' declared: entities are not accepted"},
    {"<platform/>\n", "1: root element is <platform>, not <experiment>"},
    {"<experiment>\n</experiment>\n", "1: <experiment> lacks its attribute 'name'"},
    {"<experiment name=\"a/b\">\n</experiment>\n", "1: name=\"a/b\": one word without '/' is expected"},
    {HEAD PLATFORM "<swoop/>\n</experiment>\n", "3: unknown element <swoop>"},
    {HEAD PLATFORM "<ranks>2</ranks>\n</experiment>\n", "3: <ranks> cannot stand here in <experiment>"},
    {"<experiment name=\"t\" size=\"1\">\n</experiment>\n", "1: <experiment> has no attribute 'size'"},
    {HEAD "words\n</experiment>\n", "1: <experiment> holds text: 'words"},
    /* platform */
    {HEAD SWEEP "</experiment>\n", "1: <experiment> has no <platform>"},
    {HEAD PLATFORM PLATFORM SWEEP "</experiment>\n", "3: second <platform> in one <experiment>"},
    {ON(""), "2: <platform> takes either a name or a file"},
    {ON("name=\"a\" file=\"b\""), "2: <platform> takes either a name or a file"},
    {ON("name=\"no_such_machine\""), "2: platform 'no_such_machine' not found: no no_such_machine.xml in "},
    {ON("file=\"/nowhere/m.xml\""), "2: /nowhere/m.xml: No such file or directory"},
    {ON("file=\"" GRIG "\" flavor=\"mpich\""), "2: <platform> takes a flavor only with kind=\"real\""},
    {ON("kind=\"imagined\" name=\"a\""), "2: <platform> kind=\"imagined\": expected one of simulated real"},
    {ON("kind=\"real\" name=\"a\""), "2: <platform kind=\"real\"> takes a name and a flavor"},
    {ON("kind=\"real\" name=\"a\" flavor=\"lam\""), "2: <platform> flavor=\"lam\": expected one of mpich openmpi"},
    /* measure */
    {MEASURE("scheme=\"clock\""), "3: unknown measuring scheme 'clock': known are occ, window"},
    {MEASURE("warmup=\"-1\""), "3: warmup=\"-1\" is not a whole number from 0 to 1000000"},
    {MEASURE("repetitions-max=\"0\""), "3: repetitions-max=\"0\" is not a whole number from 1 to 1000000"},
    {MEASURE("confidence=\"5%\""), "3: confidence=\"5%\" is not a number between 0 and 1"},
    {MEASURE("confidence=\"nan\""), "3: confidence=\"nan\" is not a number between 0 and 1"},
    {MEASURE("/><measure"), "3: second <measure> in one <experiment>"},
    {MEASURE("orders=\"0\""), "3: orders=\"0\" is not a whole number from 1 to 1000000"},
    /* engine */
    {"<experiment name=\"t\" engine=\"slow\">\n" PLATFORM SWEEP "</experiment>\n",
     "1: <experiment> engine=\"slow\": expected one of smpi fast"},
    {"<experiment name=\"t\" engine=\"fast\">\n<platform kind=\"real\" name=\"a\" flavor=\"mpich\"/>\n" SWEEP
     "</experiment>\n",
     "1: engine=\"fast\": the engine fast simulates a platform, and there is none"},
    {"<experiment name=\"t\" engine=\"fast\">\n" PLATFORM
     "<range operation=\"create\" way=\"split\" ranks=\"4\" size=\"2\"/>\n</experiment>\n",
     "1: engine=\"fast\": the engine fast measures collectives, groups, and ranges without a library's own ways only"},
    /* sweep */
    {HEAD PLATFORM "</experiment>\n", "1: <experiment> has no <sweep>"},
    {START END, "3: <sweep> has no <ranks>"},
    {START RANKS("2") LINEAR END, "3: <sweep> has no <sizes>"},
    {START RANKS("2") RANKS("3") SIZES("1") LINEAR END, "5: second <ranks> in one <sweep>"},
    {HEAD PLATFORM "<sweep collective=\"brodcast\">\n" END, "3: unknown collective 'brodcast'"},
    {HEAD PLATFORM "<sweep collective=\"barrier\">\n" RANKS("2") SIZES("1") END,
     "5: a sweep of barrier has no <sizes>"},
    {HEAD PLATFORM "<sweep collective=\"scan\" root=\"1\">\n" RANKS("2") END, "3: a sweep of scan has no root"},
    {HEAD PLATFORM "<sweep collective=\"bcast\" root=\"x\">\n" RANKS("2") END, "3: root=\"x\" is not a rank"},
    {HEAD PLATFORM "<sweep collective=\"bcast\" root=\"-1\">\n" RANKS("2") END, "3: root=\"-1\" is not a rank"},
    {HEAD PLATFORM "<sweep collective=\"bcast\" root=\"2\">\n" RANKS("4 2") END,
     "3: root 2 is outside the smallest group of 2 ranks"},
    /* ranks */
    {START RANKS("") END, "4: <ranks>: the list is empty"},
    {START RANKS("0") END, "4: <ranks>: '0' is not a number of ranks: a whole number of at least 1"},
    {START RANKS("-2") END, "4: <ranks>: '-2' is not a number of ranks"},
    {START RANKS("4KB") END, "4: <ranks>: '4KB' is not a number of ranks"},
    {START RANKS("99999999999999999999") END, "4: <ranks>: '99999999999999999999' is not a number of ranks"},
    {START RANKS("8..2") END, "4: <ranks>: the range 8..2 runs downwards"},
    {START RANKS("2..") END, "4: <ranks>: '' is not a number of ranks"},
    {START RANKS("2..8*1") END, "4: <ranks>: '*1' is not a factor"},
    {START RANKS("2 64 65") END, "4: 65 ranks: the platform has room for 64"},
    /* sizes */
    {START RANKS("2") SIZES(" ") END, "5: <sizes>: the list is empty"},
    {START RANKS("2") SIZES("1 -1") END, "5: <sizes>: '-1' is not a size"},
    {START RANKS("2") SIZES("1TB") END, "5: <sizes>: '1TB' is not a size"},
    {START RANKS("2") SIZES("99999999999999999999") END, "5: <sizes>: '99999999999999999999' is not a size"},
    {START RANKS("2") SIZES("17179869184GB") END, "5: <sizes>: '17179869184GB' is not a size"},
    {START RANKS("2") SIZES("0..8*2") END, "5: <sizes>: the range 0..8*2 never leaves 0"},
    {START RANKS("2") SIZES("0..1GB") END, "5: <sizes>: more than 1048576 values"},
    {START RANKS("2") SIZES("<b/>1") END, "5: unknown element <b>"},
    /* methods */
    {START RANKS("2") SIZES("1") METHOD("") END, "6: <method> takes either a name or an algorithm"},
    {START RANKS("2") SIZES("1") METHOD("name=\"bcast/linear\" algorithm=\"linear\"") END,
     "6: <method> takes either a name or an algorithm"},
    {START RANKS("2") SIZES("1") METHOD("name=\"bcast/linear\" segments=\"none\"") END,
     "6: <method> with a name takes no lists"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"liniar\"") END, "6: unknown bcast algorithm 'liniar'"},
    {START RANKS("2") SIZES("1") METHOD("name=\"barrier/bruck\"") END, "6: method 'barrier/bruck' in a sweep of bcast"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"linear\" segments=\"\"") END,
     "6: <method> has a list of parameters that is empty"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"linear\" segments=\"none k=4\"") END,
     "6: <method> has a list of parameters that is empty or holds '=' or '/'"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"linear\" segments=\"none 8XB\"") END,
     "6: method 'bcast/linear/8XB': '8XB' is not a size"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"linear\" k=\"4\"") END,
     "6: method 'bcast/linear/k=4': bcast/linear takes no k"},
    {START RANKS("2") SIZES("1") METHOD("algorithm=\"chain\" k=\"0\"") END,
     "6: method 'bcast/chain/k=0': k=0 is not a"},
    {HEAD PLATFORM "<sweep collective=\"alltoall\">\n" RANKS("2") SIZES("1") METHOD("algorithm=\"bruck\" k=\"1\"") END,
     "6: method 'alltoall/bruck/radix=1': radix must be at least 2"},
};

TEST(every_fault_is_named)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_experiment experiment;
    char expected[512];
    SCRATCH_FILE(file, "test.xml", faults[i].text);
    snprintf(expected, sizeof expected, "%s:%s", file.path, faults[i].begin);
    tutti_status status = tutti_experiment_read(file.path, &experiment, REASON);
    if (status != TUTTI_ERR_ARGUMENT || error.status != status || strstr(error.message, expected) != error.message)
      fail_msg("case %zu: status %d\n  expected %s\n  got      %s\n", i, status, expected, error.message);
    assert_null(experiment.sweeps);
    assert_null(experiment.name);
  }
}

TEST(a_fault_of_the_platform_names_both_files)
{
  char text[512], expected[512];
  tutti_experiment experiment;
  SCRATCH_FILE(machine, "machine.xml", "<platform version=\"4.1\">\n<cluster/>\n</platform>\n");
  snprintf(text, sizeof text, HEAD "<platform file=\"%s\"/>\n" SWEEP "</experiment>\n", machine.path);
  SCRATCH_FILE(file, "test.xml", text);
  tutti_status status = tutti_experiment_read(file.path, &experiment, &error);
  assert_int_equal(status, TUTTI_ERR_ARGUMENT);
  snprintf(expected, sizeof expected, "%s:2: %s:2: <cluster> lacks its attribute 'id'", file.path, machine.path);
  assert_string_equal(error.message, expected);
}

TEST(a_missing_file_is_named)
{
  tutti_experiment experiment;
  assert_int_equal(tutti_experiment_read("/nowhere/e.xml", &experiment, &error), TUTTI_ERR_IO);
  assert_string_equal(error.message, "/nowhere/e.xml: No such file or directory");
}
