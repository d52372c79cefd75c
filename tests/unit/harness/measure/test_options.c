/* Command lines of measuring programs: what a table of options makes of them, and the text of the points. */
#include "harness/measure/points.h"
#include "unit/test.h"

enum { NAMES, NUMBER, LIST, SCHEME, COST, OPTIONS };

static const struct program_option list[OPTIONS] = {
    [NAMES] = OPTION_WORD("names", 'n', "NAMES", "a,b", "Some names"),
    [NUMBER] = OPTION_NUMBER("number", 0, "N", "3", 2, 9, "A number"),
    [LIST] = OPTION_LIST("list", 'l', "WORDS", "Words"),
    [SCHEME] = OPTION_KEY("scheme", 0, "NAME", "occ", "scheme", "occ (default) or window"),
    [COST] = OPTION_COST("cost-s", "SECONDS", "cost_s", "A cost"),
};

/* A line a name, with all words of the list. */
static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  const char *names = option_word(options, NAMES), *name;
  int length;
  if (!options->given[LIST])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to do: give --list");
  while ((name = option_next(&names, &length)))
    fprintf(stream, "%.*s number=%s list=%s\n", length, name, option_word(options, NUMBER), options->given[LIST]);
  return TUTTI_OK;
}

static const struct option_table table = {.name = "tutti-test",
                                          .doc = "Test.",
                                          .points_help = "Read FILE",
                                          .count = OPTIONS,
                                          .options = list,
                                          .done = "tested",
                                          .write = write_lines};

static tutti_status read_line(const char *line, struct options *options, tutti_error *error)
{
  static char copy[256];
  char *argv[16], *rest = copy;
  int argc = 0;
  snprintf(copy, sizeof copy, "tutti-test %s", line);
  for (char *word; (word = strtok_r(rest, " ", &rest));)
    argv[argc++] = word;
  argv[argc] = NULL;
  return options_read(&table, argc, argv, options, error);
}

static void assert_text(const char *line, const char *expected)
{
  FREED_BY(options_free) struct options options;
  if (read_line(line, &options, &error) != TUTTI_OK)
    fail_msg("%s: %s", line, error.message);
  assert_string_equal(options.text, expected);
  assert_null(options.points);
}

static void refused(const char *line, const char *expected)
{
  FREED_BY(options_free) struct options options;
  assert_int_equal(read_line(line, &options, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, expected);
}

TEST(defaults_stand_for_what_is_not_given)
{
  assert_text("-l x", "tutti-points v=1 scheme=occ\na number=3 list=x\nb number=3 list=x\n");
}

TEST(what_is_given_stands_in_its_place)
{
  assert_text("--names c --number 9 --list x --scheme window --cost-s 1e-9",
              "tutti-points v=1 scheme=window\ncosts cost_s=1e-9\nc number=9 list=x\n");
  assert_text("-n a -n c -l x", "tutti-points v=1 scheme=occ\nc number=3 list=x\n"); /* the last one counts */
}

TEST(lists_add_up)
{
  assert_text("-l x -n a --list y,z", "tutti-points v=1 scheme=occ\na number=3 list=x,y,z\n");
}

TEST(faults_are_named)
{
  refused("", "nothing to do: give --list");
  refused("-l x --number 1", "--number: '1' is not a whole number from 2 to 9");
  refused("-l x --number 10", "--number: '10' is not a whole number from 2 to 9");
  refused("-l x --number 3x", "--number: '3x' is not a whole number from 2 to 9");
  refused("--points file --number 4", "--number does not go with --points, whose file says all that is tested");
}

TEST(a_points_file_is_read)
{
  char path[] = "/tmp/tutti-test-options-XXXXXX", line[64];
  struct options options;
  int file = mkstemp(path);
  snprintf(line, sizeof line, "--points %s", path);
  assert_fails(read_line(line, &options, &error), TUTTI_ERR_ARGUMENT, error, "is empty");
  options_free(&options);
  assert_int_equal(write(file, "tutti-points v=1\nx\n", 19), 19);
  assert_int_equal(read_line(line, &options, &error), TUTTI_OK);
  assert_string_equal(options.text, "tutti-points v=1\nx\n");
  assert_string_equal(options.points, path);
  options_free(&options);
  close(file);
  unlink(path);
  assert_fails(read_line(line, &options, &error), TUTTI_ERR_IO, error, "No such file or directory");
  options_free(&options);
}

/* SimGrid answers --help itself, so that the help has other spellings. */
TEST(the_help_has_three_spellings)
{
  static const char *const spellings[] = {"--help", "--usage", "-h"};
  for (int i = 0; i < 3; i++) {
    struct options options;
    assert_int_equal(read_line(spellings[i], &options, &error), TUTTI_OK);
    assert_true(options.handled);
    assert_null(options.text);
    options_free(&options);
  }
}

TEST(lists_are_walked_word_by_word)
{
  const char *words = "ab,c,", *rest = words, *word;
  int length;
  word = option_next(&rest, &length);
  assert_true(word == words && length == 2);
  word = option_next(&rest, &length);
  assert_true(word == words + 3 && length == 1);
  assert_null(option_next(&rest, &length));
}
