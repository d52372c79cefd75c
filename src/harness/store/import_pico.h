/* PICO: names that its tables of measured machines have for methods, rows of such tables, folders of its results. */
#ifndef TUTTI_STORE_IMPORT_PICO_H
#define TUTTI_STORE_IMPORT_PICO_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/import.h"

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

struct import_walk;

/* A row whose texts are given by field, and the nodes of a run with blanks between them. @{ */
tutti_status tutti_pico_add(tutti_imported *imported, const tutti_import_how *how, const char *shown,
                            const char *const *cells, tutti_error *error);
void tutti_pico_add_allocation(tutti_imported *imported, const char *machine, const char *run, const char *nodes);
/* @} */

/* A folder of results. */
tutti_status tutti_pico_read_folder(struct import_walk *walk, const tutti_import_how *how, const char *path);

/* "128", or the sides of a torus, "4x4x4". False: it is not a number of nodes. */
bool tutti_pico_nodes(const char *text, uint64_t *nodes);

#endif
