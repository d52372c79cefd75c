/* A dragonfly+ as `tutti platform new` writes it: a <cluster> for each leaf switch, a <zone> for the spines of each
   cell, links from the leaves to them and between the cells, and a route over each of these links. */
#ifndef TUTTI_PLATFORMS_DRAGONFLY_PLUS_H
#define TUTTI_PLATFORMS_DRAGONFLY_PLUS_H

#include "harness/platforms/topology.h"
#include "harness/platforms/xml.h"

/* The first element of each kind, whose values all leaves, or all links of a kind, share. Owned by the file. */
struct dragonfly_plus {
  struct topology topology;
  const xmlNode *leaf, *uplink;
  const xmlNode *global; /* between two cells; NULL: there is one cell */
};

/* Whether the file begins like a dragonfly+: its first <cluster> is leaf switch 0 of cell 0. */
bool tutti_dragonfly_plus_begins(const xml_file *file);

/* Read one. TUTTI_ERR_UNSUPPORTED if the file, which has been checked, is another machine: @p *at is then the element
   that differs, or that lacks an expected one within it, and @p error names the expectation without a place. */
tutti_status tutti_dragonfly_plus_read(const xml_file *file, struct dragonfly_plus *plus, const xmlNode **at,
                                       tutti_error *error);

#endif
