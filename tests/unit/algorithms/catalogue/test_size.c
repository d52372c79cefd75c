/* Sizes in bytes, as people write them and as they are written back. */
#include "algorithms/catalogue/builders.h"
#include "tutti/algorithm.h"
#include "unit/base/random.h"
#include "unit/test.h"

static void reads(const char *text, uint64_t expected)
{
  uint64_t bytes = ~expected;
  assert_ok(tutti_size_parse(text, &bytes, &error), error);
  assert_int_equal(bytes, expected);
}

static void writes(uint64_t bytes, const char *expected)
{
  char text[24];
  assert_ptr_equal(tutti_size_format(bytes, text), text);
  assert_string_equal(text, expected);
}

TEST(sizes_are_read)
{
  reads("0", 0);
  reads("7", 7);
  reads("7B", 7);
  reads("007b", 7);
  reads("8KB", 8192);
  reads("8kb", 8192);
  reads("1Mb", 1048576);
  reads("3GB", UINT64_C(3) << 30);
  reads("18446744073709551615", UINT64_MAX);
  reads("18446744073709551615B", UINT64_MAX);
  reads("18014398509481983KB", UINT64_MAX - 1023);
  reads("8K", 8192);
  reads("10k", 10240);
  reads("1MiB", 1048576);
  reads("64Ki", 65536);
  reads("2gib", UINT64_C(2) << 30);
  reads("1.5KB", 1536);
  reads("0.5GB", UINT64_C(1) << 29);
  reads("2.50MB", 2621440);
  reads("1e3", 1000);
  reads("1.5E3B", 1500);
  reads("1.250e3", 1250);
  reads("0e99", 0);
  reads("1e19", UINT64_C(10000000000000000000));
  reads("17179869183GB", UINT64_MAX - ((UINT64_C(1) << 30) - 1));
}

TEST(what_is_no_size_is_refused)
{
  static const char *const wrong[] = {"",
                                      " ",
                                      "B",
                                      "KB",
                                      "-1",
                                      "+1",
                                      " 8",
                                      "8 ",
                                      "8 KB",
                                      "8TB",
                                      "8BB",
                                      "8KBB",
                                      "1.3KB",
                                      "0.5",
                                      "1.KB",
                                      ".5KB",
                                      "1e",
                                      "1e-3",
                                      "1e3e3",
                                      "1e20",
                                      "1e99999999999999999999",
                                      "8iB",
                                      "0x10",
                                      "8KB\n",
                                      "none",
                                      "eight",
                                      "\xc2\xb2",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "18014398509481984KB",
                                      "17592186044416MB",
                                      "17179869184GB",
                                      "20000000000GB"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    uint64_t bytes = 42;
    char quoted[64];
    if (tutti_size_parse(wrong[i], &bytes, REASON) == TUTTI_OK)
      fail_msg("'%s' was read as %llu", wrong[i], (unsigned long long)bytes);
    assert_int_equal(error.status, TUTTI_ERR_ARGUMENT);
    assert_int_equal(bytes, 42);
    snprintf(quoted, sizeof quoted, "'%s' is not a size", wrong[i]);
    assert_non_null(strstr(error.message, quoted));
    assert_int_equal(tutti_size_parse(wrong[i], &bytes, NULL), TUTTI_ERR_ARGUMENT);
  }
}

TEST(sizes_are_written_short)
{
  writes(0, "0B");
  writes(1, "1B");
  writes(1000, "1000B");
  writes(1023, "1023B");
  writes(1024, "1KB");
  writes(1536, "1536B");
  writes(384 * 1024, "384KB");
  writes(1 << 20, "1MB");
  writes((1 << 20) + 1024, "1025KB");
  writes(UINT64_C(1) << 30, "1GB");
  writes(UINT64_C(1) << 40, "1024GB");
  writes(UINT64_MAX, "18446744073709551615B");
}

TEST(what_is_written_is_read)
{
  uint64_t seed = 1;
  char text[24];
  for (int i = 0; i < 100000; i++) {
    uint64_t bytes = random_next(&seed) >> random_below(&seed, 64);
    bytes = bytes << random_below(&seed, 40);
    reads(tutti_size_format(bytes, text), bytes);
  }
}

/* Segments hold all of a message, however large both are. */
TEST(messages_of_any_size_are_cut)
{
  static const uint64_t sizes[] = {0, 1, 7, 8, 1 << 20, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
  static const uint64_t segments[] = {0, 1, 8, 1 << 20, UINT64_C(1) << 62, UINT64_MAX - 1, UINT64_MAX};
  for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++)
    for (size_t s = 0; s < sizeof segments / sizeof *segments; s++) {
      const tutti_call call = {.type_size = 1, .parameters.segment_bytes = segments[s]};
      tutti_segmentation cut = tutti_segments(&call, 0, sizes[t]);
      uint64_t whole = sizes[t] / cut.length;
      assert_true(cut.length > 0 && (cut.length <= sizes[t] || sizes[t] == 0));
      assert_int_equal(cut.count, whole + (sizes[t] % cut.length > 0));
    }
}
