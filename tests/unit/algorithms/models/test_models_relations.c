/* Formulas on two ranks, and against each other. */
#include "unit/algorithms/models/model_fixture.h"

/* L + 2 o + (m - 1) G and the like. */
static double one_message(const tutti_model *model, double m)
{
  switch (model->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return model->network.hockney.alpha + model->network.hockney.beta * m;
  case TUTTI_MODEL_LOGGP:
    return model->network.loggp.L + 2 * model->network.loggp.o + (m > 1 ? m - 1 : 0) * model->network.loggp.G;
  default:
    return model->network.plogp.L + tutti_plogp_g(&model->network.plogp, m);
  }
}

/* Messages of m, messages of m / 2, bytes combined and copied, all as multiples of m, with two ranks. */
static const struct {
  const char *method;
  double messages, halves, combined, copied, empty;
} on_two[] = {
    {"bcast/linear", 1, 0, 0, 0, 0},
    {"bcast/pipeline", 1, 0, 0, 0, 0},
    {"bcast/binomial", 1, 0, 0, 0, 0},
    {"bcast/binary", 1, 0, 0, 0, 0},
    {"bcast/split-binary", 0, 2, 0, 0, 0},
    {"barrier/linear", 0, 0, 0, 0, 2},
    {"barrier/double-ring", 0, 0, 0, 0, 4},
    {"barrier/recursive-doubling", 0, 0, 0, 0, 1},
    {"barrier/bruck", 0, 0, 0, 0, 1},
    {"scatter/linear", 1, 0, 0, 0, 0},
    {"scatter/binomial", 1, 0, 0, 0, 0},
    {"gather/linear", 1, 0, 0, 0, 0},
    {"gather/linear-sync", 1, 0, 0, 0, 1},
    {"gather/binomial", 1, 0, 0, 0, 0},
    {"allgather/bruck", 1, 0, 0, 2, 0},
    {"allgather/recursive-doubling", 1, 0, 0, 0, 0},
    {"allgather/ring", 1, 0, 0, 0, 0},
    {"allgather/neighbor-exchange", 1, 0, 0, 0, 0},
    {"alltoall/linear", 1, 0, 0, 0, 0},
    {"alltoall/pairwise", 1, 0, 0, 0, 0},
    {"alltoall/bruck", 1, 0, 0, 3, 0},
    {"reduce/linear", 1, 0, 1, 0, 0},
    {"reduce/pipeline", 1, 0, 1, 0, 0},
    {"reduce/binomial", 1, 0, 1, 0, 0},
    {"reduce/binary", 1, 0, 1, 0, 0},
    {"reduce/rabenseifner", 0, 2, 0.5, 0, 0},
    {"reduce_scatter/recursive-halving", 1, 0, 1, 0, 0},
    {"reduce_scatter/ring", 1, 0, 1, 2, 0},
    {"allreduce/recursive-doubling", 1, 0, 1, 0, 0},
    {"allreduce/ring", 0, 2, 0.5, 0, 0},
    {"allreduce/ring-segmented", 0, 2, 0.5, 0, 0},
    {"allreduce/rabenseifner", 0, 2, 0.5, 0, 0},
    {"scan/linear", 1, 0, 1, 0, 0},
    {"scan/binomial", 1, 0, 1, 0, 0},
};

TEST(test_two_ranks)
{
  const double m = 600;
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (size_t i = 0; i < sizeof on_two / sizeof *on_two; i++) {
      tutti_model model = fixture_model(kind);
      double expected = on_two[i].messages * one_message(&model, m) + on_two[i].halves * one_message(&model, m / 2) +
                        on_two[i].empty * one_message(&model, 0) +
                        (on_two[i].combined * model.gamma + on_two[i].copied * model.delta) * m;
      double seconds = fixture_time(&model, on_two[i].method, 2, (uint64_t)m, CORRECTED);
      if (!fixture_same(seconds, expected))
        fail_msg("%s %s: %.17g, not %.17g", tutti_model_kind_name(model.kind), on_two[i].method, seconds, expected);
    }
}

/* A reduction that costs nothing is a broadcast backwards. Under PLogP the binary one counts the send overhead as well,
   where the broadcast counts it only if it does not fit into the gap. */
TEST(test_free_reduction)
{
  static const char *const trees[] = {"linear/8B", "binomial/8B", "binary/8B"};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    for (int r = 1; r < RANKS; r++)
      for (int i = 0; i < (kind == PLOGP ? 2 : 3); i++) {
        tutti_model model = fixture_model(kind);
        char bcast[64], reduce[64];
        model.gamma = 0;
        snprintf(bcast, sizeof bcast, "bcast/%s", trees[i]);
        snprintf(reduce, sizeof reduce, "reduce/%s", trees[i]);
        assert_true(fixture_same(fixture_time(&model, bcast, few_ranks[r], 600, CORRECTED),
                                 fixture_time(&model, reduce, few_ranks[r], 600, CORRECTED)));
      }
}

/* PLogP with g(m) = beta m, L = alpha and no overheads is Hockney's model where no message overtakes another. */
TEST(test_plogp_as_hockney)
{
  static const char *const methods[] = {"scatter/binomial",
                                        "gather/binomial",
                                        "allgather/bruck",
                                        "allgather/ring",
                                        "alltoall/bruck",
                                        "alltoall/pairwise",
                                        "allgather/neighbor-exchange",
                                        "reduce/rabenseifner",
                                        "allreduce/rabenseifner",
                                        "allreduce/ring",
                                        "allreduce/recursive-doubling",
                                        "reduce_scatter/recursive-halving",
                                        "reduce_scatter/ring",
                                        "scan/binomial",
                                        "barrier/double-ring",
                                        "reduce/binomial",
                                        "bcast/binomial"};
  const tutti_plogp_point points[] = {{0, 0, 0, 0}, {1, 2, 0, 0}};
  tutti_model hockney = fixture_model(HOCKNEY), plogp = fixture_model(PLOGP);
  plogp.network.plogp = (tutti_plogp){.L = 100, .points = points, .count = 2};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int ranks = 2; ranks <= 64; ranks += 2)
      assert_true(fixture_same(fixture_time(&hockney, methods[i], ranks, 1000, CORRECTED),
                               fixture_time(&plogp, methods[i], ranks, 1000, CORRECTED)));
}

/* A gap below the overhead changes nothing, as on Grig (tcp), table 4.13: g = 1, o = 19.5. */
TEST(test_gap_below_overhead)
{
  tutti_model model = {.kind = TUTTI_MODEL_LOGGP, .network.loggp = {106.6, 19.5, 1, 0.0859}}, equal = model;
  equal.network.loggp.g = 19.5;
  assert_true(fixture_time(&model, "bcast/linear", 8, 100, CORRECTED) ==
              fixture_time(&equal, "bcast/linear", 8, 100, CORRECTED));
  assert_true(fixture_time(&model, "barrier/bruck", 2, 0, PRINTED) < 106.6 + 2 * 19.5);
  assert_true(fixture_same(fixture_time(&model, "barrier/bruck", 2, 0, CORRECTED), 106.6 + 2 * 19.5));
}
