/* Methods: written and read back, in a total order, and refused outside their domain. */
#include "unit/algorithms/catalogue/method_fixture.h"
#include "unit/base/random.h"

enum { MAX_METHODS = 20000 };

static void assert_says(const char *message, const char *text)
{
  assert_contains(message, text);
}

/* Every algorithm with some values of each parameter that it takes. */
static size_t all_methods(tutti_method *methods)
{
  static const uint64_t segments[] = {0, 1, 1000, 8192, UINT64_MAX};
  static const int ks[] = {2, 3, 4, INT_MAX}, windows[] = {1, 15, TUTTI_DEFAULT_OUTSTANDING, INT_MAX};
  size_t count = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    unsigned takes = method.algorithm->parameters;
    for (int s = 0; s < (takes & TUTTI_TAKES_SEGMENT ? 5 : 1); s++)
      for (int k = 0; k < (takes & TUTTI_TAKES_K ? 4 : 1); k++)
        for (int w = 0; w < (takes & TUTTI_TAKES_OUTSTANDING ? 4 : 1); w++) {
          method.parameters.segment_bytes = segments[s];
          method.parameters.k = takes & TUTTI_TAKES_K ? ks[k] : 0;
          if (takes & TUTTI_K_IS_SIDES && ks[k] == INT_MAX)
            method.parameters.k = tutti_sides_pack((const int[]){1023, 1, 1023}, 3);
          method.parameters.outstanding = takes & TUTTI_TAKES_OUTSTANDING ? windows[w] : 0;
          assert_true(count < MAX_METHODS);
          methods[count++] = method;
        }
  }
  return count;
}

static bool same(const tutti_method *a, const tutti_method *b)
{
  return a->algorithm == b->algorithm && memcmp(&a->parameters, &b->parameters, sizeof a->parameters) == 0;
}

TEST(what_is_written_is_read)
{
  static tutti_method methods[MAX_METHODS];
  size_t count = all_methods(methods);
  assert_true(count > tutti_algorithm_count());
  for (size_t i = 0; i < count; i++) {
    char text[TUTTI_METHOD_LENGTH], again[TUTTI_METHOD_LENGTH];
    assert_ptr_equal(tutti_method_format(&methods[i], text), text);
    tutti_method method = parsed(text);
    if (!same(&method, &methods[i]))
      fail_msg("%s is read as %s", text, tutti_method_format(&method, again));
  }
}

static void canonical(const char *text, const char *expected)
{
  char written[TUTTI_METHOD_LENGTH];
  tutti_method method = parsed(text);
  assert_string_equal(tutti_method_format(&method, written), expected);
}

/* Two ways to write a method, one canonical form: without defaults, sizes as short as possible, in a fixed order. */
TEST(there_is_one_canonical_form)
{
  canonical("bcast/binomial", "bcast/binomial");
  canonical("bcast/binomial/none", "bcast/binomial");
  canonical("bcast/binomial/8192", "bcast/binomial/8KB");
  canonical("bcast/binomial/8192B", "bcast/binomial/8KB");
  canonical("bcast/binomial/8kb/outstanding=16", "bcast/binomial/8KB");
  canonical("bcast/chain/k=4", "bcast/chain");
  canonical("bcast/chain/outstanding=2/k=7/32KB", "bcast/chain/32KB/k=7/outstanding=2");
  canonical("bcast/chain/k=007", "bcast/chain/k=7");
  canonical("reduce/binomial/1MB", "reduce/binomial/1MB");
  canonical("barrier/bruck", "barrier/bruck");
}

static void refused(const char *text, const char *reason)
{
  tutti_method method = tutti_method_default(tutti_algorithm_at(0)), before = method;
  if (tutti_method_parse(text, &method, REASON) == TUTTI_OK)
    fail_msg("'%s' was read", text);
  assert_int_equal(error.status, TUTTI_ERR_ARGUMENT);
  assert_says(error.message, reason);
  assert_true(same(&method, &before));
  assert_int_equal(tutti_method_parse(text, &method, NULL), TUTTI_ERR_ARGUMENT);
}

TEST(what_is_wrong_is_named)
{
  refused("", "method '' is not written COLLECTIVE/ALGORITHM");
  refused("bcast", "method 'bcast' is not written");
  refused("bkast/binomial", "unknown collective 'bkast'");
  refused("Bcst/binomial", "unknown collective 'Bcst'");
  refused("/binomial", "unknown collective ''");
  refused("bcast/", "unknown bcast algorithm ''");
  refused("barrier/binomial", "unknown barrier algorithm 'binomial'");
  refused("bcast/binomial/", "'' is not a size");
  refused("bcast/binomial/8Q", "method 'bcast/binomial/8Q': '8Q' is not a size");
  refused("bcast/binomial/0", "a segment has at least one byte ('none': the message is not cut)");
  refused("bcast/binomial/99999999999999999999", "is not a size");
  refused("gather/linear/8KB",
          "gather/linear takes no segment size: it takes nothing; algorithms of gather with segment "
          "size: linear-sync");
  refused("bcast/binomial/k=2", "bcast/binomial takes no k: it takes SEGMENT, outstanding; algorithms of bcast with k: "
                                "chain, k-ary, k-nomial-1");
  refused("barrier/bruck/outstanding=2", "barrier/bruck takes no outstanding: it takes nothing; algorithms of barrier "
                                         "with outstanding: none");
  refused("bcast/two-level/selector=ompi", "bcast/two-level takes no selector: it takes ranks_per_node, outer, inner; "
                                           "algorithms of bcast with selector: native");
  refused("bcast/chain/fan=2", "unknown parameter 'fan': bcast/chain takes SEGMENT, k, outstanding");
  refused("bcast/chain/k=0", "k=0 is not a whole number of at least 1");
  refused("bcast/k-nomial/k=1", "k must be at least 2");
  refused("bcast/chain/k=", "k= is not a whole number");
  refused("bcast/chain/k=2x", "k=2x is not a whole number");
  refused("bcast/chain/k=2147483648", "k=2147483648 is too large");
  refused("bcast/chain/k=99999999999999999999", "is too large");
  refused("bcast/binomial/outstanding=-1", "outstanding=-1 is not a whole number");
  refused("bcast/binomial/fanout=2", "unknown parameter 'fanout'");
  refused("bcast/binomial/=2", "unknown parameter ''");
  refused("bcast/chain/k=+4", "k=+4 is not a whole number");
  refused("bcast/chain/k= 4", "k= 4 is not a whole number");
  refused("bcast/binomial/8KB/16KB", "'16KB' sets a parameter for the second time");
  refused("bcast/chain/k=2/8KB/k=3", "'k=3' sets a parameter for the second time");
  char lengthy[TUTTI_METHOD_LENGTH + 40] = "bcast/binomial/outstanding=";
  memset(lengthy + strlen(lengthy), '0', TUTTI_METHOD_LENGTH);
  refused(lengthy, "is too long");
}

static bool is_listed(const char *message, const char *name)
{
  const char *list = strstr(message, "known are ");
  char word[64];
  snprintf(word, sizeof word, " %s", name);
  for (const char *at = list ? strstr(list, word) : NULL; at; at = strstr(at + 1, word))
    if (strchr(", ", at[strlen(word)]))
      return true;
  return false;
}

TEST(what_is_known_is_listed)
{
  tutti_collective collective;
  tutti_method method;
  char text[64];
  tutti_collective_parse("bkast", &collective, &error);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    tutti_error unknown;
    int missing = 0;
    assert_says(error.message, tutti_collective_name((tutti_collective)c));
    snprintf(text, sizeof text, "%s/magic", tutti_collective_name((tutti_collective)c));
    tutti_method_parse(text, &method, &unknown);
    for (size_t a = 0; a < tutti_algorithm_count(); a++)
      if (tutti_algorithm_at(a)->collective == (tutti_collective)c)
        missing += !is_listed(unknown.message, tutti_algorithm_at(a)->name);
    snprintf(text, sizeof text, missing ? " and %d more (tutti algorithms %s), and those of --plugin FILE.so" : ", and",
             missing, tutti_collective_name((tutti_collective)c));
    assert_says(unknown.message, text);
  }
}

/* Whatever names an algorithm, a message about it has its end: as an override of the interposer, too. */
TEST(messages_of_long_lists_have_their_end)
{
  static const char *const cases[][2] = {
      {"reduce_scatter_block/recursive-dubling", "TUTTI_REDUCE_SCATTER_BLOCK"},
      {"allreduce/multi-leader-node-awaare", "TUTTI_ALLREDUCE"},
      {"allreduce/0123456789012345678901234567890123456789012345678901234567890123456789", "TUTTI_ALLREDUCE"}};
  tutti_method method;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *value = strchr(cases[i][0], '/') + 1;
    tutti_error reason;
    assert_int_equal(tutti_method_parse(cases[i][0], &method, &reason), TUTTI_ERR_ARGUMENT);
    tutti_fail(&error, TUTTI_ERR_ARGUMENT, "%s=%.80s: %s (or native)", cases[i][1], value, reason.message);
    assert_says(error.message, "--plugin FILE.so (or native)");
  }
  refused("allreduce/ring/k=2", "algorithms of allreduce with k: ");
  refused("allreduce/two-level/allreduce=swing-torus", "more (tutti algorithms allreduce)");
}

/* A line that limits its algorithm says what serves the other calls; parts and substitutes are in the catalogue. */
TEST(lines_are_consistent)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_algorithm *line = tutti_algorithm_at(a);
    bool limited = line->domain || line->parts[0].name;
    if (limited != (line->substitute != NULL))
      fail_msg("%s: substitute and domain do not fit", line->name);
    const tutti_algorithm *other = limited ? tutti_algorithm_find(line->collective, line->substitute) : NULL;
    if (limited && (!other || other->domain || other->parts[0].name))
      fail_msg("%s: substitute '%s' does not serve every call", line->name, line->substitute);
    for (int i = 0; i < TUTTI_MAX_PARTS && line->parts[i].name; i++) {
      const tutti_algorithm *part = tutti_algorithm_find(line->parts[i].collective, line->parts[i].default_algorithm);
      if (!part || part->domain & ~TUTTI_NEEDS_COMMUTATIVE)
        fail_msg("%s: part '%s' does not serve every group", line->name, line->parts[i].default_algorithm);
    }
  }
}

/* Any text is read or refused; what is read is written and read again as the same. */
TEST(any_text_is_survived)
{
  static const char alphabet[] = "bcast/chain/8KB/k=4/outstanding=2/binomial//==none0123456789MG-";
  uint64_t seed = 1;
  int read = 0;
  for (int i = 0; i < 200000; i++) {
    char text[128] = "bcast/chain/8KB/k=5/outstanding=3", written[TUTTI_METHOD_LENGTH];
    tutti_method method;
    for (uint64_t changes = random_below(&seed, 4); changes > 0; changes--)
      text[random_below(&seed, strlen(text) + 1)] = alphabet[random_below(&seed, sizeof alphabet)];
    text[sizeof text - 1] = '\0';
    if (tutti_method_parse(text, &method, NULL) != TUTTI_OK)
      continue;
    tutti_method again = parsed(tutti_method_format(&method, written));
    assert_true(same(&method, &again));
    read++;
  }
  assert_uint_in_range(read, 50000, 190000);
}

static tutti_method implemented(const char *text)
{
  tutti_method method;
  char again[TUTTI_METHOD_LENGTH];
  assert_ok(tutti_method_parse(text, &method, &error), error);
  assert_string_equal(tutti_method_format(&method, again), text);
  return method;
}

TEST(implementations_are_methods)
{
  tutti_method ours = implemented("bcast/binary/8KB"), theirs = implemented("bcast/binary/8KB@openmpi");
  tutti_method mpich = implemented("allreduce/recursive-doubling@mpich"), smpi = implemented("bcast/linear@smpi");
  tutti_method native = implemented("bcast/native"), last = implemented("bcast/two-level@mpich");
  assert_int_equal(theirs.implementation, TUTTI_IMPLEMENTATION_OPENMPI);
  assert_int_equal(mpich.implementation, TUTTI_IMPLEMENTATION_MPICH);
  assert_int_equal(smpi.implementation, TUTTI_IMPLEMENTATION_SMPI);
  assert_false(tutti_method_is_library(&ours));
  assert_true(tutti_method_is_library(&theirs));
  assert_true(tutti_method_is_library(&native));
  assert_false(tutti_method_is_native(&theirs));
  assert_true(tutti_method_compare(&ours, &theirs) < 0);
  assert_true(tutti_method_compare(&last, &theirs) > 0);
  assert_true(tutti_method_compare(&last, &smpi) < 0);
  assert_true(tutti_method_compare(&smpi, &native) < 0);
  assert_true(tutti_method_compare(&native, &ours) > 0);
  for (size_t i = 0; i < tutti_algorithm_count(); i++) { /* the last of ours is before the first of theirs */
    tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    assert_true(tutti_method_compare(&method, &theirs) < 0);
  }
}

TEST(what_the_library_runs_has_no_schedule)
{
  static const char *const names[] = {"bcast/binomial@openmpi", "bcast/native/selector=ompi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_method method = implemented(names[i]);
    tutti_call call = {.size = 4, .count = 10, .type_size = 1, .commutative = true};
    tutti_arena arena = {0};
    tutti_schedule schedule;
    assert_int_equal(tutti_method_check(&method, &call, &error), TUTTI_OK);
    assert_int_equal(tutti_method_schedule(&method, &call, &arena, &schedule, &error), TUTTI_ERR_UNSUPPORTED);
    assert_memory_equal(error.message, names[i], strlen(names[i]));
    assert_non_null(strstr(error.message, ": what an MPI library does has no schedule"));
  }
}

TEST(wrong_implementations_are_refused)
{
  static const struct {
    const char *text, *reason;
  } wrong[] = {
      {"bcast/binomial@", "unknown implementation '': known are openmpi, mpich, smpi"},
      {"bcast/binomial@lam",
       "method 'bcast/binomial@lam': unknown implementation 'lam': known are openmpi, mpich, smpi"},
      {"bcast/binomial@openmpi@mpich", "unknown implementation 'openmpi@mpich'"},
      {"bcast/native@openmpi", "it is written without '@openmpi'"},
      {"bcast/k-ary@openmpi", "openmpi has no bcast/k-ary; of bcast it has linear, binomial, binary, "},
      {"bcast/binomial@mpich",
       "mpich has no bcast/binomial; of bcast it has k-ary, k-nomial-1, k-nomial, in-order-binomial, "},
      {"bcast/split-binary@smpi", "smpi has no bcast/split-binary"},
      {"bcast@openmpi", "is not written COLLECTIVE/ALGORITHM"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    tutti_method method;
    assert_fails(tutti_method_parse(wrong[i].text, &method, REASON), TUTTI_ERR_ARGUMENT, error, wrong[i].reason);
  }
}

TEST(the_first_ranks_of_a_torus_fill_a_box)
{
  static const struct {
    int torus[TUTTI_MAX_SIDES], dimensions, ranks_per_host, ranks;
    const char *sides;
  } cases[] = {{{8, 4, 2}, 3, 1, 64, "8x4x2"},
               {{8, 4, 2}, 3, 1, 16, "8x2"},
               {{8, 4, 2}, 3, 1, 5, "5"},
               {{8, 4, 2}, 3, 1, 1, "1"},
               {{8, 4, 2}, 3, 1, 12, ""},
               {{8, 4, 2}, 3, 1, 128, ""},
               {{1, 4, 2}, 3, 1, 8, "4x2"},
               {{4, 4}, 2, 4, 64, "4x4x4"},
               {{4, 4}, 2, 4, 3, "3"},
               {{4, 4}, 2, 4, 6, ""},
               {{4, 4}, 2, 4, 8, "4x2"},
               {{4, 4, 3}, 3, 4, 64, "4x4x4"},
               {{4, 4, 3}, 3, 4, 128, "16x4x2"},
               {{4, 4, 3}, 3, 4, 192, "16x4x3"},
               {{0}, 0, 4, 4, ""},
               {{512, 2, 2}, 3, 2, 1024, "2x512"},
               {{512, 2, 2}, 3, 2, 4096, ""},
               {{512, 2, 2}, 3, 1, 0, ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tutti_places places = {.ranks_per_host = cases[i].ranks_per_host,
                                 .torus = tutti_sides_pack(cases[i].torus, cases[i].dimensions)};
    tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "bucket"));
    const tutti_call call = {.size = cases[i].ranks, .count = 8, .commutative = true};
    char sides[TUTTI_SIDES_LENGTH];
    tutti_method_tell(&method, &places, cases[i].ranks);
    assert_string_equal(tutti_sides_format(method.parameters.k, sides), cases[i].sides);
    assert_true(call.size == 0 || !tutti_method_fault(&method, &call) == (*sides != '\0'));
  }
}
