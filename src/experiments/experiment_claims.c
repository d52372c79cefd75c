/* Steps, claims and what is said about them in an experiment file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"

static tutti_status out_of_memory(const xml_file *file, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
}

/* The text of an element with its blanks at both ends taken off. */
static tutti_status read_text(const xml_file *file, const xmlNode *node, char **text, tutti_error *error)
{
  static const char blanks[] = " \t\r\n";
  xmlChar *content = xmlNodeGetContent(node);
  const char *begin = content ? (const char *)content + strspn((const char *)content, blanks) : "";
  size_t length = strlen(begin);
  while (length > 0 && strchr(blanks, begin[length - 1]))
    length--;
  *text = strndup(begin, length);
  xmlFree(content);
  if (!*text)
    return out_of_memory(file, error);
  return length > 0 ? TUTTI_OK : tutti_xml_fail(file, node, error, "<%s> is empty", (const char *)node->name);
}

static tutti_status copy(const xml_file *file, const char *text, char **member, tutti_error *error)
{
  *member = text ? strdup(text) : NULL;
  return text && !*member ? out_of_memory(file, error) : TUTTI_OK;
}

static tutti_status read_step(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                              tutti_error *error)
{
  tutti_experiment_step *step = &experiment->steps[experiment->step_count++];
  step->line = (int)xmlGetLineNo(node);
  return read_text(file, node, &step->text, error);
}

static tutti_status read_claim(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                               tutti_error *error)
{
  tutti_error reason;
  const char *differs = tutti_xml_attribute(node, "differs");
  tutti_claim *claim = &experiment->claims[experiment->claim_count++];
  claim->line = (int)xmlGetLineNo(node);
  claim->differs = differs && strcmp(differs, "true") == 0;
  tutti_status status = copy(file, tutti_xml_attribute(node, "what"), &claim->what, error);
  if (status == TUTTI_OK)
    status = copy(file, tutti_xml_attribute(node, "published"), &claim->published, error);
  if (status == TUTTI_OK)
    status = copy(file, tutti_xml_attribute(node, "unit"), &claim->unit, error);
  if (status == TUTTI_OK)
    status = copy(file, tutti_xml_attribute(node, "within"), &claim->within, error);
  if (status == TUTTI_OK)
    status = read_text(file, node, &claim->sql, error);
  if (status == TUTTI_OK && tutti_experiment_parse_claim(claim, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%.400s", reason.message);
  return status;
}

/* A text that an experiment has once. */
static tutti_status read_once(const xml_file *file, const xmlNode *node, char **text, tutti_error *error)
{
  if (*text)
    return tutti_xml_fail(file, node, error, "second <%s> in one <experiment>", (const char *)node->name);
  if (tutti_xml_is(node, "figure"))
    return copy(file, tutti_xml_attribute(node, "plot"), text, error);
  return read_text(file, node, text, error);
}

static tutti_status read_child(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                               tutti_error *error)
{
  if (tutti_xml_is(node, "step"))
    return read_step(file, node, experiment, error);
  if (tutti_xml_is(node, "claim"))
    return read_claim(file, node, experiment, error);
  if (tutti_xml_is(node, "differs"))
    return read_once(file, node, &experiment->differs, error);
  if (tutti_xml_is(node, "not-reproducible"))
    return read_once(file, node, &experiment->not_reproducible, error);
  return tutti_xml_is(node, "figure") ? read_once(file, node, &experiment->figure, error) : TUTTI_OK;
}

bool tutti_duration_parse(const char *text, double *seconds)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
  char *end;
  double number = strtod(text, &end);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (end > text && number >= 0 && isfinite(number) && strcmp(end, units[i].name) == 0) {
      *seconds = number * units[i].seconds;
      return true;
    }
  return false;
}

static tutti_status read_takes(const xml_file *file, double *takes, tutti_error *error)
{
  const char *text = tutti_xml_attribute(tutti_xml_root(file), "takes");
  *takes = NAN;
  if (!text || tutti_duration_parse(text, takes))
    return TUTTI_OK;
  return tutti_xml_fail(file, tutti_xml_root(file), error, "takes=\"%s\" is no time such as 30s, 2min or 1.5h", text);
}

/* What differs must have a reason. A reason is one for the claims that are marked, or, if none is, for all. */
static tutti_status check_reasons(const xml_file *file, tutti_experiment *experiment, tutti_error *error)
{
  bool marked = false;
  for (int i = 0; i < experiment->claim_count; i++)
    marked = marked || experiment->claims[i].differs;
  if (marked && !experiment->differs && !experiment->not_reproducible)
    return tutti_xml_fail(file, tutti_xml_root(file), error, "a claim differs, but there is no <differs> to say why");
  for (int i = 0; i < experiment->claim_count && !marked; i++)
    experiment->claims[i].differs = experiment->differs != NULL;
  return TUTTI_OK;
}

tutti_status tutti_experiment_read_claims(const xml_file *file, tutti_experiment *experiment, tutti_error *error)
{
  size_t children = 1;
  for (const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children); node;
       node = tutti_xml_element_from(node->next))
    children++;
  experiment->steps = calloc(children, sizeof *experiment->steps);
  experiment->claims = calloc(children, sizeof *experiment->claims);
  if (!experiment->steps || !experiment->claims)
    return out_of_memory(file, error);
  tutti_status status = read_takes(file, &experiment->takes, error);
  for (const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    status = read_child(file, node, experiment, error);
  return status == TUTTI_OK ? check_reasons(file, experiment, error) : status;
}

void tutti_experiment_free_claims(tutti_experiment *experiment)
{
  for (int i = 0; i < experiment->step_count; i++)
    free(experiment->steps[i].text);
  for (int i = 0; i < experiment->claim_count; i++) {
    tutti_claim *claim = &experiment->claims[i];
    free(claim->what);
    free(claim->published);
    free(claim->unit);
    free(claim->within);
    free(claim->sql);
  }
  free(experiment->steps);
  free(experiment->claims);
  free(experiment->differs);
  free(experiment->not_reproducible);
  free(experiment->figure);
}
