/* Where times as functions of a parameter cross: passes at the ends of a window, then where their lines meet. */
#include "tutti/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define EQUAL  1e-9 /* times that differ by less than this part are equal */
#define FINEST 1e-9 /* of x: a window that is no wider has a jump in it */
#define BEYOND 1e-6 /* so far beyond where a line crosses, it has crossed by more than EQUAL */

enum { MOST_PASSES = 4096, GROWTH = 4 };

/* A function whose time is the same everywhere: that which is not to be exceeded. */
enum { LEVEL = -1 };

struct pass {
  int function;
  tutti_line line;
};

struct search {
  const tutti_times_of_x *times;
  double level;
  bool jumped; /* where the times crossed last */
  TUTTI_VECTOR(struct pass);
  tutti_error *error;
};

/* The line of a function at x: each is asked for once. */
static tutti_status look(struct search *s, int function, double x, tutti_line *line)
{
  if (function == LEVEL) {
    *line = (tutti_line){x, s->level, 0};
    return TUTTI_OK;
  }
  for (size_t i = s->count; i-- > 0;)
    if (s->items[i].function == function && s->items[i].line.x == x) {
      *line = s->items[i].line;
      return TUTTI_OK;
    }
  if (s->count >= MOST_PASSES)
    return tutti_fail(s->error, TUTTI_ERR_UNSUPPORTED, "more than %d passes do not find where the times cross",
                      MOST_PASSES);
  tutti_status status = s->times->time(s->times->context, function, x, line, s->error);
  line->x = x;
  if (status == TUTTI_OK)
    tutti_xpush(s, ((struct pass){function, *line}));
  return status;
}

static double value_at(const tutti_line *line, double x)
{
  return line->seconds + line->slope * (x - line->x);
}

static bool are_equal(double a, double b)
{
  return fabs(a - b) <= EQUAL * fmax(fabs(a), fabs(b));
}

static bool is_less(double a, double b)
{
  return a < b && !are_equal(a, b);
}

/* Both ends lie on one line: so do the times between them. */
static bool is_straight(const tutti_line *a, const tutti_line *b)
{
  return are_equal(value_at(a, b->x), b->seconds) && are_equal(value_at(b, a->x), a->seconds);
}

/* Where the lines of the two ends meet, between them; else the middle. */
static double breakpoint(const tutti_line *a, const tutti_line *b)
{
  const double x = (b->seconds - b->slope * b->x - a->seconds + a->slope * a->x) / (a->slope - b->slope);
  const double low = fmin(a->x, b->x), high = fmax(a->x, b->x), margin = (high - low) * FINEST;
  return x > low + margin && x < high - margin ? x : (low + high) / 2;
}

/* Two functions at both ends of a window, of which `near` is the end at which the chosen one is not more. */
struct window {
  tutti_line chosen_near, chosen_far, other_near, other_far;
};

static tutti_status look_at_window(struct search *s, int chosen, int other, double near, double far, struct window *w)
{
  tutti_status status = look(s, chosen, near, &w->chosen_near);
  if (status == TUTTI_OK)
    status = look(s, other, near, &w->other_near);
  if (status == TUTTI_OK)
    status = look(s, chosen, far, &w->chosen_far);
  return status == TUTTI_OK ? look(s, other, far, &w->other_far) : status;
}

/* Convex functions lie above their tangents and below their chords: the other one is nowhere less? */
static bool is_apart(const struct window *w)
{
  const tutti_line *a = &w->other_near, *b = &w->other_far;
  const double x = breakpoint(a, b), share = (x - a->x) / (b->x - a->x);
  const double chord = w->chosen_near.seconds + share * (w->chosen_far.seconds - w->chosen_near.seconds);
  return !is_less(b->seconds, w->chosen_far.seconds) && fmax(value_at(a, x), value_at(b, x)) >= chord;
}

/* Where straight times cross; NaN: not in the window. */
static double crossing_of_lines(const struct window *w)
{
  const double at_near = w->other_near.seconds - w->chosen_near.seconds,
               at_far = w->other_far.seconds - w->chosen_far.seconds, near = w->chosen_near.x, far = w->chosen_far.x;
  if (!is_less(w->other_far.seconds, w->chosen_far.seconds))
    return NAN;
  return at_near <= 0 ? near : near + (far - near) * (at_near / (at_near - at_far));
}

/* A window with a jump: whether the other one is less at its far end, and beyond that, too. */
static tutti_status crosses_for_good(struct search *s, int chosen, int other, const struct window *w, bool *crosses)
{
  const double at = w->chosen_far.x, step = at > w->chosen_near.x ? BEYOND : -BEYOND,
               beyond = fmax(at + step * fabs(at), s->times->least);
  struct window after;
  *crosses = is_less(w->other_far.seconds, w->chosen_far.seconds);
  tutti_status status = *crosses ? look_at_window(s, chosen, other, at, beyond, &after) : TUTTI_OK;
  if (*crosses && status == TUTTI_OK)
    *crosses = is_less(after.other_far.seconds, after.chosen_far.seconds);
  s->jumped = !are_equal(w->chosen_near.seconds, w->chosen_far.seconds);
  return status;
}

/* The crossing that is the nearest to `near`; NaN: none. Windows are halved at breakpoints, the nearer half first. */
static tutti_status find_crossing(struct search *s, int chosen, int other, double near, double far, double *crossing)
{
  struct window w;
  const double scale = fmax(fabs(near), fabs(far));
  double from = near, ends[64] = {far};
  int left = 1;
  *crossing = NAN;
  while (left > 0 && isnan(*crossing)) {
    const double to = ends[left - 1];
    tutti_status status = look_at_window(s, chosen, other, from, to, &w);
    if (status != TUTTI_OK)
      return status;
    const bool straight = is_straight(&w.chosen_near, &w.chosen_far) && is_straight(&w.other_near, &w.other_far);
    if (straight || is_apart(&w) || fabs(to - from) <= FINEST * scale || left == sizeof ends / sizeof *ends) {
      bool crosses = false;
      s->jumped = false;
      status = straight ? TUTTI_OK : crosses_for_good(s, chosen, other, &w, &crosses);
      if (status != TUTTI_OK)
        return status;
      *crossing = straight ? crossing_of_lines(&w) : crosses ? to : NAN;
      from = to;
      left--;
    } else {
      const bool bent = !is_straight(&w.chosen_near, &w.chosen_far);
      ends[left++] = bent ? breakpoint(&w.chosen_near, &w.chosen_far) : breakpoint(&w.other_near, &w.other_far);
    }
  }
  return TUTTI_OK;
}

/* The nearest crossing with any other function, in windows that grow away from x; NaN: none, or at the least value
   alone. */
static tutti_status find_nearest(struct search *s, int chosen, double x, double end, double *nearest, int *other)
{
  double near = x, far = x;
  tutti_status status = TUTTI_OK;
  *nearest = NAN;
  while (near != end && isnan(*nearest) && status == TUTTI_OK) {
    const bool last = end > x ? near * GROWTH >= end : near / GROWTH <= fmax(end, x / TUTTI_SENSITIVITY_SPAN);
    far = last ? end : end > x ? near * GROWTH : near / GROWTH;
    for (int f = 0; f < s->times->count && status == TUTTI_OK; f++) {
      double crossing = NAN;
      if (f != chosen)
        status = find_crossing(s, chosen, f, near, isnan(*nearest) ? far : *nearest, &crossing);
      if (!isnan(crossing))
        *nearest = crossing, *other = f;
    }
    near = far;
  }
  if (end < x && *nearest <= end * (1 + BEYOND)) {
    *nearest = NAN;
    *other = -1;
  }
  return status;
}

/* The least function at x, `chosen` if it is among those. */
static tutti_status find_least(struct search *s, int chosen, double x, int *least)
{
  tutti_line best, line;
  tutti_status status = look(s, chosen, x, &best);
  *least = chosen;
  for (int f = 0; f < s->times->count && status == TUTTI_OK; f++) {
    status = look(s, f, x, &line);
    if (status == TUTTI_OK && is_less(line.seconds, best.seconds))
      best = line, *least = f;
  }
  return status;
}

tutti_status tutti_sensitivity_interval(const tutti_times_of_x *times, int chosen, double x, tutti_interval *interval,
                                        tutti_error *error)
{
  struct search search = {.times = times, .error = error};
  const double end = fmin(times->least, x);
  int least;
  *interval = (tutti_interval){NAN, NAN, -1, -1};
  tutti_status status = find_least(&search, chosen, x, &least);
  if (status == TUTTI_OK && least == chosen) {
    status = find_nearest(&search, chosen, x, end, &interval->from, &interval->below);
    if (status == TUTTI_OK)
      status = find_nearest(&search, chosen, x, x * TUTTI_SENSITIVITY_SPAN, &interval->to, &interval->above);
    interval->from = isnan(interval->from) ? end : interval->from;
    interval->to = isnan(interval->to) ? INFINITY : interval->to;
  } else
    interval->above = least;
  if (status != TUTTI_OK)
    *interval = (tutti_interval){NAN, NAN, -1, -1};
  tutti_vector_free(&search);
  return status;
}

/* A convex time is too long where its line at x is: first as far as that, which is enough where it goes on straight. */
static tutti_status find_level(struct search *s, int function, const tutti_line *here, double share, double *more)
{
  const double end = here->x * TUTTI_SENSITIVITY_SPAN;
  double near = here->x, far = near + share * here->seconds / here->slope * (1 + BEYOND), crossing = NAN;
  tutti_status status = TUTTI_OK;
  s->level = here->seconds * (1 + share);
  if (!(far > near && far < near * GROWTH))
    far = near * GROWTH;
  while (status == TUTTI_OK && isnan(crossing) && near < end) {
    status = find_crossing(s, function, LEVEL, near, far, &crossing);
    near = far;
    far *= GROWTH;
  }
  *more = status != TUTTI_OK ? NAN : isnan(crossing) ? INFINITY : crossing - here->x;
  return status;
}

tutti_status tutti_sensitivity_tolerances(const tutti_times_of_x *times, int function, double x,
                                          double more[TUTTI_TOLERANCES], double *jump, tutti_error *error)
{
  static const double shares[TUTTI_TOLERANCES] = {0.01, 0.02, 0.05};
  struct search search = {.times = times, .error = error};
  tutti_line here;
  for (int i = 0; i < TUTTI_TOLERANCES; i++)
    more[i] = NAN;
  *jump = NAN;
  tutti_status status = look(&search, function, x, &here);
  for (int i = 0; i < TUTTI_TOLERANCES && status == TUTTI_OK; i++) {
    status = find_level(&search, function, &here, shares[i], &more[i]);
    if (isnan(*jump) && isfinite(more[i]) && search.jumped)
      *jump = more[i];
  }
  tutti_vector_free(&search);
  return status;
}
