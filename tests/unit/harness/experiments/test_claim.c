/* Claims: every form of what was published, what the store is asked and may not be asked, and what comes of it. */
#include "tutti/claim.h"
#include "unit/base/scratch_file.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_environment grig = {"grig", "0123", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static tutti_status read_text(const char *body, tutti_experiment *experiment, tutti_error *error)
{
  char text[2048];
  snprintf(text, sizeof text, "<experiment name=\"t\" source=\"S\" takes=\"1.5min\">\n%s</experiment>\n", body);
  SCRATCH_FILE(file, "test.xml", text);
  return tutti_experiment_read(file.path, experiment, error);
}

static void read_good(const char *body, tutti_experiment *experiment)
{
  assert_ok(read_text(body, experiment, REASON), error);
}

static const struct form {
  const char *attributes;
  double holds[3], differs[3]; /* numbers */
} forms[] = {
    {"published=\"3\"", {3, 3, 3 + 1e-10}, {2, 3.001, -3}},
    {"published=\" -2.5e1 \"", {-25, -25, -25}, {25, -24, 0}},
    {"published=\"10\" within=\"20%\"", {8, 12, 10}, {7.99, 12.01, 0}},
    {"published=\"-10\" within=\"20%\"", {-8, -12, -10}, {-7.99, -12.01, 10}},
    {"published=\"10\" within=\"2 us\" unit=\"us\"", {8, 12, 10}, {7.9, 12.1, 0}},
    {"published=\"10\" within=\"0.5\"", {9.5, 10.5, 10}, {9.4, 10.6, 0}},
    {"published=\"10\" within=\"5\" unit=\"%\"", {5, 15, 10}, {4.9, 15.1, 0}},
    {"published=\"10\" within=\"2x\"", {5, 20, 10}, {4.9, 20.1, 0}},
    {"published=\"&lt; 10\"", {9.9, 0, -10}, {10, 10.1, 1e9}},
    {"published=\"&lt;=10\"", {10, 0, -10}, {10.01, 11, 1e9}},
    {"published=\"&gt;400\"", {401, 1e9, 400.5}, {400, 0, -401}},
    {"published=\"&gt;= 400\"", {400, 1e9, 401}, {399, 0, -401}},
    {"published=\"2..3\"", {2, 2.5, 3}, {1.9, 3.1, 0}},
    {"published=\"-1 .. 1\"", {-1, 0, 1}, {-2, 2, 1.1}},
    {"published=\"true\"", {1, 5, -1}, {0, 0, -0.0}},
    {"published=\"false\"", {0, 0, -0.0}, {1, 2, -1}},
};

TEST(test_every_form)
{
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char body[512];
    tutti_experiment experiment;
    snprintf(body, sizeof body, "<claim what=\"w\" %s>SELECT 1</claim>\n", forms[i].attributes);
    read_good(body, &experiment);
    assert_int_equal(experiment.claim_count, 1);
    assert_int_equal(experiment.claims[0].line, 2);
    for (int j = 0; j < 3; j++) {
      if (!tutti_claim_holds(experiment.claims, forms[i].holds[j]))
        fail_msg("%s: %g should hold", forms[i].attributes, forms[i].holds[j]);
      if (tutti_claim_holds(experiment.claims, forms[i].differs[j]))
        fail_msg("%s: %g should differ", forms[i].attributes, forms[i].differs[j]);
    }
    tutti_experiment_free(&experiment);
  }
}

static const struct fault {
  const char *body, *begin;
} faults[] = {
    {"<claim what=\"w\" published=\"fast\">SELECT 1</claim>\n", "2: published=\"fast\" is no number"},
    {"<claim what=\"w\" published=\"3 us\">SELECT 1</claim>\n", "2: published=\"3 us\" is no number"},
    {"<claim what=\"w\" published=\"&gt; many\">SELECT 1</claim>\n", "2: published=\"> many\" is no number"},
    {"<claim what=\"w\" published=\"3..2\">SELECT 1</claim>\n", "2: published=\"3..2\" is no number"},
    {"<claim what=\"w\" published=\"inf\">SELECT 1</claim>\n", "2: published=\"inf\" is no number"},
    {"<claim what=\"w\" published=\"3\" within=\"near\">SELECT 1</claim>\n", "2: within=\"near\" is no share"},
    {"<claim what=\"w\" published=\"3\" within=\"-1%\">SELECT 1</claim>\n", "2: within=\"-1%\" is no share"},
    {"<claim what=\"w\" published=\"3\" within=\"2 s\" unit=\"us\">SELECT 1</claim>\n",
     "2: within=\"2 s\": the unit of the claim is 'us'"},
    {"<claim what=\"w\" published=\"3\" within=\"0.5x\">SELECT 1</claim>\n",
     "2: within=\"0.5x\": a factor of at least"},
    {"<claim what=\"w\" published=\"true\" within=\"2x\">SELECT 1</claim>\n",
     "2: within=\"2x\" goes with one published"},
    {"<claim what=\"w\" published=\"1\"> \n</claim>\n", "2: <claim> is empty"},
    {"<claim published=\"1\">SELECT 1</claim>\n", "2: <claim> lacks its attribute 'what'"},
    {"<claim what=\"w\">SELECT 1</claim>\n", "2: <claim> lacks its attribute 'published'"},
    {"<claim what=\"w\" published=\"1\" kind=\"guess\">SELECT 1</claim>\n",
     "2: <claim> kind=\"guess\": expected one of"},
    {"<claim what=\"w\" published=\"1\" from=\"\">SELECT 1</claim>\n", "2: from=\"\" says nothing"},
    {"<claim what=\"w\" published=\"1\" differs=\"true\">SELECT 1</claim>\n", "1: a claim differs, but there is no"},
    {"<step> </step>\n", "2: <step> is empty"},
    {"<step>a</step>\n<differs>a</differs>\n<differs>b</differs>\n", "4: second <differs> in one <experiment>"},
    {"<differs>a</differs>\n", "1: <experiment> has no <platform>"},
    {"<step>a</step>\n<sweep collective=\"bcast\"/>\n", "1: <experiment> has no <platform>"},
};

TEST(test_faults)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_experiment experiment;
    assert_int_equal(read_text(faults[i].body, &experiment, REASON), TUTTI_ERR_ARGUMENT);
    const char *after = strstr(error.message, "test.xml:");
    if (!after || strncmp(after + strlen("test.xml:"), faults[i].begin, strlen(faults[i].begin)) != 0)
      fail_msg("'%s' does not begin with '%s'", error.message, faults[i].begin);
  }
}

TEST(test_what_a_file_says)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  read_good("<step> learn quadtree bcast </step>\n<step>penalty x</step>\n"
            "<claim what=\"w\" published=\"1\" unit=\"us\" within=\"5%\" from=\"rounding\" kind=\"formula\" "
            "differs=\"true\"> "
            "SELECT 2 </claim>\n"
            "<claim what=\"v\" published=\"2\">SELECT 2</claim>\n<differs>\n why \n</differs>\n",
            &experiment);
  assert_true(experiment.takes == 90);
  assert_false(tutti_experiment_measures(&experiment));
  assert_int_equal(experiment.step_count, 2);
  assert_string_equal(experiment.steps[0].text, "learn quadtree bcast");
  assert_int_equal(experiment.steps[1].line, 3);
  assert_string_equal(experiment.claims[0].sql, "SELECT 2");
  assert_string_equal(experiment.claims[0].unit, "us");
  assert_string_equal(experiment.claims[0].from, "rounding");
  assert_int_equal(experiment.claims[0].kind, TUTTI_CLAIM_FORMULA);
  assert_null(experiment.claims[1].from);
  assert_int_equal(experiment.claims[1].kind, TUTTI_CLAIM_PREDICTION);
  assert_true(experiment.claims[0].differs && !experiment.claims[1].differs);
  assert_string_equal(experiment.differs, "why");
  assert_null(experiment.not_reproducible);
}

/* Two runs of a sort, the earlier one in an environment that was replaced. */
static tutti_store *make_store(const char *path)
{
  const tutti_environment old = {"grig", "ffff", "smpi", "SimGrid-3.31", "0.1.0", .settings = ""};
  tutti_result range = {.kind = TUTTI_RESULT_RANGE, .ranks_per_node = 1};
  tutti_store *store = open_store(path);
  assert_int_equal(tutti_result_parse_point("create size=4", 8, &range, NULL), TUTTI_OK);
  range.values[TUTTI_RANGE_FIELD_REPETITIONS].integer = 1;
  range.values[TUTTI_RANGE_FIELD_MEDIAN].seconds = range.values[TUTTI_RANGE_FIELD_MAXIMUM].seconds = 7e-6;
  assert_int_equal(tutti_store_add_results(store, environment_id(store, &old), &range, 1, NULL), TUTTI_OK);
  range.values[TUTTI_RANGE_FIELD_MEDIAN].seconds = range.values[TUTTI_RANGE_FIELD_MAXIMUM].seconds = 3e-6;
  assert_int_equal(tutti_store_add_results(store, environment_id(store, &grig), &range, 1, NULL), TUTTI_OK);
  return store;
}

static tutti_verdict evaluate(tutti_store *store, const char *body, tutti_claim_outcome *outcomes, int *unexplained)
{
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  tutti_verdict verdict = TUTTI_VERDICT_NOT_MEASURED;
  read_good(body, &experiment);
  assert_ok(tutti_claims_evaluate(&experiment, store, outcomes, &verdict, REASON), error);
  *unexplained = tutti_claims_unexplained(&experiment, outcomes);
  return verdict;
}

#define US       "<claim what=\"w\" published=\"3\" unit=\"us\">SELECT us FROM ranges WHERE ranks = 8 -- all\n</claim>\n"
#define NO_ROW   "<claim what=\"w\" published=\"3\">SELECT us FROM sorts</claim>\n"
#define NONE     "<claim what=\"w\" published=\"true\">SELECT count(*) FROM sorts WHERE us &gt; 0</claim>\n"
#define OTHER(a) "<claim what=\"w\" published=\"4\" " a ">SELECT us FROM ranges</claim>\n"

STORE_TEST(test_verdicts)
{
  FREED_BY(close_store) tutti_store *store = make_store(place->path);
  tutti_claim_outcome outcomes[3];
  int unexplained;
  /* The view has the newest environment only. */
  assert_int_equal(evaluate(store, US, outcomes, &unexplained), TUTTI_VERDICT_REPRODUCED);
  assert_true(fabs(outcomes[0].measured - 3) < 1e-9 && unexplained == 0);
  assert_int_equal(evaluate(store, US NO_ROW, outcomes, &unexplained), TUTTI_VERDICT_NOT_MEASURED);
  assert_true(isnan(outcomes[1].measured) && outcomes[0].verdict == TUTTI_VERDICT_REPRODUCED);
  /* What a query gives of nothing is no measurement, unless another claim finds something. */
  assert_int_equal(evaluate(store, NONE NO_ROW, outcomes, &unexplained), TUTTI_VERDICT_NOT_MEASURED);
  assert_true(isnan(outcomes[0].measured) && unexplained == 0);
  assert_int_equal(evaluate(store, NONE US, outcomes, &unexplained), TUTTI_VERDICT_DIFFERS);
  assert_true(!isnan(outcomes[0].measured));
  assert_int_equal(evaluate(store, US OTHER(""), outcomes, &unexplained), TUTTI_VERDICT_DIFFERS);
  assert_int_equal(unexplained, 1);
  assert_int_equal(evaluate(store, US OTHER("") "<differs>why</differs>\n", outcomes, &unexplained),
                   TUTTI_VERDICT_DIFFERS);
  assert_int_equal(unexplained, 0);
  assert_int_equal(
      evaluate(store, OTHER("differs=\"true\"") OTHER("") "<differs>why</differs>\n", outcomes, &unexplained),
      TUTTI_VERDICT_DIFFERS);
  assert_int_equal(unexplained, 1);
  assert_int_equal(evaluate(store, US "<not-reproducible>why</not-reproducible>\n", outcomes, &unexplained),
                   TUTTI_VERDICT_NOT_REPRODUCIBLE);
  assert_int_equal(evaluate(store, "<step>a</step>\n", outcomes, &unexplained), TUTTI_VERDICT_NOT_MEASURED);
  assert_int_equal(evaluate(NULL, US, outcomes, &unexplained), TUTTI_VERDICT_NOT_MEASURED);
}

#define TOLD(number) "<claim what=\"w\" kind=\"calibration\" published=\"" number "\">SELECT us FROM ranges</claim>\n"
#define FORMULA      "<claim what=\"w\" kind=\"formula\" published=\"3\">SELECT us FROM ranges</claim>\n"

/* What the platform was told is no claim: neither a verdict nor a count has it. */
STORE_TEST(test_calibration_is_not_counted)
{
  FREED_BY(close_store) tutti_store *store = make_store(place->path);
  tutti_claim_outcome outcomes[4];
  int unexplained;
  assert_int_equal(evaluate(store, TOLD("3"), outcomes, &unexplained), TUTTI_VERDICT_CALIBRATION);
  assert_int_equal(unexplained, 0);
  assert_int_equal(evaluate(store, TOLD("4"), outcomes, &unexplained), TUTTI_VERDICT_CALIBRATION);
  assert_int_equal(unexplained, 1); /* a platform that is not what its file says is a fault all the same */
  assert_int_equal(evaluate(store, US TOLD("4"), outcomes, &unexplained), TUTTI_VERDICT_REPRODUCED);
  assert_int_equal(evaluate(store, OTHER("") TOLD("3"), outcomes, &unexplained), TUTTI_VERDICT_DIFFERS);
  assert_int_equal(evaluate(NULL, TOLD("3"), outcomes, &unexplained), TUTTI_VERDICT_NOT_MEASURED);
  FREED_BY(tutti_experiment_free) tutti_experiment experiment;
  tutti_verdict verdict;
  read_good(US FORMULA TOLD("3") OTHER(""), &experiment);
  assert_int_equal(tutti_claims_evaluate(&experiment, store, outcomes, &verdict, NULL), TUTTI_OK);
  const tutti_claim_counts counts = tutti_claims_count(&experiment, outcomes);
  assert_int_equal(counts.claims, 3);
  assert_int_equal(counts.holding, 2);
  assert_int_equal(counts.of[TUTTI_CLAIM_PREDICTION], 2);
  assert_int_equal(counts.of[TUTTI_CLAIM_CALIBRATION], 1);
}

/* All kinds but predictions and formulas: neither a verdict nor a count has them, whether they hold or not. */
STORE_TEST(test_uncounted_kinds)
{
  FREED_BY(close_store) tutti_store *store = make_store(place->path);
  for (int kind = 0; kind < TUTTI_CLAIM_KINDS; kind++) {
    const char *name = tutti_claim_kind_name((tutti_claim_kind)kind);
    bool counted = kind == TUTTI_CLAIM_PREDICTION || kind == TUTTI_CLAIM_FORMULA;
    char body[256];
    tutti_claim_outcome outcomes[2];
    tutti_verdict verdict;
    tutti_experiment experiment;
    snprintf(body, sizeof body, "<claim what=\"w\" kind=\"%s\" published=\"4\">SELECT us FROM ranges</claim>\n", name);
    read_good(body, &experiment);
    assert_int_equal(tutti_claims_evaluate(&experiment, store, outcomes, &verdict, NULL), TUTTI_OK);
    assert_string_equal(tutti_verdict_name(verdict), counted ? "differs" : name);
    tutti_experiment_free(&experiment);
    strcat(body, US);
    read_good(body, &experiment);
    assert_int_equal(tutti_claims_evaluate(&experiment, store, outcomes, &verdict, NULL), TUTTI_OK);
    assert_int_equal(verdict, counted ? TUTTI_VERDICT_DIFFERS : TUTTI_VERDICT_REPRODUCED);
    const tutti_claim_counts counts = tutti_claims_count(&experiment, outcomes);
    assert_int_equal(counts.claims, counted ? 2 : 1);
    assert_int_equal(counts.holding, 1);
    assert_int_equal(counts.of[kind], kind == TUTTI_CLAIM_PREDICTION ? 2 : 1);
    tutti_experiment_free(&experiment);
  }
  assert_null(tutti_claim_kind_name((tutti_claim_kind)TUTTI_CLAIM_KINDS));
  assert_null(tutti_verdict_name((tutti_verdict)TUTTI_VERDICTS));
}

static const struct fault queries[] = {
    {"<claim what=\"w\" published=\"1\">\nSELECT nowhere FROM ranges</claim>\n", "no such column: nowhere"},
    {"<claim what=\"w\" published=\"1\">\nSELEKT 1</claim>\n", "syntax error"},
    {"<claim what=\"w\" published=\"1\">\nDELETE FROM range_run RETURNING 1</claim>\n", "near \"DELETE\""},
    {"<claim what=\"w\" published=\"1\">\nSELECT 1); DELETE FROM range_run; --</claim>\n", "something follows it"},
    {"<claim what=\"w\" published=\"1\">\nSELECT 1, 2</claim>\n", "it has several columns"},
    {"<claim what=\"w\" published=\"1\">\nSELECT 1 UNION SELECT 2</claim>\n", "it gives several rows"},
    {"<claim what=\"w\" published=\"1\">\nSELECT 'one'</claim>\n", "it gives a text"},
    {"<claim what=\"w\" published=\"1\">\nSELECT 9e999</claim>\n", "it gives no finite number"},
    {"<claim what=\"w\" published=\"1\">\nSELECT -1e308 * 10</claim>\n", "it gives no finite number"},
    {"<claim what=\"w\" published=\"1\">\nSELECT length(printf('%.900000000c', 'x'))</claim>\n", "not authorized"},
    {"<claim what=\"w\" published=\"1\">\nSELECT random()</claim>\n", "not authorized"},
    {"<claim what=\"w\" published=\"1\">\nWITH RECURSIVE c(x, n) AS (SELECT '0123456789', 1 UNION ALL SELECT x || x, n "
     "+ 1 "
     "FROM c WHERE n &lt; 20) SELECT max(length(x)) FROM c</claim>\n",
     "too big"},
    {"<claim what=\"w\" published=\"1\">\nWITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
     "SELECT count(*) FROM c</claim>\n",
     "it takes more than 10 s"},
    {"<claim what=\"w\" published=\"1\">\nWITH RECURSIVE c(x, y, z) AS (SELECT 1, 0, 0 UNION SELECT x + 1, "
     "'a text of some length, which is kept with each of the numbers' || x, 'another one that makes rows longer' || x "
     "FROM c) SELECT count(*) FROM c</claim>\n",
     "it takes more than 256 MB"},
    {"<claim what=\"w\" published=\"1\">\nSELECT count(*) FROM pragma_table_info('range_run')</claim>\n", "not auth"},
};

/* What runs until its time or its memory is at an end is the work of SQLite: a slower build (sanitizers, that set
   TUTTI_TEST_MAX_RANKS) learns nothing by it. */
static bool left_out(const char *begin)
{
  return getenv("TUTTI_TEST_MAX_RANKS") && strstr(begin, "it takes more than");
}

STORE_TEST(test_refuses_queries)
{
  tutti_store *store = make_store(place->path);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    tutti_experiment experiment;
    tutti_claim_outcome outcome;
    tutti_verdict verdict;
    if (left_out(queries[i].begin))
      continue;
    read_good(queries[i].body, &experiment);
    if (tutti_claims_evaluate(&experiment, store, &outcome, &verdict, REASON) != TUTTI_ERR_ARGUMENT)
      fail_msg("answered with %g: %s", outcome.measured, queries[i].body);
    if (!strstr(error.message, "test.xml:2: claim 'w'") || !strstr(error.message, queries[i].begin))
      fail_msg("'%s' does not name line 2 and '%s'", error.message, queries[i].begin);
    tutti_experiment_free(&experiment);
  }
  /* The connection may write again. */
  assert_int_equal(environment_id(store, &(tutti_environment){"x", "", "none", "none", "0.1.0", .settings = ""}), 3);
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM range_run"), 2);
}
