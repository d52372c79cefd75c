/* topology=: SimGrid's words for tori, fat trees and dragonflies, and friendlier ones. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "platforms/platform_private.h"

enum { MAX_NUMBERS = 16 };

/* "32x32x16", perhaps with "/4" behind it. */
struct product {
  long numbers[MAX_NUMBERS];
  int count;
  long taper; /* 1 if not said */
};

static const char *parse_factor(const char *text, long *number)
{
  char *end;
  if (!isdigit((unsigned char)*text))
    return NULL;
  *number = strtol(text, &end, 10);
  return *number >= 1 && *number <= PLATFORM_MAX_HOSTS ? end : NULL;
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

static void append(char **at, const char *end, const char *separator, long number)
{
  *at += snprintf(*at, (size_t)(end - *at), "%s%ld", separator, number);
}

enum { PARAMETER_LENGTH = 3 * MAX_NUMBERS * 12 };

static bool torus_parameters(const struct product *product, char text[PARAMETER_LENGTH])
{
  char *at = text, *end = text + PARAMETER_LENGTH;
  for (int i = 0; i < product->count; i++)
    append(&at, end, i ? "," : "", product->numbers[i]);
  return product->taper == 1;
}

/* An XGFT(h; m1 .. mh; 1, m1 .. mh-1): from every level as many cables go up as come from below, or one of so many. */
static bool fat_tree_parameters(const struct product *product, char text[PARAMETER_LENGTH])
{
  char *at = text, *end = text + PARAMETER_LENGTH;
  append(&at, end, "", product->count);
  for (int i = 0; i < product->count; i++)
    append(&at, end, i ? "," : ";", product->numbers[i]);
  append(&at, end, ";", 1);
  for (int i = 1; i < product->count; i++) {
    if (product->numbers[i - 1] % product->taper != 0)
      return false;
    append(&at, end, ",", product->numbers[i - 1] / product->taper);
  }
  for (int i = 0; i < product->count; i++)
    append(&at, end, i ? "," : ";", 1);
  return true;
}

static bool dragonfly_parameters(const struct product *product, char text[PARAMETER_LENGTH])
{
  if (product->count != 4 || product->taper != 1)
    return false;
  const long *n = product->numbers;
  snprintf(text, PARAMETER_LENGTH, "%ld,1;%ld,1;%ld,1;%ld", n[0], n[1], n[2], n[3]);
  return true;
}

/* ---- what SimGrid does not check, and then reads beyond its arrays ---- */

/* Numbers of a part of parameters, up to ';'. -1: no such part. */
static int count_numbers(const char **text)
{
  int count = 0;
  for (;; ++*text) {
    long number;
    const char *end = parse_factor(*text, &number);
    if (!end || count == INT_MAX)
      return -1;
    count++;
    *text = end;
    if (*end != ',')
      return *end == ';' || *end == '\0' ? count : -1;
  }
}

/* Levels, and three lists of as many numbers. */
static bool is_fat_tree(const char *text)
{
  long levels;
  text = parse_factor(text, &levels);
  for (int part = 0; text && part < 3; part++)
    if (*text++ != ';' || count_numbers(&text) != levels)
      return false;
  return text && *text == '\0';
}

static bool is_torus(const char *text)
{
  return count_numbers(&text) > 0 && *text == '\0';
}

/* SimGrid's routes go to group g by router g of the chassis they start in. */
static bool is_dragonfly(const char *text)
{
  long pairs[3][2], nodes;
  for (int i = 0; i < 3; i++) {
    if (!(text = parse_factor(text, &pairs[i][0])) || *text++ != ',' || !(text = parse_factor(text, &pairs[i][1])) ||
        *text++ != ';')
      return false;
  }
  text = parse_factor(text, &nodes);
  return text && *text == '\0' && pairs[0][0] <= pairs[2][0];
}

/* ---- the words ---- */

static const struct topology {
  const char *word, *simgrid, *form;
  bool (*friendly)(const struct product *product, char *text);
  bool (*check)(const char *parameters);
} topologies[] = {
    {"torus", "TORUS", "torus:8x8x4, or torus:8,8,4", torus_parameters, is_torus},
    {"fat-tree", "FAT_TREE", "fat-tree:16x16 (16 nodes a switch), fat-tree:16x16/4, or fat-tree:LEVELS;DOWN;UP;CABLES",
     fat_tree_parameters, is_fat_tree},
    {"dragonfly", "DRAGONFLY",
     "dragonfly:GROUPSxCHASSISxROUTERSxNODES, or dragonfly:GROUPS,CABLES;CHASSIS,CABLES;ROUTERS,CABLES;NODES, with at "
     "most as many groups as a chassis has routers",
     dragonfly_parameters, is_dragonfly},
    {"flat", "FLAT", "flat", NULL, NULL},
    {"cluster", "FLAT", "cluster", NULL, NULL},
    {"crossbar", "FLAT", "crossbar", NULL, NULL},
};

static const struct topology *find_topology(const char *text, size_t length)
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

static tutti_status parse_parameters(const struct topology *topology, const char *text, char **parameters, long *hosts,
                                     tutti_error *error)
{
  struct product product;
  char friendly[PARAMETER_LENGTH];
  if (parse_product(text, &product) && product.count > 0 && topology->friendly(&product, friendly))
    text = friendly;
  if (!topology->check(text))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.200s' does not describe a %s: expected %s", text, topology->word,
                      topology->form);
  *parameters = tutti_xstrdup(text);
  tutti_status status = tutti_platform_topology_hosts(topology->simgrid, *parameters, hosts, error);
  if (status != TUTTI_OK)
    free(*parameters);
  return status;
}

tutti_status tutti_edit_parse_topology(const char *text, const char **simgrid, char **parameters, long *hosts,
                                       tutti_error *error)
{
  size_t length = strcspn(text, ":");
  const struct topology *topology = find_topology(text, length);
  *parameters = NULL;
  *hosts = -1;
  if (!topology)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown topology '%.*s': known are torus fat-tree dragonfly flat",
                      (int)length, text);
  if (!topology->check != (text[length] == '\0'))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected %s", topology->form);
  *simgrid = topology->simgrid;
  return topology->check ? parse_parameters(topology, text + length + 1, parameters, hosts, error) : TUTTI_OK;
}

static bool is_flat(const char *simgrid)
{
  return strcmp(simgrid, "FLAT") == 0;
}

/* A backbone is of flat clusters only. */
static tutti_status remove_backbone(struct editing *editing, xmlNode *cluster, tutti_error *error)
{
  static const char *const names[] = {"bb_bw", "bb_lat", "bb_sharing_policy", "router_id"};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names && status == TUTTI_OK; i++)
    status = tutti_edit_set(editing, cluster, names[i], NULL, error);
  return status;
}

/* The names of hosts stay where there are as many as before. */
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
  const char *simgrid;
  char *parameters;
  long hosts;
  xmlNode *cluster = tutti_edit_cluster(editing, error);
  if (!cluster)
    return error->status;
  if (tutti_edit_parse_topology(value, &simgrid, &parameters, &hosts, &reason) != TUTTI_OK)
    return tutti_edit_fail(editing, error, "%s", reason.message);
  tutti_status status = tutti_edit_set(editing, cluster, "topology", is_flat(simgrid) ? NULL : simgrid, error);
  if (status == TUTTI_OK)
    status = tutti_edit_set(editing, cluster, "topo_parameters", parameters, error);
  if (status == TUTTI_OK)
    status = set_hosts(editing, cluster, hosts, error);
  if (status == TUTTI_OK)
    status = remove_backbone(editing, cluster, error);
  free(parameters);
  return status;
}
