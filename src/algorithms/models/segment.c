/* The best segment size (Pjesivac-Grbovic 2007, section 5.2.2). */
#include "algorithms/models/terms.h"

/* A search for the size with the smallest smooth time, and among whole sizes for the one with the smallest time. */
struct search {
  const struct row *row;
  struct terms t; /* cut as was last asked for */
  double total;   /* bytes that are cut: of the message, or of half of it */
  double least;   /* smooth time at best->optimum */
  uint64_t last;  /* whole size tried last */
  tutti_best_segment *best;
};

static double smooth_time(struct search *s, double size)
{
  tutti_terms_cut_smoothly(&s->t, size);
  return tutti_row_time(s->row, &s->t);
}

/* The time with segments of a whole number of elements; 0 bytes: not segmented. */
static double whole_time(struct search *s, uint64_t bytes)
{
  tutti_terms_cut(&s->t, bytes);
  return tutti_row_time(s->row, &s->t);
}

static bool usable(double size)
{
  return isfinite(size) && size > 0;
}

static struct search begin_search(const tutti_model *model, const tutti_model_question *question, const struct row *row,
                                  tutti_best_segment *best)
{
  struct search s = {.row = row, .t = tutti_terms(model, question), .best = best, .least = INFINITY};
  *best = (tutti_best_segment){.seconds = whole_time(&s, 0)};
  s.total = row->segmented->halves && !s.t.printed ? s.t.half : s.t.m;
  return s;
}

/* ---- whole sizes ---- */

static void consider_whole(struct search *s, uint64_t bytes)
{
  if (bytes == s->last)
    return;
  double seconds = whole_time(s, s->last = bytes);
  if (seconds < s->best->seconds) {
    s->best->segment_bytes = bytes;
    s->best->seconds = seconds;
  }
}

/* The shortest size that gives n segments: with the same number the time only grows with their size. */
static void consider_count(struct search *s, double n)
{
  double elements = s->total / s->t.element;
  if (n >= 2 && elements >= 2)
    consider_whole(s, (uint64_t)(ceil(elements / fmin(n, elements)) * s->t.element));
}

/* The whole sizes next to a size, and the numbers of segments next to the one that it leads to. Which of them is best
   depends on what is left over for the last segment. */
static void consider_near(struct search *s, double size)
{
  double n = floor(s->total / size), elements = floor(size / s->t.element);
  for (int i = -3; i <= 4; i++) {
    consider_count(s, n + i);
    consider_count(s, ceil(s->total / s->t.element / fmax(elements + i, 1)));
  }
}

/* ---- candidates ---- */

/* `size` is a candidate for the minimum of the smooth time. */
static void consider(struct search *s, double size)
{
  double seconds = usable(size) ? smooth_time(s, size) : INFINITY;
  if (!(seconds < s->least))
    return;
  s->least = seconds;
  s->best->optimum = size;
}

static void search_closed_form(struct search *s)
{
  double sizes[MAX_SIZES];
  closed_form find = s->row->segmented->corrected[s->t.kind];
  int count = find ? find(&s->t, sizes) : 0;
  for (int i = 0; i < count; i++)
    consider(s, sizes[i]);
  if (s->best->optimum > 0)
    consider_near(s, s->best->optimum);
}

/* As printed: the size, whatever its time, cut down to whole elements. */
static void follow_closed_form(struct search *s)
{
  double sizes[MAX_SIZES];
  closed_form find = s->row->segmented->printed[s->t.kind];
  if (!find || find(&s->t, sizes) == 0 || !usable(sizes[0]))
    return;
  s->best->optimum = sizes[0];
  if (sizes[0] >= s->total)
    return;
  s->best->segment_bytes = (uint64_t)(fmax(floor(sizes[0] / s->t.element), 1) * s->t.element);
  s->best->seconds = whole_time(s, s->best->segment_bytes);
}

/* ---- PLogP ---- */

static double crossing_at(struct search *s, crossing difference, double size)
{
  tutti_terms_cut_smoothly(&s->t, size);
  return difference(&s->t);
}

/* The zero of the difference, linear between a and b, or b. */
static double crossing_between(struct search *s, crossing difference, double a, double b)
{
  if (!difference)
    return b;
  double at_a = crossing_at(s, difference, a), at_b = crossing_at(s, difference, b);
  return at_a * at_b < 0 ? a + (b - a) * at_a / (at_a - at_b) : b;
}

/* Between a and b the smooth time is A + B m_s + C / m_s; it is stationary at sqrt(C / B). */
static double stationary(struct search *s, double a, double b)
{
  double c = (a + b) / 2, at_a = smooth_time(s, a), at_b = smooth_time(s, b), at_c = smooth_time(s, c);
  double left = (at_c - at_a) / (c - a), right = (at_b - at_c) / (b - c); /* B - C / (a c), B - C / (c b) */
  double C = (right - left) / (1 / (a * c) - 1 / (c * b)), B = left + C / (a * c);
  double size = sqrt(C / B);
  return size > a && size < b ? size : NAN;
}

/* A size at which the search looks, and on which the printed corollary stops. */
static void try_size(struct search *s, double size)
{
  if (!usable(size))
    return;
  consider(s, size);
  if (s->t.printed)
    consider_whole(s, (uint64_t)(fmax(floor(size / s->t.element), 1) * s->t.element));
  else
    consider_near(s, size);
}

static void search_piece(struct search *s, double a, double b)
{
  if (!(b > a))
    return;
  try_size(s, b);
  if (!s->t.printed)
    try_size(s, stationary(s, a, b));
}

/* Between two neighboring points of the model all is linear except the maxima. */
static void search_interval(struct search *s, double a, double b)
{
  const struct segmented *segmented = s->row->segmented;
  double one = crossing_between(s, segmented->crossings[0], a, b);
  double two = crossing_between(s, segmented->crossings[1], a, b);
  search_piece(s, a, fmin(one, two));
  search_piece(s, fmin(one, two), fmax(one, two));
  search_piece(s, fmax(one, two), b);
}

static void search_plogp(struct search *s)
{
  const tutti_plogp *plogp = s->t.plogp;
  double low = fmin(s->t.element, s->total);
  try_size(s, low);
  for (size_t i = 0; i < plogp->count; i++)
    if (plogp->points[i].m > low && plogp->points[i].m < s->total) {
      search_interval(s, low, plogp->points[i].m);
      low = plogp->points[i].m;
    }
  search_interval(s, low, s->total);
  if (s->best->optimum >= s->total)
    s->best->optimum = 0;
}

tutti_status tutti_model_best_segment(const tutti_model *model, const tutti_model_question *question,
                                      tutti_best_segment *best, tutti_error *error)
{
  const struct row *row;
  tutti_status status = tutti_row_check(model, question, &row, error);
  if (status != TUTTI_OK)
    return status;
  if (!row->segmented)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s: no best segment size is published",
                      tutti_collective_name(row->collective), row->name);
  struct search s = begin_search(model, question, row, best);
  if (question->ranks == 1 || question->bytes == 0)
    return TUTTI_OK;
  if (model->kind == TUTTI_MODEL_PLOGP)
    search_plogp(&s);
  else if (question->formula == TUTTI_FORMULA_PRINTED)
    follow_closed_form(&s);
  else
    search_closed_form(&s);
  return TUTTI_OK;
}
