/* How many processes two views share. Of ranges: the terms that two arithmetic progressions have in common, of which
   the first is found by the Chinese remainder theorem; of maps: a walk. */
#include <stdint.h>
#include <stdlib.h>

#include "tutti/view.h"

/* low, low + step, ... high; step > 0 */
struct progression {
  int64_t low, high, step;
};

static struct progression progression_of(const tutti_view *view)
{
  int64_t first = view->first, last = first + (int64_t)(view->size - 1) * view->stride;
  return (struct progression){first < last ? first : last, first < last ? last : first, llabs(view->stride)};
}

/* The greatest common divisor of a and b, and x with a x = gcd modulo b, |x| <= b (Euclid, extended). */
static int64_t divisor(int64_t a, int64_t b, int64_t *x)
{
  int64_t before = 1, now = 0;
  while (b != 0) {
    int64_t quotient = a / b, rest = a % b, next = before - quotient * now;
    a = b;
    b = rest;
    before = now;
    now = next;
  }
  *x = before;
  return a;
}

static int64_t modulo(int64_t value, int64_t modulus)
{
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

static int common_terms(struct progression a, struct progression b)
{
  int64_t inverse, gcd = divisor(a.step, b.step, &inverse), distance = b.low - a.low;
  if (distance % gcd != 0)
    return 0;
  int64_t turn = b.step / gcd, period = a.step * turn;
  int64_t steps = modulo(modulo(distance / gcd, turn) * inverse, turn);
  int64_t low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
  int64_t term = low + modulo(a.low + steps * a.step - low, period);
  return term > high ? 0 : term > high - period ? 1 : 2;
}

/* Members of `walked` that are in `other`, up to two. */
static int walk(const tutti_view *walked, const tutti_view *other)
{
  int found = 0;
  for (int r = 0; r < walked->size && found < 2; r++)
    found += tutti_view_rank_of(other, tutti_view_base_rank(walked, r)) >= 0;
  return found;
}

int tutti_view_overlap(const tutti_view *left, const tutti_view *right)
{
  if (!left->lookup && !right->lookup)
    return common_terms(progression_of(left), progression_of(right));
  return left->size <= right->size ? walk(left, right) : walk(right, left);
}
