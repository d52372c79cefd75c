#include "groups/maps/wavelet.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

/* ---- the shape: which runs a node covers, and where its bits begin ---- */

struct span {
  uint32_t first, last; /* runs first .. last - 1, at least two */
  uint32_t parent, side;
};

struct shape {
  const uint32_t *starts; /* [runs + 1], the last is the size */
  struct wavelet_node *nodes;
  struct span waiting[WAVELET_DEPTH]; /* one right child a level, and the node at work */
  int waiting_count;
};

int tutti_wavelet_runs(const int *numbers, int size, int limit, uint32_t **starts)
{
  int count = 1;
  *starts = NULL;
  for (int i = 1; i < size; i++)
    count += numbers[i] < numbers[i - 1];
  if (count > limit)
    return 0;
  *starts = malloc((size_t)count * sizeof **starts);
  if (!*starts)
    return -1;
  count = 0;
  for (int i = 0; i < size; i++)
    if (i == 0 || numbers[i] < numbers[i - 1])
      (*starts)[count++] = (uint32_t)i;
  return count;
}

typedef uint32_t (*split_rule)(const uint32_t *starts, uint32_t first, uint32_t last);

static uint32_t halve(const uint32_t *starts, uint32_t first, uint32_t last)
{
  (void)starts;
  return first + (last - first) / 2;
}

/* The split at which the two sides are nearest to equal. */
static uint32_t balance(const uint32_t *starts, uint32_t first, uint32_t last)
{
  uint64_t twice = (uint64_t)starts[first] + starts[last]; /* twice the middle */
  uint32_t low = TUTTI_PARTITION_POINT(uint32_t, i, first + 1, last - 1, 2 * (uint64_t)starts[i] < twice);
  bool after = 2 * (uint64_t)starts[low] >= twice;
  if (after && low > first + 1 && twice - 2 * (uint64_t)starts[low - 1] <= 2 * (uint64_t)starts[low] - twice)
    low--;
  return low;
}

static void push(struct shape *shape, uint32_t first, uint32_t last, uint32_t parent, uint32_t side)
{
  if (last - first > 1)
    shape->waiting[shape->waiting_count++] = (struct span){first, last, parent, side};
}

/* Write the nodes. @return all bits; offsets wrap if they do not fit 32 bits */
static uint64_t grow(struct shape *shape, uint32_t run_count, split_rule rule)
{
  uint64_t bits = 0;
  push(shape, 0, run_count, 0, 0);
  for (uint32_t node = 0; shape->waiting_count > 0; node++) {
    struct span span = shape->waiting[--shape->waiting_count];
    uint32_t split = rule(shape->starts, span.first, span.last);
    shape->nodes[node] = (struct wavelet_node){.split = shape->starts[split], .offset = (uint32_t)bits};
    if (node > 0)
      shape->nodes[span.parent].child[span.side] = node;
    bits += shape->starts[span.last] - shape->starts[span.first];
    push(shape, split, span.last, node, 1);
    push(shape, span.first, split, node, 0);
  }
  return bits;
}

static uint64_t grow_cheapest(struct shape *shape, uint32_t run_count)
{
  uint64_t halved = grow(shape, run_count, halve), balanced = grow(shape, run_count, balance);
  return balanced <= halved ? balanced : grow(shape, run_count, halve);
}

static tutti_status plan(struct wavelet *wavelet, struct shape *shape, int run_count, uint64_t bits_limit,
                         tutti_error *error)
{
  uint64_t bits = grow_cheapest(shape, (uint32_t)run_count);
  wavelet->node_count = run_count - 1;
  if (bits_limit > 0 && bits > bits_limit)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a permutation of %d runs: %llu bits, the limit is %llu", run_count,
                      (unsigned long long)bits, (unsigned long long)bits_limit);
  if (bits > UINT32_MAX) /* offsets */
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a permutation of %d runs: %llu bits, the most are 2^32 - 1",
                      run_count, (unsigned long long)bits);
  return tutti_map_bits_create(&wavelet->bits, bits)
             ? TUTTI_OK
             : tutti_map_no_memory_for(TUTTI_MAP_PERMUTED, (int)shape->starts[run_count], error);
}

/* The starts, followed by the size. */
static uint32_t *close_starts(const uint32_t *starts, int run_count, int size)
{
  uint32_t *closed = malloc(((size_t)run_count + 1) * sizeof *closed);
  for (int i = 0; closed && i < run_count; i++)
    closed[i] = starts[i];
  if (closed)
    closed[run_count] = (uint32_t)size;
  return closed;
}

tutti_status tutti_wavelet_shape(struct wavelet *wavelet, const uint32_t *starts, int run_count, int size,
                                 uint64_t bits_limit, tutti_error *error)
{
  *wavelet = (struct wavelet){.size = size};
  uint32_t *closed = close_starts(starts, run_count, size);
  struct shape *shape = malloc(sizeof *shape);
  wavelet->nodes = malloc((size_t)run_count * sizeof *wavelet->nodes); /* one more than needed: never 0 bytes */
  tutti_status status = TUTTI_ERR_MEMORY;
  if (closed && shape && wavelet->nodes) {
    *shape = (struct shape){.starts = closed, .nodes = wavelet->nodes};
    status = plan(wavelet, shape, run_count, bits_limit, error);
  } else {
    tutti_map_no_memory_for(TUTTI_MAP_PERMUTED, size, error);
  }
  free(closed);
  free(shape);
  if (status != TUTTI_OK)
    tutti_wavelet_free(wavelet);
  return status;
}

/* ---- the bits of a wavelet tree on runs: merge sort, from the last node in preorder to the root ---- */

/* First and last places of every node, which a descent would carry along. */
static void find_spans(const struct wavelet *wavelet, uint32_t (*spans)[2])
{
  if (wavelet->node_count > 0)
    memcpy(spans[0], (uint32_t[2]){0, (uint32_t)wavelet->size}, sizeof spans[0]);
  for (int i = 0; i < wavelet->node_count; i++) {
    const struct wavelet_node *node = &wavelet->nodes[i];
    if (node->child[0])
      memcpy(spans[node->child[0]], (uint32_t[2]){spans[i][0], node->split}, sizeof spans[0]);
    if (node->child[1])
      memcpy(spans[node->child[1]], (uint32_t[2]){node->split, spans[i][1]}, sizeof spans[0]);
  }
}

/* Whether a node has as many ones as its right child has places. */
static bool count_node(const struct wavelet *wavelet, struct wavelet_node *node, const uint32_t span[2])
{
  uint64_t ones = tutti_map_bits_rank(&wavelet->bits, node->offset), end = (uint64_t)node->offset + span[1] - span[0];
  node->ones = (uint32_t)ones;
  return tutti_map_bits_rank(&wavelet->bits, end) - ones == span[1] - node->split;
}

/* Count bits once they are read. TUTTI_ERR_ARGUMENT: the ones of a node differ from the places of its right child. */
static tutti_status count_bits(struct wavelet *wavelet, tutti_error *error)
{
  uint32_t(*spans)[2] = malloc(((size_t)wavelet->node_count + 1) * sizeof *spans);
  if (!spans)
    return tutti_map_no_memory_for(TUTTI_MAP_PERMUTED, wavelet->size, error);
  int right = 0;
  tutti_map_bits_count(&wavelet->bits);
  find_spans(wavelet, spans);
  while (right < wavelet->node_count && count_node(wavelet, &wavelet->nodes[right], spans[right]))
    right++;
  free(spans);
  if (right < wavelet->node_count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: node %d of %d has not one 1 a place of its right child",
                      right, wavelet->node_count);
  return TUTTI_OK;
}

static void merge(struct wavelet *wavelet, const struct wavelet_node *node, const uint32_t span[2], int *numbers,
                  int *merged)
{
  uint32_t left = span[0], right = node->split, length = span[1] - span[0];
  for (uint32_t i = 0; i < length; i++) {
    bool from_right = left == node->split || (right < span[1] && numbers[right] < numbers[left]);
    merged[i] = numbers[from_right ? right++ : left++];
    if (from_right)
      map_bits_set(&wavelet->bits, node->offset + (uint64_t)i);
  }
  memcpy(numbers + span[0], merged, length * sizeof *numbers);
}

tutti_status tutti_wavelet_fill(struct wavelet *wavelet, int *numbers, tutti_error *error)
{
  uint32_t(*spans)[2] = malloc(((size_t)wavelet->node_count + 1) * sizeof *spans);
  int *merged = malloc((size_t)wavelet->size * sizeof *merged);
  bool enough = spans && merged;
  if (enough) {
    find_spans(wavelet, spans);
    for (int i = wavelet->node_count - 1; i >= 0; i--)
      merge(wavelet, &wavelet->nodes[i], spans[i], numbers, merged);
  }
  free(spans);
  free(merged);
  return enough ? count_bits(wavelet, error) : tutti_map_no_memory_for(TUTTI_MAP_PERMUTED, wavelet->size, error);
}

/* ---- questions ---- */

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

/* ---- bytes ----

   Runs and bits are enough: the shape follows from the lengths of the runs, the counts from the bits. */

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
  tutti_map_bits_write(&wavelet->bits, stream);
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
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: ones after the last of %llu bits",
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
    status = count_bits(wavelet, error);
  if (status != TUTTI_OK)
    tutti_wavelet_free(wavelet);
  return status;
}
