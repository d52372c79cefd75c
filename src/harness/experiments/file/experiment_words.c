/* Sweeps given on a command line, turned into the equivalent experiment file. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/file/experiment_list.h"
#include "harness/experiments/file/experiment_private.h"
#include "tutti/platform.h"

static xmlNode *add(xmlNode *parent, const char *name, const char *text)
{
  xmlNode *node = xmlNewTextChild(parent, NULL, (const xmlChar *)name, (const xmlChar *)text);
  if (!node)
    tutti_out_of_memory();
  return node;
}

/* Set an attribute, unless the value is NULL. */
static void set_attribute(xmlNode *node, const char *name, const char *value)
{
  if (value && !xmlNewProp(node, (const xmlChar *)name, (const xmlChar *)value))
    tutti_out_of_memory();
}

static void set_number(xmlNode *node, const char *name, int value)
{
  char *text = tutti_xprintf("%d", value);
  set_attribute(node, name, text);
  free(text);
}

/* ---- the machine and the measurement ---- */

static void add_platform(const tutti_experiment_words *words, xmlNode *root)
{
  xmlNode *node = add(root, "platform", NULL);
  bool filed = tutti_platform_is_path(words->platform);
  set_attribute(node, "kind", words->flavor ? "real" : NULL);
  set_attribute(node, !words->flavor && filed ? "file" : "name", words->platform);
  set_attribute(node, "flavor", words->flavor);
}

const char *tutti_experiment_words_scheme(const tutti_experiment_words *words)
{
  const bool large = words->ranks_count > 0 && words->ranks[words->ranks_count - 1] > TUTTI_OCC_RANKS_MAX;
  return !words->scheme && large && words->engine && tutti_flavor_is_engine(words->engine)
             ? tutti_scheme_name(TUTTI_SCHEME_WINDOW)
             : words->scheme;
}

static void add_measure(const tutti_experiment_words *words, xmlNode *root)
{
  const char *scheme = tutti_experiment_words_scheme(words);
  if (!scheme && !words->repetitions && !words->launches && !words->orders)
    return;
  xmlNode *node = add(root, "measure", NULL);
  set_attribute(node, "scheme", scheme);
  if (words->repetitions)
    set_number(node, "repetitions-max", words->repetitions);
  if (words->launches)
    set_number(node, "launches", words->launches);
  if (words->orders)
    set_number(node, "orders", words->orders);
}

/* ---- sweeps ---- */

static void add_list(xmlNode *sweep, const char *name, const uint64_t *values, int count, bool sizes)
{
  struct tutti_text_stream text;
  char size[24];
  tutti_xopen_text(&text);
  for (int i = 0; i < count; i++)
    if (sizes)
      fprintf(text.stream, "%s%s", i ? " " : "", tutti_size_format(values[i], size));
    else
      fprintf(text.stream, "%s%d", i ? " " : "", (int)values[i]);
  char *list = tutti_xclose_text(&text);
  add(sweep, name, list);
  free(list);
}

char *tutti_experiment_method_name(tutti_collective collective, const char *word, tutti_method *method,
                                   tutti_error *error)
{
  tutti_collective named = collective;
  bool whole = tutti_method_names_collective(word, &named);
  char *name = whole ? tutti_xstrdup(word) : tutti_xprintf("%s/%s", tutti_collective_name(collective), word);
  tutti_status status = named == collective ? tutti_method_parse(name, method, error)
                                            : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is no method of %s", word,
                                                         tutti_collective_name(collective));
  if (status == TUTTI_OK)
    return name;
  free(name);
  return NULL;
}

/* Add the method, unless the collective has none of that name: other collectives have it. */
static void add_method(xmlNode *sweep, tutti_collective collective, const char *word)
{
  tutti_method method;
  char *name = tutti_experiment_method_name(collective, word, &method, NULL);
  if (name)
    set_attribute(add(sweep, "method", NULL), "name", name);
  free(name);
}

/* These segments, without "none" where that is another algorithm; owned by the caller. */
static char *own_segments(const tutti_algorithm *algorithm, const char *segments)
{
  static const char word[] = "none";
  const char *none = tutti_algorithm_unsegmented(algorithm) ? strstr(segments, word) : NULL;
  return none ? tutti_xprintf("%.*s%s", (int)(none - segments), segments, none + strlen(word))
              : tutti_xstrdup(segments);
}

/* All our algorithms with these segments, where they take segments. */
static void add_segmented(xmlNode *sweep, tutti_collective collective, const char *segments)
{
  const tutti_algorithm *algorithm;
  tutti_method method;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    if (algorithm->collective != collective)
      continue;
    char *segmented = tutti_xprintf("%s/%s/1KB", tutti_collective_name(collective), algorithm->name);
    char *own = own_segments(algorithm, segments);
    if (strcmp(own, segments) == 0 || own[strspn(own, " ")]) {
      xmlNode *node = add(sweep, "method", NULL);
      set_attribute(node, "algorithm", algorithm->name);
      set_attribute(node, "segments", tutti_method_parse(segmented, &method, NULL) == TUTTI_OK ? own : NULL);
    }
    free(own);
    free(segmented);
  }
}

static void add_implemented(xmlNode *sweep, tutti_collective collective, const char *implementation,
                            const char *segments)
{
  xmlNode *node = add(sweep, "method", NULL);
  set_attribute(node, "implementation", implementation);
  set_attribute(node, "segments", segments);
  add_method(sweep, collective, "native");
}

/* "none 8KB" of "none,8KB". */
static char *blank_list(const char *text)
{
  char *list = tutti_xstrdup(text);
  for (char *at = list; *at; at++)
    *at = *at == ',' ? ' ' : *at;
  return list;
}

static void add_methods(const tutti_experiment_words *words, tutti_collective collective, xmlNode *sweep)
{
  char *list = blank_list(words->methods ? words->methods : ""), *rest;
  char *segments = words->segments ? blank_list(words->segments) : NULL;
  for (char *method = strtok_r(list, " ", &rest); method; method = strtok_r(NULL, " ", &rest))
    add_method(sweep, collective, method);
  if (words->implementation)
    add_implemented(sweep, collective, words->implementation, segments);
  else if (segments)
    add_segmented(sweep, collective, segments);
  free(segments);
  free(list);
}

static void add_sweep(const tutti_experiment_words *words, tutti_collective collective, xmlNode *root)
{
  xmlNode *sweep = add(root, "sweep", NULL);
  set_attribute(sweep, "collective", tutti_collective_name(collective));
  if (words->root)
    set_number(sweep, "root", words->root);
  set_attribute(sweep, "arrival", words->arrival);
  set_attribute(sweep, "noise", words->noise);
  add_list(sweep, "ranks", words->ranks, words->ranks_count, false);
  if (collective != TUTTI_COLL_BARRIER)
    add_list(sweep, "sizes", words->sizes, words->size_count, true);
  add_methods(words, collective, sweep);
}

/* ---- all ---- */

/* A word must be a method of one of the collectives; *used receives the bits of these. */
static tutti_status check_method(const tutti_experiment_words *words, const char *word, unsigned *used,
                                 tutti_error *error)
{
  bool found = false;
  tutti_method method;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    char *name =
        words->collectives >> c & 1 ? tutti_experiment_method_name((tutti_collective)c, word, &method, error) : NULL;
    *used |= name ? 1u << c : 0;
    found = found || name;
    free(name);
  }
  return found ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

static tutti_status check_methods(const tutti_experiment_words *words, tutti_error *error)
{
  char *list = blank_list(words->methods), *rest;
  unsigned used = 0;
  tutti_status status = TUTTI_OK;
  for (char *word = strtok_r(list, " ", &rest); word && status == TUTTI_OK; word = strtok_r(NULL, " ", &rest))
    status = check_method(words, word, &used, error);
  free(list);
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if ((words->collectives & ~used) >> c & 1)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' has no method of %s", words->methods,
                          tutti_collective_name((tutti_collective)c));
  return status;
}

static tutti_status check_words(const tutti_experiment_words *words, tutti_error *error)
{
  bool moves_data = words->collectives & ~(1u << TUTTI_COLL_BARRIER);
  const char *missing[] = {words->platform ? NULL : "on which platform? --platform NAME",
                           words->ranks_count ? NULL : "with how many ranks? -P LIST, such as 8..64*2",
                           moves_data && words->size_count < 1 ? "of which sizes? -s LIST, such as 4..1MB*4" : NULL};
  char all[200] = "";
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
    if (missing[i])
      strcat(strcat(all, *all ? "; " : ""), missing[i]); /* short texts of ours */
  if (*all)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s", all);
  if (words->methods && words->segments && !words->implementation)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--segments: not with --methods, which names the methods to measure, each with its segment size "
                      "(chain/8KB)");
  return words->methods ? check_methods(words, error) : TUTTI_OK;
}

/* "bcast", "bcast+allreduce", "all" */
static char *name_of(const tutti_experiment_words *words)
{
  struct tutti_text_stream text;
  if (words->collectives == (1u << TUTTI_COLL_COUNT) - 1)
    return tutti_xstrdup("all");
  const char *between = "";
  tutti_xopen_text(&text);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (words->collectives >> c & 1) {
      fprintf(text.stream, "%s%s", between, tutti_collective_name((tutti_collective)c));
      between = "+";
    }
  return tutti_xclose_text(&text);
}

tutti_status tutti_experiment_document(const tutti_experiment_words *words, xmlDoc **document, tutti_error *error)
{
  tutti_status status = check_words(words, error);
  if (status != TUTTI_OK)
    return status;
  *document = xmlNewDoc((const xmlChar *)"1.0");
  xmlNode *root = *document ? xmlNewDocNode(*document, NULL, (const xmlChar *)"experiment", NULL) : NULL;
  if (!root)
    tutti_out_of_memory();
  xmlDocSetRootElement(*document, root);
  char *name = name_of(words);
  set_attribute(root, "name", name);
  set_attribute(root, "engine", words->engine);
  free(name);
  add_platform(words, root);
  add_measure(words, root);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (words->collectives >> c & 1)
      add_sweep(words, (tutti_collective)c, root);
  return TUTTI_OK;
}

tutti_status tutti_experiment_write_words(const tutti_experiment_words *words, FILE *stream, tutti_error *error)
{
  xmlDoc *document;
  tutti_status status = tutti_experiment_document(words, &document, error);
  if (status != TUTTI_OK)
    return status;
  bool written = xmlDocFormatDump(stream, document, 1) >= 0;
  xmlFreeDoc(document);
  return written ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_IO, "the experiment cannot be written");
}
