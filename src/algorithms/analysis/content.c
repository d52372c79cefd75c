/* The content of an element in words: found by trying all candidates, since a symbol cannot be taken apart. */
#include <stdio.h>

#include "algorithms/analysis/ensemble.h"

/* Symbols that are tried for one text. */
enum { MAX_TRIES = 1 << 22 };

static tutti_symbol contribution(const struct memory *m, int rank, uint64_t index)
{
  return m->contract->initial(&m->calls[rank], TUTTI_INPUT, index);
}

/* Contributions of ranks that follow each other, to one element. */
static bool find_ranks(const struct memory *m, tutti_symbol wanted, uint64_t index, int *first, int *last)
{
  for (*first = 0; *first < m->ensemble->size; ++*first) {
    tutti_symbol sum = contribution(m, *first, index);
    for (*last = *first; *last < m->ensemble->size; ++*last) {
      if (*last > *first)
        sum = tutti_symbol_concatenate(sum, contribution(m, *last, index));
      if (tutti_symbol_equal(sum, wanted))
        return true;
    }
  }
  return false;
}

/* Contributions of all ranks, less or more that of one. */
static bool find_all_but(const struct memory *m, tutti_symbol wanted, uint64_t index, int times, int *rank)
{
  for (*rank = 0; *rank < m->ensemble->size; ++*rank) {
    tutti_symbol sum = {0, 0};
    for (int r = 0; r < m->ensemble->size; r++)
      for (int time = 0; time < (r == *rank ? times : 1); time++)
        sum = sum.hash == 0 ? contribution(m, r, index) : tutti_symbol_concatenate(sum, contribution(m, r, index));
    if (tutti_symbol_equal(sum, wanted))
      return true;
  }
  return false;
}

static bool format_sum(const struct memory *m, tutti_symbol wanted, char *text, size_t length)
{
  const int size = m->ensemble->size;
  int first, last;
  uint64_t tries = (uint64_t)size * (uint64_t)size;
  for (uint64_t i = 0; i < m->extent[m->first_buffer[0] + TUTTI_INPUT] && (tries * (i + 1)) < MAX_TRIES; i++) {
    if (find_ranks(m, wanted, i, &first, &last))
      return snprintf(text, length, first == last ? "element %llu of rank %d" : "element %llu of ranks %d to %d",
                      (unsigned long long)i, first, last);
    for (int times = 0; times <= 2; times += 2)
      if (find_all_but(m, wanted, i, times, &first))
        return snprintf(text, length, "element %llu of ranks 0 to %d %s rank %d%s", (unsigned long long)i, size - 1,
                        times ? "with" : "without", first, times ? " twice" : "");
  }
  return false;
}

/* One element of one rank, as it was before the operation. */
static bool format_element(const struct memory *m, tutti_symbol wanted, char *text, size_t length)
{
  static const char *const names[] = {"input", "output"};
  for (int r = 0; r < m->ensemble->size; r++)
    for (int b = 0; b < TUTTI_FIRST_TEMPORARY; b++)
      for (uint64_t i = 0; i < m->extent[m->first_buffer[r] + (size_t)b] && i < MAX_TRIES; i++)
        if (tutti_symbol_equal(m->contract->initial(&m->calls[r], (tutti_buffer)b, i), wanted))
          return snprintf(text, length, "element %llu of the %s of rank %d", (unsigned long long)i, names[b], r);
  return false;
}

const char *tutti_content_format(const struct memory *m, tutti_symbol symbol, char *text, size_t length)
{
  if (!(m->reduces ? format_sum(m, symbol, text, length) : format_element(m, symbol, text, length)))
    snprintf(text, length, "something else");
  return text;
}
