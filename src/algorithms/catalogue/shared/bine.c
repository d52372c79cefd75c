/* Swing and Bine: peers, codes, windows and the pattern of the butterfly. */
#include "algorithms/catalogue/shared/bine.h"

#include "algorithms/catalogue/builders.h"

int tutti_bine_rounds(int size)
{
  int rounds = 0;
  while ((int64_t)1 << rounds < size)
    rounds++;
  return rounds;
}

static int64_t rho(int s)
{
  int64_t power = -2;
  for (int i = 0; i < s; i++)
    power *= -2;
  return (1 - power) / 3;
}

int tutti_bine_at(int v, int d, int size)
{
  int64_t at = (int64_t)v + (v % 2 ? -d : d);
  return (int)(at < 0 ? at + size : at >= size ? at - size : at);
}

static int modulo(int64_t x, int size)
{
  return (int)(x % size < 0 ? x % size + size : x % size);
}

int tutti_bine_peer(int v, int s, int size)
{
  return tutti_bine_at(v, modulo(rho(s), size), size);
}

/* The k lowest digits of x in base -2. */
static int64_t negabinary(int64_t x, int k)
{
  const int64_t odd_places = INT64_C(0x2AAAAAAAAAAAAAAA);
  return ((x + odd_places) ^ odd_places) & (((int64_t)1 << k) - 1);
}

/* The largest number that k digits can write: ones at even places. The smallest has ones at odd places. */
static int64_t highest(int k)
{
  int64_t sum = 0;
  for (int i = 0; i < k; i += 2)
    sum += (int64_t)1 << i;
  return sum;
}

static int64_t lowest(int k)
{
  return -2 * highest(k - k % 2);
}

static int reverse(int64_t code, int q)
{
  int reversed = 0;
  for (int i = 0; i < q; i++)
    reversed = 2 * reversed + (int)(code >> i & 1);
  return reversed;
}

static int hop_code(int64_t x, int q)
{
  int64_t digits = negabinary(x, q);
  return (int)(digits ^ digits >> 1);
}

/* Several numbers of q digits are the same distance if P is not a power of two: the one that starts latest is taken, so
   that no block is sent twice. */
int *tutti_bine_hops(tutti_builder *builder, int size)
{
  int q = tutti_bine_rounds(size), *hops = tutti_builder_scratch(builder, (uint64_t)size * sizeof *hops);
  for (int d = 0; hops && d < size; d++)
    hops[d] = -1;
  for (int64_t x = lowest(q); hops && x <= highest(q); x++) {
    int *known = &hops[modulo(x % 2 ? x : -x, size)], code = hop_code(x, q);
    if (*known < 0 || reverse(code, q) < reverse(*known, q))
      *known = code;
  }
  return hops;
}

int *tutti_bine_positions(tutti_builder *builder, int size)
{
  int q = tutti_bine_rounds(size), *positions = tutti_bine_hops(builder, size);
  for (int d = 0; positions && d < size; d++)
    positions[d] = reverse(positions[d], q);
  return positions;
}

static int to_rank(int v, int root, int size)
{
  return (int)(((int64_t)v + root) % size);
}

bool tutti_bine_pattern(tutti_builder *builder, const tutti_call *call, int root, struct exchange_pattern *pattern)
{
  int size = call->size, q = tutti_bine_rounds(size), v = modulo((int64_t)call->rank - root, size);
  int *hops = tutti_bine_hops(builder, size);
  if (!hops || !tutti_exchange_pattern(builder, pattern, q, size / 2))
    return false;
  for (int s = 0; s < q; s++) {
    struct exchange_round *round = &pattern->rounds[q - 1 - s];
    int peer = tutti_bine_peer(v, s, size);
    round->to = round->from = to_rank(peer, root, size);
    for (int d = 1; d < size; d++) {
      if ((hops[d] & ((1 << (s + 1)) - 1)) != 1 << s)
        continue;
      round->sent.at[round->sent.count++] = tutti_bine_at(peer, d, size);
      round->received.at[round->received.count++] = tutti_bine_at(v, d, size);
    }
  }
  tutti_exchange_sort(pattern);
  return true;
}

int tutti_bine_equal_digits(int v, int q)
{
  int64_t digits = negabinary(v, q);
  int equal = 1;
  if (v == 0)
    return q;
  while (equal < q && (digits >> equal & 1) == (digits & 1))
    equal++;
  return equal;
}

/* A distance up from 0 is written by x = v or v - P if v is odd, by -v or P - v if it is even. */
int tutti_bine_last_hop(int v, int size)
{
  int q = tutti_bine_rounds(size), last = -1;
  int64_t x = v % 2 ? v : -v;
  if (x > highest(q))
    x -= size;
  if (x < lowest(q))
    x += size;
  for (int code = hop_code(x, q); code > 0; code >>= 1)
    last++;
  return last;
}

int tutti_bine_window(int v, int k, int size)
{
  return modulo(v % 2 ? v - highest(k) : v + lowest(k), size);
}

/* v is reached in the round of hop u - 1 (the root before all), then sends to the peers of hops u - 2, ..., 0. */
bool tutti_bine_tree(tutti_builder *builder, const tutti_call *call, bool backwards, tutti_tree *tree)
{
  int size = call->size, v = modulo((int64_t)call->rank - call->root, size), q = tutti_bine_rounds(size);
  int equal = tutti_bine_equal_digits(v, q), count = v == 0 ? q : equal - 1;
  int *children = tutti_builder_scratch(builder, ((uint64_t)q + 1) * sizeof *children);
  if (!children)
    return false;
  for (int i = 0; i < count; i++)
    children[i] = to_rank(tutti_bine_peer(v, backwards ? i : count - 1 - i, size), call->root, size);
  int parent = v == 0 ? -1 : to_rank(tutti_bine_peer(v, equal - 1, size), call->root, size);
  tutti_tree_init_explicit(tree, size, call->root, call->rank, parent, children, count);
  return true;
}
