#include "maps/wavelet.h"

#include <stdlib.h>

#include "maps/bits.h"

/* A node on the way from the root to a run, and its places. */
struct step {
  const struct wavelet_node *node;
  uint32_t length;
  bool side;
};

/* Down to the run of a place. @param first, last  receive the run; @return steps */
static int descend(const struct wavelet *wavelet, uint32_t place, struct step *steps, uint32_t *first, uint32_t *last)
{
  int count = 0;
  *first = 0;
  *last = (uint32_t)wavelet->size;
  for (uint32_t at = 0; count == 0 ? wavelet->node_count > 0 : at > 0;) {
    const struct wavelet_node *node = &wavelet->nodes[at];
    bool side = place >= node->split;
    steps[count++] = (struct step){node, *last - *first, side};
    *(side ? first : last) = node->split;
    at = node->child[side];
  }
  return count;
}

/* Numbers of bits equal to the side, before the first bit of a node. */
static uint64_t before(const struct step *step)
{
  return step->side ? step->node->ones : step->node->offset - step->node->ones;
}

int tutti_wavelet_value(const struct wavelet *wavelet, int place)
{
  struct step steps[WAVELET_DEPTH];
  uint32_t first, last;
  int count = descend(wavelet, (uint32_t)place, steps, &first, &last);
  uint64_t value = (uint32_t)place - first;
  while (count-- > 0) {
    const struct step *step = &steps[count];
    uint64_t from = step->node->offset;
    value = tutti_map_bits_window_select(&wavelet->bits, step->side, before(step) + value, from, from + step->length) -
            from;
  }
  return (int)value;
}

/* One node up: from indices of a child to indices of the node. */
static void climb(const struct wavelet *wavelet, const struct step *step, uint64_t *values, int count)
{
  uint64_t from = step->node->offset, earlier = before(step);
  for (int i = 0; i < count; i++)
    values[i] += earlier;
  tutti_map_bits_window_ascending(&wavelet->bits, step->side, from, from + step->length, values, count);
  for (int i = 0; i < count; i++)
    values[i] -= from;
}

int tutti_wavelet_values(const struct wavelet *wavelet, int place, int count, uint64_t *values)
{
  struct step steps[WAVELET_DEPTH];
  uint32_t first, last;
  int step_count = descend(wavelet, (uint32_t)place, steps, &first, &last);
  if ((uint32_t)count > last - (uint32_t)place)
    count = (int)(last - (uint32_t)place);
  for (int i = 0; i < count; i++)
    values[i] = (uint32_t)place - first + (uint64_t)i;
  while (step_count-- > 0)
    climb(wavelet, &steps[step_count], values, count);
  return count;
}

int tutti_wavelet_place(const struct wavelet *wavelet, int value)
{
  uint64_t index = (uint64_t)value;
  uint32_t first = 0, at = 0;
  if (wavelet->node_count == 0)
    return value;
  do {
    const struct wavelet_node *node = &wavelet->nodes[at];
    uint64_t bit = node->offset + index, ones = tutti_map_bits_rank(&wavelet->bits, bit) - node->ones;
    bool side = map_bits_get(&wavelet->bits, bit);
    index = side ? ones : index - ones;
    if (side)
      first = node->split;
    at = node->child[side];
  } while (at > 0);
  return (int)(first + index);
}

void tutti_wavelet_free(struct wavelet *wavelet)
{
  free(wavelet->nodes);
  wavelet->nodes = NULL;
  tutti_map_bits_free(&wavelet->bits);
  wavelet->bits = (struct map_bits){0};
}

size_t tutti_wavelet_bytes(const struct wavelet *wavelet)
{
  return ((size_t)wavelet->node_count + 1) * sizeof *wavelet->nodes + tutti_map_bits_bytes(&wavelet->bits);
}

/* Runs and bits are enough: the shape follows from the lengths of the runs, the counts from the bits. */

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
