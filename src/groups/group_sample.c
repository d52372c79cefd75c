#include "tutti/group_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/splitmix64.h"

/* Different questions to the same seed. */
enum { STREAM_MEMBER = 1, STREAM_COLOR, STREAM_MARK, STREAM_ROUND /* and the following ones */ };

/* Random bits that are a function of where they are asked for: a generator by counter. */
static uint64_t bits(uint64_t seed, uint64_t stream, uint64_t counter)
{
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
  return tutti_splitmix64(tutti_splitmix64(tutti_splitmix64(seed + golden) + stream * golden) + (counter + 1) * golden);
}

/* 0 <= x < 1, a multiple of 2^-53. */
static double uniform(uint64_t random)
{
  return (double)(random >> 11) * 0x1p-53;
}

/* ---- an exact number of members ---- */

enum { ROUNDS = 8 };

/* A Feistel network on 2 * half bits: a permutation for any round function. */
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

/* The image of `value` under a permutation of 0 .. size - 1: one of the next power of four, whose cycle is followed
   back into the range (Black, Rogaway 2002): fewer than four steps on average. */
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

static int is_member(const tutti_group_sample *sample, int process)
{
  uint64_t number = (uint64_t)process;
  if (sample->members >= 0)
    return permute(sample->seed, (uint64_t)sample->size, number) < (uint64_t)sample->members;
  return uniform(bits(sample->seed, STREAM_MEMBER, number)) < sample->fraction;
}

int tutti_group_sample_color(const tutti_group_sample *sample, int process)
{
  if (!is_member(sample, process))
    return -1;
  return sample->colors == 1 ? 0 : (int)(uniform(bits(sample->seed, STREAM_COLOR, (uint64_t)process)) * sample->colors);
}

uint64_t tutti_group_sample_mark(int process, int color)
{
  return bits((uint64_t)color, STREAM_MARK, (uint64_t)process);
}

tutti_status tutti_group_sample_check(const tutti_group_sample *sample, tutti_error *error)
{
  if (sample->size < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d processes: at least one is needed", sample->size);
  if (sample->members > sample->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d members: there are only %d processes", sample->members,
                      sample->size);
  if (sample->members < 0 && !(sample->fraction >= 0 && sample->fraction <= 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "fraction %g is not between 0 and 1", sample->fraction);
  if (sample->colors < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d colours: at least one is needed", sample->colors);
  return TUTTI_OK;
}

char *tutti_group_sample_format(const tutti_group_sample *sample, char *text)
{
  static const char name[] = "fraction=";
  if (sample->members >= 0) {
    snprintf(text, TUTTI_GROUP_SAMPLE_LENGTH, "members=%d", sample->members);
    return text;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, TUTTI_GROUP_SAMPLE_LENGTH, "%s%.*g", name, digits, sample->fraction);
    if (strtod(text + sizeof name - 1, NULL) == sample->fraction)
      break;
  }
  return text;
}
