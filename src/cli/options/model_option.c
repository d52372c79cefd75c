#include "cli/options/model_option.h"

#include <stdio.h>
#include <string.h>

#include "platforms/platform_private.h"

enum { MOST_PARAMETERS = 4, MOST_TEXT = 64 };

/* A kind, and where its parameters go. */
struct kind {
  tutti_model_kind kind;
  struct {
    const char *name; /* NULL: no more */
    double *place;
  } parameters[MOST_PARAMETERS + 1];
};

static tutti_status unknown_kind(const char *text, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "'%s' is neither hockney:alpha=TIME,beta=TIME nor loggp:L=TIME,o=TIME,g=TIME,G=TIME", text);
}

/* One NAME=TIME, which lies in `item`. */
static tutti_status take(const struct kind *kind, char *item, unsigned *taken, tutti_error *error)
{
  tutti_error cause;
  char *value = strchr(item, '=');
  if (value)
    *value++ = '\0';
  for (int i = 0; value && kind->parameters[i].name; i++) {
    if (strcmp(item, kind->parameters[i].name) != 0)
      continue;
    if (*taken & 1u << i)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is given twice", item);
    *taken |= 1u << i;
    if (tutti_platform_parse_time(value, kind->parameters[i].place, &cause) == TUTTI_OK)
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s", item, cause.message);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is no parameter of %s, or has no value", item,
                    tutti_model_kind_name(kind->kind));
}

static tutti_status take_all(const struct kind *kind, const char *list, tutti_error *error)
{
  unsigned taken = 0;
  tutti_status status = TUTTI_OK;
  for (const char *end; *list && status == TUTTI_OK; list = *end ? end + 1 : end) {
    char item[MOST_TEXT];
    end = list + strcspn(list, ",");
    if (snprintf(item, sizeof item, "%.*s", (int)(end - list), list) < MOST_TEXT)
      status = take(kind, item, &taken, error);
    else
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s...' is too long", item);
  }
  for (int i = 0; status == TUTTI_OK && kind->parameters[i].name; i++)
    if (!(taken & 1u << i))
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s is missing", tutti_model_kind_name(kind->kind),
                          kind->parameters[i].name);
  return status;
}

tutti_status model_option_parse(const char *text, tutti_model *model, tutti_error *error)
{
  tutti_hockney *hockney = &model->network.hockney;
  tutti_loggp *loggp = &model->network.loggp;
  const struct kind kinds[] = {
      {TUTTI_MODEL_HOCKNEY, {{"alpha", &hockney->alpha}, {"beta", &hockney->beta}}},
      {TUTTI_MODEL_LOGGP, {{"L", &loggp->L}, {"o", &loggp->o}, {"g", &loggp->g}, {"G", &loggp->G}}},
  };
  const char *colon = strchr(text, ':');
  for (size_t i = 0; colon && i < sizeof kinds / sizeof *kinds; i++) {
    const char *name = tutti_model_kind_name(kinds[i].kind);
    if (strncmp(text, name, (size_t)(colon - text)) != 0 || name[colon - text])
      continue;
    model->kind = kinds[i].kind;
    return take_all(&kinds[i], colon + 1, error);
  }
  return unknown_kind(text, error);
}
