/* Reductions whose result all ranks have, whole or in blocks: allreduce and reduce-scatter; and Rabenseifner's reduce,
   which begins as his allreduce does. */
#include "algorithms/models/terms.h"

/* ---- Rabenseifner's reduce and allreduce (Pjesivac-Grbovic 2007, section 4.1.2, figure 4.8) ---- */

/* m is the whole message. Halves are exchanged and combined, down to m / P; then the same sizes come back, to the root
   or to all. If P is not a power of two, the ranks that are too many hand their message to a neighbor first. */

FORMULA(shared, (t->P - 1) * t->m / t->P)

/* The sum of g(m / 2^k). */
static double gaps(const struct terms *t, int first, double last)
{
  double sum = 0;
  for (int k = first; k <= last; k++)
    sum += gap(t, t->m / power_of_two(k));
  return sum;
}

/* Table 4.8. */
double tutti_rabenseifner_reduce_hockney_printed(const struct terms *t)
{
  return 2 * lg(t) * t->alpha + 2 * (t->P - 1) * t->beta * t->m + (t->P - 1) * t->gamma * t->m;
}

double tutti_rabenseifner_reduce_loggp_printed(const struct terms *t)
{
  return 2 * lg(t) * (t->L + 2 * t->o) + 2 * ((t->P - 1) * t->m - lg(t)) * t->G + (t->P - 1) * t->gamma * t->m;
}

double tutti_rabenseifner_reduce_plogp_printed(const struct terms *t)
{
  return 2 * lg(t) * t->L + (t->P - 1) * t->gamma * t->m + gaps(t, 1, lg(t));
}

/* Table 4.10. */
FORMULA(rabenseifner_allreduce_hockney_printed, 2 * lg(t) * t->alpha + 2 * shared(t) * t->beta + shared(t) * t->gamma)
FORMULA(rabenseifner_allreduce_loggp_printed, 2 * lg(t) * (t->L + 2 * t->o) + 2 * ((t->P - 1) * t->m - lg(t)) * t->G +
                                                  shared(t) * t->gamma + lg(t) * (t->o + fmax(t->g, t->L + t->o)) -
                                                  t->G + shared(t) * t->G)
FORMULA(rabenseifner_allreduce_plogp_printed, 3 * lg(t) * t->L + shared(t) * t->gamma + 3 * gaps(t, 1, lg(t) - 1))

/* The largest part of the message in step k: allreduce halves what there is, reduce has one block for each of the ranks
   that take part, the first ones an element longer. @{ */
static double half_of_rest(const struct terms *t, int k)
{
  return share(t, power_of_two(k));
}

static double half_of_blocks(const struct terms *t, int k)
{
  double ranks = power_of_two(t->floor_log), blocks = power_of_two(t->floor_log - k);
  double elements = t->m / t->element, block = floor(elements / ranks), rest = elements - block * ranks;
  return (block * blocks + fmin(rest, blocks)) * t->element;
}
/* @} */

static double halved_and_back(const struct terms *t, double (*part)(const struct terms *t, int k))
{
  double sum = 0;
  for (int k = 1; k <= t->floor_log; k++) {
    double m = part(t, k);
    sum += 2 * message(t, m) + t->gamma * m;
  }
  return sum;
}

FORMULA(folded_in, is_power(t) ? 0 : message(t, t->m) + t->gamma * t->m)

double tutti_rabenseifner_reduce(const struct terms *t)
{
  return folded_in(t) + halved_and_back(t, half_of_blocks);
}

FORMULA(rabenseifner_allreduce, folded_in(t) + halved_and_back(t, half_of_rest) + (is_power(t) ? 0 : message(t, t->m)))

/* ---- allreduce (section 4.1.2, tables 4.10 and 5.3); m is the whole message ---- */

static double combined(const struct terms *t, double m)
{
  return message(t, m) + t->gamma * m;
}

/* Recursive doubling: one step more before, and one without computation after, if P is not a power of two. */
static double doubling_printed(const struct terms *t)
{
  if (is_power(t))
    return t->ceil_log * combined(t, t->m);
  return (t->ceil_log + 2) * combined(t, t->m) - t->gamma * t->m;
}

static double doubling(const struct terms *t)
{
  if (is_power(t))
    return t->floor_log * combined(t, t->m);
  return (t->floor_log + 2) * combined(t, t->m) - t->gamma * t->m;
}

static double ring(const struct terms *t)
{
  double block = share(t, t->P);
  return 2 * (t->P - 1) * message(t, block) + (t->P - 1) * t->gamma * block;
}

FORMULA(distribution, (t->P - 1) * message(t, share(t, t->P)))
FORMULA(segmented_hockney_printed, (t->P + t->n_s - 2) * combined(t, t->m_s) + distribution(t))
FORMULA(segmented_loggp_printed, (t->P - 1) * message(t, t->m_s) + (t->n_s - 1) * fmax(t->g, t->gamma * t->m_s + t->o) +
                                     wire(t, t->m_s) + distribution(t))
FORMULA(segmented_plogp_printed,
        (t->P - 1) * combined(t, t->m_s) + (t->n_s - 1) * (gap(t, t->m_s) + t->gamma * t->m_s) + distribution(t))

/* One phase of P - 1 dependent steps for each segment of a block. */
static double segmented_ring(const struct terms *t)
{
  double block = share(t, t->P), segment = t->smooth ? t->m_s : fmin(t->m_s, block);
  double phases = t->smooth ? block / segment : segment > 0 ? ceil(block / segment) : 1;
  return phases * (t->P - 1) * combined(t, segment) + distribution(t);
}

/* Table 5.3. */
SIZE(size_hockney_printed, sqrt(t->m * t->alpha / ((t->P - 2) * (t->beta + t->gamma))))

static int size_loggp_printed(const struct terms *t, double *sizes)
{
  sizes[0] = sqrt(t->m * (t->g - t->G) / ((t->P - 2) * t->G));
  if (t->g < t->o + t->gamma * sizes[0])
    sizes[0] = sqrt(t->m * (t->o - t->G) / ((t->P - 2) * t->G - t->gamma));
  return 1;
}

static const struct segmented sizes = {.printed = {size_hockney_printed, size_loggp_printed}};

static const struct row rows[] = {
    ROW(ALLREDUCE, "recursive-doubling", PRINTED_ALL(doubling_printed), CORRECTED_ALL(doubling)),
    ROW(ALLREDUCE, "ring", SAME_ALL(ring)),
    ROW(ALLREDUCE, "ring-segmented",
        PRINTED(segmented_hockney_printed, segmented_loggp_printed, segmented_plogp_printed),
        CORRECTED_ALL(segmented_ring), .segmented = &sizes),
    ROW(ALLREDUCE, "rabenseifner",
        PRINTED(rabenseifner_allreduce_hockney_printed, rabenseifner_allreduce_loggp_printed,
                rabenseifner_allreduce_plogp_printed),
        CORRECTED_ALL(rabenseifner_allreduce)),
};

const struct rows tutti_allreduce_rows = ROWS(rows);

/* ---- reduce-scatter of equal blocks (section 4.1.2, figure 4.9, table 4.9); m is one block ---- */

static double halving_hockney_printed(const struct terms *t)
{
  int P = t->P;
  if (is_power(t))
    return lg(t) * t->alpha + (P - 1) * (t->beta + t->gamma) * t->m;
  return (t->ceil_log + 2) * t->alpha + 2 * P * t->beta * t->m + (2 * P - 1) * t->gamma * t->m;
}

static double halving_loggp_printed(const struct terms *t)
{
  int P = t->P;
  if (is_power(t))
    return lg(t) * (t->L + 2 * t->o) + ((P - 1) * t->m - lg(t)) * t->G + (P - 1) * t->gamma * t->m;
  return (t->ceil_log + 2) * (t->L + 2) + (2 * (P * t->m - 1) - t->ceil_log) * t->G + (2 * P - 1) * t->gamma * t->m;
}

static double halving_plogp_printed(const struct terms *t)
{
  double sum = is_power(t) ? 0 : gap(t, t->P);
  for (int k = 1; k <= lg(t); k++)
    sum += gap(t, t->P / power_of_two(k));
  if (is_power(t))
    return lg(t) * t->L + (t->P - 1) * t->gamma * t->m + sum;
  return (t->ceil_log + 2) * t->L + gap(t, t->m) + (2 * t->P - 1) * t->gamma * t->m + sum;
}

static double combined_blocks(const struct terms *t, double blocks)
{
  return message(t, blocks * t->m) + t->gamma * blocks * t->m;
}

/* Q = 2^floor(log2 P) ranks take part, the first P - Q of them for two. Rank 0, with the most work, combines the blocks
   of Q / 2, Q / 4, ... 1 of those ranks. */
static double halving(const struct terms *t)
{
  double twos = t->P - power_of_two(t->floor_log), sum = 0;
  for (int k = 0; k < t->floor_log; k++)
    sum += combined_blocks(t, power_of_two(k) + fmin(power_of_two(k), twos));
  return is_power(t) ? sum : combined_blocks(t, t->P) + sum + message(t, t->m);
}

FORMULA(ring_of_blocks, (t->P - 1) * combined_blocks(t, 1) + t->P * t->delta * t->m)

#define HALVING PRINTED(halving_hockney_printed, halving_loggp_printed, halving_plogp_printed), CORRECTED_ALL(halving)

static const struct row reduce_scatter_rows[] = {
    ROW(REDUCE_SCATTER_BLOCK, "recursive-halving", HALVING),
    ROW(REDUCE_SCATTER_BLOCK, "ring", SAME_ALL(ring_of_blocks)),
    ROW(REDUCE_SCATTER, "recursive-halving", HALVING),
    ROW(REDUCE_SCATTER, "ring", SAME_ALL(ring_of_blocks)),
};

const struct rows tutti_reduce_scatter_rows = ROWS(reduce_scatter_rows);
