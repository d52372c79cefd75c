#include "tutti/draw.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mix.h"

/* Different questions to the same seed. */
enum { STREAM_MEMBER = 1, STREAM_COLOUR, STREAM_MARK, STREAM_ROUND /* and those behind it */ };

/* Random bits that are a function of where they are asked for: a generator by counter. */
static uint64_t bits(uint64_t seed, uint64_t stream, uint64_t counter)
{
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
  return tutti_mix(tutti_mix(tutti_mix(seed + golden) + stream * golden) + (counter + 1) * golden);
}

/* 0 <= x < 1, a multiple of 2^-53. */
static double uniform(uint64_t random)
{
  return (double)(random >> 11) * 0x1p-53;
}

/* ---- exactly so many ---- */

enum { ROUNDS = 8 };

/* A Feistel network on 2 * half bits: a permutation whatever the rounds compute. */
static uint64_t encipher(uint64_t seed, int half, uint64_t value)
{
  uint64_t mask = (UINT64_C(1) << half) - 1, left = value >> half, right = value & mask;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t next = left ^ (bits(seed, STREAM_ROUND + round, right) & mask);
    left = right;
    right = next;
  }
  return left << half | right;
}

/* Where a permutation of 0 .. size - 1 puts `value`. One of the next power of four, of which the cycle is followed back
   into the range (Black, Rogaway 2002): fewer than four steps on average. */
static uint64_t permute(uint64_t seed, uint64_t size, uint64_t value)
{
  int half = 1;
  while (UINT64_C(1) << 2 * half < size)
    half++;
  do
    value = encipher(seed, half, value);
  while (value >= size);
  return value;
}

/* ---- members ---- */

static int is_member(const tutti_draw *draw, int process)
{
  uint64_t number = (uint64_t)process;
  if (draw->members >= 0)
    return permute(draw->seed, (uint64_t)draw->size, number) < (uint64_t)draw->members;
  return uniform(bits(draw->seed, STREAM_MEMBER, number)) < draw->fraction;
}

int tutti_draw_colour(const tutti_draw *draw, int process)
{
  if (!is_member(draw, process))
    return -1;
  return draw->colours == 1 ? 0 : (int)(uniform(bits(draw->seed, STREAM_COLOUR, (uint64_t)process)) * draw->colours);
}

uint64_t tutti_draw_mark(int process, int colour)
{
  return bits((uint64_t)colour, STREAM_MARK, (uint64_t)process);
}

tutti_status tutti_draw_check(const tutti_draw *draw, tutti_error *error)
{
  if (draw->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d processes: at least one is needed", draw->size);
  if (draw->members > draw->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d members: there are only %d processes", draw->members, draw->size);
  if (draw->members < 0 && !(draw->fraction >= 0 && draw->fraction <= 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "fraction %g is not between 0 and 1", draw->fraction);
  if (draw->colours < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d colours: at least one is needed", draw->colours);
  return TUTTI_OK;
}

char *tutti_draw_format(const tutti_draw *draw, char *text)
{
  static const char name[] = "fraction=";
  if (draw->members >= 0) {
    snprintf(text, TUTTI_DRAW_LENGTH, "members=%d", draw->members);
    return text;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, TUTTI_DRAW_LENGTH, "%s%.*g", name, digits, draw->fraction);
    if (strtod(text + sizeof name - 1, NULL) == draw->fraction)
      break;
  }
  return text;
}
