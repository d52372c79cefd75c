/* What a model says of the least time of any method (certificate.h). */
#include <math.h>

#include "tutti/model.h"

tutti_limits tutti_limits_of_model(const tutti_model *model, int ranks)
{
  tutti_limits limits = {.combining = model->gamma / ranks};
  if (model->kind == TUTTI_MODEL_HOCKNEY) {
    const tutti_hockney *h = &model->network.hockney;
    limits.wire = limits.into = limits.within = (tutti_spread){0, h->alpha};
    limits.first = h->alpha;
    limits.out = limits.in = h->beta;
  } else if (model->kind == TUTTI_MODEL_LOGGP) {
    const tutti_loggp *l = &model->network.loggp;
    const double gap = fmax(l->g, l->o), message = l->L + 2 * l->o;
    limits.wire = limits.into = limits.within = (tutti_spread){message - gap, gap};
    limits.processor = (tutti_spread){message - l->o, l->o};
    limits.first = message - l->G; /* the first byte has no G */
    limits.out = limits.in = l->G;
  }
  return limits;
}
