#include "harness/engine/search/synthesis.h"

#include <stdlib.h>
#include <string.h>

#include "harness/engine/search/building.h"

static void take_moves(struct phase *phase, struct moves *moves, int ranks)
{
  phase->moves = *moves;
  *moves = (struct moves){0};
  phase->first = tutti_xcalloc((size_t)ranks + 2, sizeof *phase->first);
  phase->own = tutti_xcalloc(2 * phase->moves.count + 1, sizeof *phase->own);
  uint32_t *next = phase->first + 1;
  for (size_t i = 0; i < phase->moves.count; i++) {
    phase->first[phase->moves.items[i].from + 1]++;
    phase->first[phase->moves.items[i].to + 1]++;
  }
  for (int r = 0; r < ranks; r++)
    phase->first[r + 1] += phase->first[r];
  memmove(next, phase->first, (size_t)ranks * sizeof *next); /* of rank r at r + 1, and its end once all are there */
  for (size_t i = 0; i < phase->moves.count; i++) {
    phase->own[next[phase->moves.items[i].from]++] = (uint32_t)i;
    phase->own[next[phase->moves.items[i].to]++] = (uint32_t)i;
  }
}

/* Every owner sends its chunks, which are consecutive, to the root. */
static void gather_chunks(int ranks, int root, uint32_t chunks, struct moves *moves)
{
  for (uint32_t c = 0, count; c < chunks; c += count) {
    const int owner = move_owner(c, chunks, ranks);
    count = 1;
    while (c + count < chunks && move_owner(c + count, chunks, ranks) == owner)
      count++;
    if (owner != root)
      tutti_xpush(moves, (struct move){owner, root, c, count});
  }
}

static const char *find_substitute(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && !algorithm->domain && !algorithm->parts[0].name)
      return algorithm->name;
  return NULL;
}

void tutti_synthesis_make(struct synthesis *synthesis, tutti_collective collective, int ranks, int root,
                          uint32_t chunks, bool gathered, struct moves *combine, struct moves *spread)
{
  const unsigned traits = tutti_collective_traits(collective);
  const bool blocks = traits & TUTTI_HAS_BLOCKS;
  const bool rooted = traits & TUTTI_HAS_ROOT && !gathered;
  *synthesis = (struct synthesis){.ranks = ranks, .root = rooted ? root : -1, .chunks = chunks};
  if (gathered)
    gather_chunks(ranks, root, chunks, spread);
  take_moves(&synthesis->combine, combine, ranks);
  take_moves(&synthesis->spread, spread, ranks);
  synthesis->algorithm = (tutti_algorithm){
      .collective = collective,
      .name = "synthesized",
      .build = tutti_building_build,
      .ranks = ranks,
      .root = root,
      .unit = blocks ? chunks / (uint32_t)ranks : chunks,
      .domain = TUTTI_NEEDS_RANKS | TUTTI_NEEDS_UNIT | (traits & TUTTI_HAS_ROOT ? TUTTI_NEEDS_ROOT : 0) |
                (traits & TUTTI_REDUCES ? TUTTI_NEEDS_COMMUTATIVE : 0),
      .substitute = find_substitute(collective),
      .source = "found by tutti synthesize",
  };
}

tutti_method tutti_synthesis_method(struct synthesis *synthesis)
{
  synthesis->algorithm.data = synthesis;
  return tutti_method_default(&synthesis->algorithm);
}

void tutti_synthesis_free(struct synthesis *synthesis)
{
  struct phase *const phases[] = {&synthesis->combine, &synthesis->spread};
  for (int p = 0; p < 2; p++) {
    tutti_vector_free(&phases[p]->moves);
    free(phases[p]->first);
    free(phases[p]->own);
    phases[p]->first = phases[p]->own = NULL;
  }
}
