/* Radicals and topologies of <cluster>. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/platform_private.h"

static const char *skip_blanks(const char *text)
{
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

/* A whole number that fits an int; NULL if there is none at @p text. */
static const char *parse_number(const char *text, int *number)
{
  char *end;
  text = skip_blanks(text);
  if (!isdigit((unsigned char)*text))
    return NULL;
  unsigned long value = strtoul(text, &end, 10);
  if (value > INT_MAX)
    return NULL;
  *number = (int)value;
  return skip_blanks(end);
}

static const char *parse_range(const char *text, int *first, int *last)
{
  text = parse_number(text, first);
  *last = text ? *first : 0;
  if (text && *text == '-')
    text = parse_number(text + 1, last);
  return text && (*text == ',' || *text == '\0') && *first <= *last ? text : NULL;
}

static tutti_status append_range(int first, int last, int **numbers, int *count, tutti_error *error)
{
  long total = *count + ((long)last - first + 1);
  if (total > PLATFORM_MOST_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d hosts", PLATFORM_MOST_HOSTS);
  int *larger = realloc(*numbers, (size_t)total * sizeof **numbers);
  if (!larger)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %ld hosts", total);
  *numbers = larger;
  for (long number = first; number <= last; number++)
    larger[(*count)++] = (int)number;
  return TUTTI_OK;
}

tutti_status tutti_platform_expand_radical(const char *radical, int **numbers, int *count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const char *rest = radical;
  *numbers = NULL;
  *count = 0;
  for (int first, last; status == TUTTI_OK; rest++) {
    rest = parse_range(rest, &first, &last);
    if (!rest)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "numbers and ascending ranges are expected, as in 0-63 or 1-3,7");
    else
      status = append_range(first, last, numbers, count, error);
    if (status != TUTTI_OK || *rest == '\0')
      break;
  }
  if (status != TUTTI_OK) {
    free(*numbers);
    *numbers = NULL;
  }
  return status;
}

/* Multiply *product by the number at *text and step over it and the separator behind it. */
static bool multiply(const char **text, const char *separators, long *product)
{
  int number;
  const char *end = parse_number(*text, &number);
  if (!end || number < 1 || *product > PLATFORM_MOST_HOSTS / number)
    return false;
  if (*end && !strchr(separators, *end))
    return false;
  *product *= number;
  *text = end;
  return true;
}

/* TORUS "32,32,32": the product of all. */
static bool torus_hosts(const char *parameters, long *hosts)
{
  for (; multiply(&parameters, ",", hosts); parameters++)
    if (*parameters == '\0')
      return true;
  return false;
}

/* FAT_TREE "levels; down links per level; up links; cables": the product of the down links. */
static bool fat_tree_hosts(const char *parameters, long *hosts)
{
  const char *at = strchrnul(parameters, ';');
  while (*at != '\0') {
    at++;
    if (!multiply(&at, ",;", hosts))
      return false;
    if (*at == ';')
      return true;
  }
  return false;
}

/* DRAGONFLY "groups,links; chassis,links; routers,links; nodes": the product of the first of each. */
static bool dragonfly_hosts(const char *parameters, long *hosts)
{
  for (int part = 0; part < 4; part++) {
    if (!multiply(&parameters, ",;", hosts))
      return false;
    parameters += strcspn(parameters, ";");
    if ((*parameters == ';') != (part < 3))
      return false;
    parameters += part < 3;
  }
  return true;
}

tutti_status tutti_platform_topology_hosts(const char *topology, const char *parameters, long *hosts,
                                           tutti_error *error)
{
  bool understood = true;
  *hosts = 1;
  if (!topology || strcmp(topology, "FLAT") == 0)
    *hosts = -1;
  else if (strcmp(topology, "TORUS") == 0)
    understood = torus_hosts(parameters, hosts);
  else if (strcmp(topology, "FAT_TREE") == 0)
    understood = fat_tree_hosts(parameters, hosts);
  else
    understood = dragonfly_hosts(parameters, hosts);
  if (!understood)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "topo_parameters=\"%s\" does not describe a %s", parameters, topology);
  return TUTTI_OK;
}
