/* Rows of tables as points of the evidence: cells, labels, what is related, and what a library's own choice is. */
#include "harness/experiments/calibrate/evidence_rows.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static const char table[] = "machine\tcollective\tnodes\tranks_per_node\tbytes\tmethod\tmedian_ns\trun\tsimulated_ns\n"
                            "a\tallreduce\t8\t1\t1024\tring_ompi\t3000\tr\t2000\n"
                            "a\tallreduce\t8\t1\t1024\trecursive_doubling_ompi\t1000\tr\t1000\n"
                            "a\tallreduce\t8\t1\t1024\tring_over_with_more\t4000\tr\t9\n"
                            "a\tallreduce\t8\t1\t1024\tdefault_ompi\t1100\tr\t\n"
                            "b\tallreduce\t8\t1\t1024\tring_ompi\t3000\tr\t2000\n"
                            "a\tbcast\t4x2\t2\t64\tbinomial_ompi\t500\tr\t\n"
                            "a\tallreduce\t8\t1\t1024\tring_ompi\t\ts\t2000\n"
                            "a\tallreduce\t8\t1\t1024\tring_ompi\t1e300\ts\t2000\n"
                            "a\tallreduce\t8\t1\t1024\tring_ompi\tnan\ts\t2000\n"
                            "a\tallreduce\t8\t1\t1024\tring_ompi\t-3\ts\t2000\n";

static void read_table(const char *text, size_t passed_over, struct evidence_rows *rows)
{
  SCRATCH_FILE(file, "table", text);
  *rows = (struct evidence_rows){.count = 0};
  const struct call_table asked = {
      .path = file.path, .collective = TUTTI_COLL_COUNT, .machine = "a", .measured = true, .simulated = true};
  tutti_passed passed = {.strict = false};
  assert_int_equal(tutti_evidence_rows_read(&asked, &passed, rows, REASON), TUTTI_OK);
  assert_int_equal(passed.count, passed_over);
  tutti_passed_free(&passed);
}

static void read_rows(struct evidence_rows *rows)
{
  read_table(table, 3, rows);
}

static bool shares(const struct evidence_point *left, const struct evidence_point *right, enum evidence_label label)
{
  return left->labels[label] == right->labels[label];
}

/* Rows of another machine and without a time are passed over. */
TEST(test_points)
{
  FREED_BY(tutti_evidence_rows_free) struct evidence_rows rows;
  read_rows(&rows);
  assert_int_equal(rows.count, 5);
  assert_int_equal(rows.cells.count, 2);
  FREED_BY(free_memory) struct evidence_point *points = tutti_evidence_rows_points(&rows);
  const struct evidence_point *ring = &points[0], *doubling = &points[1], *more = &points[2], *own = &points[3],
                              *other = &points[4];
  assert_true(ring->kind == EVIDENCE_SIMULATED && more->kind == EVIDENCE_RELATED && own->kind == EVIDENCE_OWN_CHOICE &&
              other->kind == EVIDENCE_UNKNOWN);
  assert_true(fabs(ring->longer - log(2)) < 1e-12 && doubling->longer == 0 && more->longer == ring->longer);
  assert_true(fabs(ring->fastest - log(1e-6)) < 1e-12 && ring->measured == log(3e-6));
  assert_true(shares(ring, more, EVIDENCE_ALGORITHM) && !shares(ring, more, EVIDENCE_METHOD));
  assert_true(!shares(ring, more, EVIDENCE_OWNER) && shares(ring, doubling, EVIDENCE_OWNER));
  assert_true(shares(ring, doubling, EVIDENCE_JOB) && !shares(ring, other, EVIDENCE_JOB));
  assert_true(!shares(ring, own, EVIDENCE_FAMILY) && own->own && !ring->own);
  assert_true(other->ranks == 4 && other->size == 6 && other->fastest < log(1));
}

/* A node of 4 x 2 x 1 has three neighbours: six ports use three cables. Parts below the smallest size take its time. A
   node of 2 x 1 x 1 has one, and the part is the whole. */
TEST(test_ports)
{
#define METHOD(interface, ports) "BINE-VEC_DOUBLING_CONT_PERMUTE-" interface "-0-" ports
#define AT(nodes, bytes, interface, ports, simulated)                                                                  \
  "a\tallgather\t" nodes "\t1\t" bytes "\t" METHOD(interface, ports) "\t1\tr\t" simulated "\n"
#define LINE(bytes, interface, ports, simulated) AT("4x2x1", bytes, interface, ports, simulated)
  static const char ports[] =
      "machine\tcollective\tnodes\tranks_per_node\tbytes\tmethod\tmedian_ns\trun\tsimulated_ns\n" LINE(
          "320", "UTOFU", "1", "1000") LINE("640", "UTOFU", "1", "2000") LINE("1920", "UTOFU", "1", "9000")
          LINE("1920", "UTOFU", "6", "") LINE("2880", "UTOFU", "1", "10000") LINE("2880", "UTOFU", "2", "")
              LINE("320", "UTOFU", "3", "") LINE("2880", "MPI", "1", "5000") AT("2x1x1", "64", "UTOFU", "1", "1000")
                  AT("2x1x1", "640", "UTOFU", "1", "2000") AT("2x1x1", "640", "UTOFU", "6", "");
  static const struct {
    size_t row;
    double times; /* as long as on one port */
  } cases[] = {{3, (2000 + 5 * 700) / 9e3},
               {5, (2000 + 7e3 * 250 / 400 + 700) / 1e4},
               {6, 1 + 2 * 0.7},
               {10, (2000 + 5 * 700) / 2e3}};
  FREED_BY(tutti_evidence_rows_free) struct evidence_rows rows;
  read_table(ports, 0, &rows);
  FREED_BY(free_memory) struct evidence_point *points = tutti_evidence_rows_points(&rows);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const struct evidence_row *row = &rows.items[cases[c].row], *one = row;
    for (size_t i = 0; i < rows.count; i++)
      if (rows.items[i].cell == row->cell && strcmp(rows.items[i].call.name, METHOD("UTOFU", "1")) == 0)
        one = &rows.items[i];
    assert_true(fabs(tutti_evidence_ports_longer(&rows, &row->call, &one->call) - log(cases[c].times)) < 1e-12);
    assert_true(points[cases[c].row].kind == EVIDENCE_SIMULATED);
  }
  assert_true(tutti_evidence_ports_longer(&rows, &rows.items[7].call, &rows.items[4].call) == 0);
}

TEST(test_own_choice)
{
  FREED_BY(tutti_evidence_rows_free) struct evidence_rows rows;
  read_rows(&rows);
  tutti_method method;
  assert_int_equal(tutti_method_parse("allreduce/recursive-doubling@openmpi", &method, REASON), TUTTI_OK);
  FREED_BY(tutti_decision_free) tutti_decision decision = tutti_decision_single(&method);
  tutti_tuning *tuning = tutti_tuning_of_decision(&decision);
  assert_int_equal(tutti_evidence_rows_explain(&rows, TUTTI_COLL_ALLREDUCE, tuning, REASON), TUTTI_OK);
  tutti_tuning_close(tuning);
  assert_int_equal(rows.items[3].choice, 1);
  FREED_BY(free_memory) struct evidence_point *points = tutti_evidence_rows_points(&rows);
  assert_true(points[3].own && points[3].kind == EVIDENCE_SIMULATED && points[3].longer == 0);
  assert_true(shares(&points[3], &points[1], EVIDENCE_METHOD));
}
