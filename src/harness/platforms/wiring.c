/* A wiring is put together: whatever the order of a file, it ends as one tree with the nodes in its order. */
#include "harness/platforms/wiring.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/input.h"
#include "base/memory.h"
#include "harness/platforms/platform_private.h"

enum { MAX_LEVELS = 16 };

/* ---- parts ---- */

int tutti_wiring_switch(tutti_wiring *wiring, const char *name, int line)
{
  size_t *known = tutti_index_number(&wiring->switch_names, name);
  if (*known == 0) {
    tutti_xpush(&wiring->switches,
                (struct wiring_switch){.name = tutti_xstrdup(name), .parent = -1, .rates = NAN, .line = line});
    *known = wiring->switches.count;
  }
  return (int)*known - 1;
}

char *tutti_wiring_name(const char *text, size_t length)
{
  char *name = tutti_xstrndup(text, length < 200 ? length : 200);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
      *c = '_';
  if (*name == '-')
    *name = '_';
  return name;
}

tutti_status tutti_wiring_add_node(tutti_wiring *wiring, const char *name, int at, const char *path, int line,
                                   tutti_passed *passed, tutti_error *error)
{
  char *safe = tutti_wiring_name(name, strlen(name));
  size_t *known = tutti_index_number(&wiring->node_names, safe);
  if (*known || wiring->nodes.count >= PLATFORM_MAX_HOSTS)
    free(safe);
  if (*known)
    return tutti_pass_over(passed, path, (uint64_t)line, "a node that is there already", error, "%.80s", name);
  if (wiring->nodes.count >= PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: more than %d nodes", path, line, PLATFORM_MAX_HOSTS);
  tutti_xpush(&wiring->nodes, (struct wiring_node){safe, at});
  *known = wiring->nodes.count;
  return TUTTI_OK;
}

void tutti_wiring_free(tutti_wiring *wiring)
{
  if (!wiring)
    return;
  for (size_t i = 0; i < wiring->switches.count; i++)
    free(wiring->switches.items[i].name);
  for (size_t i = 0; i < wiring->nodes.count; i++)
    free(wiring->nodes.items[i].name);
  free(wiring->shape);
  tutti_vector_free(&wiring->switches);
  tutti_vector_free(&wiring->nodes);
  tutti_index_free(&wiring->switch_names);
  tutti_index_free(&wiring->node_names);
  free(wiring);
}

/* ---- one tree ---- */

/* A switch that is above itself: its parent is forgotten. */
static tutti_status break_circles(tutti_wiring *wiring, const struct wiring_source *source, tutti_error *error)
{
  const int count = (int)wiring->switches.count;
  int *seen = tutti_xcalloc((size_t)count + 1, sizeof *seen); /* by the walk that began at this switch, from 1 */
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < count && status == TUTTI_OK; i++)
    for (int at = i; at >= 0 && (seen[at] == 0 || seen[at] == i + 1); at = wiring->switches.items[at].parent) {
      if (seen[at] == i + 1) {
        struct wiring_switch *closing = &wiring->switches.items[at];
        closing->parent = -1;
        status = tutti_pass_over(source->passed, source->path, (uint64_t)closing->line, "a switch that is above itself",
                                 error, "%.80s", closing->name);
        break;
      }
      seen[at] = i + 1;
    }
  free(seen);
  return status;
}

/* Nodes in and below each switch; those that have none are dropped later. */
static tutti_status count_nodes(tutti_wiring *wiring, const char *path, tutti_error *error)
{
  for (size_t i = 0; i < wiring->nodes.count; i++) {
    int levels = 0;
    for (int at = wiring->nodes.items[i].at; at >= 0; at = wiring->switches.items[at].parent, levels++)
      wiring->switches.items[at].nodes++;
    if (levels > MAX_LEVELS)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %d levels of switches above node '%.80s': at most %d are read",
                        path, levels, wiring->nodes.items[i].name, MAX_LEVELS);
  }
  return TUTTI_OK;
}

/* Several roots, as the islands of a file, get one above them. */
static void add_root(tutti_wiring *wiring)
{
  int roots = 0;
  for (size_t i = 0; i < wiring->switches.count; i++)
    roots += wiring->switches.items[i].parent < 0 && wiring->switches.items[i].nodes > 0;
  if (roots < 2)
    return;
  char *name = tutti_xprintf("all_%zu_switches", wiring->switches.count);
  const int root = tutti_wiring_switch(wiring, name, 0);
  free(name);
  for (int i = 0; i < root; i++)
    if (wiring->switches.items[i].parent < 0)
      wiring->switches.items[i].parent = root;
  wiring->switches.items[root].nodes = (int)wiring->nodes.count;
}

struct ordering {
  int *first_child, *next; /* of each switch, -1: none */
  int *order, count;       /* switches, a parent before its children */
};

/* The root first; children in the order in which the file names them. */
static void walk(const tutti_wiring *wiring, struct ordering *o)
{
  const int count = (int)wiring->switches.count;
  int *stack = tutti_xmalloc(((size_t)count + 1) * sizeof *stack), height = 0;
  for (int i = 0; i < count; i++)
    o->first_child[i] = o->next[i] = -1;
  for (int i = 0; i < count; i++) { /* a child is pushed after its elder ones, and so taken before them: from behind */
    const struct wiring_switch *at = &wiring->switches.items[i];
    if (at->nodes == 0)
      continue;
    if (at->parent < 0)
      stack[height++] = i;
    else {
      o->next[i] = o->first_child[at->parent];
      o->first_child[at->parent] = i;
    }
  }
  while (height > 0) {
    const int at = stack[--height];
    o->order[o->count++] = at;
    for (int child = o->first_child[at]; child >= 0; child = o->next[child])
      stack[height++] = child;
  }
  free(stack);
}

/* Nodes by the new number of their switch; those of one keep their order. */
static void sort_nodes(tutti_wiring *wiring)
{
  const size_t count = wiring->nodes.count, switches = wiring->switches.count;
  struct wiring_node *sorted = tutti_xmalloc(count * sizeof *sorted);
  size_t *place = tutti_xcalloc(switches + 1, sizeof *place);
  for (size_t i = 0; i < count; i++)
    place[wiring->nodes.items[i].at + 1]++;
  for (size_t i = 1; i <= switches; i++)
    place[i] += place[i - 1];
  for (size_t i = 0; i < count; i++)
    sorted[place[wiring->nodes.items[i].at]++] = wiring->nodes.items[i];
  free(place);
  free(wiring->nodes.items);
  wiring->nodes.items = sorted;
  wiring->nodes.capacity = count;
}

/* Number switches anew, and sort nodes by them. */
static void renumber(tutti_wiring *wiring, const struct ordering *o)
{
  const size_t count = wiring->switches.count;
  int *new_number = tutti_xmalloc((count + 1) * sizeof *new_number);
  struct wiring_switch *sorted = tutti_xcalloc((size_t)o->count + 1, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    new_number[i] = -1;
  for (int i = 0; i < o->count; i++)
    new_number[o->order[i]] = i;
  for (size_t i = 0; i < count; i++) {
    struct wiring_switch *at = &wiring->switches.items[i];
    if (new_number[i] < 0) {
      free(at->name);
      continue;
    }
    at->parent = at->parent < 0 ? -1 : new_number[at->parent];
    sorted[new_number[i]] = *at;
  }
  for (size_t i = 0; i < wiring->nodes.count; i++)
    wiring->nodes.items[i].at = new_number[wiring->nodes.items[i].at];
  free(wiring->switches.items);
  wiring->switches.items = sorted;
  wiring->switches.count = (size_t)o->count;
  wiring->switches.capacity = (size_t)o->count + 1;
  free(new_number);
  sort_nodes(wiring);
}

/* Levels from below, and the first node of each switch. */
static void measure(tutti_wiring *wiring)
{
  bool even = true;
  for (size_t i = wiring->nodes.count; i-- > 0;)
    for (int at = wiring->nodes.items[i].at; at >= 0; at = wiring->switches.items[at].parent)
      wiring->switches.items[at].first = (int)i;
  for (size_t i = 0; i < wiring->switches.count; i++)
    wiring->switches.items[i].level = -1;
  for (size_t i = 0; i < wiring->nodes.count; i++)
    wiring->switches.items[wiring->nodes.items[i].at].level = 0;
  for (size_t i = wiring->switches.count; i-- > 1;) {
    const struct wiring_switch *at = &wiring->switches.items[i];
    struct wiring_switch *above = &wiring->switches.items[at->parent];
    even = even && (above->level == -1 || above->level == at->level + 1);
    above->level = at->level + 1 > above->level ? at->level + 1 : above->level;
  }
  wiring->levels = even ? wiring->switches.items[0].level + 1 : 0;
}

static tutti_status complete(tutti_wiring *wiring, const struct wiring_source *source, tutti_error *error)
{
  tutti_status status = break_circles(wiring, source, error);
  if (status != TUTTI_OK)
    return status;
  if (wiring->nodes.count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      source->passed && source->passed->count ? "%s: no node is understood, all rows are passed over"
                                                              : "%s: it names no nodes",
                      source->path);
  status = count_nodes(wiring, source->path, error);
  if (status != TUTTI_OK)
    return status;
  add_root(wiring);
  const size_t count = wiring->switches.count + 1;
  struct ordering o = {tutti_xmalloc(count * sizeof(int)), tutti_xmalloc(count * sizeof(int)),
                       tutti_xmalloc(count * sizeof(int)), 0};
  walk(wiring, &o);
  renumber(wiring, &o);
  measure(wiring);
  free(o.first_child);
  free(o.next);
  free(o.order);
  return TUTTI_OK;
}

/* ---- files ---- */

/* What follows is another name of this word, not a part of a longer one. */
static bool begins_row(const char *text, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = text; (at = strcasestr(at, word)); at += length)
    if ((at == text || strchr("\n \t", at[-1])) && at[length + strspn(at + length, " \t")] == '=')
      return true;
  return false;
}

static bool begins_line(const char *text, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += length) {
    const char *line = at;
    while (line > text && strchr(" \t-", line[-1]))
      line--;
    if (line == text || line[-1] == '\n')
      return true;
  }
  return false;
}

typedef tutti_status wiring_reader(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error);

/* By what stands in it, whatever it is called. */
static wiring_reader *find_reader(const struct wiring_source *source)
{
  const char *text = source->text;
  if (strstr(text, "<topology") && strstr(text, "<object"))
    return tutti_wiring_read_hwloc;
  if (begins_line(text, "Switch\t") || begins_line(text, "switchguid=") || begins_line(text, "caguid="))
    return tutti_wiring_read_fabric;
  if (begins_row(text, "SwitchName") || begins_row(text, "BlockName"))
    return tutti_wiring_read_slurm;
  if (begins_line(text, "switch:") || begins_line(text, "block:") || begins_line(text, "switches:") ||
      begins_line(text, "flat:"))
    return tutti_wiring_read_yaml;
  return NULL;
}

tutti_status tutti_wiring_read(const char *path, tutti_passed *passed, tutti_wiring **wiring, tutti_error *error)
{
  struct wiring_source source = {.path = path, .passed = passed};
  *wiring = NULL;
  tutti_status status = tutti_input_read_text(path, TUTTI_INPUT_TEXT, &source.text, &source.length, error);
  if (status != TUTTI_OK)
    return status;
  wiring_reader *reader = find_reader(&source);
  if (!reader)
    status =
        tutti_fail(error, TUTTI_ERR_ARGUMENT,
                   "%s: none of topology.conf and topology.yaml of Slurm, output of ibnetdiscover, XML of hwloc", path);
  else {
    *wiring = tutti_xcalloc(1, sizeof **wiring);
    (*wiring)->rate = NAN;
    status = reader(&source, *wiring, error);
  }
  if (status == TUTTI_OK)
    status = complete(*wiring, &source, error);
  free(source.text);
  if (status != TUTTI_OK) {
    tutti_wiring_free(*wiring);
    *wiring = NULL;
  }
  return status;
}
