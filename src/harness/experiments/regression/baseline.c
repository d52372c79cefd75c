/* Baselines in memory: metrics and tolerances, sections and their lines. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "harness/experiments/regression/private.h"
#include "tutti/platform.h"

/* ---- metrics ---- */

static const struct {
  const char *name;
  tutti_aspect aspect;
  bool measured;
} metrics[TUTTI_METRICS] = {
    [TUTTI_METRIC_TIME] = {"time_s", TUTTI_ASPECT_TIME, true},
    [TUTTI_METRIC_MESSAGES] = {"messages", TUTTI_ASPECT_MESSAGES, false},
    [TUTTI_METRIC_SENT] = {"sent_B", TUTTI_ASPECT_BYTES, false},
    [TUTTI_METRIC_MEMORY] = {"memory_B", TUTTI_ASPECT_MEMORY, false},
    [TUTTI_METRIC_MEAN] = {"mean_percent", TUTTI_ASPECT_PENALTY, true},
    [TUTTI_METRIC_WORST] = {"worst_percent", TUTTI_ASPECT_PENALTY, true},
    [TUTTI_METRIC_POINTS] = {"points", TUTTI_ASPECT_PENALTY, false},
};

const char *tutti_metric_name(tutti_metric metric)
{
  return metrics[metric].name;
}

tutti_aspect tutti_metric_aspect(tutti_metric metric)
{
  return metrics[metric].aspect;
}

bool tutti_metric_is_measured(tutti_metric metric)
{
  return metrics[metric].measured;
}

/* Two times tie when they differ by less than this part (decision.h), or by the digits that a clock of some seconds
   loses, which depend on earlier operations. A penalty is a hundred times a ratio of two of them. */
#define RESOLUTION         1e-9
#define RESOLUTION_SECONDS 1e-12
#define RESOLUTION_PERCENT 1e-6

bool tutti_baseline_same_value(tutti_metric metric, double left, double right)
{
  double slack = RESOLUTION * fmax(fabs(left), fabs(right));
  if (metric == TUTTI_METRIC_TIME)
    slack = fmax(slack, RESOLUTION_SECONDS);
  else if (metric == TUTTI_METRIC_MEAN || metric == TUTTI_METRIC_WORST)
    slack = fmax(slack, RESOLUTION_PERCENT);
  return left == right || (metrics[metric].measured && fabs(left - right) <= slack);
}

/* ---- tolerances ---- */

static const char *const aspects[TUTTI_ASPECTS] = {
    [TUTTI_ASPECT_TIME] = "time",     [TUTTI_ASPECT_MESSAGES] = "messages", [TUTTI_ASPECT_BYTES] = "bytes",
    [TUTTI_ASPECT_MEMORY] = "memory", [TUTTI_ASPECT_PENALTY] = "penalty",
};

const char *tutti_aspect_name(tutti_aspect aspect)
{
  return aspects[aspect];
}

tutti_tolerance tutti_tolerance_default(void)
{
  return (tutti_tolerance){.percent = {[TUTTI_ASPECT_TIME] = 1}};
}

/* One word, "time=2%" or "2%". */
static tutti_status parse_tolerance(char *word, tutti_tolerance *tolerance, unsigned *seen, tutti_error *error)
{
  char *equals = strchr(word, '='), *number = equals ? equals + 1 : word, *end;
  int length = (int)strlen(word), aspect = TUTTI_ASPECT_TIME;
  if (equals) {
    *equals = '\0';
    aspect = tutti_word_find(aspects, TUTTI_ASPECTS, word);
    *equals = '=';
  }
  if (aspect < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.*s': tolerances are those of time, messages, bytes, memory, penalty", length, word);
  double percent = strtod(number, &end);
  bool good = end > number && isfinite(percent) && percent >= 0 && strcspn(number, "xX") >= (size_t)(end - number);
  end += *end == '%';
  if (!good || *end)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.*s' is not a number of percent of at least 0", length, word);
  if (*seen & 1u << aspect)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.*s': there is another tolerance of %s", length, word,
                      aspects[aspect]);
  *seen |= 1u << aspect;
  tolerance->percent[aspect] = percent;
  return TUTTI_OK;
}

tutti_status tutti_tolerance_parse(const char *text, tutti_tolerance *tolerance, tutti_error *error)
{
  char *copy = tutti_xstrdup(text), *rest = copy;
  tutti_status status = TUTTI_OK;
  unsigned seen = 0;
  for (char *word; status == TUTTI_OK && (word = strsep(&rest, ","));)
    status = parse_tolerance(word, tolerance, &seen, error);
  free(copy);
  return status;
}

/* ---- sections ---- */

void tutti_baseline_append(tutti_baseline_section *section, tutti_baseline_entry entry)
{
  if (!tutti_grow(&section->entries, section->count, &section->capacity, 1, sizeof entry))
    tutti_out_of_memory();
  section->entries[section->count++] = entry;
}

void tutti_baseline_sort(tutti_baseline_section *section)
{
  if (section->count)
    qsort(section->entries, section->count, sizeof *section->entries, tutti_baseline_entry_compare);
}

tutti_baseline_section *tutti_baseline_add_section(tutti_baseline *baseline, tutti_baseline_section_kind kind,
                                                   const char *name)
{
  baseline->sections = tutti_xroom(baseline->sections, baseline->count, sizeof *baseline->sections);
  tutti_baseline_section *section = &baseline->sections[baseline->count++];
  *section = (tutti_baseline_section){.kind = kind, .name = tutti_xstrdup(name)};
  return section;
}

tutti_status tutti_baseline_create(const char *path, tutti_baseline *baseline, tutti_error *error)
{
  (void)error;
  *baseline = (tutti_baseline){.path = tutti_xstrdup(path)};
  return TUTTI_OK;
}

static void free_section(tutti_baseline_section *section)
{
  for (size_t i = 0; i < section->count; i++)
    tutti_baseline_entry_free(&section->entries[i]);
  free(section->entries);
  free(section->name);
  free(section->comment);
  free(section->platform);
  free(section->platform_hash);
  free(section->library);
  free(section->engine);
  free(section->program.platform);
  free(section->program.arguments);
  free(section->program.times);
  free(section->program.unit);
  free(section->program.selector);
  free(section->program.ranks);
}

void tutti_baseline_free(tutti_baseline *baseline)
{
  for (size_t i = 0; i < baseline->count; i++)
    free_section(&baseline->sections[i]);
  free(baseline->sections);
  free(baseline->path);
  free(baseline->ending);
  *baseline = (tutti_baseline){0};
}

size_t tutti_baseline_points(const tutti_baseline *baseline)
{
  size_t points = 0;
  for (size_t s = 0; s < baseline->count; s++)
    for (size_t i = 0; i < baseline->sections[s].count; i++)
      points += tutti_baseline_has_values(&baseline->sections[s].entries[i]);
  return points;
}

tutti_baseline_entry *tutti_baseline_find(const tutti_baseline_section *section, const tutti_baseline_entry *entry)
{
  if (section->count == 0)
    return NULL;
  return bsearch(entry, section->entries, section->count, sizeof *entry, tutti_baseline_entry_compare);
}

/* ---- paths ---- */

char *tutti_baseline_beside(const tutti_baseline *baseline, const char *name)
{
  const char *slash = strrchr(baseline->path, '/');
  if (*name == '/' || !slash)
    return tutti_xstrdup(name);
  return tutti_xprintf("%.*s%s", (int)(slash + 1 - baseline->path), baseline->path, name);
}

/* The real path of the folder of a file: PATH_MAX bytes. */
static tutti_status real_folder(const char *path, char *folder, tutti_error *error)
{
  char copy[PATH_MAX];
  if (strlen(path) >= sizeof copy)
    return tutti_fail(error, TUTTI_ERR_IO, "%.100s...: the name is too long", path);
  strcpy(copy, path);
  if (realpath(dirname(copy), folder))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "%s: its folder cannot be found: %s", path, strerror(errno));
}

/* How to go from one real folder to another: PATH_MAX bytes, empty or with a slash at its end. */
static void write_way(const char *from, const char *to, char *way)
{
  size_t common = 0, length = 0;
  for (size_t i = 0;; i++) {
    bool ends = (!from[i] || from[i] == '/') && (!to[i] || to[i] == '/');
    if (ends)
      common = i;
    if (!from[i] || from[i] != to[i])
      break;
  }
  way[0] = '\0';
  for (const char *rest = from + common; *rest; rest++)
    if (*rest == '/' && rest[1] && length + 4 < PATH_MAX)
      length += (size_t)snprintf(way + length, PATH_MAX - length, "../");
  const char *down = to + common + (to[common] == '/');
  if (*down)
    snprintf(way + length, PATH_MAX - length, "%s/", down);
}

tutti_status tutti_baseline_name_beside(const tutti_baseline *baseline, const char *path, char **name,
                                        tutti_error *error)
{
  char from[PATH_MAX], to[PATH_MAX], way[PATH_MAX];
  tutti_status status = real_folder(baseline->path, from, error);
  if (status == TUTTI_OK)
    status = real_folder(path, to, error);
  if (status != TUTTI_OK)
    return status;
  write_way(from, to, way);
  const char *slash = strrchr(path, '/');
  *name = tutti_xprintf("%s%s", way, slash ? slash + 1 : path);
  return TUTTI_OK;
}

tutti_status tutti_baseline_add_experiment(tutti_baseline *baseline, const char *experiment, tutti_error *error)
{
  char *name, *found;
  bool named = access(experiment, F_OK) != 0 && !strchr(experiment, '/') &&
               tutti_experiment_find(experiment, &found, NULL) == TUTTI_OK;
  tutti_status status = TUTTI_OK;
  if (named) {
    free(found);
    name = tutti_xstrdup(experiment);
  } else
    status = tutti_baseline_name_beside(baseline, experiment, &name, error);
  if (status != TUTTI_OK)
    return status;
  bool there = false;
  for (size_t i = 0; i < baseline->count; i++)
    there = there ||
            (baseline->sections[i].kind == TUTTI_SECTION_EXPERIMENT && strcmp(baseline->sections[i].name, name) == 0);
  if (!there)
    tutti_baseline_add_section(baseline, TUTTI_SECTION_EXPERIMENT, name);
  free(name);
  return TUTTI_OK;
}

tutti_status tutti_baseline_find_platform(const tutti_baseline *baseline, const tutti_baseline_section *section,
                                          const char *name, char **path, tutti_error *error)
{
  tutti_error reason;
  tutti_status status = tutti_platform_find(name, path, &reason);
  if (status == TUTTI_OK)
    return status;
  return section->line > 0
             ? tutti_fail(error, status, "%s:%d: its platform: %.400s", baseline->path, section->line, reason.message)
             : tutti_fail(error, status, "%s", reason.message);
}
