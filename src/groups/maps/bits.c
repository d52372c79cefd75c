#include "bits.h"

#include <stdlib.h>

static uint64_t blocks_of(uint64_t length)
{
  return (length + MAP_BLOCK_BITS - 1) / MAP_BLOCK_BITS;
}

bool map_bits_create(struct map_bits *bits, uint64_t length)
{
  *bits = (struct map_bits){.length = length,
                            .words = calloc(map_bits_words(length), sizeof *bits->words),
                            .counts = malloc((blocks_of(length) + 1) * sizeof *bits->counts)};
  if (bits->words && bits->counts)
    return true;
  map_bits_free(bits);
  return false;
}

void map_bits_free(struct map_bits *bits)
{
  free(bits->words);
  free(bits->counts);
}

MAP_WITH_POPCNT void map_bits_count(struct map_bits *bits)
{
  uint64_t words = map_bits_words(bits->length), ones = 0;
  for (uint64_t i = 0; i < words; i++) {
    if (i % MAP_BLOCK_WORDS == 0)
      bits->counts[i / MAP_BLOCK_WORDS] = (uint32_t)ones;
    ones += (uint64_t)__builtin_popcountll(bits->words[i]);
  }
  bits->counts[blocks_of(bits->length)] = (uint32_t)ones;
}

size_t map_bits_bytes(const struct map_bits *bits)
{
  return map_bits_words(bits->length) * sizeof *bits->words + (blocks_of(bits->length) + 1) * sizeof *bits->counts;
}

uint64_t map_bits_ones(const struct map_bits *bits)
{
  return bits->counts[blocks_of(bits->length)];
}

/* Ones, or zeros, before a block. The end of the string counts as zeros up to the end of the block. */
static inline uint64_t before(const struct map_bits *bits, uint64_t block, bool zeros)
{
  return zeros ? block * MAP_BLOCK_BITS - bits->counts[block] : bits->counts[block];
}

static inline uint64_t block_of(const struct map_bits *bits, uint64_t k, bool zeros)
{
  uint64_t low = 0, size = blocks_of(bits->length);
  while (size > 1) {
    uint64_t half = size / 2;
    low += before(bits, low + half, zeros) <= k ? half : 0; /* no jump to predict */
    size -= half;
  }
  return low;
}

uint64_t map_bits_block_of(const struct map_bits *bits, uint64_t k)
{
  return block_of(bits, k, false);
}

/* The place of the one of @p word before which there are @p k: by halves down to a byte. */
static inline int select_in_word(uint64_t word, int k)
{
  int at = 0;
  for (int width = 32; width >= 8; width /= 2) {
    int ones = __builtin_popcountll(word & ((UINT64_C(1) << width) - 1));
    if (k >= ones) {
      k -= ones;
      word >>= width;
      at += width;
    }
  }
  for (; k > 0; k--)
    word &= word - 1;
  return at + __builtin_ctzll(word);
}

static inline uint64_t find(const struct map_bits *bits, uint64_t k, bool zeros)
{
  uint64_t block = block_of(bits, k, zeros), flip = zeros ? ~UINT64_C(0) : 0;
  int left = (int)(k - before(bits, block, zeros));
  for (uint64_t i = block * MAP_BLOCK_WORDS;; i++) {
    uint64_t word = bits->words[i] ^ flip;
    int ones = __builtin_popcountll(word);
    if (left < ones)
      return 64 * i + (uint64_t)select_in_word(word, left);
    left -= ones;
  }
}

MAP_WITH_POPCNT uint64_t map_bits_select(const struct map_bits *bits, uint64_t k)
{
  return find(bits, k, false);
}

MAP_WITH_POPCNT uint64_t map_bits_select_zero(const struct map_bits *bits, uint64_t k)
{
  return find(bits, k, true);
}

MAP_WITH_POPCNT uint64_t map_bits_rank(const struct map_bits *bits, uint64_t at)
{
  uint64_t block = at / MAP_BLOCK_BITS, ones = bits->counts[block];
  for (uint64_t i = block * MAP_BLOCK_WORDS; i < at / 64; i++)
    ones += (uint64_t)__builtin_popcountll(bits->words[i]);
  uint64_t rest = at % 64 ? bits->words[at / 64] & ((UINT64_C(1) << at % 64) - 1) : 0;
  return ones + (uint64_t)__builtin_popcountll(rest);
}

void map_bits_write(const struct map_bits *bits, FILE *stream)
{
  for (uint64_t at = 0; at < bits->length; at += 8)
    putc((int)(bits->words[at / 64] >> at % 64 & 0xff), stream);
}

static void take_bytes(struct map_bits *bits, const unsigned char *from, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    bits->words[i / 8] |= (uint64_t)from[i] << 8 * (i % 8);
  map_bits_count(bits);
}

tutti_status map_bits_read(struct map_bits *bits, tutti_map_kind kind, struct map_reader *reader, uint64_t length,
                           int ones, tutti_error *error)
{
  size_t bytes = (size_t)((length + 7) / 8);
  const unsigned char *from = map_read_bytes(reader, bytes);
  if (!from)
    return map_malformed(kind, "bytes end before the last bit", error);
  if (length % 8 && from[bytes - 1] >> length % 8)
    return map_malformed(kind, "bits above the last are set", error);
  if (!map_bits_create(bits, length))
    return map_no_memory(kind, ones, error);
  take_bytes(bits, from, bytes);
  if (map_bits_ones(bits) == (uint64_t)ones)
    return TUTTI_OK;
  map_bits_free(bits);
  return map_malformed(kind, "bits are not as many as members", error);
}
