/* Words in lists. */
#include "base/words.h"
#include "unit/test.h"

TEST(only_whole_words_are_listed)
{
  static const char list[] = "binomial  pairwise ring ";
  assert_true(tutti_word_is_listed(list, ' ', "binomial"));
  assert_true(tutti_word_is_listed(list, ' ', "pairwise"));
  assert_true(tutti_word_is_listed(list, ' ', "ring"));
  assert_false(tutti_word_is_listed(list, ' ', "pair"));
  assert_false(tutti_word_is_listed(list, ' ', "wise"));
  assert_false(tutti_word_is_listed(list, ' ', "pairwise ring"));
  assert_false(tutti_word_is_listed(list, ' ', "rings"));
}

TEST(no_word_is_nowhere)
{
  assert_false(tutti_word_is_listed("", ' ', "ring"));
  assert_false(tutti_word_is_listed("", ' ', ""));
  assert_false(tutti_word_is_listed("a  b ", ' ', ""));
}

TEST(words_between_commas_have_blanks)
{
  static const char list[] = "groups of bcast, PingPong";
  assert_true(tutti_word_is_listed(list, ',', "groups of bcast"));
  assert_true(tutti_word_is_listed(list, ',', "PingPong"));
  assert_false(tutti_word_is_listed(list, ',', "bcast"));
}

TEST(words_that_are_near_differ_in_few_letters)
{
  static const char forty[] = "abcdefghijabcdefghijabcdefghijabcdefghij",
                    more[] = "abcdefghijabcdefghijabcdefghijabcdefghijk";
  assert_int_equal(tutti_word_distance("bench", "bench"), 0);
  assert_int_equal(tutti_word_distance("bnech", "bench"), 1); /* swapped */
  assert_int_equal(tutti_word_distance("bcst", "bcast"), 1);
  assert_int_equal(tutti_word_distance("benches", "bench"), 2);
  assert_int_equal(tutti_word_distance("kitten", "sitting"), 3);
  assert_int_equal(tutti_word_distance("", "four"), 4);
  assert_int_equal(tutti_word_distance(forty, ""), 40);
  assert_int_equal(tutti_word_distance(more, more), INT_MAX);
}

static const char *guess_of(const char *word)
{
  static const char *const known[] = {
      "ring", "rings", "rang", "bruck", "grig_mx", "grig_fast_ethernet_loggp", "grig_fast_ethernet", "frost"};
  static tutti_guess guess;
  guess = (tutti_guess){.word = word};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    tutti_guess_try(&guess, known[i]);
  return tutti_guess_word(&guess);
}

TEST(a_misspelt_word_has_a_nearest)
{
  char text[2 * TUTTI_GUESS_LENGTH];
  assert_string_equal(guess_of("rinng"), "ring");
  assert_string_equal(guess_of("RING"), "ring");
  assert_string_equal(guess_of("reng"), "rang"); /* and "ring", which is after it in the alphabet */
  assert_string_equal(guess_of("grig_fast"), "grig_fast_ethernet");
  assert_null(guess_of("gri")); /* two begin so */
  assert_null(guess_of("x"));
  assert_null(guess_of(""));
  assert_null(guess_of("binomial"));
  tutti_guess guess = {.word = "bruk"};
  assert_string_equal(tutti_guess_text(&guess, text), "");
  tutti_guess_try(&guess, "bruck");
  assert_string_equal(tutti_guess_text(&guess, text), " (did you mean 'bruck'?)");
}
