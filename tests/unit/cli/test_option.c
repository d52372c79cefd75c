/* Options by table: values, defaults, aliases, and what is said of a wrong one. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "tutti/algorithm.h"
#include "unit/cli/said.h"

struct inner {
  const char *database;
  bool given;
  int ranks_per_node;
};

struct values {
  int ranks;
  uint64_t size, seed;
  double fraction, percent, gap, within;
  int by, level, made;
  bool json, keep, checked;
  const char *keep_as;
  struct option_strings decisions, files;
  struct option_numbers sizes;
  tutti_collective collective;
  struct inner inner;
};

static const char *const kinds[] = {"formula", "schedule", "both", NULL};

static const struct option_row inner_table[] = {
    OPTION_DB(struct inner, database, OPTION_GIVEN(struct inner, given)),
    OPTION_NUMBER("ranks-per-node", "N", struct inner, ranks_per_node, "ranks on a node", .min = 1, .aliases = "ppn"),
    OPTION_NUMBER("ranks", "N", struct inner, ranks_per_node, "never seen: the first row of that name counts"),
    OPTION_END};

static void check(void *values)
{
  struct values *all = values;
  all->checked = true;
  if (all->fraction > 0.5 && all->json)
    die("--fraction above 0.5 cannot be combined with --json");
}

static void begin(void *values)
{
  ((struct values *)values)->gap = -1;
}

/* Rows that are made when they are asked for. */
static const struct option_row *make_rows(void)
{
  static struct option_row rows[2];
  rows[0] = (struct option_row)OPTION_NUMBER("made", "N", struct values, made, "a row that a function makes", .min = 2);
  rows[1] = (struct option_row)OPTION_END;
  return rows;
}

static char *list_things(void)
{
  return tutti_xstrdup("Things:\n  one\n  two");
}

static const struct option_row table[] = {
    OPTION_BEGIN(begin),
    OPTION_HEADING("First:"),
    OPTION_NUMBER("ranks", "N", struct values, ranks, "ranks of the group", .letter = 'P', .min = 1, .initial = "64",
                  .aliases = "processes n"),
    OPTION_SIZE("size", "BYTES", struct values, size, "bytes of the message", .letter = 's', .max = 1 << 20),
    OPTION_NUMBER("seed", "N", struct values, seed, "seed"),
    OPTION_REAL("fraction", "FRACTION", struct values, fraction, "share of members", .high = 1, .initial = "0.25"),
    OPTION_REAL("tolerance", "PERCENT", struct values, percent, "how much slower is accepted", .scale = 0.01),
    OPTION_REAL("between", "X", struct values, percent, "open interval", .high = 1, .open = true),
    OPTION_TIME("gap", struct values, gap, "gap between messages"),
    OPTION_DURATION("within", struct values, within, "time for all"),
    OPTION_WORD("by", struct values, by, kinds, "predict by"),
    OPTION_SET("loud", struct values, level, 3, "print more"),
    OPTION_HEADING("Second:"),
    OPTION_JSON(struct values, json),
    OPTION_STRING("store-as", "NAME", struct values, keep_as, "put it into the store", .bare = true,
                  OPTION_GIVEN(struct values, keep), .aliases = "keep"),
    OPTION_STRINGS("decision", "DECISION", struct values, decisions, "ask this decision; may be repeated"),
    OPTION_NUMBERS("sizes", struct values, sizes, tutti_size_parse, "sizes"),
    OPTION_TABLE(struct values, inner, inner_table),
    OPTION_TABLE_FROM(make_rows),
    ARGUMENT_PARSE("COLLECTIVE", struct values, collective, option_collective),
    ARGUMENT_STRINGS("FILE", struct values, files, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

static const struct option_usage usage = {.help = "Try options.", .notes = "Exit status: 0.", .list = list_things};

enum { MAX_WORDS = 32 };

/* Read a command line, words with blanks between them, in this process. */
static struct values read_line(const char *line)
{
  static char text[512];
  char *argv[MAX_WORDS] = {"tutti try"}, *rest;
  int argc = 1;
  struct values values = {0};
  snprintf(text, sizeof text, "%s", line);
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    argv[argc++] = word;
  options_parse(table, &usage, argc, argv, &values);
  return values;
}

static void read_said_line(const void *line)
{
  read_line(line);
}

/* The same in a child, which ends with a status and says something on standard output or error. */
static int say(const char *line, char said[SAID_LENGTH])
{
  return said_by(read_said_line, line, said);
}

static void assert_refused(const char *line, const char *message)
{
  char said[SAID_LENGTH], whole[512];
  assert_int_equal(say(line, said), EXIT_USAGE);
  snprintf(whole, sizeof whole, "tutti try: %s\n", message);
  if (strncmp(said, whole, strlen(whole)) != 0)
    fail_msg("'%s' says '%s' instead of '%s'", line, said, whole);
}

TEST(defaults_are_read_from_the_table)
{
  struct values values = read_line("bcast");
  assert_int_equal(values.ranks, 64);
  assert_true(values.fraction == 0.25);
  assert_true(values.gap == -1);
  assert_string_equal(values.inner.database, "results.db");
  assert_false(values.inner.given);
  assert_int_equal(values.size, 0);
  assert_int_equal(values.files.count, 0);
  assert_true(values.checked);
  options_free(table, &values);
}

TEST(every_kind_of_value_is_read)
{
  struct values values = read_line("-P 8 -s 8KB --seed 18446744073709551615 --fraction=0.5 --tolerance 5 --gap 3us "
                                   "--within 2min --by schedule --loud --json reduce a.xml b.xml");
  assert_int_equal(values.ranks, 8);
  assert_int_equal(values.size, 8192);
  assert_true(values.seed == UINT64_MAX);
  assert_true(values.fraction == 0.5 && values.json);
  assert_float_equal(values.percent, 0.05, 1e-12);
  assert_float_equal(values.gap, 3e-6, 1e-12);
  assert_true(values.within == 120);
  assert_int_equal(values.by, 1);
  assert_int_equal(values.level, 3);
  assert_int_equal(values.collective, TUTTI_COLL_REDUCE);
  assert_int_equal(values.files.count, 2);
  assert_string_equal(values.files.items[1], "b.xml");
  options_free(table, &values);
}

TEST(lists_and_repeated_options)
{
  struct values values = read_line("bcast --sizes 1 --sizes 4KB,1..4*2 --decision a --decision b --store-as --db x.db");
  assert_int_equal(values.sizes.count, 4);
  assert_int_equal(values.sizes.items[2], 4);
  assert_int_equal(values.sizes.items[3], 4096);
  assert_int_equal(values.decisions.count, 2);
  assert_string_equal(values.decisions.items[0], "a");
  assert_true(values.keep);
  assert_null(values.keep_as);
  assert_true(values.inner.given);
  assert_string_equal(values.inner.database, "x.db");
  options_free(table, &values);
}

/* As a shell reads them, in the order that is asked for. */
TEST(what_was_given_can_be_said_again)
{
  static const char *const asked[] = {"size", "sizes", "db", "json", "decision", "ranks", NULL};
  struct values values = read_line("bcast -s 8KB --json --sizes=1..4*2 --decision it's --loud --db x.db");
  char *again = options_given(asked);
  assert_string_equal(again, " -s 8KB --sizes '1..4*2' --db x.db --json --decision 'it'\\''s'");
  free(again);
  options_free(table, &values);
  again = options_given(asked);
  assert_string_equal(again, "");
  free(again);
}

TEST(rows_may_come_from_a_function)
{
  struct values values = read_line("bcast --made 7");
  assert_int_equal(values.made, 7);
  options_free(table, &values);
  assert_refused("bcast --made 1", "--made: '1' is not a whole number from 2 to 2147483647");
}

TEST(old_spellings_are_accepted)
{
  struct values values = read_line("bcast --processes 3 --ppn 4 --keep=name");
  assert_int_equal(values.ranks, 3);
  assert_int_equal(values.inner.ranks_per_node, 4);
  assert_string_equal(values.keep_as, "name");
  values = read_line("bcast -n 5");
  assert_int_equal(values.ranks, 5);
}

TEST(help_shows_defaults_but_no_old_spellings)
{
  char said[SAID_LENGTH];
  assert_int_equal(say("--help-all", said), 0);
  assert_non_null(strstr(said, "Usage: tutti try [OPTION...] COLLECTIVE [FILE...]\nTry options.\n"));
  assert_non_null(strstr(said, "  -P, --ranks=N              ranks of the group (default: 64)\n"));
  assert_non_null(strstr(said, "--by=formula|schedule|both"));
  assert_non_null(strstr(said, "--store-as[=NAME]"));
  assert_non_null(strstr(said, " First:\n"));
  assert_non_null(strstr(said, "the store (default: results.db)"));
  assert_non_null(strstr(said, "Exit status: 0.\n\nThings:\n  one\n  two\n"));
  assert_null(strstr(said, "--processes"));
  assert_null(strstr(said, "--ppn"));
  assert_null(strstr(said, " -n"));
  assert_null(strstr(said, "never seen"));
}

TEST(help_of_many_options_shows_those_of_every_day)
{
  char said[SAID_LENGTH];
  assert_int_equal(say("--help", said), 0);
  assert_non_null(strstr(said, "  -P, --ranks=N              ranks of the group (default: 64)\n"));
  assert_non_null(strstr(said, "the store (default: results.db)"));
  assert_null(strstr(said, "--by="));
  assert_non_null(strstr(said, " more options: tutti try --help-all\n"));
}

TEST(a_wrong_value_is_named_with_its_option)
{
  assert_refused("bcast --ranks 0", "--ranks: '0' is not a whole number from 1 to 2147483647");
  assert_refused("bcast -P 4x", "--ranks: '4x' is not a whole number from 1 to 2147483647");
  assert_refused("bcast --processes -1", "--ranks: '-1' is not a whole number from 1 to 2147483647");
  assert_refused("bcast -s 2MB", "--size: '2MB' is not a size from 0 to 1048576");
  assert_refused("bcast --seed 18446744073709551616",
                 "--seed: '18446744073709551616' is not a whole number from 0 to 18446744073709551615");
  assert_refused("bcast --fraction 1.5", "--fraction: '1.5' is not a number from 0 to 1");
  assert_refused("bcast --tolerance -1", "--tolerance: '-1' is not a number of at least 0");
  assert_refused("bcast --between 1", "--between: '1' is not a number between 0 and 1");
  assert_refused("bcast --within soon", "--within: 'soon' is no time such as 30s, 10min or 1.5h");
  assert_refused("bcast --by magic", "--by: 'magic' is not one of: formula, schedule, both");
}

TEST(arguments_are_checked)
{
  char said[SAID_LENGTH];
  assert_refused("", "which collective?");
  assert_int_equal(say("bkast", said), EXIT_USAGE);
  assert_non_null(strstr(said, "tutti try: unknown collective 'bkast'"));
  assert_refused("bcast --json --fraction 0.7", "--fraction above 0.5 cannot be combined with --json");
}
