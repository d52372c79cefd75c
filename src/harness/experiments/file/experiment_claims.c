/* Steps, claims, and the texts that explain them, of an experiment file. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/file/experiment_private.h"
#include "tutti/claim.h"

/* ---- what was published, and how near a measured number must come to it ---- */

/* Parse a finite number with blanks around it; returns where it ends, NULL without one. */
static const char *read_number(const char *text, double *number)
{
  char *end;
  *number = strtod(text, &end);
  if (end == text || !isfinite(*number))
    return NULL;
  while (isspace((unsigned char)*end))
    end++;
  return end;
}

static bool is_number(const char *text, double *number)
{
  const char *end = read_number(text, number);
  return end && *end == '\0';
}

static tutti_status refuse_published(const tutti_claim *claim, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "published=\"%s\" is no number, no comparison (< <= > >= with a number), no range (2..3) and "
                    "neither true nor false",
                    claim->published);
}

/* "< 3", ">= 400". */
static bool parse_comparison(tutti_claim *claim)
{
  static const struct {
    const char *sign;
    tutti_comparison comparison;
  } signs[] = {
      {"<=", TUTTI_CLAIM_AT_MOST}, {">=", TUTTI_CLAIM_AT_LEAST}, {"<", TUTTI_CLAIM_LESS}, {">", TUTTI_CLAIM_MORE}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t length = strlen(signs[i].sign);
    if (strncmp(claim->published, signs[i].sign, length) == 0) {
      claim->comparison = signs[i].comparison;
      return is_number(claim->published + length, &claim->value);
    }
  }
  return false;
}

/* "2..3"; strtod() would read "2." of it. */
static bool parse_range(tutti_claim *claim)
{
  const char *dots = strstr(claim->published, "..");
  char *low = dots ? tutti_xstrndup(claim->published, (size_t)(dots - claim->published)) : NULL;
  bool good = low && is_number(low, &claim->value) && is_number(dots + 2, &claim->tolerance) &&
              claim->value <= claim->tolerance;
  claim->comparison = TUTTI_CLAIM_BETWEEN;
  free(low);
  return good;
}

static bool parse_truth(tutti_claim *claim)
{
  claim->comparison = TUTTI_CLAIM_TRUTH;
  claim->value = strcmp(claim->published, "true") == 0;
  return claim->value > 0 || strcmp(claim->published, "false") == 0;
}

/* "20%", "2x", "2 us", "2". */
static tutti_status parse_within(tutti_claim *claim, tutti_error *error)
{
  const char *unit = read_number(claim->within, &claim->tolerance);
  if (!unit || claim->tolerance < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\" is no share (20%%), factor (2x) or distance (2 us)",
                      claim->within);
  bool absolute = *unit == '\0' || (claim->unit && strcmp(unit, claim->unit) == 0 && strcmp(unit, "%") != 0);
  if (strcmp(unit, "%") == 0) {
    claim->comparison = TUTTI_CLAIM_RELATIVE;
    claim->tolerance /= 100;
  } else if (strcmp(unit, "x") == 0 && claim->tolerance >= 1 && claim->value > 0)
    claim->comparison = TUTTI_CLAIM_FACTOR;
  else if (absolute)
    claim->comparison = TUTTI_CLAIM_ABSOLUTE;
  else if (strcmp(unit, "x") == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\": a factor of at least 1, of a number above 0",
                      claim->within);
  else
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\": the unit of the claim is '%s'", claim->within,
                      claim->unit ? claim->unit : "");
  return TUTTI_OK;
}

static tutti_status parse_published(tutti_claim *claim, tutti_error *error)
{
  claim->comparison = TUTTI_CLAIM_EQUAL;
  if (is_number(claim->published, &claim->value))
    return claim->within ? parse_within(claim, error) : TUTTI_OK;
  if (!parse_comparison(claim) && !parse_range(claim) && !parse_truth(claim))
    return refuse_published(claim, error);
  if (claim->within)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "within=\"%s\" goes with one published number, not with \"%s\"",
                      claim->within, claim->published);
  return TUTTI_OK;
}

/* ---- elements ---- */

/* The text of an element, which must have one. */
static tutti_status read_text(const xml_file *file, const xmlNode *node, char **text, tutti_error *error)
{
  *text = tutti_experiment_text(node);
  return **text ? TUTTI_OK : tutti_xml_fail(file, node, error, "<%s> is empty", (const char *)node->name);
}

/* A copy of an attribute, or NULL. */
static char *copy_attribute(const xmlNode *node, const char *name)
{
  const char *text = tutti_xml_attribute(node, name);
  return text ? tutti_xstrdup(text) : NULL;
}

static tutti_status read_step(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                              tutti_error *error)
{
  tutti_experiment_step *step = &experiment->steps[experiment->step_count++];
  step->line = (int)xmlGetLineNo(node);
  return read_text(file, node, &step->text, error);
}

/* Its words are checked by then. */
static tutti_claim_kind read_kind(const xmlNode *node)
{
  const char *text = tutti_xml_attribute(node, "kind"), *name;
  for (int kind = 0; text && (name = tutti_claim_kind_name((tutti_claim_kind)kind)); kind++)
    if (strcmp(text, name) == 0)
      return (tutti_claim_kind)kind;
  return TUTTI_CLAIM_PREDICTION;
}

static tutti_status read_claim(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                               tutti_error *error)
{
  tutti_error reason;
  const char *differs = tutti_xml_attribute(node, "differs");
  tutti_claim *claim = &experiment->claims[experiment->claim_count++];
  claim->line = (int)xmlGetLineNo(node);
  claim->differs = differs && strcmp(differs, "true") == 0;
  claim->what = copy_attribute(node, "what");
  claim->published = copy_attribute(node, "published");
  claim->unit = copy_attribute(node, "unit");
  claim->within = copy_attribute(node, "within");
  claim->from = copy_attribute(node, "from");
  claim->kind = read_kind(node);
  tutti_status status = read_text(file, node, &claim->sql, error);
  if (status == TUTTI_OK && claim->from && !*claim->from)
    return tutti_xml_fail(file, node, error, "from=\"\" says nothing");
  if (status == TUTTI_OK && parse_published(claim, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%.400s", reason.message);
  return status;
}

/* A text that an experiment has once. */
static tutti_status read_once(const xml_file *file, const xmlNode *node, char **text, tutti_error *error)
{
  if (*text)
    return tutti_xml_fail(file, node, error, "second <%s> in one <experiment>", (const char *)node->name);
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
  return tutti_xml_is(node, "not-reproducible") ? read_once(file, node, &experiment->not_reproducible, error)
                                                : TUTTI_OK;
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

/* A different number must have a reason. A reason applies to the marked claims or, without marks, to all. */
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
  experiment->steps = tutti_xcalloc(children, sizeof *experiment->steps);
  experiment->claims = tutti_xcalloc(children, sizeof *experiment->claims);
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
    free(claim->from);
    free(claim->sql);
  }
  free(experiment->steps);
  free(experiment->claims);
  free(experiment->differs);
  free(experiment->not_reproducible);
}
