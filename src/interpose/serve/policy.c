#include "interpose/serve/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/output.h"
#include "tutti/decision_tree.h"
#include "tutti/reproducible.h"

extern const char tutti_builtin_rules[]; /* builtin.rules */

static const char native[] = "native";

/* The value of a variable, NULL if it has none. */
static const char *value_of(const char *name)
{
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* ---- the digest: Fowler, Noll and Vo's hash FNV-1a ---- */

static void digest_bytes(struct policy *policy, const char *bytes, size_t length)
{
  for (size_t i = 0; i < length; i++)
    policy->digest = (policy->digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
}

/* With the zero byte at its end, which keeps values apart. */
static void digest_variable(struct policy *policy, const char *name, const char *value)
{
  digest_bytes(policy, name, strlen(name) + 1);
  digest_bytes(policy, value, strlen(value) + 1);
}

/* ---- the variables ---- */

/* A method that the library runs needs its settings. */
static tutti_status check_implementation(const char *subject, tutti_implementation implementation, tutti_error *error)
{
  const char *name = tutti_implementation_name(implementation);
  return name ? tutti_fail(error, TUTTI_ERR_ARGUMENT,
                           "%s names algorithms as %s runs them (@%s): Tutti runs its own schedules, and native; tutti "
                           "export --format %s writes a file that tells %s",
                           subject, name, name, name, name)
              : TUTTI_OK;
}

static tutti_status read_override(struct policy *policy, tutti_collective collective, tutti_error *error)
{
  char name[TUTTI_VARIABLE_LENGTH], text[TUTTI_METHOD_LENGTH];
  tutti_error reason;
  struct override *override = &policy->overrides[collective];
  const char *value = value_of(tutti_interposer_variable(collective, name));
  if (!value)
    return TUTTI_OK;
  digest_variable(policy, name, value);
  override->given = true;
  override->native = strcmp(value, native) == 0;
  if (override->native)
    return TUTTI_OK;
  int length = snprintf(text, sizeof text, "%s/%s", tutti_collective_name(collective), value);
  if (length >= (int)sizeof text)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.80s...: too long for a method", name, value);
  if (tutti_method_parse(text, &override->method, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.80s: %s (or %s)", name, value, reason.message, native);
  return check_implementation(name, override->method.implementation, error);
}

static tutti_status read_overrides(struct policy *policy, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    status = read_override(policy, (tutti_collective)c, error);
  return status;
}

/* The text of a file that a variable names, which each rank opens, becomes part of the digest. */
static tutti_status load_file(struct policy *policy, const char *name, const char *path, char **text, size_t *length,
                              tutti_error *error)
{
  tutti_status status = tutti_input_permit_handing_on(path, error);
  if (status == TUTTI_OK)
    status = tutti_input_read(path, TUTTI_INPUT_TEXT, text, length, error);
  if (status != TUTTI_OK)
    return status;
  digest_variable(policy, name, path);
  digest_bytes(policy, *text, *length);
  return TUTTI_OK;
}

/* A decision file that a variable names. */
static tutti_status read_file(struct policy *policy, const char *name, tutti_decision *file, tutti_error *error)
{
  tutti_error reason;
  char *text = NULL;
  size_t length;
  const char *path = value_of(name);
  if (!path)
    return TUTTI_OK;
  tutti_status status = load_file(policy, name, path, &text, &length, &reason);
  if (status == TUTTI_OK)
    status = tutti_decision_parse(text, length, path, file, &reason);
  free(text);
  return status == TUTTI_OK ? check_implementation(path, file->implementation, error)
                            : tutti_fail(error, status, "%s: %s", name, reason.message);
}

static tutti_status read_candidates(struct policy *policy, tutti_error *error)
{
  static const char name[] = "TUTTI_CANDIDATES";
  tutti_status status = read_file(policy, name, &policy->candidates, error);
  if (status == TUTTI_OK && policy->candidates.decide && !tutti_decision_rule_at(&policy->candidates, 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s: no rules: a tree has one method for a call", name,
                      policy->candidates.name);
  if (status == TUTTI_OK && policy->candidates.decide && !policy->adapt)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s without TUTTI_ADAPT: candidates of what?", name);
  return status;
}

static tutti_status read_levels(struct policy *policy, tutti_error *error)
{
  static const char name[] = "TUTTI_LEVELS";
  tutti_error reason;
  char *text = NULL;
  size_t length;
  const char *path = policy->levels_path = value_of(name);
  if (!path)
    return TUTTI_OK;
  tutti_status status = load_file(policy, name, path, &text, &length, &reason);
  if (status == TUTTI_OK)
    status = tutti_node_table_parse(text, length, path, &policy->levels, &reason);
  free(text);
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "%s: %s", name, reason.message);
}

static tutti_status read_switch(struct policy *policy, const char *name, bool *on, tutti_error *error)
{
  const char *value = value_of(name);
  if (!value)
    return TUTTI_OK;
  digest_variable(policy, name, value);
  *on = strcmp(value, "1") == 0;
  if (!*on && strcmp(value, "0") != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.80s: neither 0 nor 1", name, value);
  return TUTTI_OK;
}

static tutti_status read_near(struct policy *policy, tutti_error *error)
{
  static const char *const names[] = {"native", "linear", "combining"};
  static const char name[] = "TUTTI_NEIGHBORS";
  const char *value = value_of(name);
  if (!value)
    return TUTTI_OK;
  digest_variable(policy, name, value);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(value, names[i]) == 0) {
      policy->near = (enum near)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.80s: neither linear nor combining nor native", name, value);
}

/* After the variables of collectives. No call of MPI has numbers in a row. */
static tutti_status read_reproducible(struct policy *policy, tutti_error *error)
{
  static const char name[] = "TUTTI_REPRODUCIBLE";
  char variable[TUTTI_VARIABLE_LENGTH];
  tutti_error reason;
  const char *value = value_of(name);
  if (!value)
    return TUTTI_OK;
  digest_variable(policy, name, value);
  if (tutti_reproducible_parse(value, &policy->reproducible, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s", name, reason.message);
  policy->reproducible = tutti_reproducible_of_choice(policy->reproducible);
  if (policy->reproducible & TUTTI_REPRODUCIBLE_DISTRIBUTION)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s=%.80s: distribution needs tutti_combine_row(), which no call of MPI "
                      "stands for",
                      name, value);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (policy->overrides[c].native && tutti_policy_keeps(policy, (tutti_collective)c))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s=%.80s and %s=native contradict each other", name, value,
                        tutti_interposer_variable((tutti_collective)c, variable));
  return TUTTI_OK;
}

/* The path of a file to write. */
static const char *read_path(struct policy *policy, const char *name)
{
  const char *path = value_of(name);
  if (path)
    digest_variable(policy, name, path);
  return path;
}

static void read_adapt(struct policy *policy)
{
  const char *value = read_path(policy, "TUTTI_ADAPT");
  policy->adapt = value && strcmp(value, "0") != 0;
  policy->adapted = policy->adapt && strcmp(value, "1") != 0 ? value : NULL;
}

/* ---- the policy ---- */

tutti_status tutti_policy_read(struct policy *policy, tutti_error *error)
{
  memset(policy, 0, sizeof *policy);
  policy->digest = UINT64_C(0xcbf29ce484222325);
  tutti_status status = tutti_variables_check(error);
  if (status == TUTTI_OK)
    status = tutti_decision_parse_rules(tutti_builtin_rules, "built-in rules", &policy->builtin, error);
  if (status == TUTTI_OK)
    status = read_overrides(policy, error);
  if (status == TUTTI_OK)
    status = read_switch(policy, "TUTTI_VERBOSE", &policy->verbose, error);
  if (status == TUTTI_OK)
    status = read_switch(policy, "TUTTI_NATIVE", &policy->native, error);
  if (status == TUTTI_OK)
    status = read_switch(policy, "TUTTI_NONBLOCKING", &policy->nonblocking, error);
  if (status == TUTTI_OK)
    status = read_near(policy, error);
  if (status == TUTTI_OK)
    status = read_reproducible(policy, error);
  if (status == TUTTI_OK)
    status = read_file(policy, "TUTTI_DECISION", &policy->file, error);
  if (status == TUTTI_OK)
    status = read_levels(policy, error);
  policy->profile = read_path(policy, "TUTTI_PROFILE");
  policy->trace = read_path(policy, "TUTTI_TRACE");
  policy->ran = read_path(policy, "TUTTI_RAN");
  read_adapt(policy);
  if (status == TUTTI_OK)
    status = read_candidates(policy, error);
  if (status != TUTTI_OK)
    tutti_policy_free(policy);
  return status;
}

tutti_status tutti_policy_check_outputs(const struct policy *policy, tutti_error *error)
{
  const struct {
    const char *name, *path;
  } outputs[] = {{"TUTTI_PROFILE", policy->profile},
                 {"TUTTI_TRACE", policy->trace},
                 {"TUTTI_RAN", policy->ran},
                 {"TUTTI_ADAPT", policy->adapted}};
  tutti_error reason;
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
    if (outputs[i].path && tutti_output_test(outputs[i].path, &reason) != TUTTI_OK)
      return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", outputs[i].name, reason.message);
  return TUTTI_OK;
}

void tutti_policy_free(struct policy *policy)
{
  tutti_decision_free(&policy->file);
  tutti_decision_free(&policy->candidates);
  tutti_vector_free(&policy->levels);
  tutti_decision_free(&policy->builtin);
}
