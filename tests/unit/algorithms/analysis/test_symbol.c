/* Symbolic elements are words: concatenation is associative, and commutes only where the letters say so. */
#include "tutti/analysis.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { LETTERS = 12, ROUNDS = 20000 };

typedef tutti_symbol (*letter_function)(int rank, uint64_t index);

static void assert_same(tutti_symbol a, tutti_symbol b)
{
  assert_true(tutti_symbol_equal(a, b));
}

static void assert_different(tutti_symbol a, tutti_symbol b)
{
  assert_false(tutti_symbol_equal(a, b));
}

/* The word of letters[first .. last - 1], parenthesised at random. */
static tutti_symbol word(const tutti_symbol *letters, int first, int last, uint64_t *seed)
{
  if (last - first == 1)
    return letters[first];
  int middle = first + 1 + (int)random_below(seed, (uint64_t)(last - first - 1));
  return tutti_symbol_concatenate(word(letters, first, middle, seed), word(letters, middle, last, seed));
}

static void random_letters(letter_function letter, tutti_symbol letters[LETTERS], uint64_t *seed)
{
  for (int i = 0; i < LETTERS; i++)
    letters[i] = letter(i, random_below(seed, 1000));
}

TEST(concatenation_is_associative)
{
  tutti_symbol letters[LETTERS];
  uint64_t seed = 1;
  for (int i = 0; i < ROUNDS; i++) {
    int length = 2 + (int)random_below(&seed, LETTERS - 1);
    random_letters(i % 2 ? tutti_symbol_letter : tutti_symbol_commutative_letter, letters, &seed);
    assert_same(word(letters, 0, length, &seed), word(letters, 0, length, &seed));
  }
}

static void swap(tutti_symbol *a, tutti_symbol *b)
{
  tutti_symbol other = *a;
  *a = *b;
  *b = other;
}

/* Any two letters of a word change places: another word, but for letters that commute. */
TEST(order_matters_to_letters)
{
  tutti_symbol letters[LETTERS], commuting[LETTERS];
  uint64_t seed = 2;
  for (int i = 0; i < ROUNDS; i++) {
    int left = (int)random_below(&seed, LETTERS - 1);
    int right = left + 1 + (int)random_below(&seed, (uint64_t)(LETTERS - 1 - left));
    random_letters(tutti_symbol_letter, letters, &seed);
    random_letters(tutti_symbol_commutative_letter, commuting, &seed);
    tutti_symbol before = word(letters, 0, LETTERS, &seed), same = word(commuting, 0, LETTERS, &seed);
    swap(&letters[left], &letters[right]);
    swap(&commuting[left], &commuting[right]);
    assert_different(before, word(letters, 0, LETTERS, &seed));
    assert_same(same, word(commuting, 0, LETTERS, &seed));
  }
}

/* A letter lost, doubled or replaced is another word, even where the order does not count. */
static void contributions_are_counted(letter_function letter)
{
  tutti_symbol letters[LETTERS];
  uint64_t seed = 3;
  for (int i = 0; i < ROUNDS; i++) {
    int at = (int)random_below(&seed, LETTERS);
    random_letters(letter, letters, &seed);
    tutti_symbol whole = word(letters, 0, LETTERS, &seed);
    assert_different(whole, word(letters, 0, LETTERS - 1, &seed));
    assert_different(whole, tutti_symbol_concatenate(whole, letters[at]));
    letters[at] = letter(at, 1000 + random_below(&seed, 1000));
    assert_different(whole, word(letters, 0, LETTERS, &seed));
    letters[at] = letters[(at + 1) % LETTERS];
    assert_different(whole, word(letters, 0, LETTERS, &seed));
  }
}

TEST(contributions_count)
{
  contributions_are_counted(tutti_symbol_letter);
  contributions_are_counted(tutti_symbol_commutative_letter);
}

static int compare(const void *left, const void *right)
{
  const tutti_symbol *a = left, *b = right;
  return (a->hash > b->hash) - (a->hash < b->hash);
}

/* All letters of 300 ranks times 300 elements differ, near indices and far ones. */
TEST(letters_differ)
{
  enum { SIDE = 300 };
  FREED_BY(free_memory) tutti_symbol *letters = malloc((size_t)SIDE * SIDE * sizeof *letters);
  assert_non_null(letters);
  for (int r = 0; r < SIDE; r++)
    for (uint64_t i = 0; i < SIDE; i++)
      letters[(size_t)r * SIDE + i] = tutti_symbol_letter(r, i % 2 ? i : UINT64_MAX - i);
  qsort(letters, (size_t)SIDE * SIDE, sizeof *letters, compare);
  for (size_t i = 1; i < (size_t)SIDE * SIDE; i++)
    assert_different(letters[i - 1], letters[i]);
  for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
    assert_int_not_equal(letters[i].hash, 0);
}

TEST(undefined_stays_undefined)
{
  const tutti_symbol undefined = {0, 0}, letter = tutti_symbol_letter(1, 2);
  assert_int_equal(tutti_symbol_concatenate(undefined, letter).hash, 0);
  assert_int_equal(tutti_symbol_concatenate(letter, undefined).hash, 0);
  assert_int_equal(tutti_symbol_concatenate(undefined, undefined).hash, 0);
  assert_int_not_equal(tutti_symbol_concatenate(letter, letter).hash, 0);
  assert_different(undefined, letter);
}

/* Words of commuting letters are not mistaken for words whose order counts. */
TEST(kinds_differ)
{
  for (int r = 0; r < LETTERS; r++)
    assert_different(tutti_symbol_letter(r, 0), tutti_symbol_commutative_letter(r, 0));
}
