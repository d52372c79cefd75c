/* The output of ibnetdiscover: each switch with what its ports are connected to, and each card of a node (Ca).
 *
 *   Switch  36 "S-0002"   # "leaf1" ...
 *   [1]  "H-0011"[1](11)  # "node1 mlx5_0" lid 4 4xEDR
 *   [36] "S-0005"[7]      # "spine1" lid 9 4xEDR
 *
 * Switches with cards are leaves. What a message from one of them to another can pass, whichever spine it takes, is one
 * switch of the wiring: all that are connected by the levels up to there. Its cables upwards count together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring.h"

enum { MAX_LEVELS = 12 };

struct cable {
  int from, to; /* switches */
  double rate;
};

struct device {
  int level; /* 0: it holds cards, -1: not known */
  int group; /* of the level that is looked at */
};

struct fabric {
  const struct wiring_source *source;
  tutti_wiring *wiring;
  struct devices {
    TUTTI_VECTOR(struct device);
  } devices;
  struct cables {
    TUTTI_VECTOR(struct cable);
  } cables;
  void *guids, *cards; /* 1 + number of a switch; cards that are nodes */
  double rates;        /* of the cables of all nodes */
  int line;
};

/* ---- rows ---- */

static tutti_status pass_over(const struct fabric *f, const char *why, tutti_error *error, const char *what)
{
  return tutti_pass_over(f->source->passed, f->source->path, (uint64_t)f->line, why, error, "%.80s", what);
}

/* Gbit/s of data of a lane (InfiniBand Architecture Specification, volume 2). */
static double rate_of(const char *text)
{
  static const struct {
    const char *name;
    double lane;
  } speeds[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 13.64},
                {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};
  const char *last = strrchr(text, ' ');
  int lanes;
  char name[8];
  if (!last || sscanf(last + 1, "%dx%7s", &lanes, name) != 2 || lanes < 1 || lanes > 12)
    return NAN;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
    if (strcmp(name, speeds[i].name) == 0)
      return lanes * speeds[i].lane * 1e9 / 8;
  return NAN;
}

/* The text in quotes from @p text on; *after is what follows. NULL: there is none. */
static char *quoted(char *text, char **after)
{
  char *open = text ? strchr(text, '"') : NULL, *close = open ? strchr(open + 1, '"') : NULL;
  if (!close)
    return NULL;
  *close = '\0';
  *after = close + 1;
  return open + 1;
}

static int find_switch(struct fabric *f, const char *guid)
{
  size_t *known = tutti_index_number(&f->guids, guid);
  if (*known == 0) {
    tutti_xpush(&f->devices, (struct device){.level = -1});
    *known = f->devices.count;
  }
  return (int)*known - 1;
}

/* Cards without a name of their own are called by what the driver says of all. */
static char *name_of(const char *guid, const char *description)
{
  const bool own = *description && !strstr(description, "Mellanox Technologies") && !strstr(description, "ConnectX");
  return own ? tutti_wiring_name(description, strlen(description)) : tutti_wiring_name(guid, strlen(guid));
}

static tutti_status take_card(struct fabric *f, int at, const char *guid, const char *description, double rate,
                              tutti_error *error)
{
  if (strstr(description, "Aggregation Node") || strstr(description, "SHArP"))
    return f->source->passed && f->source->passed->strict /* it is understood, and no node */
               ? TUTTI_OK
               : pass_over(f, "an aggregation node of a switch", error, description);
  size_t *known = tutti_index_number(&f->cards, guid);
  if (*known)
    return TUTTI_OK; /* its other ports count as this one */
  *known = 1;
  char *name = name_of(guid, description);
  if (tutti_index_find(&f->wiring->node_names, name)) {
    char *longer = tutti_xprintf("%s_%s", name, guid);
    free(name);
    name = longer;
  }
  f->devices.items[at].level = 0;
  f->rates += isnan(rate) ? 0 : rate;
  const tutti_status status =
      tutti_wiring_add_node(f->wiring, name, at, f->source->path, f->line, f->source->passed, error);
  free(name);
  return status;
}

/* A port of the switch @p at. */
static tutti_status read_port(struct fabric *f, int at, char *text, tutti_error *error)
{
  char *rest, *guid = quoted(text, &rest), *description = guid ? quoted(rest, &rest) : NULL;
  if (!guid || !description)
    return pass_over(f, "a port that is not understood", error, text);
  rest[strcspn(rest, "\r")] = '\0';
  const double rate = rate_of(rest);
  if (guid[0] == 'H')
    return take_card(f, at, guid, description, rate, error);
  if (guid[0] != 'S')
    return pass_over(f, "a port to what is neither card nor switch", error, guid);
  const int to = find_switch(f, guid);
  if (to != at)
    tutti_xpush(&f->cables, (struct cable){at, to, rate});
  return TUTTI_OK;
}

static bool is_heading(const char *line)
{
  static const char *const keys[] = {
      "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "DR path"};
  bool found = *line == '#' || *line == '\0' || *line == '\r';
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    found = found || strncmp(line, keys[i], strlen(keys[i])) == 0;
  return found;
}

/* @p at: the switch whose ports follow; -1: those of a card follow, which its switch lists, too; -2: nothing yet. */
static tutti_status read_line(struct fabric *f, char *line, int *at, tutti_error *error)
{
  char *rest;
  if (is_heading(line))
    return TUTTI_OK;
  if (line[0] == '[')
    return *at >= 0    ? read_port(f, *at, line, error)
           : *at == -1 ? TUTTI_OK
                       : pass_over(f, "a port of nothing", error, line);
  *at = -1;
  if (strncmp(line, "Ca\t", 3) == 0 || strncmp(line, "Ca ", 3) == 0 || strncmp(line, "Rt", 2) == 0)
    return TUTTI_OK;
  const char *guid = strncmp(line, "Switch", 6) == 0 ? quoted(line, &rest) : NULL;
  if (!guid)
    return pass_over(f, "a line that is not understood", error, line);
  *at = find_switch(f, guid);
  return TUTTI_OK;
}

/* ---- levels ---- */

/* Distance from the nearest card, in switches. Each cable is listed by both ends. */
static int find_levels(struct fabric *f)
{
  int highest = 0;
  for (bool changed = true; changed && highest < MAX_LEVELS;) {
    changed = false;
    for (size_t i = 0; i < f->cables.count; i++) {
      const struct device *from = &f->devices.items[f->cables.items[i].from];
      struct device *to = &f->devices.items[f->cables.items[i].to];
      if (from->level != highest || to->level >= 0)
        continue;
      to->level = highest + 1;
      changed = true;
    }
    highest += changed;
  }
  return highest;
}

static int group_of(struct fabric *f, int device)
{
  int root = device;
  while (f->devices.items[root].group != root)
    root = f->devices.items[root].group;
  while (f->devices.items[device].group != root) {
    const int next = f->devices.items[device].group;
    f->devices.items[device].group = root;
    device = next;
  }
  return root;
}

/* Join what cables connect within the levels up to this one. */
static void join(struct fabric *f, int level)
{
  for (size_t i = 0; i < f->devices.count; i++)
    f->devices.items[i].group = (int)i;
  for (size_t i = 0; i < f->cables.count && level > 0; i++) {
    const struct cable *cable = &f->cables.items[i];
    const int from = f->devices.items[cable->from].level, to = f->devices.items[cable->to].level;
    if (from < 0 || to < 0 || from > level || to > level)
      continue;
    const int one = group_of(f, cable->from), other = group_of(f, cable->to);
    f->devices.items[one > other ? one : other].group = one > other ? other : one;
  }
}

/* The switch of the wiring for the group of a device at a level. */
static int made_switch(struct fabric *f, int level, int device)
{
  char *name = tutti_xprintf("level%d_%d", level, group_of(f, device));
  const int made = tutti_wiring_switch(f->wiring, name, 0);
  free(name);
  return made;
}

/* The groups of a level below those of the next, with the cables that leave them. */
static void add_level(struct fabric *f, int level)
{
  const size_t count = f->devices.count;
  int *made = tutti_xmalloc((count + 1) * sizeof *made);
  join(f, level);
  for (size_t i = 0; i < count; i++) {
    const int own = f->devices.items[i].level;
    made[i] = own >= 0 && own <= level ? made_switch(f, level, (int)i) : -1;
    if (made[i] >= 0)
      f->wiring->switches.items[made[i]].rates = 0;
  }
  for (size_t i = 0; i < f->cables.count; i++) {
    const struct cable *cable = &f->cables.items[i];
    if (made[cable->from] >= 0 && made[cable->from] != made[cable->to])
      f->wiring->switches.items[made[cable->from]].rates += cable->rate;
  }
  join(f, level + 1);
  for (size_t i = 0; i < count; i++)
    if (made[i] >= 0)
      f->wiring->switches.items[made[i]].parent = made_switch(f, level + 1, (int)i);
  free(made);
}

/* Nodes say the device they are at so far. */
static void make_switches(struct fabric *f)
{
  const int highest = find_levels(f);
  join(f, 0);
  for (size_t i = 0; i < f->wiring->nodes.count; i++)
    f->wiring->nodes.items[i].at = made_switch(f, 0, f->wiring->nodes.items[i].at);
  for (int level = 0; level < highest; level++)
    add_level(f, level);
  f->wiring->rate = f->rates > 0 ? f->rates / (double)f->wiring->nodes.count : NAN;
  for (size_t i = 0; i < f->wiring->switches.count; i++)
    if (!(f->wiring->switches.items[i].rates > 0))
      f->wiring->switches.items[i].rates = NAN;
}

tutti_status tutti_wiring_read_fabric(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error)
{
  struct fabric f = {.source = source, .wiring = wiring};
  char *rest = source->text;
  tutti_status status = TUTTI_OK;
  int at = -2;
  for (char *line; status == TUTTI_OK && (line = strsep(&rest, "\n"));) {
    f.line++;
    status = read_line(&f, line, &at, error);
  }
  if (status == TUTTI_OK && wiring->nodes.count > 0)
    make_switches(&f);
  tutti_vector_free(&f.devices);
  tutti_vector_free(&f.cables);
  tutti_index_free(&f.guids);
  tutti_index_free(&f.cards);
  return status;
}
