/* Switches and nodes of a machine, as files of other programs list them: a tree, in which a node lies at one switch. */
#ifndef TUTTI_PLATFORMS_WIRING_H
#define TUTTI_PLATFORMS_WIRING_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vector.h"
#include "tutti/passed.h"
#include "tutti/platform.h"

struct wiring_switch {
  char *name;   /* owned */
  int parent;   /* -1: the root, once the wiring is complete */
  double rates; /* of its cables upwards, bytes per second; NaN: not known, as many as those of its nodes together */
  int line;
  int level; /* 0: it holds nodes */
  int first; /* its first node */
  int nodes; /* in and below it */
};

struct wiring_node {
  char *name; /* owned */
  int at;     /* the switch */
};

struct tutti_wiring {
  struct {
    TUTTI_VECTOR(struct wiring_switch);
  } switches; /* the root first, a parent before its children */
  struct {
    TUTTI_VECTOR(struct wiring_node);
  } nodes;          /* those of a switch follow each other */
  double rate;      /* of the cable of a node, bytes per second; NaN: the file does not say */
  int cores, cards; /* of a node; 0: the file does not say */
  int levels;       /* of switches; 0: they differ from node to node */
  char *shape;      /* of the machine: tutti_wiring_shape(), else the summary; owned */
  bool uneven;      /* it has no shape */
  void *switch_names, *node_names;
};

/* A node, called by its tutti_wiring_name(); a second one of that name is passed over. */
tutti_status tutti_wiring_add_node(tutti_wiring *wiring, const char *name, int at, const char *path, int line,
                                   tutti_passed *passed, tutti_error *error);

/* The number of a switch, which is new or was named before. */
int tutti_wiring_switch(tutti_wiring *wiring, const char *name, int line);

/* Call @p take with each name of "n[1-3,7],m0". *good: all of it is such a list. */
typedef tutti_status wiring_take(void *context, const char *name, tutti_error *error);
tutti_status tutti_wiring_expand(const char *list, wiring_take *take, void *context, bool *good, tutti_error *error);

/* A name of a host for SimGrid: letters, digits and ._- of it, '_' for all else. Owned by the caller. */
char *tutti_wiring_name(const char *text, size_t length);

/* ---- readers, one for each kind of file; the text is changed ---- */

struct wiring_source {
  const char *path;
  char *text;
  size_t length;
  tutti_passed *passed;
};

tutti_status tutti_wiring_read_slurm(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error);
tutti_status tutti_wiring_read_yaml(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error);
tutti_status tutti_wiring_read_fabric(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error);
tutti_status tutti_wiring_read_hwloc(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error);

/* ---- what is made of it ---- */

/* "20x5x2": nodes of a switch and switches of each level, if all are alike; NULL if not. Owned by the caller. */
char *tutti_wiring_shape(const tutti_wiring *wiring);

/* Nodes of a switch of each level at which all switches have as many and follow each other, from below: "20,100"; ""
   for none. Owned by the caller. */
char *tutti_wiring_levels(const tutti_wiring *wiring);

/* The names of the nodes in order, "n[1-3],m0". Owned by the caller. */
char *tutti_wiring_nodes(const tutti_wiring *wiring);

struct machine_plan;

/* The zones, links and routes of switches that are not alike, and the routing of the zone around them. */
void tutti_wiring_print(FILE *stream, const struct machine_plan *plan);
const char *tutti_wiring_routing(const tutti_wiring *wiring);

#endif
