/* Slurm's topology.yaml, through libyaml: the words of topology.conf as keys, in any order. */
#include <string.h>
#include <yaml.h>

#include "harness/platforms/wiring_rows.h"

/* A document takes a hundred times its text in memory; an alias names a part again, so that the walk has its limit. */
enum { MAX_YAML = 4 << 20, MAX_DEPTH = 16 };

struct yaml {
  struct wiring_row row;
  yaml_document_t document;
  int visits;
};

static const char *scalar(const yaml_node_t *node)
{
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

/* The value of a key of a mapping; NULL: it has none. */
static yaml_node_t *find_value(struct yaml *yaml, const yaml_node_t *map, const char *key)
{
  if (map->type != YAML_MAPPING_NODE)
    return NULL;
  for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++)
    if (strcmp(scalar(yaml_document_get_node(&yaml->document, pair->key)), key) == 0)
      return yaml_document_get_node(&yaml->document, pair->value);
  return NULL;
}

static tutti_status walk(struct yaml *yaml, yaml_node_t *node, const char *word, int depth, tutti_error *error);

/* Keys whose values are words of topology.conf; the name of a switch or block is read before its lists. */
static tutti_status read_pair(struct yaml *yaml, const char *key, yaml_node_t *value, int depth, tutti_error *error)
{
  static const char *const words[][2] = {
      {"children", "Switches"}, {"nodes", "Nodes"}, {"block_sizes", "BlockSizes"}, {"link_speed", "LinkSpeed"}};
  static const char *const parts[] = {"tree", "block", "blocks", "switches"};
  static const char *const silent[] = {"cluster_default", "flat", "plane_topology", "topology", "switch", "block"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(key, words[i][0]) == 0)
      return walk(yaml, value, words[i][1], depth, error);
  if (strcmp(key, "flat") == 0 && find_value(yaml, value, "nodes")) {
    const tutti_status status = tutti_wiring_read_word(&yaml->row, "SwitchName", "flat", error);
    return status == TUTTI_OK ? walk(yaml, find_value(yaml, value, "nodes"), "Nodes", depth, error) : status;
  }
  for (size_t i = 0; value->type != YAML_SCALAR_NODE && i < sizeof parts / sizeof *parts; i++)
    if (strcmp(key, parts[i]) == 0)
      return walk(yaml, value, NULL, depth, error);
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
    if (strcmp(key, silent[i]) == 0)
      return TUTTI_OK;
  return tutti_wiring_pass_over(&yaml->row, "no key of topology.yaml", error, key);
}

static tutti_status read_map(struct yaml *yaml, const yaml_node_t *map, int depth, tutti_error *error)
{
  const char *name = scalar(find_value(yaml, map, "switch")), *block = scalar(find_value(yaml, map, "block"));
  const int above = yaml->row.at;
  tutti_status status = TUTTI_OK;
  yaml->row.at = -1;
  if (*name || *block)
    status = tutti_wiring_read_word(&yaml->row, *name ? "SwitchName" : "BlockName", *name ? name : block, error);
  for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; status == TUTTI_OK && pair < map->data.mapping.pairs.top;
       pair++) {
    const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
    yaml->row.line = (int)key->start_mark.line + 1;
    status = read_pair(yaml, scalar(key), yaml_document_get_node(&yaml->document, pair->value), depth, error);
  }
  yaml->row.at = above;
  return status;
}

/* @p word: of topology.conf, whose value this is, or a list of values; NULL: lists of mappings. */
static tutti_status walk(struct yaml *yaml, yaml_node_t *node, const char *word, int depth, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  yaml->row.line = (int)node->start_mark.line + 1;
  if (++yaml->visits > WIRING_MAX_NAMES || depth > MAX_DEPTH)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: too many parts, or too deep", yaml->row.source->path,
                      yaml->row.line);
  if (node->type == YAML_SEQUENCE_NODE)
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status == TUTTI_OK && item < node->data.sequence.items.top; item++)
      status = walk(yaml, yaml_document_get_node(&yaml->document, *item), word, depth + 1, error);
  else if (node->type == YAML_SCALAR_NODE && word)
    status = tutti_wiring_read_word(&yaml->row, word, scalar(node), error);
  else if (node->type == YAML_MAPPING_NODE && !word)
    status = read_map(yaml, node, depth + 1, error);
  else
    status = tutti_wiring_pass_over(&yaml->row, "no KEY: VALUE", error, scalar(node));
  return status;
}

/* All nodes of Slurm, which this file does not name, at one switch. */
static bool is_unnamed(struct yaml *yaml, const yaml_node_t *topology)
{
  const yaml_node_t *flat = find_value(yaml, topology, "flat");
  return flat && !find_value(yaml, flat, "nodes");
}

/* Of several topologies the first one that can name nodes is read. */
static tutti_status read_topologies(struct yaml *yaml, yaml_node_t *root, tutti_error *error)
{
  const bool list = root->type == YAML_SEQUENCE_NODE;
  const int count = list ? (int)(root->data.sequence.items.top - root->data.sequence.items.start) : 1;
  const yaml_node_t *unnamed = NULL;
  tutti_status status = TUTTI_OK;
  bool found = false;
  for (int i = 0; i < count && status == TUTTI_OK; i++) {
    yaml_node_t *at = list ? yaml_document_get_node(&yaml->document, root->data.sequence.items.start[i]) : root;
    const bool passed = found || is_unnamed(yaml, at);
    yaml->row.line = (int)at->start_mark.line + 1;
    if (passed)
      status = tutti_wiring_pass_over(
          &yaml->row, found ? "another topology than the first" : "a flat topology, which names no nodes", error,
          scalar(find_value(yaml, at, "topology")));
    else
      status = walk(yaml, at, NULL, 0, error);
    unnamed = passed && !found && !unnamed ? at : unnamed;
    found |= !passed;
  }
  if (status != TUTTI_OK || found || !unnamed)
    return status;
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s:%zu: topology '%.80s' is flat and names no nodes: tutti platform new cluster NODES makes as many",
      yaml->row.source->path, unnamed->start_mark.line + 1, scalar(find_value(yaml, unnamed, "topology")));
}

/* libyaml takes a time with the square of the depth, and loads what is as deep as its text allows. */
static tutti_status check_depth(const struct wiring_source *source, tutti_error *error)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", source->path);
  yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
  int depth = 0;
  size_t line = 0;
  for (bool more = true; more && depth <= MAX_DEPTH;) {
    yaml_event_t event;
    more = yaml_parser_parse(&parser, &event) && event.type != YAML_STREAM_END_EVENT;
    if (!more)
      break; /* a fault is told by the one that loads */
    depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
    depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
    line = event.start_mark.line + 1;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return depth <= MAX_DEPTH
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: more than %d lists and mappings in another", source->path,
                          line, MAX_DEPTH);
}

tutti_status tutti_wiring_read_yaml(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error)
{
  struct yaml yaml = {.row = {.source = source, .wiring = wiring, .at = -1}};
  yaml_parser_t parser;
  if (source->length > MAX_YAML)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: more than %d MB of YAML", source->path, MAX_YAML >> 20);
  tutti_status status = check_depth(source, error);
  if (status != TUTTI_OK)
    return status;
  if (!yaml_parser_initialize(&parser))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", source->path);
  yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
  if (!yaml_parser_load(&parser, &yaml.document))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: malformed YAML: %s", source->path,
                        parser.problem_mark.line + 1, parser.problem ? parser.problem : "out of memory");
  else {
    yaml_node_t *root = yaml_document_get_root_node(&yaml.document);
    status = root ? read_topologies(&yaml, root, error) : TUTTI_OK;
    yaml_document_delete(&yaml.document);
  }
  yaml_parser_delete(&parser);
  if (yaml.row.blocks > 0)
    tutti_wiring_gather_blocks(&yaml.row);
  return status;
}
