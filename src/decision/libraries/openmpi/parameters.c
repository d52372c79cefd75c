/* Parameters of Open MPI, in a file (mca-params.conf) or as variables of the environment: which of them Open MPI does
   not take, and the algorithms that those of coll/tuned choose. What it says of values that it does not take was tried
   with 4.1.4. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/words.h"
#include "decision/libraries/openmpi/openmpi.h"

static const char tuned[] = "coll_tuned_";

void tutti_openmpi_read_parameters(const struct tuning_file *file, struct openmpi_rules *rules)
{
  tutti_settings_read(file, "OMPI_MCA_ PRTE_MCA_ PMIX_MCA_", &rules->settings);
}

/* ---- names and values ---- */

/* The collective and what follows it in "coll_tuned_bcast_algorithm_segmentsize"; -1: it is no parameter of one. */
static int parse_name(const char *name, const char **rest)
{
  int found = -1;
  size_t longest = 0;
  if (strncmp(name, tuned, strlen(tuned)) != 0)
    return -1;
  name += strlen(tuned);
  for (int c = 0; c < OPENMPI_COLLECTIVES; c++) {
    const size_t length = strlen(tutti_openmpi_collectives[c].name);
    if (length > longest && strncmp(name, tutti_openmpi_collectives[c].name, length) == 0 && name[length] == '_') {
      found = c;
      longest = length;
    }
  }
  *rest = name + longest + 1;
  return found;
}

static bool is_known(const char *name)
{
  static const char whole[] = "priority use_dynamic_rules dynamic_rules_filename init_tree_fanout init_chain_fanout "
                              "init_max_requests verbose";
  static const char of_collective[] =
      "algorithm algorithm_count algorithm_segmentsize algorithm_tree_fanout algorithm_chain_fanout "
      "algorithm_max_requests algorithm_knomial_radix small_msg intermediate_msg large_msg min_procs max_requests";
  const char *rest;
  if (strncmp(name, tuned, strlen(tuned)) != 0)
    return true;
  return tutti_word_is_listed(whole, ' ', name + strlen(tuned)) ||
         (parse_name(name, &rest) >= 0 && tutti_word_is_listed(of_collective, ' ', rest));
}

/* 1 true, 0 false, -1 neither. */
static int truth_of(const char *value)
{
  static const char *const words[2][5] = {{"false", "f", "disabled", "no", "n"}, {"true", "t", "enabled", "yes", "y"}};
  char *end;
  const long number = strtol(value, &end, 10);
  if (*value && !*end)
    return number != 0;
  for (int i = 0; i < 10; i++)
    if (strcasecmp(value, words[i / 5][i % 5]) == 0)
      return i / 5;
  return -1;
}

static bool is_algorithm(const struct setting *setting, int *collective)
{
  const char *rest;
  *collective = parse_name(setting->name, &rest);
  return *collective >= 0 && strcmp(rest, "algorithm") == 0;
}

/* ---- faults ---- */

static const char dynamic[] = "coll_tuned_use_dynamic_rules";

static bool is_true(const char *value)
{
  return truth_of(value) == 1;
}

static bool is_switched_on(const struct settings *settings)
{
  const struct setting *setting = tutti_settings_find(settings, dynamic);
  return setting && is_true(setting->value);
}

static bool is_on(const char *name)
{
  return strcmp(name, dynamic) == 0 || strcmp(name, "coll_han_use_dynamic_file_rules") == 0;
}

static void check_setting(struct tuning_file *file, const struct settings *settings, const struct setting *setting)
{
  int collective;
  if (setting->ends)
    return;
  if (!is_known(setting->name))
    tutti_tuning_report(file, LINT_OMPP_NAME, setting->at, "%.80s", setting->name);
  if (is_on(setting->name) && !setting->computed && truth_of(setting->value) < 0)
    tutti_tuning_report(file, LINT_OMPP_TRUTH, setting->value_at, "'%.40s'", setting->value);
  if (strstr(setting->name, "_rules_filename"))
    tutti_tuning_report(file, LINT_OMPP_FILE, setting->value_at, "%.200s", setting->value);
  if (!is_algorithm(setting, &collective) || setting->computed)
    return;
  const long id = tutti_openmpi_algorithm_id(&file->version, collective, setting->value);
  if (id < 0 || !tutti_openmpi_algorithm_name(&file->version, collective, id))
    tutti_tuning_report(file, LINT_OMPP_ALGORITHM, setting->value_at, "%s has no algorithm '%.40s'",
                        tutti_openmpi_collectives[collective].name, setting->value);
  else if (!tutti_settings_any(settings, dynamic, setting, is_true))
    tutti_tuning_report(file, LINT_OMPP_OFF, setting->at, "%s without coll_tuned_use_dynamic_rules", setting->name);
}

/* Open MPI does not cut the prefix of variables off names in a file. */
static void check_prefixes(struct tuning_file *file, const struct settings *settings)
{
  static const char prefix[] = "OMPI_MCA_";
  bool plain = false;
  for (size_t i = 0; i < settings->count; i++)
    plain = plain || (!settings->items[i].prefixed && strncmp(settings->items[i].name, "coll_", 5) == 0);
  for (size_t i = 0; plain && !settings->script && i < settings->count; i++)
    if (settings->items[i].prefixed) {
      tutti_tuning_report(file, LINT_OMPP_PREFIX, settings->items[i].at, "%.80s", settings->items[i].name);
      if (strncmp(file->text + settings->items[i].at, prefix, strlen(prefix)) == 0)
        tutti_tuning_edit(file, LINT_OMPP_PREFIX, settings->items[i].at, strlen(prefix), "");
    }
}

/* The place of the first if none is about collectives; SIZE_MAX: one is. */
static size_t place_without(const struct settings *settings)
{
  for (size_t i = 0; i < settings->count; i++)
    if (strcmp(settings->items[i].name, "coll") == 0 || strncmp(settings->items[i].name, "coll_", 5) == 0)
      return SIZE_MAX;
  return settings->count ? settings->items[0].at : 0;
}

void tutti_openmpi_lint_parameters(struct tuning_file *file, const struct openmpi_rules *rules)
{
  const struct settings *settings = &rules->settings;
  if (place_without(settings) != SIZE_MAX)
    tutti_tuning_report(file, LINT_OMPP_NONE, place_without(settings), "%zu of other things", settings->count);
  bool prefixed = settings->script;
  if (file->marked) {
    tutti_tuning_report(file, LINT_OMPP_MARK, 0, "three bytes of UTF-8");
    tutti_tuning_edit_mark(file, LINT_OMPP_MARK);
  }
  if (settings->returns) {
    tutti_tuning_report(file, LINT_OMPP_RETURN, settings->return_at, "from here on");
    tutti_tuning_edit_returns(file, LINT_OMPP_RETURN);
  }
  for (size_t i = 0; i < settings->count; i++) {
    prefixed = prefixed || settings->items[i].prefixed;
    check_setting(file, settings, &settings->items[i]);
  }
  for (size_t i = 0; !prefixed && i < settings->others.count; i++)
    tutti_tuning_report(file, LINT_OMPP_LINE, settings->others.items[i], "there is no '='");
  check_prefixes(file, settings);
  tutti_settings_check_twice(file, settings, LINT_OMPP_TWICE);
}

/* ---- what they choose ---- */

/* Whether the parameter "coll", a list of components or, after '^', of those that are left out, has one. */
static bool has_component(const struct settings *settings, const char *component)
{
  const struct setting *setting = tutti_settings_find(settings, "coll");
  const bool without = setting && *setting->value == '^';
  return !setting || tutti_word_is_listed(setting->value + without, ',', component) != without;
}

static long number_of(const struct settings *settings, int collective, const char *rest)
{
  char name[120];
  snprintf(name, sizeof name, "%s%s_%s", tuned, tutti_openmpi_collectives[collective].name, rest);
  const struct setting *setting = tutti_settings_find(settings, name);
  const long number = setting ? strtol(setting->value, NULL, 10) : 0;
  return number > 0 && number <= INT_MAX ? number : 0;
}

static void step_file(struct explaining *explaining, const struct settings *settings)
{
  const struct setting *setting = tutti_settings_find(settings, "coll_tuned_dynamic_rules_filename");
  if (setting && is_switched_on(settings))
    tutti_explain_step(explaining, setting->at, "rules of %s %s: tutti explain --decision FILE", setting->value,
                       explaining->tuning->file.version.major < 6 ? "go first" : "come after parameters");
}

/* Why a parameter that names an algorithm has no effect; NULL: it has. */
static const char *why_ignored(const struct settings *settings)
{
  if (!has_component(settings, "tuned"))
    return "the parameter coll leaves coll/tuned out";
  return is_switched_on(settings) ? NULL
                                  : "coll_tuned_use_dynamic_rules is not set: parameters of coll/tuned are ignored";
}

bool tutti_openmpi_chosen(struct explaining *explaining, int collective, struct openmpi_rule *rule)
{
  const struct openmpi_rules *rules = explaining->tuning->rules;
  const struct settings *settings = &rules->settings;
  const tutti_library_version *version = &explaining->tuning->file.version;
  const char *why = why_ignored(settings);
  char name[120];
  tutti_settings_step_launch(explaining, settings);
  if (place_without(settings) != SIZE_MAX)
    tutti_explain_step(explaining, place_without(settings), "no parameter of collectives in the file");
  step_file(explaining, settings);
  if (why)
    tutti_explain_step(explaining, NO_PLACE, "%s", why);
  snprintf(name, sizeof name, "%s%s_algorithm", tuned, tutti_openmpi_collectives[collective].name);
  const struct setting *setting = tutti_settings_find(settings, name);
  if (!setting)
    tutti_explain_step(explaining, NO_PLACE, "%s is not set", name);
  if (!setting || why)
    return false;
  const long id = tutti_openmpi_algorithm_id(version, collective, setting->value);
  const char *algorithm = id < 0 ? NULL : tutti_openmpi_algorithm_name(version, collective, id);
  tutti_explain_step(explaining, setting->at, "%s = %s%s%s", setting->name, setting->value,
                     algorithm ? ": " : ": no such algorithm, which is ignored", algorithm ? algorithm : "");
  if (!algorithm || id == 0)
    return false;
  const bool tree = number_of(settings, collective, "algorithm_chain_fanout") == 0;
  *rule = (struct openmpi_rule){
      .values = {[FIELD_ALGORITHM] = id,
                 [FIELD_FANOUT] =
                     number_of(settings, collective, tree ? "algorithm_tree_fanout" : "algorithm_chain_fanout"),
                 [FIELD_SEGMENT] = number_of(settings, collective, "algorithm_segmentsize"),
                 [FIELD_REQUESTS] = number_of(settings, collective, "algorithm_max_requests")},
      .max = LONG_MAX};
  for (int f = 0; f < OPENMPI_FIELDS; f++)
    rule->at[f] = setting->at;
  return true;
}
