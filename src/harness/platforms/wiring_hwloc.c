/* What hwloc says of one computer (lstopo --of xml): cores, sockets and network cards. Each socket is a node of the
   wiring, so that a machine of sockets can be written, too. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/wiring.h"
#include "harness/platforms/xml.h"

enum { ETHERNET = 2, OPEN_FABRICS = 3 }; /* hwloc_obj_osdev_type_t */

struct counts {
  int machines, sockets, cores, threads, fabrics, networks;
};

static void count_object(const xmlNode *node, struct counts *counts)
{
  const char *type = tutti_xml_attribute(node, "type"), *device = tutti_xml_attribute(node, "osdev_type");
  const int kind = device ? atoi(device) : 0;
  type = type ? type : "";
  counts->machines += strcmp(type, "Machine") == 0;
  counts->sockets += strcmp(type, "Package") == 0 || strcmp(type, "Socket") == 0;
  counts->cores += strcmp(type, "Core") == 0;
  counts->threads += strcmp(type, "PU") == 0;
  counts->fabrics += strcmp(type, "OSDev") == 0 && kind == OPEN_FABRICS;
  counts->networks += strcmp(type, "OSDev") == 0 && kind == ETHERNET;
}

tutti_status tutti_wiring_read_hwloc(const struct wiring_source *source, tutti_wiring *wiring, tutti_error *error)
{
  struct counts counts = {0};
  xml_file file;
  tutti_status status = tutti_xml_file_read(source->path, &file, error);
  if (status != TUTTI_OK)
    return status;
  const xmlNode *root = tutti_xml_root(&file);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "object"))
      count_object(node, &counts);
  tutti_xml_file_free(&file);
  if (counts.machines > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %d machines: the file of one node is expected", source->path,
                      counts.machines);
  wiring->cores = counts.cores > 0 ? counts.cores : counts.threads;
  wiring->cards = counts.fabrics > 0 ? counts.fabrics : counts.networks;
  const int at = wiring->cores > 0 ? tutti_wiring_switch(wiring, "machine", 0) : 0;
  for (int i = 0; wiring->cores > 0 && status == TUTTI_OK && i < (counts.sockets ? counts.sockets : 1); i++) {
    char *name = tutti_xprintf("socket%d", i);
    status = tutti_wiring_add_node(wiring, name, at, source->path, 0, source->passed, error);
    free(name);
  }
  return status;
}
