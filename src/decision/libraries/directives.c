/* The settings that make a library run one method for all calls. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "decision/libraries/libraries.h"

bool tutti_method_has_default_parts(const tutti_method *method)
{
  tutti_method plain = *method;
  tutti_method with_defaults = tutti_method_default(method->algorithm);
  memcpy(plain.parameters.parts, with_defaults.parameters.parts, sizeof plain.parameters.parts);
  return tutti_method_compare(&plain, method) == 0;
}

void tutti_directives_add(tutti_directives *directives, const char *name, const char *value)
{
  tutti_directive *directive = &directives->items[directives->count++];
  snprintf(directive->name, sizeof directive->name, "%s", name);
  snprintf(directive->value, sizeof directive->value, "%s", value);
}

void tutti_directives_add_number(tutti_directives *directives, const char *name, uint64_t value)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  tutti_directives_add(directives, name, text);
}

/* Whether the library really runs the method when told to. For methods made of others it picks the parts; anything that
   files cannot select is assumed to run. @p runs receives the name of the method that runs instead. */
static bool is_served(const tutti_library *library, const tutti_method *method, int ranks, uint64_t bytes,
                      char runs[TUTTI_METHOD_LENGTH])
{
  const tutti_question question = {method->algorithm->collective, ranks, 0, bytes};
  tutti_method ours = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  tutti_explanation explanation;
  if (method->algorithm->parts[0].name || !library->read || !library->targets->supports(&ours, ranks))
    return true;
  bool served = tutti_explain_constant(library->targets, &ours, &question, &explanation, NULL) == TUTTI_OK &&
                (!explanation.known || explanation.method.algorithm == method->algorithm);
  if (explanation.known)
    tutti_method_format(&explanation.method, runs);
  else
    snprintf(runs, TUTTI_METHOD_LENGTH, "something else");
  tutti_explanation_free(&explanation);
  return served;
}

/* The library that has to be told a method. */
static tutti_implementation told_to(const tutti_method *method)
{
  const bool component = tutti_method_is_native(method) && method->parameters.k > TUTTI_LAST_SMPI_SELECTOR;
  return component ? tutti_selector_owner(method->parameters.k) : method->implementation;
}

/* Why a method cannot be selected: it does not serve the call, another one would run, or a parameter has no setting. */
static const char *why_not_told(const tutti_library_version *version, const tutti_method *method, int ranks,
                                uint64_t bytes, tutti_error *why)
{
  const tutti_library *library = version->library;
  const tutti_call call = {
      .size = ranks, .count = library_elements(bytes), .type_size = library_element(bytes), .commutative = true};
  const tutti_method ours = tutti_method_default(method->algorithm);
  const tutti_method plain = tutti_method_as(&ours, method->implementation);
  tutti_directives directives = {.count = 0};
  char name[TUTTI_METHOD_LENGTH];
  if (tutti_method_check(method, &call, why) != TUTTI_OK)
    return why->message + strlen(tutti_method_format(method, name)) + strlen(": ");
  if (library->force(method, ranks, version, &directives)) {
    (void)is_served(library, method, ranks, bytes, name);
    tutti_fail(why, TUTTI_ERR_UNSUPPORTED, "it would run %s", name);
    return why->message;
  }
  directives.count = 0;
  if (!library->force(&plain, ranks, version, &directives))
    return "it has no setting for this algorithm";
  tutti_fail(why, TUTTI_ERR_UNSUPPORTED, "it has no setting for these parameters, and takes %s",
             tutti_method_format(&plain, name));
  return why->message;
}

static tutti_status refuse_telling(const tutti_library_version *version, const tutti_method *method, int ranks,
                                   uint64_t bytes, tutti_error *error)
{
  char text[TUTTI_METHOD_LENGTH], size[24];
  tutti_error why;
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s: %s cannot be told to run this on %d rank%s with %s: %s",
                    tutti_method_format(method, text), version->library->name, ranks, tutti_plural((uint64_t)ranks),
                    tutti_size_format(bytes, size), why_not_told(version, method, ranks, bytes, &why));
}

tutti_status tutti_method_directives(const tutti_method *method, int ranks, uint64_t bytes, const char *run,
                                     tutti_directives *directives, tutti_error *error)
{
  const tutti_implementation implementation = told_to(method);
  const tutti_library *library = tutti_library_of(implementation);
  const tutti_library_version version = tutti_library_version_told(library, run);
  char runs[TUTTI_METHOD_LENGTH];
  directives->count = 0;
  if (implementation == TUTTI_IMPLEMENTATION_TUTTI ||
      (library->force(method, ranks, &version, directives) && is_served(library, method, ranks, bytes, runs)))
    return TUTTI_OK;
  return refuse_telling(&version, method, ranks, bytes, error);
}
