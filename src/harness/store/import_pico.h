/* Names that PICO's tables of measured machines have for methods. */
#ifndef TUTTI_STORE_IMPORT_PICO_H
#define TUTTI_STORE_IMPORT_PICO_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/algorithm.h"

/* The meaning of a name. */
struct pico_method {
  tutti_method method;
  char variant[16]; /* a form of the method that is measured beside it ("static"); "": the plain one */
  bool utofu;       /* through Fugaku's own network interface, on one port */
};

/* Find the method of a name under the settings of its line, on @p nodes nodes or a torus of them. False: Tutti has no
   such method, or the name alone does not identify the algorithm. */
bool tutti_pico_method(tutti_collective collective, const char *name, const char *nodes, const char *settings,
                       struct pico_method *found);

/* The lines of headings of the two tables. */
extern const char tutti_pico_headings[], tutti_pico_allocation_headings[];

/* "128", or the sides of a torus, "4x4x4". False: it is not a number of nodes. */
bool tutti_pico_nodes(const char *text, uint64_t *nodes);

#endif
