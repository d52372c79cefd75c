/* Baselines: reading and writing, which are inverse to each other, tolerances, and what is worse than what. */
#include "tutti/baseline.h"
#include "unit/base/scratch_file.h"
#include "unit/patience.h"
#include "unit/test.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char canonical[] =
    "tutti-baseline 2\n"
    "\n"
    "# A file.\n"
    "# Two lines.\n"
    "experiment ../gate.xml\n"
    "platform fast_ethernet " HASH "\n"
    "library SimGrid-3.32\n"
    "bcast/linear ranks=8 root=1 bytes=8B time_s=0.000107915810077 messages=7 sent_B=56 "
    "memory_B=0\n"
    "# A point.\n"
    "bcast/linear ranks=8 root=1 bytes=10000B time_s=0.00605122364141\n"
    "bcast/binomial/8KB ranks=2 root=0 bytes=1GB messages=9007199254740992\n"
    "barrier/linear ranks=131072 time_s=-1.5e-09\n"
    "scan/linear ranks=3 bytes=8B\n"
    "decision library:openmpi-4.1 collective=bcast mean_percent=12.5 worst_percent=1e+30 "
    "points=6\n"
    "\n"
    "points bgp\n"
    "allreduce/ring ranks=4 bytes=0B\n"
    "\n"
    "experiment groups.xml\n"
    "group shrink-hash/no-filler ranks=8 fraction=0.5 branching=3 seed=7 colours=1 "
    "node_ranks=1 time_s=0.001 messages=12 sent_B=864 memory_B=600\n"
    "group shrink-hash/no-filler ranks=64 fraction=0.5 branching=3 seed=7 colours=1 "
    "node_ranks=1\n"
    "sort janus ranks=12 layer=ranges order=alternating assignment=greedy "
    "distribution=uniform type=double count=1 seed=1 time_s=0.0035181329622\n"
    "range create ranks=16 way=ranges order=- size=8 count=0 type_B=8 uses=0\n"
    "\n"
    "# The end.\n"
    "\n"
    "end points=7 sha256=ad97bb7f7bd4470068b2e87e646b12285b64a5c265753f9f5e127d1d4c71a5d6\n";

static tutti_baseline read_text(const char *text)
{
  SCRATCH_FILE(file, "a.baseline", text);
  tutti_baseline baseline;
  assert_ok(tutti_baseline_read(file.path, &baseline, REASON), error);
  return baseline;
}

static void assert_written(const tutti_baseline *baseline, const char *expected)
{
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  assert_int_equal(tutti_baseline_write(baseline, stream, REASON), TUTTI_OK);
  fclose(stream);
  assert_string_equal(text, expected);
}

/* What is written of any names is read again, and written the same. */
TEST(test_any_name_is_read_again)
{
  static const char *const names[] = {"a b.xml",
                                      " a",
                                      "a ",
                                      "a\tb",
                                      "a\nend points=0",
                                      "\r",
                                      "a\r",
                                      "100%",
                                      "100%41.xml",
                                      "%25",
                                      "%2541",
                                      "%00",
                                      "# a",
                                      "a # b",
                                      "a  b",
                                      "points x",
                                      "\x1b[31ma",
                                      "\xff\xfe",
                                      "]]>",
                                      "\"'<&>",
                                      "=",
                                      "end",
                                      "\xc3\xa4\xc2\x9b",
                                      "a\vb\f",
                                      "\x7f"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_baseline baseline = {.path = strdup("a.baseline")};
    char *name = (char *)names[i], *first = NULL, *again = NULL;
    size_t length;
    tutti_baseline_section sections[] = {
        {.kind = TUTTI_SECTION_EXPERIMENT, .name = name, .platform = name, .platform_hash = (char *)HASH},
        {.kind = TUTTI_SECTION_POINTS, .name = name},
        {.kind = TUTTI_SECTION_PROGRAM, .name = name, .program = {.platform = name}}};
    baseline.sections = sections;
    baseline.count = 3;
    FILE *stream = open_memstream(&first, &length);
    assert_int_equal(tutti_baseline_write(&baseline, stream, NULL), TUTTI_OK);
    fclose(stream);
    tutti_baseline read = read_text(first);
    assert_int_equal(read.count, 3);
    for (int s = 0; s < 3; s++)
      assert_string_equal(read.sections[s].name, name);
    assert_string_equal(read.sections[0].platform, name);
    assert_string_equal(read.sections[2].program.platform, name);
    stream = open_memstream(&again, &length);
    assert_int_equal(tutti_baseline_write(&read, stream, NULL), TUTTI_OK);
    fclose(stream);
    assert_string_equal(first, again);
    tutti_baseline_free(&read);
    free(first);
    free(again);
    free(baseline.path);
  }
}

TEST(test_canonical_text_stays)
{
  FREED_BY(tutti_baseline_free) tutti_baseline baseline = read_text(canonical);
  assert_int_equal(baseline.count, 3);
  assert_int_equal(tutti_baseline_points(&baseline), 7);
  assert_written(&baseline, canonical);
}

/* Read the canonical text after a change; what is wrong with it, NULL: nothing. */
static const char *read_changed(const char *from, const char *to, tutti_error *error)
{
  char text[sizeof canonical + 200];
  const char *at = strstr(canonical, from);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - canonical), canonical, to, at + strlen(from));
  SCRATCH_FILE(file, "a.baseline", text);
  tutti_baseline baseline;
  tutti_status status = tutti_baseline_read(file.path, &baseline, error);
  if (status == TUTTI_OK)
    tutti_baseline_free(&baseline);
  else {
    assert_int_equal(status, TUTTI_ERR_ARGUMENT);
    assert_int_equal(strncmp(error->message, file.path, strlen(file.path)), 0);
    assert_int_equal(tutti_baseline_read_to_update(file.path, &baseline, NULL), TUTTI_OK);
    tutti_baseline_free(&baseline);
  }
  return status == TUTTI_OK ? NULL : error->message;
}

static void assert_refused(const char *from, const char *to, const char *why)
{
  const char *message = read_changed(from, to, &error);
  if (!message || !strstr(message, why))
    fail_msg("'%s' instead of '%s': %s", to, from, message ? message : "accepted");
}

TEST(test_changed_files_are_refused)
{
  assert_refused(" time_s=0.00605122364141", "",
                 "the file has 6 points with values, but was written with 7: lines are "
                 "missing");
  assert_refused("barrier/linear ranks=131072 time_s=-1.5e-09\n", "", "lines are missing");
  assert_refused("scan/linear ranks=3 bytes=8B", "scan/linear ranks=3 bytes=8B messages=2", "lines are added");
  assert_refused("time_s=0.00605122364141", "time_s=0.00605122364142", "was edited");
  assert_refused("messages=7", "messages=8", "was edited");
  assert_refused(" memory_B=0\n", "\n", "was edited");
  assert_refused("ranks=131072", "ranks=131071", "was edited");
  assert_refused("library SimGrid-3.32", "library SimGrid-3.33", "was edited");
  assert_refused("../gate.xml", "gate.xml", "was edited");
  assert_refused("points bgp\n", "points hydra\n", "was edited");
  /* What says nothing about values. */
  assert_null(read_changed("# The end.", "# An end.", &error));
  assert_null(read_changed("# A point.\n", "", &error));
  assert_null(read_changed("scan/linear ranks=3 bytes=8B\n", "", &error));
  assert_null(read_changed("points bgp\n", "points bgp\nallreduce/ring ranks=5 bytes=8B\n", &error));
  assert_null(read_changed("messages=7", "  messages=7", &error));
}

/* Cut after any of its lines, or within one. */
TEST(test_cut_files_are_refused)
{
  for (const char *at = strchr(canonical, '\n'); at && strstr(at, "\nend "); at++) {
    char text[sizeof canonical];
    tutti_baseline baseline;
    snprintf(text, sizeof text, "%.*s", (int)(at + 1 - canonical), canonical);
    SCRATCH_FILE(file, "a.baseline", text);
    assert_fails(tutti_baseline_read(file.path, &baseline, &error), TUTTI_ERR_ARGUMENT, error,
                 "the file is cut: its last line, 'end', is missing");
  }
}

/* Blanks, order, usual values and other spellings of sizes. */
TEST(test_made_canonical)
{
  FREED_BY(tutti_baseline_free)
  tutti_baseline baseline = read_text("tutti-baseline 1\r\n"
                                      "  points\tfast_ethernet\n\n"
                                      "scan/linear bytes=1024 ranks=10\n"
                                      "scan/linear   ranks=9\tbytes=1kb   time_s=1e-3 \n"
                                      "bcast/linear ranks=2 bytes=8\n");
  assert_true(baseline.unsealed);
  assert_written(&baseline, "tutti-baseline 2\n"
                            "\n"
                            "points fast_ethernet\n"
                            "bcast/linear ranks=2 root=0 bytes=8B\n"
                            "scan/linear ranks=9 bytes=1KB time_s=0.001\n"
                            "scan/linear ranks=10 bytes=1KB\n"
                            "\n"
                            "end points=1 sha256=38f82883ea18bdff2a8a94da2eedcebbdb76b123641d2e56a563a99e4b8f251f\n");
}

TEST(test_tolerances)
{
  tutti_tolerance tolerance = tutti_tolerance_default();
  assert_true(tolerance.percent[TUTTI_ASPECT_TIME] == 1 && tolerance.percent[TUTTI_ASPECT_MESSAGES] == 0);
  assert_int_equal(tutti_tolerance_parse("time=2.5%,bytes=1e1,penalty=0", &tolerance, &error), TUTTI_OK);
  assert_true(tolerance.percent[TUTTI_ASPECT_TIME] == 2.5 && tolerance.percent[TUTTI_ASPECT_BYTES] == 10);
  assert_int_equal(tutti_tolerance_parse("3%", &tolerance, &error), TUTTI_OK);
  assert_true(tolerance.percent[TUTTI_ASPECT_TIME] == 3 && tolerance.percent[TUTTI_ASPECT_BYTES] == 10);
  const char *const bad[] = {"",      ",",       "time", "time=", "time=1,", "time=-1", "time=nan", "time=x",
                             "tim=1", "time=1s", "1%%",  "0x10",  "=1",      "times=1", "inf",      "time=1 %"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (tutti_tolerance_parse(bad[i], &tolerance, &error) != TUTTI_ERR_ARGUMENT)
      fail_msg("'%s' is taken for a tolerance", bad[i]);
}

static tutti_status check_times(const char *before_text, const char *after_text)
{
  FREED_BY(tutti_baseline_free) tutti_baseline before = read_text(before_text), after = read_text(after_text);
  tutti_status status = tutti_baseline_check_times(&before, &after, &error);
  if (status != TUTTI_OK)
    assert_non_null(strstr(error.message, "a.baseline: no point has a time"));
  return status;
}

TEST(test_times_are_needed)
{
#define TIMES(library) "tutti-baseline 1\n\npoints fast_ethernet\nlibrary " library "\n"
  static const char after[] =
      TIMES("A") "barrier/linear ranks=2 time_s=1 messages=2\nbarrier/linear ranks=3 time_s=2\n";
  assert_int_equal(check_times(TIMES("A"), after), TUTTI_ERR_ARGUMENT);
  assert_int_equal(check_times(TIMES("A") "barrier/linear ranks=2\n", after), TUTTI_ERR_ARGUMENT);
  assert_int_equal(check_times(TIMES("A") "barrier/linear ranks=2 messages=2\n", after), TUTTI_ERR_ARGUMENT);
  assert_int_equal(check_times(TIMES("A") "barrier/linear ranks=2 time_s=3\n", after), TUTTI_OK);
  /* Times of another simulator are not compared. */
  assert_int_equal(check_times(TIMES("B") "barrier/linear ranks=2 messages=2\n", after), TUTTI_OK);
}

#define SECTION "tutti-baseline 1\n\npoints fast_ethernet\n"

static tutti_baseline_verdict verdict_of(const char *before_text, const char *after_text, const char *tolerance_text,
                                         double *change)
{
  FREED_BY(tutti_baseline_free) tutti_baseline before = read_text(before_text), after = read_text(after_text);
  tutti_tolerance tolerance = tutti_tolerance_default();
  FREED_BY(tutti_baseline_comparison_free) tutti_baseline_comparison comparison;
  assert_int_equal(tutti_tolerance_parse(tolerance_text, &tolerance, &error), TUTTI_OK);
  tutti_baseline_compare(&before, &after, &tolerance, &comparison);
  assert_true(comparison.count <= 1);
  tutti_baseline_verdict verdict = comparison.count ? comparison.differences[0].verdict : TUTTI_BASELINE_VERDICTS;
  *change = comparison.count ? comparison.differences[0].change : 0;
  assert_int_equal(tutti_baseline_comparison_failed(&comparison),
                   verdict == TUTTI_BASELINE_MISSING || verdict == TUTTI_BASELINE_WORSE);
  return verdict;
}

TEST(test_verdicts)
{
  static const struct {
    const char *before, *after, *tolerance;
    tutti_baseline_verdict verdict;
    double change;
  } cases[] = {
      {"barrier/linear ranks=2 time_s=1\n", "barrier/linear ranks=2 time_s=1.03\n", "1", TUTTI_BASELINE_WORSE, 3},
      {"barrier/linear ranks=2 time_s=1\n", "barrier/linear ranks=2 time_s=1.03\n", "3.1", TUTTI_BASELINE_VERDICTS, 0},
      {"barrier/linear ranks=2 time_s=1\n", "barrier/linear ranks=2 time_s=0.97\n", "1", TUTTI_BASELINE_BETTER, -3},
      {"barrier/linear ranks=2 time_s=1\n", "barrier/linear ranks=2 time_s=1.0000000005\n", "0",
       TUTTI_BASELINE_VERDICTS, 0},
      {"barrier/linear ranks=2 time_s=1e-9\n", "barrier/linear ranks=2 time_s=1.0009e-9\n", "0",
       TUTTI_BASELINE_VERDICTS, 0},
      {"barrier/linear ranks=2 time_s=-1\n", "barrier/linear ranks=2 time_s=-0.9\n", "1", TUTTI_BASELINE_WORSE, 10},
      {"barrier/linear ranks=2 messages=1000000000\n", "barrier/linear ranks=2 messages=1000000001\n", "0",
       TUTTI_BASELINE_WORSE, 1e-7},
      {"barrier/linear ranks=2 memory_B=0\n", "barrier/linear ranks=2 memory_B=1\n", "memory=1000000",
       TUTTI_BASELINE_WORSE, INFINITY},
      {"barrier/linear ranks=2 sent_B=100\n", "barrier/linear ranks=2 sent_B=101\n", "bytes=1", TUTTI_BASELINE_VERDICTS,
       0},
      {"decision x collective=bcast worst_percent=10\n", "decision x collective=bcast worst_percent=11\n", "0",
       TUTTI_BASELINE_WORSE, 1},
      {"decision x collective=bcast worst_percent=10\n", "decision x collective=bcast worst_percent=11\n", "penalty=1",
       TUTTI_BASELINE_VERDICTS, 0},
      {"decision x collective=bcast points=10\n", "decision x collective=bcast points=9\n", "0", TUTTI_BASELINE_WORSE,
       -10},
      {"barrier/linear ranks=2 time_s=1\n", "", "0", TUTTI_BASELINE_MISSING, 0},
      {"", "barrier/linear ranks=2 time_s=1\n", "0", TUTTI_BASELINE_NEW, 0},
      {"barrier/linear ranks=2\n", "barrier/linear ranks=2 time_s=1\n", "0", TUTTI_BASELINE_NEW, 0},
      {"library A\nbarrier/linear ranks=2 time_s=1\n", "library B\nbarrier/linear ranks=2 time_s=2\n", "0",
       TUTTI_BASELINE_VERDICTS, 0},
      {"library A\nbarrier/linear ranks=2 messages=1\n", "library B\nbarrier/linear ranks=2 messages=2\n", "0",
       TUTTI_BASELINE_WORSE, 100},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char before[256], after[256];
    double change;
    snprintf(before, sizeof before, SECTION "%s", cases[i].before);
    snprintf(after, sizeof after, SECTION "%s", cases[i].after);
    tutti_baseline_verdict verdict = verdict_of(before, after, cases[i].tolerance, &change);
    bool same = change == cases[i].change || fabs(change - cases[i].change) < 1e-8;
    if (verdict != cases[i].verdict || !same)
      fail_msg("%s, then %s: verdict %d, %g %%", cases[i].before, cases[i].after, (int)verdict, change);
  }
}

static tutti_baseline_comparison compare_by_default(const tutti_baseline *before, const tutti_baseline *after)
{
  tutti_tolerance tolerance = tutti_tolerance_default();
  tutti_baseline_comparison comparison;
  tutti_baseline_compare(before, after, &tolerance, &comparison);
  return comparison;
}

/* A byte from none does not hide the time; values within the tolerance are counted; points are counted once. */
TEST(test_worst_and_within)
{
  FREED_BY(tutti_baseline_free)
  tutti_baseline before = read_text(SECTION "barrier/linear ranks=2 time_s=1 messages=1 memory_B=0\n"
                                            "barrier/linear ranks=3 time_s=1\nbarrier/linear ranks=4 time_s=1\n"
                                            "barrier/linear ranks=5 time_s=1\n");
  FREED_BY(tutti_baseline_free)
  tutti_baseline after = read_text(SECTION "barrier/linear ranks=2 time_s=1.5 messages=2 memory_B=1\n"
                                           "barrier/linear ranks=3 time_s=1.005\nbarrier/linear ranks=4 time_s=1.007\n"
                                           "barrier/linear ranks=5 time_s=0.995\n");
  tutti_baseline_comparison comparison = compare_by_default(&before, &after);
  static const tutti_metric order[] = {TUTTI_METRIC_TIME, TUTTI_METRIC_MEMORY, TUTTI_METRIC_MESSAGES};
  assert_int_equal(comparison.count, 3);
  for (int i = 0; i < 3; i++)
    assert_int_equal(comparison.differences[i].metric, order[i]);
  assert_int_equal(comparison.points[TUTTI_BASELINE_WORSE], 1);
  assert_int_equal(comparison.within[TUTTI_BASELINE_WORSE].values, 2);
  assert_int_equal(comparison.within[TUTTI_BASELINE_WORSE].most.entry->ranks, 4);
  assert_int_equal(comparison.within[TUTTI_BASELINE_BETTER].values, 1);
  assert_int_equal(tutti_baseline_rewritten(&after, &before), 6);
  tutti_baseline_comparison_free(&comparison);
  assert_int_equal(tutti_baseline_rewritten(&before, &before), 0);
}

/* Times first, the largest change first; of equal ones the first in the file. */
TEST(test_order)
{
  FREED_BY(tutti_baseline_free)
  tutti_baseline before = read_text(SECTION "barrier/linear ranks=2 time_s=1\nbarrier/linear ranks=3 time_s=1\n"
                                            "barrier/linear ranks=4 time_s=1\nbarrier/linear ranks=5 time_s=1\n");
  FREED_BY(tutti_baseline_free)
  tutti_baseline after = read_text(SECTION "barrier/linear ranks=2 time_s=1.25\nbarrier/linear ranks=3 time_s=1.5\n"
                                           "barrier/linear ranks=4 time_s=1.25\n");
  FREED_BY(tutti_baseline_comparison_free) tutti_baseline_comparison comparison = compare_by_default(&before, &after);
  static const int ranks[] = {5, 3, 2, 4};
  assert_int_equal(comparison.count, 4);
  for (int i = 0; i < 4; i++)
    assert_int_equal(comparison.differences[i].entry->ranks, ranks[i]);
}

/* Lines of one algorithm are one family; a line counts once, however many of its values got worse. */
TEST(test_families)
{
  tutti_baseline before = read_text(SECTION "barrier/linear ranks=2 time_s=1 messages=1\n"
                                            "bcast/linear ranks=2 root=0 bytes=8B time_s=1\n"
                                            "bcast/binomial/8KB ranks=2 root=0 bytes=8B time_s=1\n"
                                            "bcast/binomial/64KB ranks=2 root=0 bytes=8B time_s=1\n"
                                            "bcast/binomial ranks=3 root=0 bytes=8B time_s=1\n");
  tutti_baseline after = read_text(SECTION "barrier/linear ranks=2 time_s=1.5 messages=2\n"
                                           "bcast/binomial/8KB ranks=2 root=0 bytes=8B time_s=3\n"
                                           "bcast/binomial/64KB ranks=2 root=0 bytes=8B time_s=1.25\n"
                                           "bcast/binomial ranks=3 root=0 bytes=8B time_s=1\n");
  tutti_baseline_comparison comparison = compare_by_default(&before, &after);
  const tutti_baseline_entry *first = NULL;
  assert_int_equal(tutti_baseline_count(&comparison, &before.sections[0], TUTTI_BASELINE_MISSING, &first), 1);
  assert_non_null(strstr(first->key, "bcast/linear ranks=2"));
  assert_ptr_equal(tutti_baseline_differences(&comparison, TUTTI_BASELINE_WORSE), comparison.differences + 1);
  assert_int_equal(tutti_baseline_count(&comparison, &before.sections[0], TUTTI_BASELINE_BETTER, &first), 0);
  static const struct {
    const char *name;
    size_t points, worse;
  } families[] = {{"bcast/binomial", 3, 2}, {"barrier/linear", 1, 1}};
  tutti_baseline_family family;
  size_t next = 0;
  for (int i = 0; i < 2; i++) {
    assert_true(tutti_baseline_next_family(&comparison, &next, &family));
    char *name = tutti_baseline_family_name(&family);
    assert_string_equal(name, families[i].name);
    assert_int_equal(family.points, families[i].points);
    assert_int_equal(family.worse, families[i].worse);
    free(name);
  }
  assert_false(tutti_baseline_next_family(&comparison, &next, &family));
  tutti_baseline_comparison_free(&comparison);
  tutti_baseline_free(&before);
  tutti_baseline_free(&after);
}

/* An update changes only what differs, and loses no comment. */
TEST(test_adopting)
{
  FREED_BY(tutti_baseline_free)
  tutti_baseline before = read_text(SECTION "# Here.\nbarrier/linear ranks=2 time_s=0.5\n"
                                            "barrier/linear ranks=3 time_s=0.5\n# End.\n");
  FREED_BY(tutti_baseline_free)
  tutti_baseline after = read_text(SECTION "barrier/linear ranks=2 time_s=0.5000000001\n"
                                           "barrier/linear ranks=3 time_s=0.25\nbarrier/linear ranks=4 time_s=1\n");
  tutti_baseline_adopt(&after, &before);
  assert_written(&after, "tutti-baseline 2\n\npoints fast_ethernet\n# Here.\nbarrier/linear ranks=2 time_s=0.5\n"
                         "barrier/linear ranks=3 time_s=0.25\nbarrier/linear ranks=4 time_s=1\n\n# End.\n"
                         "\nend points=3 sha256=80d3e67822faff38a05b673836407b6f0fb756e9b1e48db70df6fa3482c0aa70\n");
}

TEST(test_relative_paths)
{
  SCRATCH_FILE(file, "x.xml", "");
  char path[192], name[320];
  FREED_BY(tutti_baseline_free) tutti_baseline baseline;
  snprintf(path, sizeof path, "%s/new.baseline", file.directory);
  assert_int_equal(tutti_baseline_create(path, &baseline, &error), TUTTI_OK);
  assert_int_equal(tutti_baseline_add_experiment(&baseline, file.path, &error), TUTTI_OK);
  assert_int_equal(tutti_baseline_add_experiment(&baseline, "/tmp/y.xml", &error), TUTTI_OK);
  assert_int_equal(tutti_baseline_add_experiment(&baseline, "/usr/share/z.xml", &error), TUTTI_OK);
  snprintf(name, sizeof name, "%s/../%s/x.xml", file.directory, file.directory + strlen("/tmp/"));
  assert_int_equal(tutti_baseline_add_experiment(&baseline, name, &error), TUTTI_OK);
  assert_int_equal(baseline.count, 3);
  assert_string_equal(baseline.sections[0].name, "x.xml");
  assert_string_equal(baseline.sections[1].name, "../y.xml");
  assert_string_equal(baseline.sections[2].name, "../../usr/share/z.xml");
  assert_int_equal(tutti_baseline_add_experiment(&baseline, "/nowhere/at/all.xml", &error), TUTTI_ERR_IO);
}

/* JUnit is XML, whatever the names are that paths and baselines have. */
TEST(test_junit_is_xml)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  FREED_BY(tutti_baseline_free)
  tutti_baseline before = read_text("tutti-baseline 1\nexperiment M\xfcnster\001<.xml\nplatform a " HASH
                                    "\nlibrary b\nbarrier/linear ranks=2 time_s=1\n");
  FREED_BY(tutti_baseline_free)
  tutti_baseline after = read_text("tutti-baseline 1\nexperiment M\xfcnster\001<.xml\nplatform a " HASH
                                   "\nlibrary b\nbarrier/linear ranks=2 time_s=2\n");
  tutti_tolerance nothing = {.percent = {0}};
  tutti_baseline_comparison comparison;
  tutti_baseline_compare(&before, &after, &nothing, &comparison);
  assert_int_equal(tutti_baseline_write_junit(&comparison, 1, stream, REASON), TUTTI_OK);
  fclose(stream);
  assert_non_null(strstr(text, ": M\ufffdnster\ufffd&lt;.xml\""));
  assert_null(strchr(text, '\001'));
  assert_null(strchr(text, '\xfc'));
  free(text);
  tutti_baseline_comparison_free(&comparison);
  stream = open_memstream(&text, &length); /* without a difference */
  tutti_baseline_compare(&before, &before, &nothing, &comparison);
  assert_int_equal(tutti_baseline_write_junit(&comparison, 1, stream, REASON), TUTTI_OK);
  fclose(stream);
  assert_non_null(strstr(text, "failures=\"0\""));
  free(text);
  tutti_baseline_comparison_free(&comparison);
}

TEST(test_many_sections)
{
  enum { MANY = UNLESS_WATCHED(100000, 10000) };
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  fputs("tutti-baseline 1\n", stream);
  for (int i = 0; i < MANY; i++)
    fprintf(stream, "# A comment.\nexperiment %d.xml\nprogram %d grig_mx\n", i, i);
  for (int i = 0; i < MANY; i++)
    fputs("# The end.\n", stream);
  assert_int_equal(fclose(stream), 0);
  limit_processor_time(20);
  FREED_BY(tutti_baseline_free) tutti_baseline baseline = read_text(text);
  assert_int_equal(baseline.count, 2 * MANY);
}
