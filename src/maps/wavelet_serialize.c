/* Runs and bits are enough: the shape follows from the lengths of the runs, the counts from the bits. */
#include <stdlib.h>

#include "maps/wavelet.h"

/* In order of places: left child, node, right child. */
static void write_starts(const struct wavelet *wavelet, FILE *stream)
{
  uint32_t above[WAVELET_DEPTH], at = 0;
  int depth = 0;
  for (bool down = wavelet->node_count > 0; down || depth > 0; down = at > 0) {
    if (down) {
      above[depth++] = at;
      at = wavelet->nodes[at].child[0];
    } else {
      const struct wavelet_node *node = &wavelet->nodes[above[--depth]];
      tutti_map_write_number(stream, node->split, 4);
      at = node->child[1];
    }
  }
}

void tutti_wavelet_write(const struct wavelet *wavelet, FILE *stream)
{
  tutti_map_write_number(stream, (uint64_t)wavelet->node_count + 1, 4);
  write_starts(wavelet, stream);
  for (uint64_t i = 0; i < map_bits_words(wavelet->bits.length); i++)
    tutti_map_write_number(stream, wavelet->bits.words[i], 8);
}

static size_t bytes_left(const struct map_reader *reader)
{
  return reader->failed ? 0 : reader->length - reader->at;
}

/* @param starts  receives [run_count], also upon failure, to be freed */
static tutti_status read_starts(struct map_reader *reader, int size, uint32_t run_count, uint32_t **starts,
                                tutti_error *error)
{
  *starts = NULL;
  if (run_count < 1 || run_count > (uint32_t)size || bytes_left(reader) / 4 < run_count - 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: %u runs of %d places in %zu bytes", (unsigned)run_count,
                      size, bytes_left(reader));
  *starts = calloc(run_count, sizeof **starts);
  if (!*starts)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "no memory for %u runs", (unsigned)run_count);
  for (uint32_t i = 1; i < run_count; i++) {
    uint32_t start = (uint32_t)tutti_map_read_number(reader, 4);
    if (start <= (*starts)[i - 1] || start >= (uint32_t)size)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: run %u starts at place %u of %d, the last at %u",
                        (unsigned)i, (unsigned)start, size, (unsigned)(*starts)[i - 1]);
    (*starts)[i] = start;
  }
  return TUTTI_OK;
}

static tutti_status read_bits(struct map_reader *reader, struct map_bits *bits, tutti_error *error)
{
  for (uint64_t i = 0; i < map_bits_words(bits->length); i++)
    bits->words[i] = tutti_map_read_number(reader, 8);
  unsigned used = bits->length % 64;
  if (reader->failed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: cut short");
  if (used > 0 && bits->words[bits->length / 64] >> used != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: ones behind the last of %llu bits",
                      (unsigned long long)bits->length);
  return TUTTI_OK;
}

tutti_status tutti_wavelet_read(struct map_reader *reader, int size, struct wavelet *wavelet, tutti_error *error)
{
  uint32_t run_count = (uint32_t)tutti_map_read_number(reader, 4), *starts;
  *wavelet = (struct wavelet){0};
  tutti_status status = read_starts(reader, size, run_count, &starts, error);
  if (status == TUTTI_OK) { /* no more bits are made room for than bytes are there */
    uint64_t most = 8 * (uint64_t)bytes_left(reader);
    status = tutti_wavelet_shape(wavelet, starts, (int)run_count, size, most > 0 ? most : 1, error);
    if (status == TUTTI_ERR_UNSUPPORTED)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"permuted\": %u runs and only %llu bits of bytes left",
                          (unsigned)run_count, (unsigned long long)most);
  }
  free(starts);
  if (status == TUTTI_OK)
    status = read_bits(reader, &wavelet->bits, error);
  if (status == TUTTI_OK)
    status = tutti_wavelet_count(wavelet, error);
  if (status != TUTTI_OK)
    tutti_wavelet_free(wavelet);
  return status;
}
