/* The terms of the formulas, by their names in the dissertation, and what the formulas share. */
#ifndef TUTTI_MODELS_TERMS_H
#define TUTTI_MODELS_TERMS_H

#include <math.h>
#include <stdbool.h>

#include "tutti/model.h"

struct terms {
  tutti_model_kind kind;
  bool printed; /* TUTTI_FORMULA_PRINTED */
  bool least;   /* TUTTI_BOUND_LEAST */
  int P;
  int floor_log, ceil_log; /* of log2(P) */
  int levels;              /* ceil(log2(P + 1)): of a balanced binary tree */
  double m, m_s, n_s;
  double half, half_segments; /* split-binary: bytes and segments of the larger half */
  double element;
  bool smooth; /* nothing is rounded */
  double alpha, beta;
  double L, o, g, G; /* L also of PLogP */
  const tutti_plogp *plogp;
  double gamma, delta;
};

typedef double (*formula)(const struct terms *t);

/* A formula, and a closed form (below) of one size: an expression of *t. @{ */
#define FORMULA(name, ...)                                                                                             \
  static double name(const struct terms *t)                                                                            \
  {                                                                                                                    \
    return __VA_ARGS__;                                                                                                \
  }
#define SIZE(name, ...)                                                                                                \
  static int name(const struct terms *t, double *sizes)                                                                \
  {                                                                                                                    \
    sizes[0] = __VA_ARGS__;                                                                                            \
    return 1;                                                                                                          \
  }
/* @} */

/* Maximum number of sizes in a closed form: one for either argument of a maximum, and where they cross. */
#define MAX_SIZES 3

/* Closed forms: writes where the smooth time may have its minimum, returns how many; 0: none. A size that is not
   finite and positive does not count. */
typedef int (*closed_form)(const struct terms *t, double *sizes);

/* The crossing of the arguments of a maximum in a PLogP formula: g(m_s) against the others at m_s. A positive value
   means that g is larger. */
typedef double (*crossing)(const struct terms *t);

/* How a formula can be improved upon by segments. */
struct segmented {
  closed_form printed[2], corrected[2]; /* by tutti_model_kind: Hockney, LogGP */
  crossing crossings[2];                /* PLogP; NULL: no more of them */
  bool halves;                          /* segments are those of half the message */
};

/* A row of tables 4.2 to 4.11. */
struct row {
  tutti_collective collective;
  const char *name;                   /* in the catalogue */
  formula printed[TUTTI_MODEL_KINDS]; /* by tutti_model_kind */
  formula corrected[TUTTI_MODEL_KINDS];
  const struct segmented *segmented; /* NULL: no optimum published */
  unsigned domain;                   /* TUTTI_NEEDS_..., where a formula holds */
  int k;                             /* the only k it holds for; 0: any */
};

struct rows {
  const struct row *first;
  int count;
};

extern const struct rows tutti_barrier_rows, tutti_bcast_rows, tutti_scatter_rows, tutti_gather_rows,
    tutti_allgather_rows, tutti_alltoall_rows, tutti_reduce_rows, tutti_reduce_scatter_rows, tutti_allreduce_rows,
    tutti_scan_rows;

/* The row of the method of a question; NULL if none is published. */
const struct row *tutti_row_find(const tutti_method *method);

/* Whether it holds for the method (its k) and number of ranks. False for NULL. */
bool tutti_row_serves(const struct row *row, const tutti_method *method, int ranks);

/* Terms of a question without the segments; its method is not read. */
struct terms tutti_terms(const tutti_model *model, const tutti_model_question *question);

/* Segments as the schedules cut them; 0 bytes: one. */
void tutti_terms_cut(struct terms *t, uint64_t segment_bytes);

/* Segments of m_s bytes > 0, nothing being rounded. */
void tutti_terms_cut_smoothly(struct terms *t, double m_s);

/* The formula of a row. 0 for one rank. */
double tutti_row_time(const struct row *row, const struct terms *t);

/* Row and domain of a question, or the reason why it has none. */
tutti_status tutti_row_check(const tutti_model *model, const tutti_model_question *question, const struct row **row,
                             tutti_error *error);

/* log2(P) as printed. */
static inline double lg(const struct terms *t)
{
  return log2(t->P);
}

static inline bool is_power(const struct terms *t)
{
  return t->floor_log == t->ceil_log;
}

static inline double power_of_two(int exponent)
{
  return (double)(1LL << exponent);
}

/* (m - 1) G, and nothing for an empty message. */
static inline double wire(const struct terms *t, double m)
{
  return (t->printed || m > 1 ? m - 1 : 0) * t->G;
}

/* PLogP's functions of the message size. @{ */
static inline double gap(const struct terms *t, double m)
{
  return tutti_plogp_g(t->plogp, m);
}

static inline double o_s(const struct terms *t, double m)
{
  return tutti_plogp_o_s(t->plogp, m);
}

static inline double o_r(const struct terms *t, double m)
{
  return tutti_plogp_o_r(t->plogp, m);
}
/* @} */

/* One message, or an exchange (equations 4.1, 4.3, 4.4). */
static inline double message(const struct terms *t, double m)
{
  switch (t->kind) {
  case TUTTI_MODEL_HOCKNEY:
    return t->alpha + t->beta * m;
  case TUTTI_MODEL_LOGGP:
    return t->L + 2 * t->o + wire(t, m);
  default:
    return t->L + gap(t, m);
  }
}

/* A step of an algorithm in which each rank exchanges a message in every step: LogGP waits for the gap (section 4.3.3).
 */
static inline double step(const struct terms *t, double m)
{
  return t->kind == TUTTI_MODEL_LOGGP ? t->o + wire(t, m) + fmax(t->L + t->o, t->g) : message(t, m);
}

/* The largest of n shares of the message, in whole elements. */
static inline double share(const struct terms *t, double n)
{
  return t->smooth ? t->m / n : ceil(t->m / t->element / n) * t->element;
}

/* Tables of rows. PRINTED is to be followed by CORRECTED; SAME is both; ALL is one formula for all models. */
#define ROW(of, called, ...)                                                                                           \
  {                                                                                                                    \
    .collective = TUTTI_COLL_##of, .name = (called), __VA_ARGS__                                                       \
  }
#define PRINTED(h, l, p)        .printed = {h, l, p}
#define CORRECTED(h, l, p)      .corrected = {h, l, p}
#define SAME(h, l, p)           PRINTED(h, l, p), CORRECTED(h, l, p)
#define PRINTED_ALL(function)   PRINTED(function, function, function)
#define CORRECTED_ALL(function) CORRECTED(function, function, function)
#define SAME_ALL(function)      SAME(function, function, function)
#define ROWS(table)                                                                                                    \
  {                                                                                                                    \
    (table), (int)(sizeof(table) / sizeof *(table))                                                                    \
  }

/* ---- allreduce.c: Rabenseifner's reduce, table 4.8. @{ */
double tutti_rabenseifner_reduce_hockney_printed(const struct terms *t);
double tutti_rabenseifner_reduce_loggp_printed(const struct terms *t);
double tutti_rabenseifner_reduce_plogp_printed(const struct terms *t);
double tutti_rabenseifner_reduce(const struct terms *t);
/* @} */

#endif
