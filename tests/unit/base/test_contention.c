/* The law of a link that loses throughput, beside values by hand, and its text. */
#include "tutti/contention.h"
#include "unit/test.h"

TEST(throughput_falls_beyond_k_down_to_the_floor)
{
  const tutti_contention law = {12, 0.25}, none = {0};
  assert_true(tutti_contention_bandwidth(&law, 100, 1) == 100);
  assert_true(tutti_contention_bandwidth(&law, 100, 12) == 100);
  assert_true(tutti_contention_bandwidth(&law, 100, 16) == 75);
  assert_true(tutti_contention_bandwidth(&law, 100, 24) == 50);
  assert_true(tutti_contention_bandwidth(&law, 100, 48) == 25);
  assert_true(tutti_contention_bandwidth(&law, 100, 1000) == 25);
  assert_true(tutti_contention_bandwidth(&none, 100, 1000) == 100);
}

TEST(a_law_is_read)
{
  tutti_contention law;
  assert_int_equal(tutti_contention_parse("12/0.25", &law, NULL), TUTTI_OK);
  assert_true(law.messages == 12 && law.floor == 0.25);
  assert_int_equal(tutti_contention_parse("1/1", &law, NULL), TUTTI_OK);
  assert_true(law.messages == 1 && law.floor == 1);
  assert_int_equal(tutti_contention_parse("2147483647/1e-3", &law, NULL), TUTTI_OK);
}

TEST(other_texts_are_refused)
{
  static const char *const wrong[] = {"",
                                      "/",
                                      "12",
                                      "12/",
                                      "/0.5",
                                      "0/0.5",
                                      "-1/0.5",
                                      "12/0",
                                      "12/1.1",
                                      "12/-1",
                                      "12/nan",
                                      "12/inf",
                                      " 12/.5",
                                      "12/.5 ",
                                      "12/.5/",
                                      "1.5/.5",
                                      "12:.5",
                                      "12 /0.5",
                                      "x/0.5",
                                      "12/x",
                                      "99999999999999999/0.5",
                                      "2147483648/0.5"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    tutti_contention law;
    if (tutti_contention_parse(wrong[i], &law, &error) != TUTTI_ERR_ARGUMENT)
      fail_msg("'%s' is read", wrong[i]);
  }
}
