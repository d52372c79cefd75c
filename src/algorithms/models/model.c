/* From a question to the terms and the row of its formula. */
#include <string.h>

#include "algorithms/models/terms.h"

static const struct rows *const tables[] = {
    &tutti_barrier_rows,  &tutti_bcast_rows,  &tutti_scatter_rows,        &tutti_gather_rows,    &tutti_allgather_rows,
    &tutti_alltoall_rows, &tutti_reduce_rows, &tutti_reduce_scatter_rows, &tutti_allreduce_rows, &tutti_scan_rows,
};

const struct row *tutti_row_find(const tutti_method *method)
{
  const tutti_algorithm *algorithm = method->algorithm;
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (int i = 0; i < tables[t]->count; i++) {
      const struct row *row = &tables[t]->first[i];
      if (row->collective == algorithm->collective && strcmp(row->name, algorithm->name) == 0)
        return row;
    }
  return NULL;
}

/* ---- terms ---- */

static void set_network(struct terms *t, const tutti_model *model)
{
  t->kind = model->kind;
  if (t->kind == TUTTI_MODEL_HOCKNEY) {
    t->alpha = model->network.hockney.alpha;
    t->beta = model->network.hockney.beta;
  } else if (t->kind == TUTTI_MODEL_LOGGP) {
    const tutti_loggp *l = &model->network.loggp;
    t->L = l->L, t->o = l->o, t->G = l->G;
    /* A rank that is busy for o with a message cannot start the next one sooner. */
    t->g = t->printed ? l->g : fmax(l->g, l->o);
  } else {
    t->L = model->network.plogp.L;
    t->plogp = &model->network.plogp;
  }
  t->gamma = model->gamma;
  t->delta = model->delta;
}

static void set_ranks(struct terms *t, int P)
{
  t->P = P;
  while (1LL << (t->floor_log + 1) <= P)
    t->floor_log++;
  t->ceil_log = t->floor_log + (1LL << t->floor_log < P);
  t->levels = t->floor_log + 1;
}

/* Cut as the schedules do: whole elements, at least one, at most all (src/algorithms/catalogue/shared/segments.c). In
   whole numbers, as a decision function asks for dozens of methods in a microsecond. */
static double segments_of(const struct terms *t, double bytes, uint64_t segment_bytes, double *n_s)
{
  uint64_t total = bytes < 0x1p64 ? (uint64_t)bytes : UINT64_MAX, element = (uint64_t)t->element;
  uint64_t length = segment_bytes ? segment_bytes : total;
  if (element > 1)
    length -= length % element;
  length = length < element ? element : length;
  length = length > total ? total : length;
  *n_s = length == total ? 1 : (double)((total - 1) / length + 1);
  return (double)length;
}

void tutti_terms_cut(struct terms *t, uint64_t segment_bytes)
{
  t->smooth = false;
  t->m_s = segments_of(t, t->m, segment_bytes, &t->n_s);
  t->half = share(t, 2);
  segments_of(t, t->half, segment_bytes, &t->half_segments);
  if (t->printed)
    t->half_segments = ceil(t->n_s / 2);
}

void tutti_terms_cut_smoothly(struct terms *t, double m_s)
{
  t->smooth = true;
  t->m_s = m_s;
  t->n_s = t->m / m_s;
  t->half = t->m / 2;
  t->half_segments = t->n_s / 2;
}

struct terms tutti_terms(const tutti_model *model, const tutti_model_question *question)
{
  struct terms t = {.printed = question->formula == TUTTI_FORMULA_PRINTED,
                    .least = question->bound == TUTTI_BOUND_LEAST,
                    .m = (double)question->bytes,
                    .element = question->element > 0 ? (double)question->element : 1};
  set_network(&t, model);
  set_ranks(&t, question->ranks);
  return t;
}

/* ---- checks ---- */

bool tutti_row_serves(const struct row *row, const tutti_method *method, int ranks)
{
  return row && (row->k == 0 || method->parameters.k == row->k) &&
         (!(row->domain & TUTTI_NEEDS_POWER_OF_TWO) || (ranks & (ranks - 1)) == 0) &&
         (!(row->domain & TUTTI_NEEDS_EVEN) || ranks == 1 || ranks % 2 == 0);
}

/* Why it does not. */
static tutti_status refuse(const struct row *row, const tutti_method *method, int ranks, tutti_error *error)
{
  const tutti_algorithm *algorithm = method->algorithm;
  const char *collective = tutti_collective_name(algorithm->collective);
  if (!row)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s: no formula is published", collective, algorithm->name);
  if (row->k > 0 && method->parameters.k != row->k)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s: a formula is published for %s=%d only, not %d", collective,
                      row->name, tutti_algorithm_k_name(algorithm), row->k, method->parameters.k);
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/%s: the formula is for %s of ranks, not %d", collective,
                    row->name, row->domain & TUTTI_NEEDS_EVEN ? "an even number" : "a power of two", ranks);
}

tutti_status tutti_row_check(const tutti_model *model, const tutti_model_question *question, const struct row **row,
                             tutti_error *error)
{
  if ((unsigned)model->kind >= TUTTI_MODEL_KINDS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no model is numbered %d", (int)model->kind);
  if (question->ranks < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a model needs 1 rank at least, not %d", question->ranks);
  if (question->element > 0 && question->bytes % question->element != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu bytes are not whole elements of %llu bytes",
                      (unsigned long long)question->bytes, (unsigned long long)question->element);
  *row = tutti_row_find(&question->method);
  return tutti_row_serves(*row, &question->method, question->ranks)
             ? TUTTI_OK
             : refuse(*row, &question->method, question->ranks, error);
}

/* ---- times ---- */

double tutti_row_time(const struct row *row, const struct terms *t)
{
  return t->P == 1 ? 0 : (t->printed ? row->printed : row->corrected)[t->kind](t);
}

tutti_status tutti_model_time(const tutti_model *model, const tutti_model_question *question, double *seconds,
                              tutti_error *error)
{
  const struct row *row;
  tutti_status status = tutti_row_check(model, question, &row, error);
  if (status != TUTTI_OK)
    return status;
  struct terms t = tutti_terms(model, question);
  tutti_terms_cut(&t, question->method.parameters.segment_bytes);
  *seconds = tutti_row_time(row, &t);
  return TUTTI_OK;
}

tutti_status tutti_model_smooth_time(const tutti_model *model, const tutti_model_question *question,
                                     double segment_bytes, double *seconds, tutti_error *error)
{
  const struct row *row;
  tutti_status status = tutti_row_check(model, question, &row, error);
  if (status != TUTTI_OK)
    return status;
  if (!(segment_bytes > 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a segment size is more than 0, not %g", segment_bytes);
  struct terms t = tutti_terms(model, question);
  tutti_terms_cut_smoothly(&t, segment_bytes);
  *seconds = tutti_row_time(row, &t);
  return TUTTI_OK;
}
