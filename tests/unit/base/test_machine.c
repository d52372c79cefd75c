/* Facts about this machine, as far as they are the same on any, and digests. */
#include <sched.h>

#include "base/machine.h"
#include "unit/test.h"

static void assert_word(const char *word)
{
  assert_true(*word);
  assert_int_equal(strcspn(word, " \t\n"), strlen(word));
}

TEST(facts_are_words_and_numbers)
{
  char word[TUTTI_MACHINE_WORD], date[TUTTI_DATE_LENGTH];
  uint64_t available;
  assert_word(tutti_machine_host(word));
  assert_word(tutti_machine_cpu(word));
  assert_true(tutti_machine_cores() >= 1);
  assert_true(tutti_machine_memory(&available) >= available && available > 0);
  assert_true(tutti_machine_load() >= 0);
  assert_int_equal(strlen(tutti_machine_date(date)), strlen("2026-11-22T18:53:09.123Z"));
  assert_word(date);
}

TEST(affinity_is_what_was_set)
{
  uint64_t processors[TUTTI_PROCESSORS_WORDS];
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  assert_int_equal(tutti_machine_affinity(processors), CPU_COUNT(&all));
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &all))
    last--;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(tutti_machine_affinity(processors), 1);
  assert_true(processors[last / 64] == UINT64_C(1) << last % 64);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(digests_of_sets_ignore_order_and_repetition)
{
  char text[TUTTI_DIGEST_LENGTH];
  const uint64_t a = tutti_digest("a", 1), b = tutti_digest("b", 1);
  uint64_t one[] = {a, b}, other[] = {b, a, b}, less[] = {b};
  assert_true(a != b && tutti_digest("", 0) != tutti_digest("\0", 1));
  assert_true(tutti_digest_set(one, 2) == tutti_digest_set(other, 3));
  assert_true(tutti_digest_set(one, 2) != tutti_digest_set(less, 1));
  assert_int_equal(strspn(tutti_digest_format(a, text), "0123456789abcdef"), 16);
}
