/* Timing ways to decide. The loop adds its part, a nanosecond or so; nothing is subtracted. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "decide.h"

static uint64_t draw(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

struct question *questions_draw(void)
{
  uint64_t seed = 2007;
  struct question *questions = calloc(QUESTIONS, sizeof *questions);
  for (int i = 0; i < QUESTIONS && questions; i++) {
    questions[i].ranks = 2 + (int)(draw(&seed) % 63);
    questions[i].ranks_per_node = 1 << draw(&seed) % 3;
    questions[i].bytes = (uint64_t)exp2(24 * ldexp((double)(draw(&seed) >> 11), -53));
  }
  return questions;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A decision is a method, of which a part is enough. */
static inline int ask_decision(const tutti_decision *decision, int ranks, uint64_t bytes)
{
  tutti_method method = {0};
  tutti_question question = {.collective = decision->collective, .ranks = ranks, .rank_bytes = bytes};
  return decision->decide(decision, &question, &method) + (int)method.parameters.segment_bytes;
}

#define EACH(answer)                                                                                                   \
  for (int i = 0; i < SLICE; i++) {                                                                                    \
    const struct question *q = &questions[i];                                                                          \
    sum += (uint64_t)(answer);                                                                                         \
  }

static uint64_t ask_apart(const struct way *way, const struct question *questions)
{
  uint64_t sum = 0;
  if (way->code)
    EACH(way->code(q->ranks, q->bytes))
  else if (way->tree)
    EACH(tutti_quadtree_label(way->tree, q->ranks, q->bytes, q->ranks_per_node))
  else
    EACH(ask_decision(way->decision, q->ranks, q->bytes))
  return sum;
}

/* No answer reaches 2^30, which only we know: the question is the same and cannot be asked before the answer. */
#define WAIT(answer)                                                                                                   \
  for (int i = 0; i < SLICE; i++) {                                                                                    \
    const struct question *q = &questions[i];                                                                          \
    int wait = last >> 30;                                                                                             \
    int ranks = q->ranks + (wait & 1);                                                                                 \
    uint64_t bytes = q->bytes + (uint64_t)(wait & 1);                                                                  \
    sum += (uint64_t)(last = (answer));                                                                                \
  }

static uint64_t ask_chained(const struct way *way, const struct question *questions)
{
  uint64_t sum = 0;
  int last = 0;
  if (way->code)
    WAIT(way->code(ranks, bytes))
  else if (way->tree)
    WAIT(tutti_quadtree_label(way->tree, ranks, bytes, q->ranks_per_node))
  else
    WAIT(ask_decision(way->decision, ranks, bytes))
  return sum;
}

/* One round through all slices; returns the sum of the answers. Between two rounds of a slice lie all the others: no
   branch predictor remembers it. */
static uint64_t time_slices(uint64_t (*ask)(const struct way *, const struct question *), const struct way *way,
                            const struct question *questions, double *slices)
{
  uint64_t sum = 0;
  for (int slice = 0; slice < SLICES; slice++) {
    double begun = now();
    sum += ask(way, questions + (size_t)slice * SLICE);
    double taken = 1e9 * (now() - begun) / SLICE;
    slices[slice] = slices[slice] > 0 ? fmin(slices[slice], taken) : taken;
  }
  return sum;
}

bool ways_time(struct way *const *ways, int count, const struct question *questions, int rounds)
{
  bool same = true;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < count; i++) {
      struct way *way = ways[i];
      uint64_t apart = time_slices(ask_apart, way, questions, way->apart);
      uint64_t chained = time_slices(ask_chained, way, questions, way->chained);
      same = same && apart == chained && (round == 0 || apart == way->checksum);
      way->checksum = apart;
    }
  return same;
}

double mean_of(const double *slices)
{
  double sum = 0;
  for (int slice = 0; slice < SLICES; slice++)
    sum += slices[slice];
  return sum / SLICES;
}
