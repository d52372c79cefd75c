#include "harness/engine/core/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { WORD_BITS = 64 };

void tutti_places_free(struct engine_places *places)
{
  free(places->more);
  *places = (struct engine_places){0};
}

static void grow(struct engine_places *places, uint32_t words)
{
  const uint32_t before = places->words;
  words = words < 2 * before ? 2 * before : words;
  uint64_t *more = tutti_xcalloc(words, sizeof *more);
  if (before)
    memcpy(more, places->more, before * sizeof *more);
  else
    more[0] = places->few;
  free(places->more);
  places->more = more;
  places->words = words;
}

void tutti_places_add(struct engine_places *places, uint32_t place)
{
  const uint32_t word = place / WORD_BITS;
  if (word >= (places->words ? places->words : 1))
    grow(places, word + 1);
  (places->words ? places->more : &places->few)[word] |= UINT64_C(1) << place % WORD_BITS;
  places->count++;
}

bool tutti_places_remove(struct engine_places *places, uint32_t place)
{
  const uint32_t word = place / WORD_BITS;
  const uint64_t bit = UINT64_C(1) << place % WORD_BITS;
  if (places->count == 0 || word >= (places->words ? places->words : 1))
    return false;
  uint64_t *bits = &(places->words ? places->more : &places->few)[word];
  if (!(*bits & bit))
    return false;
  *bits ^= bit;
  places->count--;
  return true;
}

uint32_t tutti_places_least(const struct engine_places *places)
{
  const uint64_t *bits = places->words ? places->more : &places->few;
  uint32_t word = 0;
  while (bits[word] == 0)
    word++;
  return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits[word]);
}
