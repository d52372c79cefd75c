/* What readers pass over is counted, named, and in strict reading an error. */
#include "tutti/passed.h"

#include "base/json.h"
#include "unit/base/printed.h"

static void pass_lines(tutti_passed *passed, int lines)
{
  for (int i = 1; i <= lines; i++)
    assert_int_equal(tutti_pass_over(passed, "a.log", (uint64_t)i, "no collective", NULL, "osu_%d", i), TUTTI_OK);
  assert_int_equal(tutti_pass_over(passed, "b.log", 0, "empty", NULL, "%s", ""), TUTTI_OK);
}

TEST(the_first_three_places_of_a_reason_are_shown)
{
  tutti_passed passed = {.strict = false};
  struct printed printed;
  pass_lines(&passed, 5);
  tutti_passed_print(&passed, printed_begin(&printed), 2);
  printed_expect(&printed, "  passed over, 6 in all:\n"
                           "    5: no collective\n"
                           "      a.log:1: osu_1\n"
                           "      a.log:2: osu_2\n"
                           "      a.log:3: osu_3\n"
                           "      and 2 more (--verbose names all)\n"
                           "    1: empty\n"
                           "      b.log\n");
  tutti_passed_free(&passed);
}

TEST(all_places_are_shown_if_wanted)
{
  tutti_passed passed = {.all = true};
  struct printed printed;
  pass_lines(&passed, 4);
  tutti_json json = tutti_json_begin(printed_begin(&printed));
  tutti_json_object(&json, NULL);
  tutti_json_passed(&json, "passed_over", &passed);
  tutti_json_end(&json);
  printed_expect(&printed,
                 "{\"passed_over\": [\n"
                 "  {\"why\": \"no collective\", \"count\": 4, \"places\": [\"a.log:1: osu_1\", \"a.log:2: osu_2\","
                 " \"a.log:3: osu_3\", \"a.log:4: osu_4\"]},\n"
                 "  {\"why\": \"empty\", \"count\": 1, \"places\": [\"b.log\"]}\n"
                 " ]}\n");
  tutti_passed_free(&passed);
}

TEST(nothing_is_printed_of_nothing)
{
  struct printed printed;
  tutti_passed_print(&(tutti_passed){.all = true}, printed_begin(&printed), 2);
  printed_expect(&printed, "");
}

TEST(strict_reading_ends_at_the_first)
{
  tutti_passed strict = {.strict = true};
  tutti_error error;
  assert_int_equal(tutti_pass_over(&strict, "a.log", 7, "no collective", &error, "%s", "osu_bw"), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "a.log:7: no collective: osu_bw");
  assert_int_equal(tutti_pass_over(NULL, "a.log", 0, "empty", &error, "%s", ""), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "a.log: empty");
  tutti_passed_free(&strict);
}

TEST(reasons_made_of_a_file_do_not_grow_without_end)
{
  tutti_passed passed = {.strict = false};
  for (int i = 0; i < 1000; i++) {
    char why[16];
    snprintf(why, sizeof why, "reason %d", i);
    assert_int_equal(tutti_pass_over(&passed, "a.log", 1, why, NULL, "x"), TUTTI_OK);
  }
  assert_int_equal(passed.count, 1000);
  assert_int_equal(passed.reasons.count, 65);
  assert_int_equal(passed.reasons.items[64].count, 1000 - 64);
  tutti_passed_free(&passed);
}
