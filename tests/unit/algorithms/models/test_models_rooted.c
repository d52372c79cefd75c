/* Tables 4.3, 4.4, 4.5 and 4.8 against values computed by hand. */
#include "unit/algorithms/models/model_fixture.h"

/* P = 8, 4 segments of 10 bytes: alpha + beta m_s = 120; L + 2 o + (m_s - 1) G = 50 + 14 + 27 = 91,
   g + (m_s - 1) G = 36; g(10) = 50, o_s = 14, o_r = 16. A balanced binary tree of 8 has 4 levels. */
TEST(test_bcast)
{
  static const struct by_hand values[] = {
      {"bcast/linear/10B", HOCKNEY, CORRECTED, 8, 40, 4 * 7 * 120},
      {"bcast/linear/10B", LOGGP, CORRECTED, 8, 40, 50 + 14 - 9 + 4 * 7 * 36},
      {"bcast/linear/10B", PLOGP, CORRECTED, 8, 40, 50 + 4 * 7 * 50},
      {"bcast/pipeline/10B", HOCKNEY, CORRECTED, 8, 40, (8 + 4 - 2) * 120},
      {"bcast/pipeline/10B", LOGGP, CORRECTED, 8, 40, 7 * 91 + 3 * (36 + 7)},
      {"bcast/pipeline/10B", LOGGP, PRINTED, 2, 40, 91 + 3 * (36 + 7)},
      {"bcast/pipeline/10B", LOGGP, CORRECTED, 2, 40, 91 + 3 * 36},
      {"bcast/pipeline/10B", PLOGP, CORRECTED, 8, 40, 7 * (50 + 50) + 3 * 50},
      {"bcast/binomial/10B", HOCKNEY, CORRECTED, 8, 40, 3 * 4 * 120},
      {"bcast/binomial/10B", HOCKNEY, CORRECTED, 9, 40, 4 * 4 * 120},
      {"bcast/binomial/10B", LOGGP, CORRECTED, 8, 40, 3 * (91 + 3 * 36)},
      {"bcast/binomial/10B", PLOGP, CORRECTED, 8, 40, 3 * (50 + 4 * 50)},
      {"bcast/in-order-binomial/10B", PLOGP, CORRECTED, 8, 40, 3 * (50 + 4 * 50)},
      {"bcast/binary/10B", HOCKNEY, CORRECTED, 8, 40, 2 * (4 + 4 - 2) * 120},
      {"bcast/binary/10B", LOGGP, CORRECTED, 8, 40, 3 * (50 + 9 + 2 * (7 + 27)) + 3 * (7 + 2 * 36)},
      {"bcast/binary/10B", PLOGP, CORRECTED, 8, 40, 3 * (50 + 2 * 50) + 3 * (2 * 50)},
      {"bcast/binary/10B", HOCKNEY, PRINTED, 2, 40, 2 * (2 + 4 - 2) * 120},
      {"bcast/binary/10B", HOCKNEY, CORRECTED, 2, 40, 4 * 120},
      {"bcast/in-order-binary/10B", HOCKNEY, CORRECTED, 7, 40, 2 * (3 + 4 - 2) * 120},
      /* two segments of 10 in each half; 20 bytes are exchanged */
      {"bcast/split-binary/10B", HOCKNEY, CORRECTED, 8, 40, 2 * (4 + 2 - 2) * 120 + 140},
      {"bcast/split-binary/10B", LOGGP, CORRECTED, 8, 40,
       3 * (50 + 9 + 2 * (7 + 27)) + 1 * (7 + 2 * 36) + 50 + 14 + 19 * 3},
      {"bcast/split-binary/10B", PLOGP, CORRECTED, 8, 40, 3 * (50 + 2 * 50) + 1 * 100 + 50 + 80},
      /* not segmented: halves of 20 bytes, printed as 40 */
      {"bcast/split-binary", HOCKNEY, CORRECTED, 8, 40, 2 * (4 + 1 - 2) * 140 + 140},
      {"bcast/split-binary", HOCKNEY, PRINTED, 8, 40, 2 * (4 + 1 - 2) * 180 + 140},
      {"bcast/split-binary/10B", HOCKNEY, CORRECTED, 2, 40, 2 * 120 + 140},
  };
  CHECK_BY_HAND(values);
}

/* Blocks of 4 bytes: alpha + beta m = 108; L + 2 o + (m - 1) G = 73; g(4) = 32, g(8) = 44, g(16) = 68. */
TEST(test_scatter)
{
  static const struct by_hand values[] = {
      {"scatter/linear", HOCKNEY, CORRECTED, 8, 4, 7 * 108},
      {"scatter/linear", LOGGP, CORRECTED, 8, 4, 73 + 6 * (9 + 9)},
      {"scatter/linear", LOGGP, PRINTED, 8, 4, 64 + 6 * (9 + 9)},
      {"scatter/linear", PLOGP, CORRECTED, 8, 4, 50 + 7 * 32},
      {"scatter/binomial", HOCKNEY, CORRECTED, 8, 4, 3 * 100 + 7 * 8},
      {"scatter/binomial", HOCKNEY, CORRECTED, 6, 4, 3 * 100 + 5 * 8},
      {"scatter/binomial", HOCKNEY, PRINTED, 8, 4, 3 * 100 + 7 * 8},
      {"scatter/binomial", LOGGP, CORRECTED, 8, 4, 64 + (28 - 3) * 3 + 2 * 64},
      {"scatter/binomial", LOGGP, CORRECTED, 6, 4, 64 + (20 - 3) * 3 + 2 * 64},
      {"scatter/binomial", PLOGP, CORRECTED, 8, 4, 3 * 50 + 32 + 44 + 68},
      /* 1, 2 and the 2 blocks left over; printed 1, 2, 4 */
      {"scatter/binomial", PLOGP, CORRECTED, 6, 4, 3 * 50 + 32 + 44 + 44},
      {"scatter/binomial", PLOGP, PRINTED, 6, 4, 3 * 50 + 32 + 44 + 68},
  };
  CHECK_BY_HAND(values);
}

/* With synchronisation, parts of 10 and 30 bytes: a rank takes, LogGP, 2 50 + 4 7 + 27 = 155 until the first
   part is there, and 9 + 29 3 = 96 for the second one; each other rank the larger of 155 and 9 + 27 + 96 = 132, so with
   P = 5 it is 4 155 + 96. PLogP, g(0) = 20, g(10) = 50, g(30) = 110: 100 + 20 + 50 = 170 and 110; 50 + 110 = 160. */
TEST(test_gather)
{
  static const struct by_hand values[] = {
      {"gather/linear", HOCKNEY, CORRECTED, 8, 4, 7 * 108},
      {"gather/linear", LOGGP, CORRECTED, 8, 4, 73 + 6 * (9 + 9)},
      {"gather/linear", LOGGP, PRINTED, 8, 4, 64 + 6 * (9 + 9)},
      {"gather/linear", PLOGP, CORRECTED, 8, 4, 50 + 7 * 32},
      {"gather/linear-sync/10B", HOCKNEY, CORRECTED, 5, 40, 100 + 4 * (200 + 80)},
      {"gather/linear-sync", HOCKNEY, CORRECTED, 5, 40, 4 * (200 + 80)},
      {"gather/linear-sync/10B", LOGGP, CORRECTED, 5, 40, 4 * 155 + 96},
      /* g + m G = 129 is not less than L + 2 (o + m_s G) = 124: printed (P - 1) (o + g + (m - 2) G + L + o) */
      {"gather/linear-sync/10B", LOGGP, PRINTED, 5, 40, 4 * (7 + 9 + 38 * 3 + 50 + 7)},
      {"gather/linear-sync/10B", LOGGP, CORRECTED, 5, 200, 155 + 576 + 3 * (36 + 576)},
      {"gather/linear-sync/20B", LOGGP, PRINTED, 5, 40, 4 * (100 + 28 + 57) + 9 + 57},
      {"gather/linear-sync", LOGGP, CORRECTED, 5, 40, 4 * (64 + 64 + 117)},
      {"gather/linear-sync/10B", PLOGP, CORRECTED, 5, 40, 4 * 170 + 110},
      {"gather/linear-sync/10B", PLOGP, PRINTED, 5, 40, 100 + 20 + 4 * (50 + 110)},
      {"gather/linear-sync", PLOGP, CORRECTED, 5, 40, 4 * (70 + 50 + 140)},
      {"gather/binomial", HOCKNEY, CORRECTED, 8, 4, 3 * 100 + 7 * 8},
      {"gather/binomial", HOCKNEY, PRINTED, 8, 4, 3 * 100 + 8 * 8},
      {"gather/binomial", LOGGP, CORRECTED, 8, 4, 64 + (28 - 3) * 3 + 2 * 64},
      {"gather/binomial", LOGGP, PRINTED, 8, 4, 2 * 64 + (15 * 4 - 3) * 3},
      {"gather/binomial", PLOGP, CORRECTED, 6, 4, 3 * 50 + 32 + 44 + 44},
  };
  CHECK_BY_HAND(values);
}

/* As test_bcast, and gamma m_s = 50: alpha + (beta + gamma) m_s = 170; LogGP: a segment takes 91 + 50 = 141, the next
   one 27 + max{9, 7 + 50} = 84; PLogP: 50 + 50 + 50 = 150 and max{50, 16 + 50} = 66. */
TEST(test_reduce)
{
  static const struct by_hand values[] = {
      {"reduce/linear/10B", HOCKNEY, CORRECTED, 8, 40, 4 * 7 * 170},
      {"reduce/linear/10B", LOGGP, CORRECTED, 8, 40, 141 + (7 * 4 - 1) * 84},
      {"reduce/linear/10B", LOGGP, PRINTED, 8, 40, 7 + 27 + 50 + 4 * 7 * (7 + 27 + 50)},
      {"reduce/linear/10B", PLOGP, CORRECTED, 8, 40, 150 + (7 * 4 - 1) * 66},
      {"reduce/linear/10B", PLOGP, PRINTED, 8, 40, 50 + 7 * 4 * 66},
      {"reduce/pipeline/10B", HOCKNEY, CORRECTED, 8, 40, (8 + 4 - 2) * 170},
      {"reduce/pipeline/10B", LOGGP, CORRECTED, 8, 40, 7 * 141 + 3 * (27 + 14 + 50)},
      {"reduce/pipeline/10B", LOGGP, PRINTED, 8, 40, 7 * 141 + 3 * (14 + 27 + 50)},
      {"reduce/pipeline/10B", PLOGP, CORRECTED, 8, 40, 7 * 150 + 3 * (66 + 14)},
      {"reduce/pipeline/10B", PLOGP, PRINTED, 8, 40, 7 * (50 + 66) + 3 * (66 + 14)},
      {"reduce/binomial/10B", HOCKNEY, CORRECTED, 8, 40, 4 * 3 * 170},
      {"reduce/binomial/10B", LOGGP, CORRECTED, 8, 40, 3 * (141 + 3 * 84)},
      {"reduce/binomial/10B", LOGGP, PRINTED, 8, 40, 3 * (7 + 50 + 4 * 84)},
      {"reduce/binomial/10B", PLOGP, CORRECTED, 8, 40, 3 * (150 + 3 * (16 + 50 + 14))},
      {"reduce/binomial/10B", PLOGP, PRINTED, 8, 40, 3 * (50 + 4 * (16 + 50 + 14))},
      {"reduce/in-order-binomial/10B", HOCKNEY, CORRECTED, 8, 40, 4 * 3 * 170},
      {"reduce/binary/10B", HOCKNEY, CORRECTED, 8, 40, 2 * (4 + 4 - 2) * 170},
      {"reduce/binary/10B", LOGGP, CORRECTED, 8, 40, 3 * (141 + 84) + 3 * (7 + 2 * 84)},
      {"reduce/binary/10B", LOGGP, PRINTED, 8, 40, 3 * (50 + 21 + 27 + 100 + 3 * (27 + 21 + 100))},
      {"reduce/binary/10B", PLOGP, CORRECTED, 8, 40, 3 * (150 + 66) + 3 * (14 + 2 * 66)},
      {"reduce/binary/10B", PLOGP, PRINTED, 8, 40, 3 * (50 + 2 * 66) + 3 * (14 + 2 * 66)},
      {"reduce/in-order-binary/10B", HOCKNEY, CORRECTED, 2, 40, 4 * 170},
      /* halves of 20, 10 and 5 bytes: 35 = 7 / 8 of 40 */
      {"reduce/rabenseifner", HOCKNEY, CORRECTED, 8, 40, 2 * 3 * 100 + 2 * 35 * 2 + 35 * 5},
      {"reduce/rabenseifner", HOCKNEY, PRINTED, 8, 40, 2 * 3 * 100 + 2 * 7 * 2 * 40 + 7 * 5 * 40},
      {"reduce/rabenseifner", LOGGP, CORRECTED, 8, 40, 6 * 64 + 2 * (19 + 9 + 4) * 3 + 35 * 5},
      {"reduce/rabenseifner", LOGGP, PRINTED, 8, 40, 6 * 64 + 2 * (7 * 40 - 3) * 3 + 7 * 5 * 40},
      {"reduce/rabenseifner", PLOGP, CORRECTED, 8, 40, 6 * 50 + 2 * (80 + 50 + 35) + 35 * 5},
      {"reduce/rabenseifner", PLOGP, PRINTED, 8, 40, 6 * 50 + 7 * 5 * 40 + 80 + 50 + 35},
      /* two ranks hand over 40 bytes first */
      {"reduce/rabenseifner", HOCKNEY, CORRECTED, 6, 40, 100 + 40 * 7 + 4 * 100 + 2 * 30 * 2 + 30 * 5},
  };
  CHECK_BY_HAND(values);
}
