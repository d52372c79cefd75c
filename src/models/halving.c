/* Rabenseifner's reduce and allreduce (Pjesivac-Grbovic 2007, section 4.1.2, figure 4.8, tables 4.8 and 4.10). m is the
   whole message. Halves are exchanged and combined, down to m / P; then the same sizes come back, to the root or to
   all. If P is not a power of two, the ranks that are too many hand their message to a neighbor first. */
#include "models/terms.h"

static double shared(const struct terms *t)
{
  return (t->P - 1) * t->m / t->P;
}

/* The sum of g(m / 2^k). */
static double gaps(const struct terms *t, int first, double last)
{
  double sum = 0;
  for (int k = first; k <= last; k++)
    sum += gap(t, t->m / power_of_two(k));
  return sum;
}

/* ---- table 4.8 ---- */

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

/* ---- table 4.10 ---- */

double tutti_rabenseifner_allreduce_hockney_printed(const struct terms *t)
{
  return 2 * lg(t) * t->alpha + 2 * shared(t) * t->beta + shared(t) * t->gamma;
}

double tutti_rabenseifner_allreduce_loggp_printed(const struct terms *t)
{
  return 2 * lg(t) * (t->L + 2 * t->o) + 2 * ((t->P - 1) * t->m - lg(t)) * t->G + shared(t) * t->gamma +
         lg(t) * (t->o + fmax(t->g, t->L + t->o)) - t->G + shared(t) * t->G;
}

double tutti_rabenseifner_allreduce_plogp_printed(const struct terms *t)
{
  return 3 * lg(t) * t->L + shared(t) * t->gamma + 3 * gaps(t, 1, lg(t) - 1);
}

/* ---- corrected ---- */

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

static double folded_in(const struct terms *t)
{
  return is_power(t) ? 0 : message(t, t->m) + t->gamma * t->m;
}

double tutti_rabenseifner_reduce(const struct terms *t)
{
  return folded_in(t) + halved_and_back(t, half_of_blocks);
}

double tutti_rabenseifner_allreduce(const struct terms *t)
{
  return folded_in(t) + halved_and_back(t, half_of_rest) + (is_power(t) ? 0 : message(t, t->m));
}
