/* MVAPICH 3 and 4, which are made of MPICH: one algorithm a collective, by MVP_COLLECTIVE_INTRA_ALGORITHM, an alias of
   MPICH's control variable; the names of the algorithms and of their parameters are those of MPICH 4.2, with more that
   begin with osu_ (cvar.rst of its documentation, MVAPICH 4.0 and MVAPICH-Plus 4.1; docs/reference/variables.md). */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/mpich/mpich.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/mvapich/codes.def"
#undef CODE
};

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/mvapich/codes.def"
#undef CODE
};

static const tutti_library_version names = {&tutti_library_mpich, 4, 2, -1};
static const char cvar[] = "MPIR_CVAR_", prefixes[] = "MVP_ MPIR_CVAR_ MV2_ MPICH_*_ALGORITHM";
static const char ending[] = "_INTRA_ALGORITHM";

enum { NAME_LENGTH = 64 };

/* ---- writing ---- */

/* The settings of a method, as MPICH's variables. Parts of methods made of others cannot be told. */
static bool tell(const tutti_method *method, int ranks, tutti_directives *directives)
{
  directives->count = 0;
  return !method->algorithm->parts[0].name && method->algorithm->mpich_name &&
         tutti_mpich_force(method, ranks, &names, directives);
}

/* For all numbers of ranks. */
static bool supports(const tutti_method *method, int ranks)
{
  tutti_directives directives;
  return tell(method, ranks, &directives) && tell(method, 3, &directives) && tell(method, 40, &directives);
}

static tutti_size_unit unit(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && algorithm->mpich_name && !algorithm->parts[0].name)
      return TUTTI_UNIT_NONE;
  return TUTTI_UNIT_ABSENT;
}

static tutti_status write_variables(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                    tutti_error *error)
{
  fprintf(stream, TUTTI_TUNING_TARGET "mvapich\n");
  tutti_target_print_comment(comment, "# ", stream);
  for (int i = 0; i < count; i++) {
    const tutti_step_table *table = &parts[i].table;
    tutti_directives directives;
    const int method = table->rows[0].steps[0].method;
    if (method < 0 || !tell(&table->methods[method], 3, &directives))
      continue;
    for (int d = 0; d < directives.count; d++)
      fprintf(stream, "export MVP_%s=%s\n", directives.items[d].name + strlen(cvar), directives.items[d].value);
  }
  return tutti_target_written(stream, error);
}

/* ---- reading ---- */

/* The collective that a variable selects an algorithm of; TUTTI_COLL_COUNT: none. */
static tutti_collective collective_of(const char *name)
{
  char text[NAME_LENGTH];
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    int length = snprintf(text, sizeof text, "%s%s", tutti_collective_name((tutti_collective)c), ending);
    for (int i = 0; i < length; i++)
      text[i] = (char)toupper((unsigned char)text[i]);
    if (strcmp(text, name) == 0)
      return (tutti_collective)c;
  }
  return TUTTI_COLL_COUNT;
}

static bool is_own_choice(const char *value)
{
  return strcmp(value, "auto") == 0 || strcmp(value, "dynamic") == 0;
}

static bool has_algorithm(tutti_collective collective, const char *value)
{
  char name[MPICH_NAME_LENGTH];
  const char *parameters;
  return is_own_choice(value) || strncmp(value, "osu_", 4) == 0 || strcmp(value, "nb") == 0 ||
         tutti_mpich_knows(&names, tutti_mpich_full_name(collective, value, name), &parameters);
}

static tutti_status read_settings(struct tuning_file *file, void *settings, tutti_error *error)
{
  struct settings *read = settings;
  bool any = false;
  (void)error;
  tutti_settings_read(file, prefixes, read);
  for (size_t i = 0; i < read->count; i++) {
    const struct setting *setting = &read->items[i];
    const tutti_collective collective = collective_of(setting->name);
    if (strncmp(file->text + setting->at, "MV2_", 4) == 0) {
      tutti_tuning_report(file, LINT_MVAPICH_OLD, setting->at, "MV2_%.60s", setting->name);
      continue;
    }
    any = any || collective < TUTTI_COLL_COUNT;
    if (collective < TUTTI_COLL_COUNT && !setting->computed && !setting->ends &&
        !has_algorithm(collective, setting->value))
      tutti_tuning_report(file, LINT_MVAPICH_CHOICE, setting->value_at, "%s has no algorithm '%.40s'",
                          tutti_collective_name(collective), setting->value);
  }
  if (!any)
    tutti_tuning_report(file, LINT_MVAPICH_NONE, read->count ? read->items[0].at : 0, "no MVP_..._ALGORITHM");
  tutti_settings_check_twice(file, read, LINT_MVAPICH_TWICE);
  return TUTTI_OK;
}

/* ---- explaining ---- */

/* By its name in MPICH. */
static const char *value_of(const struct settings *settings, const char *name)
{
  const struct setting *setting =
      strncmp(name, cvar, strlen(cvar)) == 0 ? tutti_settings_find(settings, name + strlen(cvar)) : NULL;
  return setting ? setting->value : "";
}

/* Whether all settings of the method are set so. */
static bool is_told(const struct settings *settings, const tutti_method *method, int ranks)
{
  tutti_directives directives;
  if (!tell(method, ranks, &directives))
    return false;
  for (int i = 0; i < directives.count; i++)
    if (strcmp(value_of(settings, directives.items[i].name), directives.items[i].value) != 0)
      return false;
  return true;
}

/* The value of a variable of the collective as a number; 0: it is not set. */
static int number_of(const struct settings *settings, tutti_collective collective, const char *variable)
{
  char name[NAME_LENGTH];
  uint64_t number;
  int length = snprintf(name, sizeof name, "%s_%s", tutti_collective_name(collective), variable);
  for (int i = 0; i < length; i++)
    name[i] = (char)toupper((unsigned char)name[i]);
  const struct setting *setting = tutti_settings_find(settings, name);
  return setting && tutti_parse_integer(setting->value, 1, INT_MAX, &number) ? (int)number : 0;
}

/* With one of the radixes that are set, or the default one, and with or without segments and one buffer. */
static bool is_told_with(const struct settings *settings, tutti_method *method, int ranks)
{
  static const char *const radixes[] = {"BRUCKS_KVAL", "DISSEM_KVAL", "RECEXCH_KVAL", "RECURSIVE_MULTIPLYING_KVAL",
                                        "TREE_KVAL"};
  const tutti_method plain = *method;
  const tutti_collective collective = plain.algorithm->collective;
  const int chunk = number_of(settings, collective, "TREE_PIPELINE_CHUNK_SIZE");
  for (int i = -1; i < 5; i++) {
    const int radix = i < 0 ? plain.parameters.k : number_of(settings, collective, radixes[i]);
    for (int form = 0; form < 4 && radix >= plain.algorithm->min_k; form++) {
      *method = plain;
      method->parameters.k = radix;
      if (form & 1)
        method->parameters.segment_bytes = (uint64_t)chunk;
      if (form & 2)
        method->parameters.outstanding = 1;
      if (is_told(settings, method, ranks))
        return true;
    }
    if (!(plain.algorithm->parameters & TUTTI_TAKES_K))
      break;
  }
  return false;
}

static bool find_method(const struct settings *settings, const tutti_explained_call *call, tutti_method *method)
{
  const int node = 0;
  const tutti_call served = {
      .size = call->ranks, .count = (uint64_t)call->ranks, .type_size = 1, .commutative = true, .nodes = &node};
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    *method = tutti_method_default(algorithm);
    if (algorithm->collective == call->collective && is_told_with(settings, method, call->ranks))
      return tutti_method_fault(method, &served) == NULL;
  }
  return false;
}

static tutti_status explain(struct explaining *explaining, tutti_error *error)
{
  const tutti_explained_call *call = explaining->call;
  const struct settings *settings = explaining->tuning->rules;
  tutti_explanation *answer = explaining->answer;
  char name[NAME_LENGTH];
  (void)error;
  int length = snprintf(name, sizeof name, "%s%s", tutti_collective_name(call->collective), ending);
  for (int i = 0; i < length; i++)
    name[i] = (char)toupper((unsigned char)name[i]);
  const struct setting *setting = tutti_settings_find(settings, name);
  tutti_settings_step_launch(explaining, settings);
  if (!setting || is_own_choice(setting->value)) {
    tutti_explain_step(explaining, setting ? setting->at : NO_PLACE, "MVP_%s %s", name,
                       setting ? "leaves it to MVAPICH" : "is not set");
    answer->own_choice = true;
    tutti_explain_name(explaining, "%s", "MVAPICH's own choice");
    return TUTTI_OK;
  }
  tutti_explain_step(explaining, setting->at, "%s = %.60s", setting->name, setting->value);
  tutti_explain_name(explaining, "%.60s", setting->value);
  if (!has_algorithm(call->collective, setting->value)) {
    tutti_explain_step(explaining, setting->at, "MPI_Init fails: %s has no such algorithm",
                       tutti_collective_name(call->collective));
    tutti_explain_failure(explaining);
  } else
    answer->known = find_method(settings, call, &answer->method);
  return TUTTI_OK;
}

static const tutti_target targets[] = {
    {
        .name = "mvapich",
        .summary = "variables MVP_... of MVAPICH 3 and 4, one algorithm a collective",
        .single = true,
        .use = ". %s",
        .unit = unit,
        .supports = supports,
        .write = write_variables,
    },
    {0},
};

const tutti_library tutti_library_mvapich = {
    .name = "mvapich",
    .targets = targets,
    .versions = "mvapich",
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .rules_bytes = sizeof(struct settings),
    .read = read_settings,
    .free_rules = tutti_settings_free,
    .explain = explain,
};
