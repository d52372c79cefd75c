/* <sweep>: ranks x sizes x methods of one collective. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/file/experiment_private.h"
#include "tutti/decision_tree.h"
#include "tutti/library.h"

/* ---- <method>: one by name, or an algorithm with lists of parameters ---- */

/* Most methods of a sweep, and combinations of lists of parameters: each is compared with all before it. */
enum { MAX_METHODS = 4096 };

static const char blanks[] = " \t\r\n";

/* Writes the next word of a list separated by blanks into @p word; false past the last. */
static bool next_word(const char **list, char *word, size_t length)
{
  *list += strspn(*list, blanks);
  int span = (int)strcspn(*list, blanks);
  snprintf(word, length, "%.*s", span, *list);
  *list += span;
  return span > 0;
}

/* Words of a list, capped at one above the limit; 1 without a list. */
static size_t count_words(const char *list)
{
  size_t count = 0;
  for (; list && count <= MAX_METHODS && *(list += strspn(list, blanks)); count++)
    list += strcspn(list, blanks);
  return list ? count : 1;
}

static tutti_status add_method(const xml_file *file, const xmlNode *node, const tutti_method *method,
                               tutti_sweep *sweep, tutti_error *error)
{
  for (int i = 0; i < sweep->method_count; i++)
    if (tutti_method_compare(&sweep->methods[i], method) == 0)
      return TUTTI_OK;
  if (sweep->method_count == MAX_METHODS)
    return tutti_xml_fail(file, node, error, "more than %d methods in a sweep", MAX_METHODS);
  sweep->methods = tutti_xroom(sweep->methods, (size_t)sweep->method_count, sizeof *sweep->methods);
  sweep->methods[sweep->method_count++] = *method;
  return TUTTI_OK;
}

/* Whether the library can be told to run it on some number of ranks. */
static bool can_be_told(const tutti_method *method, tutti_error *why)
{
  tutti_directives directives;
  for (int ranks = 2; ranks <= 64; ranks *= 2)
    if (tutti_method_directives(method, ranks, 1 << 20, NULL, &directives, why) == TUTTI_OK)
      return true;
  return false;
}

static tutti_status add_named(const xml_file *file, const xmlNode *node, const char *text,
                              const struct experiment_machine *machine, tutti_sweep *sweep, tutti_error *error)
{
  tutti_method method;
  tutti_error reason;
  if (tutti_method_parse(text, &method, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  if (method.algorithm->collective != sweep->collective)
    return tutti_xml_fail(file, node, error, "method '%s' in a sweep of %s", text,
                          tutti_collective_name(sweep->collective));
  if (!can_be_told(&method, &reason))
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  tutti_method_tell(&method, &machine->places, 0);
  return add_method(file, node, &method, sweep, error);
}

enum { WORD = TUTTI_METHOD_LENGTH };

enum { SEGMENT, K, LAST, LISTS };

/* The lists of a <method>; NULL where the attribute is absent. No algorithm takes both outstanding and selector, so
   they are one. */
struct lists {
  const char *algorithm;
  const char *texts[LISTS];
  const char *last_name;      /* of the last */
  const char *implementation; /* of all methods; NULL: ours */
  const struct experiment_machine *machine;
};

/* The text of a method; an absent parameter is left at its default. */
static void compose(char *text, size_t length, const tutti_sweep *sweep, const struct lists *lists,
                    const char *words[LISTS])
{
  const tutti_algorithm *known = tutti_algorithm_find(sweep->collective, lists->algorithm);
  const char *segment = words[SEGMENT], *k = words[K], *last = words[LAST];
  const char *k_name = known ? tutti_algorithm_k_name(known) : "k";
  bool segmented = segment && strcmp(segment, "none") != 0;
  const char *implementation = lists->implementation;
  snprintf(text, length, "%s/%s%s%s%s%s%s%s%s%s%s%s%s%s", tutti_collective_name(sweep->collective), lists->algorithm,
           segmented ? "/" : "", segmented ? segment : "", k ? "/" : "", k ? k_name : "", k ? "=" : "", k ? k : "",
           last ? "/" : "", last ? lists->last_name : "", last ? "=" : "", last ? last : "", implementation ? "@" : "",
           implementation ? implementation : "");
}

/* Add a method for each combination of words: of those of the lists before @p list, and of each in the others. */
static tutti_status add_all(const xml_file *file, const xmlNode *node, const struct lists *lists, int list,
                            const char *words[LISTS], tutti_sweep *sweep, tutti_error *error)
{
  char text[4 * WORD], word[WORD];
  tutti_status status = TUTTI_OK;
  if (list == LISTS) {
    compose(text, sizeof text, sweep, lists, words);
    return add_named(file, node, text, lists->machine, sweep, error);
  }
  const char *rest = lists->texts[list];
  words[list] = rest ? word : NULL;
  for (int i = 0; status == TUTTI_OK && (rest ? next_word(&rest, word, sizeof word) : i == 0); i++)
    status = add_all(file, node, lists, list + 1, words, sweep, error);
  return status;
}

/* Whether it is given without a word, or with words that would be read as more than one parameter. */
static bool is_malformed(const char *list)
{
  return list && (list[strspn(list, " \t\r\n")] == '\0' || strpbrk(list, "=/"));
}

/* All algorithms that an implementation has, with the lists of parameters that they take there. */
static tutti_status add_implemented(const xml_file *file, const xmlNode *node, const struct lists *lists,
                                    tutti_sweep *sweep, tutti_error *error)
{
  const tutti_algorithm *algorithm;
  bool any = false;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; status == TUTTI_OK && (algorithm = tutti_algorithm_at(i)); i++) {
    struct lists own = *lists;
    char text[WORD];
    const char *words[LISTS] = {"1KB"};
    tutti_method method;
    own.algorithm = algorithm->name;
    compose(text, sizeof text, sweep, &own, words);
    if (tutti_method_parse(text, &method, NULL) != TUTTI_OK || !can_be_told(&method, NULL))
      own.texts[SEGMENT] = NULL;
    words[SEGMENT] = NULL;
    compose(text, sizeof text, sweep, &own, words);
    if (algorithm->collective != sweep->collective || tutti_method_parse(text, &method, NULL) != TUTTI_OK ||
        !can_be_told(&method, NULL))
      continue;
    any = true;
    status = add_all(file, node, &own, 0, words, sweep, error);
  }
  if (!any)
    return tutti_xml_fail(file, node, error, "%s cannot be told to run an algorithm of %s", lists->implementation,
                          tutti_collective_name(sweep->collective));
  return status;
}

/* Why the attributes of a <method> do not go together; NULL: they do. */
static const char *find_contradiction(const xmlNode *node, const struct lists *lists)
{
  const char *name = tutti_xml_attribute(node, "name");
  if (tutti_xml_attribute(node, "selector") && tutti_xml_attribute(node, "outstanding"))
    return "<method> takes either selectors or outstanding messages";
  if (name ? lists->algorithm != NULL : !lists->algorithm && !lists->implementation)
    return "<method> takes either a name or an algorithm";
  if (name && lists->implementation)
    return "<method> with a name takes no implementation: it is part of the name (@openmpi)";
  if (name && (lists->texts[SEGMENT] || lists->texts[K] || lists->texts[LAST]))
    return "<method> with a name takes no lists: parameters are part of the name";
  if (!name && !lists->algorithm && (lists->texts[K] || lists->texts[LAST]))
    return "<method> of all algorithms of an implementation takes no list but segments";
  if (is_malformed(lists->texts[SEGMENT]) || is_malformed(lists->texts[K]) || is_malformed(lists->texts[LAST]))
    return "<method> has a list of parameters that is empty or holds '=' or '/'";
  return NULL;
}

static tutti_status add_methods(const xml_file *file, const xmlNode *node, const struct experiment_machine *machine,
                                tutti_sweep *sweep, tutti_error *error)
{
  const char *name = tutti_xml_attribute(node, "name"), *selectors = tutti_xml_attribute(node, "selector");
  struct lists lists = {.algorithm = tutti_xml_attribute(node, "algorithm"),
                        .texts = {tutti_xml_attribute(node, "segments"), tutti_xml_attribute(node, "k"),
                                  selectors ? selectors : tutti_xml_attribute(node, "outstanding")},
                        .last_name = selectors ? "selector" : "outstanding",
                        .implementation = tutti_xml_attribute(node, "implementation"),
                        .machine = machine};
  const char *words[LISTS] = {NULL}, *contradiction = find_contradiction(node, &lists);
  if (contradiction)
    return tutti_xml_fail(file, node, error, "%s", contradiction);
  if (count_words(lists.texts[SEGMENT]) * count_words(lists.texts[K]) * count_words(lists.texts[LAST]) > MAX_METHODS)
    return tutti_xml_fail(file, node, error, "<method> has more than %d combinations of parameters", MAX_METHODS);
  if (name)
    return add_named(file, node, name, machine, sweep, error);
  return lists.algorithm ? add_all(file, node, &lists, 0, words, sweep, error)
                         : add_implemented(file, node, &lists, sweep, error);
}

/* Whether the machine has the nodes and levels that the algorithm needs. A machine of one level has nodes only; the
   algorithms of two levels are for those. The sides that ranks have on a torus are known when all of it is used. */
static bool is_known(const struct experiment_machine *machine, const tutti_algorithm *algorithm)
{
  int sides[TUTTI_MAX_SIDES];
  if (algorithm->domain & TUTTI_NEEDS_COUNTS) /* calls of MPI do not have them */
    return false;
  if (algorithm->domain & TUTTI_NEEDS_TORUS)
    return machine->places.torus > 0;
  if (algorithm->domain & TUTTI_NEEDS_LEVELS)
    return tutti_sides_unpack(machine->places.levels, sides) > 1;
  return !(algorithm->domain & TUTTI_NEEDS_NODES) || machine->places.ranks_per_node > 1;
}

static tutti_status add_all_methods(const xml_file *file, const struct experiment_machine *machine, tutti_sweep *sweep,
                                    tutti_error *error)
{
  const tutti_algorithm *algorithm;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; status == TUTTI_OK && (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    tutti_method_tell(&method, &machine->places, 0);
    if (algorithm->collective == sweep->collective && is_known(machine, algorithm) &&
        !tutti_algorithm_unsegmented(algorithm))
      status = add_method(file, NULL, &method, sweep, error);
  }
  return status;
}

/* ---- <decision>: at each point of a sweep the method that a decision picks there ---- */

static tutti_status read_library(const xml_file *file, const xmlNode *node, const tutti_sweep *sweep,
                                 tutti_decision *decision, tutti_error *error)
{
  tutti_error reason;
  if (tutti_decision_library(tutti_xml_attribute(node, "name"), sweep->collective, decision, &reason) == TUTTI_OK)
    return TUTTI_OK;
  return tutti_xml_fail(file, node, error, "%s", reason.message);
}

static tutti_status read_file(const xml_file *file, const xmlNode *node, tutti_decision *decision, tutti_error *error)
{
  tutti_error reason;
  char *path = tutti_experiment_path(file, tutti_xml_attribute(node, "file"));
  tutti_status status = tutti_decision_read(path, decision, &reason);
  free(path);
  return status == TUTTI_OK ? status : tutti_xml_fail(file, node, error, "%s", reason.message);
}

static tutti_status read_decision(const xml_file *file, const xmlNode *node, const tutti_sweep *sweep,
                                  tutti_decision *decision, tutti_error *error)
{
  bool named = tutti_xml_attribute(node, "name"), filed = tutti_xml_attribute(node, "file");
  if (named == filed)
    return tutti_xml_fail(file, node, error, "<decision> takes either a name or a file");
  return named ? read_library(file, node, sweep, decision, error) : read_file(file, node, decision, error);
}

/* Append the picks of a decision; the sweep has space for all points. */
static void pick(const tutti_decision *decision, int ranks_per_node, tutti_sweep *sweep)
{
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++) {
      tutti_question question = {.collective = sweep->collective,
                                 .ranks = sweep->ranks[r],
                                 .ranks_per_node = ranks_per_node,
                                 .rank_bytes = sweep->sizes[s]};
      tutti_pick *next = &sweep->picks[sweep->pick_count];
      if (!decision->decide(decision, &question, &next->method))
        continue;
      next->ranks = question.ranks;
      next->size = question.rank_bytes;
      sweep->pick_count++;
    }
}

static tutti_status add_picks(const xml_file *file, const xmlNode *node, const tutti_decision *decision,
                              int ranks_per_node, tutti_sweep *sweep, tutti_error *error)
{
  size_t before = sweep->pick_count, points = (size_t)sweep->ranks_count * (size_t)sweep->size_count;
  if (points > EXPERIMENT_MAX_POINTS - before)
    return tutti_xml_fail(file, node, error, "more than %d points in an experiment", EXPERIMENT_MAX_POINTS);
  sweep->picks = tutti_xrealloc(sweep->picks, (before + points) * sizeof *sweep->picks);
  pick(decision, ranks_per_node, sweep);
  if (sweep->pick_count > before)
    return TUTTI_OK;
  return tutti_xml_fail(file, node, error, "%s picks no method of %s at any point of the sweep", decision->name,
                        tutti_collective_name(sweep->collective));
}

static tutti_status add_decision(const xml_file *file, const xmlNode *node, int ranks_per_node, tutti_sweep *sweep,
                                 tutti_error *error)
{
  tutti_decision decision;
  tutti_status status = read_decision(file, node, sweep, &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = add_picks(file, node, &decision, ranks_per_node, sweep, error);
  tutti_decision_free(&decision);
  return status;
}

/* ---- <sweep> ---- */

static tutti_status read_sizes(const xml_file *file, const xmlNode *sweep_node, const tutti_experiment_setting *setting,
                               tutti_sweep *sweep, tutti_error *error)
{
  const xmlNode *node;
  bool moves_data = sweep->collective != TUTTI_COLL_BARRIER;
  tutti_status status = tutti_experiment_only_child(file, sweep_node, "sizes", &node, error);
  if (status != TUTTI_OK)
    return status;
  if (node && !moves_data)
    return tutti_xml_fail(file, node, error, "a sweep of %s has no <sizes>", tutti_collective_name(sweep->collective));
  if (!node && moves_data)
    return tutti_xml_fail(file, sweep_node, error, "<sweep> has no <sizes>");
  if (node && (!setting || setting->size_count == 0))
    return tutti_experiment_read_list(file, node, tutti_size_parse, &sweep->sizes, &sweep->size_count, error);
  static const uint64_t nothing = 0;
  tutti_experiment_copy_list(node ? setting->sizes : &nothing, node ? setting->size_count : 1, &sweep->sizes,
                             &sweep->size_count);
  return TUTTI_OK;
}

static tutti_status read_methods(const xml_file *file, const xmlNode *sweep_node,
                                 const struct experiment_machine *machine, tutti_sweep *sweep, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = tutti_xml_element_from(sweep_node->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "method"))
      status = add_methods(file, node, machine, sweep, error);
    else if (tutti_xml_is(node, "decision"))
      status = add_decision(file, node, machine->ranks_per_node, sweep, error);
  if (status == TUTTI_OK && sweep->method_count == 0 && sweep->pick_count == 0)
    return add_all_methods(file, machine, sweep, error);
  return status;
}

static tutti_status read_root(const xml_file *file, const xmlNode *node, tutti_sweep *sweep, tutti_error *error)
{
  const char *text = tutti_xml_attribute(node, "root");
  uint64_t root = 0;
  if (text && !tutti_parse_integer(text, 0, INT_MAX, &root))
    return tutti_xml_fail(file, node, error, "root=\"%s\" is not a rank", text);
  if (root > 0 && !(tutti_collective_traits(sweep->collective) & TUTTI_HAS_ROOT))
    return tutti_xml_fail(file, node, error, "a sweep of %s has no root", tutti_collective_name(sweep->collective));
  if (root >= (uint64_t)sweep->ranks[0])
    return tutti_xml_fail(file, node, error, "root %d is outside the smallest group of %d ranks", (int)root,
                          sweep->ranks[0]);
  sweep->root = (int)root;
  return TUTTI_OK;
}

static tutti_status read_patterns(const xml_file *file, const xmlNode *node, tutti_sweep *sweep, tutti_error *error)
{
  tutti_error reason;
  char *path = tutti_xstrdup(file->path);
  tutti_status status = tutti_patterns_read(tutti_xml_attribute(node, "arrival"), tutti_xml_attribute(node, "noise"),
                                            " \t\r\n", dirname(path), &sweep->patterns, &reason);
  free(path);
  return status == TUTTI_OK ? TUTTI_OK : tutti_xml_fail(file, node, error, "%s", reason.message);
}

tutti_status tutti_experiment_read_sweep(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, tutti_sweep *sweep,
                                         tutti_error *error)
{
  tutti_error reason;
  sweep->places = machine->places;
  if (tutti_collective_parse(tutti_xml_attribute(node, "collective"), &sweep->collective, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  tutti_status status = tutti_experiment_read_ranks(file, node, machine, &sweep->ranks, &sweep->ranks_count, error);
  if (status == TUTTI_OK)
    status = read_root(file, node, sweep, error);
  if (status == TUTTI_OK)
    status = read_patterns(file, node, sweep, error);
  if (status == TUTTI_OK)
    status = read_sizes(file, node, machine->setting, sweep, error);
  if (status == TUTTI_OK)
    status = read_methods(file, node, machine, sweep, error);
  return status;
}
