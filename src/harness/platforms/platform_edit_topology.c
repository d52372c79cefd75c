/* topology=: SimGrid's words for tori, fat trees and dragonflies, and friendlier ones. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/words.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/topology.h"

enum { MAX_NUMBERS = TOPOLOGY_MAX_LEVELS };

/* "32x32x16", perhaps followed by "/4". */
struct product {
  long numbers[MAX_NUMBERS];
  int count;
  long taper; /* 1 by default */
};

static const char *parse_factor(const char *text, long *number)
{
  char *end;
  if (!isdigit((unsigned char)*text))
    return NULL;
  *number = strtol(text, &end, 10);
  return *number >= 1 && *number <= INT_MAX ? end : NULL;
}

static bool parse_product(const char *text, struct product *product)
{
  *product = (struct product){.taper = 1};
  while (product->count < MAX_NUMBERS && (text = parse_factor(text, &product->numbers[product->count]))) {
    product->count++;
    if (*text == '/' && (text = parse_factor(text + 1, &product->taper)))
      return *text == '\0';
    if (!text || *text != 'x')
      return text && *text == '\0';
    text++;
  }
  return false;
}

/* ---- friendly forms: false if they cannot be written ---- */

static bool make_torus(const struct product *product, struct topology *topology)
{
  topology->levels = product->count;
  memcpy(topology->sizes, product->numbers, sizeof topology->sizes);
  return product->taper == 1;
}

/* The first number that the taper does not divide, or 0. */
static long find_undivided(const struct product *product)
{
  for (int i = 0; i + 1 < product->count; i++)
    if (product->numbers[i] % product->taper != 0)
      return product->numbers[i];
  return 0;
}

/* An XGFT(h; m1 .. mh; 1, m1 .. mh-1): every level has as many cables up as down, divided by the taper. */
static bool make_fat_tree(const struct product *product, struct topology *topology)
{
  topology->levels = product->count;
  for (int i = 0; i < product->count; i++) {
    topology->sizes[i] = product->numbers[i];
    topology->up[i] = i > 0 ? product->numbers[i - 1] / product->taper : 1;
    topology->cables[i] = 1;
  }
  return find_undivided(product) == 0;
}

static bool make_dragonfly(const struct product *product, struct topology *topology)
{
  topology->levels = DRAGONFLY_LEVELS;
  for (int i = 0; i < DRAGONFLY_LEVELS; i++) {
    topology->sizes[i] = product->numbers[i];
    topology->cables[i] = 1;
  }
  return product->count == DRAGONFLY_LEVELS && product->taper == 1;
}

/* ---- the words ---- */

static const struct topology_word {
  const char *word;
  enum topology_kind kind;
  const char *form;
  bool (*make)(const struct product *product, struct topology *topology); /* NULL: it has no parameters */
} topologies[] = {
    {"torus", TOPOLOGY_TORUS, "torus:8x8x4, or torus:8,8,4", make_torus},
    {"fat-tree", TOPOLOGY_FAT_TREE,
     "fat-tree:16x16 (16 nodes a switch), fat-tree:16x16/4, or fat-tree:LEVELS;DOWN;UP;CABLES", make_fat_tree},
    {"dragonfly", TOPOLOGY_DRAGONFLY,
     "dragonfly:GROUPSxCHASSISxROUTERSxNODES, or dragonfly:GROUPS,CABLES;CHASSIS,CABLES;ROUTERS,CABLES;NODES, with at "
     "most as many groups as a chassis has routers",
     make_dragonfly},
    {"flat", TOPOLOGY_FLAT, "flat", NULL},
    {"cluster", TOPOLOGY_FLAT, "cluster", NULL},
    {"crossbar", TOPOLOGY_FLAT, "crossbar", NULL},
};

static const struct topology_word *find_topology(const char *text, size_t length)
{
  char word[16] = "";
  if (length >= sizeof word)
    return NULL;
  for (size_t i = 0; i < length; i++)
    word[i] = text[i] == '_' ? '-' : (char)tolower((unsigned char)text[i]);
  for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++)
    if (strcmp(topologies[i].word, word) == 0)
      return &topologies[i];
  return NULL;
}

/* SimGrid's parameters of a friendly form, and the topology that these describe. */
static tutti_status parse_parameters(const struct topology_word *word, const char *text, const char *form,
                                     struct topology *topology, tutti_error *error)
{
  struct product product;
  struct topology made = {.kind = word->kind};
  char friendly[TOPOLOGY_TEXT_LENGTH];
  const char *parameters = text;
  bool is_product = parse_product(text, &product) && product.count > 0;
  if (is_product && word->make(&product, &made)) {
    tutti_topology_write(&made, friendly);
    parameters = friendly;
  } else if (is_product && word->kind == TOPOLOGY_FAT_TREE)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.200s' does not describe a %s: %ld is not divisible by %ld", text,
                      word->word, find_undivided(&product), product.taper);
  const tutti_status status = tutti_topology_parse(tutti_topology_name(word->kind), parameters, topology, NULL);
  if (topology->hosts > PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.200s' describes a %s of more than %d nodes, the most of a platform", text, word->word,
                      PLATFORM_MAX_HOSTS);
  if (status != TUTTI_OK || !tutti_topology_has_routes(topology))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.200s' does not describe a %s: expected %s", text, word->word,
                      form);
  return TUTTI_OK;
}

/* "torus:8x8x4", "fat-tree:512x18/4", "dragonfly:8x1x64x4", "flat", or with SimGrid's parameters after the colon
   (docs/reference/platform-edits.md). */
static tutti_status parse_word(const char *text, struct topology *topology, tutti_error *error)
{
  size_t length = strcspn(text, ":");
  const struct topology_word *word = find_topology(text, length);
  *topology = (struct topology){.kind = TOPOLOGY_FLAT, .hosts = -1};
  if (!word) {
    char wrong[TUTTI_GUESS_LENGTH], meant[2 * TUTTI_GUESS_LENGTH];
    snprintf(wrong, sizeof wrong, "%.*s", (int)length, text);
    tutti_guess guess = {.word = wrong};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++)
      tutti_guess_try(&guess, topologies[i].word);
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown topology '%.*s'%s: known are torus fat-tree dragonfly flat",
                      (int)length, text, tutti_guess_text(&guess, meant));
  }
  if (!word->make != (text[length] == '\0'))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected %s", word->form);
  return word->make ? parse_parameters(word, text + length + 1, word->form, topology, error) : TUTTI_OK;
}

tutti_status tutti_topology_parse_shape(enum topology_kind kind, const char *shape, const char *form,
                                        struct topology *topology, tutti_error *error)
{
  const struct topology_word *word = topologies;
  while (word->kind != kind)
    word++;
  return parse_parameters(word, shape, form, topology, error);
}

/* A backbone is of flat clusters only, and so is a switch that loses throughput. */
static tutti_status remove_backbone(struct editing *editing, xmlNode *cluster, bool flat, tutti_error *error)
{
  static const char *const names[] = {"bb_bw", "bb_lat", "bb_sharing_policy", "router_id"};
  xmlNode *outermost = tutti_edit_outermost(editing);
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names && status == TUTTI_OK; i++)
    status = tutti_edit_set(editing, cluster, names[i], NULL, error);
  if (status == TUTTI_OK)
    status = tutti_edit_set_prop(editing, outermost, "tutti/backbone-contention", NULL, error);
  if (status == TUTTI_OK && !flat)
    status = tutti_edit_set_prop(editing, outermost, "tutti/port-contention", NULL, error);
  if (status == TUTTI_OK && !flat)
    status = tutti_edit_set_prop(editing, outermost, "tutti/messages-a-cable", NULL, error);
  return status;
}

/* The names of hosts stay if their number does. */
static tutti_status set_hosts(struct editing *editing, xmlNode *cluster, long hosts, tutti_error *error)
{
  int count;
  tutti_status status = tutti_edit_count_hosts(cluster, &count, error);
  if (status != TUTTI_OK || hosts < 0 || hosts == count)
    return status;
  return tutti_edit_number_hosts(editing, cluster, hosts, error);
}

tutti_status tutti_edit_topology(struct editing *editing, const char *value, tutti_error *error)
{
  tutti_error reason;
  struct topology topology;
  char parameters[TOPOLOGY_TEXT_LENGTH];
  xmlNode *cluster = tutti_edit_cluster(editing, error);
  if (!cluster)
    return error->status;
  if (parse_word(value, &topology, &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "%s", reason.message);
  bool flat = topology.kind == TOPOLOGY_FLAT;
  tutti_topology_write(&topology, parameters);
  tutti_status status =
      tutti_edit_set(editing, cluster, "topology", flat ? NULL : tutti_topology_name(topology.kind), error);
  if (status == TUTTI_OK)
    status = tutti_edit_set(editing, cluster, "topo_parameters", flat ? NULL : parameters, error);
  if (status == TUTTI_OK)
    status = set_hosts(editing, cluster, topology.hosts, error);
  return status == TUTTI_OK ? remove_backbone(editing, cluster, flat, error) : status;
}
