/* Tables 4.2, 4.6, 4.7, 4.9, 4.10 and 4.11 against values computed by hand. */
#include "unit/algorithms/models/model_fixture.h"

static const double log_6 = 2.584962500721156;

TEST(test_barrier)
{
  const struct by_hand values[] = {
      {"barrier/linear", HOCKNEY, CORRECTED, 6, 0, 100 + 5 * 100},
      {"barrier/linear", HOCKNEY, PRINTED, 6, 0, 5 * 100},
      {"barrier/linear", LOGGP, CORRECTED, 6, 0, 4 * (9 + 7) + 2 * 64},
      {"barrier/linear", PLOGP, CORRECTED, 6, 0, 6 * (20 + 6) + 2 * (50 - 6)},
      {"barrier/double-ring", HOCKNEY, CORRECTED, 6, 0, 12 * 100},
      {"barrier/double-ring", LOGGP, CORRECTED, 6, 0, 12 * 64},
      {"barrier/double-ring", LOGGP, PRINTED, 6, 0, 12 * (50 + 7 + 9)},
      {"barrier/double-ring", PLOGP, CORRECTED, 6, 0, 12 * 70},
      {"barrier/recursive-doubling", HOCKNEY, CORRECTED, 8, 0, 3 * 100},
      {"barrier/recursive-doubling", HOCKNEY, CORRECTED, 6, 0, (2 + 2) * 100},
      {"barrier/recursive-doubling", HOCKNEY, PRINTED, 6, 0, (log_6 + 2) * 100},
      {"barrier/recursive-doubling", LOGGP, CORRECTED, 6, 0, (2 + 2) * 64},
      {"barrier/recursive-doubling", LOGGP, PRINTED, 6, 0, (3 + 2) * 66},
      {"barrier/recursive-doubling", LOGGP, PRINTED, 8, 0, 3 * 66},
      {"barrier/recursive-doubling", PLOGP, CORRECTED, 6, 0, (2 + 2) * 70},
      {"barrier/recursive-doubling", PLOGP, PRINTED, 6, 0, (3 + 2) * 70},
      {"barrier/bruck", HOCKNEY, CORRECTED, 6, 0, 3 * 100},
      {"barrier/bruck", LOGGP, CORRECTED, 6, 0, 3 * 64},
      {"barrier/bruck", LOGGP, PRINTED, 6, 0, 3 * 66},
      {"barrier/bruck", PLOGP, CORRECTED, 6, 0, 3 * 70},
  };
  CHECK_BY_HAND(values);
}

TEST(test_barrier_least)
{
  tutti_model loggp = fixture_model(LOGGP), plogp = fixture_model(PLOGP);
  tutti_model_question question = fixture_question("barrier/linear", 6, 0, PRINTED);
  question.bound = TUTTI_BOUND_LEAST;
  assert_true(fixture_same(fixture_ask(&loggp, &question), 4 * 9 + 2 * 64));
  assert_true(fixture_same(fixture_ask(&plogp, &question), 6 * 20 + 2 * 50));
}

/* Blocks of 4 bytes: 108; 73; g(4) = 32, g(8) = 44, g(16) = 68. */
TEST(test_allgather)
{
  const struct by_hand values[] = {
      /* 1, 2 and 2 blocks, then 6 are copied */
      {"allgather/bruck", HOCKNEY, CORRECTED, 6, 4, 3 * 100 + 5 * 8 + 24},
      {"allgather/bruck", HOCKNEY, PRINTED, 6, 4, log_6 * 100 + 6 * 8 + 24},
      {"allgather/bruck", LOGGP, CORRECTED, 6, 4, 3 * (7 + 57 - 3) + 5 * 12 + 24},
      {"allgather/bruck", LOGGP, PRINTED, 6, 4, 2 * (7 + 57 - 3) + 5 * 12 + 24},
      {"allgather/bruck", PLOGP, CORRECTED, 6, 4, 3 * 50 + 32 + 44 + 44 + 24},
      {"allgather/bruck", PLOGP, PRINTED, 6, 4, 3 * 50 + 32 + 44 + 56 + 24},
      {"allgather/bruck", PLOGP, CORRECTED, 4, 4, 2 * 50 + 32 + 44 + 16},
      {"allgather/bruck", PLOGP, PRINTED, 4, 4, 3 * 50 + 32 + 44 + 32 + 16},
      {"allgather/recursive-doubling", HOCKNEY, CORRECTED, 8, 4, 3 * 100 + 7 * 8},
      {"allgather/recursive-doubling", LOGGP, CORRECTED, 8, 4, 3 * (7 + 57 - 3) + 7 * 12},
      {"allgather/recursive-doubling", PLOGP, CORRECTED, 8, 4, 3 * 50 + 32 + 44 + 68},
      {"allgather/recursive-doubling-general", HOCKNEY, CORRECTED, 8, 4, 3 * 100 + 7 * 8},
      {"allgather/ring", HOCKNEY, CORRECTED, 6, 4, 5 * 108},
      {"allgather/ring", LOGGP, CORRECTED, 6, 4, 5 * 73},
      {"allgather/ring", PLOGP, CORRECTED, 6, 4, 5 * 82},
      {"allgather/neighbor-exchange", HOCKNEY, CORRECTED, 6, 4, 108 + 2 * 116},
      {"allgather/neighbor-exchange", LOGGP, CORRECTED, 6, 4, 3 * (64 + 7 * 3) - 12},
      {"allgather/neighbor-exchange", PLOGP, CORRECTED, 6, 4, 82 + 2 * (50 + 44)},
      {"allgather/neighbor-exchange", PLOGP, PRINTED, 6, 4, 82 + 2 * 44},
  };
  CHECK_BY_HAND(values);
}

TEST(test_alltoall)
{
  const struct by_hand values[] = {
      {"alltoall/linear", HOCKNEY, CORRECTED, 6, 4, 5 * 108},
      {"alltoall/linear", LOGGP, CORRECTED, 6, 4, 73 + 4 * (9 + 9 + 7)},
      {"alltoall/linear", LOGGP, PRINTED, 6, 4, 73 + 2 * 5 * 9},
      {"alltoall/linear", PLOGP, CORRECTED, 6, 4, 82 + 4 * (32 + 10)},
      {"alltoall/linear", PLOGP, PRINTED, 6, 4, 50 + 2 * 5 * 32},
      {"alltoall/pairwise", HOCKNEY, CORRECTED, 6, 4, 5 * 108},
      {"alltoall/pairwise", LOGGP, CORRECTED, 6, 4, 5 * 73},
      {"alltoall/pairwise", LOGGP, PRINTED, 6, 4, 5 * (50 + 7 + 9 + 9)},
      {"alltoall/pairwise", PLOGP, CORRECTED, 6, 4, 5 * 82},
      /* twice 3 blocks of 4, then 2; 24 bytes are shifted */
      {"alltoall/bruck", HOCKNEY, CORRECTED, 6, 4, 2 * (100 + 24 + 12) + 100 + 16 + 8 + 24},
      {"alltoall/bruck", LOGGP, CORRECTED, 6, 4, 2 * (7 + 33 + 57 + 12) + 7 + 21 + 57 + 8 + 24},
      {"alltoall/bruck", PLOGP, CORRECTED, 6, 4, 2 * (50 + 56 + 12) + 50 + 44 + 8 + 24},
      {"alltoall/bruck", PLOGP, PRINTED, 6, 4, 2 * (50 + 56 + 12) + 50 + 44 + 8 + 24},
      {"alltoall/bruck", HOCKNEY, CORRECTED, 8, 4, 3 * (100 + 32 + 16) + 32},
      {"alltoall/bruck", PLOGP, CORRECTED, 8, 4, 3 * (50 + 68 + 16) + 32},
      {"alltoall/bruck", PLOGP, PRINTED, 8, 4, 3 * (50 + 68 + 16) + 32 + 20},
  };
  CHECK_BY_HAND(values);
}

/* gamma m = 20 */
TEST(test_reduce_scatter)
{
  const struct by_hand values[] = {
      {"reduce_scatter_block/recursive-halving", HOCKNEY, CORRECTED, 8, 4, 3 * 100 + 7 * 4 * 7},
      {"reduce_scatter_block/recursive-halving", LOGGP, CORRECTED, 8, 4, 3 * 64 + (28 - 3) * 3 + 7 * 20},
      {"reduce_scatter_block/recursive-halving", PLOGP, CORRECTED, 8, 4, 3 * 50 + 7 * 20 + 32 + 44 + 68},
      {"reduce_scatter_block/recursive-halving", PLOGP, PRINTED, 8, 4, 3 * 50 + 7 * 20 + 32 + 26 + 23},
      /* 6 blocks are handed over, 4 and 2 exchanged, 1 handed back: 12 combined */
      {"reduce_scatter/recursive-halving", HOCKNEY, CORRECTED, 6, 4, 4 * 100 + 13 * 8 + 12 * 20},
      {"reduce_scatter/recursive-halving", HOCKNEY, PRINTED, 6, 4, 5 * 100 + 12 * 8 + 11 * 20},
      {"reduce_scatter/recursive-halving", LOGGP, CORRECTED, 6, 4, 4 * 64 + (23 + 15 + 7 + 3) * 3 + 12 * 20},
      {"reduce_scatter/recursive-halving", LOGGP, PRINTED, 6, 4, 5 * 52 + (2 * 23 - 3) * 3 + 11 * 20},
      {"reduce_scatter/recursive-halving", PLOGP, CORRECTED, 6, 4, 4 * 50 + 92 + 68 + 44 + 32 + 12 * 20},
      {"reduce_scatter/recursive-halving", PLOGP, PRINTED, 6, 4, 5 * 50 + 32 + 11 * 20 + 38 + 29 + 24.5},
      {"reduce_scatter/ring", HOCKNEY, CORRECTED, 6, 4, 5 * 128 + 24},
      {"reduce_scatter_block/ring", LOGGP, CORRECTED, 6, 4, 5 * (73 + 20) + 24},
      {"reduce_scatter_block/ring", PLOGP, CORRECTED, 6, 4, 5 * (82 + 20) + 24},
  };
  CHECK_BY_HAND(values);
}

/* 40 bytes: 180; 181; g(40) = 140; gamma m = 200. Blocks of 5: 110; 76; g(5) = 35; 25. */
TEST(test_allreduce)
{
  const struct by_hand values[] = {
      {"allreduce/recursive-doubling", HOCKNEY, CORRECTED, 8, 40, 3 * 380},
      {"allreduce/recursive-doubling", HOCKNEY, CORRECTED, 6, 40, 4 * 380 - 200},
      {"allreduce/recursive-doubling", HOCKNEY, PRINTED, 6, 40, 5 * 380 - 200},
      {"allreduce/recursive-doubling", LOGGP, CORRECTED, 6, 40, 4 * 381 - 200},
      {"allreduce/recursive-doubling", PLOGP, CORRECTED, 6, 40, 4 * 390 - 200},
      {"allreduce/ring", HOCKNEY, CORRECTED, 8, 40, 14 * 110 + 7 * 25},
      {"allreduce/ring", HOCKNEY, CORRECTED, 6, 40, 10 * 114 + 5 * 35}, /* 7 of 40 / 6 = 6.67 */
      {"allreduce/ring", LOGGP, CORRECTED, 8, 40, 14 * 76 + 7 * 25},
      {"allreduce/ring", PLOGP, CORRECTED, 8, 40, 14 * 85 + 7 * 25},
      /* blocks of 10 in two segments of 5: two phases; printed 16 segments */
      {"allreduce/ring-segmented/5B", HOCKNEY, CORRECTED, 8, 80, 2 * 7 * 135 + 7 * 120},
      {"allreduce/ring-segmented/5B", HOCKNEY, PRINTED, 8, 80, (8 + 16 - 2) * 135 + 7 * 120},
      {"allreduce/ring-segmented/5B", LOGGP, CORRECTED, 8, 80, 2 * 7 * (76 + 25) + 7 * 91},
      {"allreduce/ring-segmented/5B", LOGGP, PRINTED, 8, 80, 7 * 76 + 15 * (25 + 7) + 12 + 7 * 91},
      {"allreduce/ring-segmented/5B", PLOGP, CORRECTED, 8, 80, 2 * 7 * (85 + 25) + 7 * 100},
      {"allreduce/ring-segmented/5B", PLOGP, PRINTED, 8, 80, 7 * (85 + 25) + 15 * (35 + 25) + 7 * 100},
      {"allreduce/rabenseifner", HOCKNEY, CORRECTED, 8, 40, 6 * 100 + 2 * 35 * 2 + 35 * 5},
      {"allreduce/rabenseifner", HOCKNEY, PRINTED, 8, 40, 6 * 100 + 2 * 35 * 2 + 35 * 5},
      {"allreduce/rabenseifner", LOGGP, CORRECTED, 8, 40, 6 * 64 + 2 * (19 + 9 + 4) * 3 + 35 * 5},
      {"allreduce/rabenseifner", LOGGP, PRINTED, 8, 40, 6 * 64 + 2 * (7 * 40 - 3) * 3 + 35 * 5 + 3 * 64 - 3 + 35 * 3},
      {"allreduce/rabenseifner", PLOGP, CORRECTED, 8, 40, 6 * 50 + 2 * (80 + 50 + 35) + 35 * 5},
      {"allreduce/rabenseifner", PLOGP, PRINTED, 8, 40, 9 * 50 + 35 * 5 + 3 * (80 + 50)},
      {"allreduce/rabenseifner", HOCKNEY, CORRECTED, 6, 40, 2 * 180 + 200 + 4 * 100 + 2 * 30 * 2 + 30 * 5},
  };
  CHECK_BY_HAND(values);
}

/* Segments of 10 as in the tests of reduce. */
TEST(test_scan)
{
  const struct by_hand values[] = {
      {"scan/linear", HOCKNEY, CORRECTED, 5, 40, 4 * 380},
      {"scan/linear", LOGGP, CORRECTED, 5, 40, 4 * 381},
      {"scan/linear", PLOGP, CORRECTED, 5, 40, 4 * 390},
      {"scan/linear/10B", HOCKNEY, CORRECTED, 5, 40, (5 + 4 - 2) * 170},
      {"scan/linear/10B", LOGGP, CORRECTED, 5, 40, 4 * 141 + 3 * (27 + 14 + 50)},
      {"scan/linear/10B", LOGGP, PRINTED, 5, 40, 4 * 141 + 3 * (14 + 27 + 50)},
      {"scan/linear/10B", PLOGP, CORRECTED, 5, 40, 4 * 150 + 3 * (14 + 16 + 50)},
      {"scan/binomial", HOCKNEY, CORRECTED, 5, 40, 3 * 380},
      {"scan/binomial", LOGGP, CORRECTED, 5, 40, 3 * 381},
      {"scan/binomial", LOGGP, PRINTED, 5, 40, 3 * (181 + 7 + 200)},
      {"scan/binomial", PLOGP, CORRECTED, 5, 40, 3 * 390},
      {"scan/binomial", PLOGP, PRINTED, 5, 40, 3 * (190 + 44 + 200)},
  };
  CHECK_BY_HAND(values);
}
