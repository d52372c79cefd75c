/* The steps of reading a machine; each refuses what the engine does not support, with its line. */
#ifndef TUTTI_ENGINE_MACHINE_READ_H
#define TUTTI_ENGINE_MACHINE_READ_H

#include "harness/engine/machine/machine.h"
#include "harness/platforms/xml.h"

struct machine_reading {
  const xml_file *file;
  const xmlNode *node; /* the current node */
  struct engine_machine *machine;
  tutti_platform *platform; /* as it was checked */
  tutti_status status;      /* of clusters within zones: the first one that is not TUTTI_OK */
  tutti_error *error;
};

/* TUTTI_ERR_UNSUPPORTED: "FILE:LINE: the engine does not know WHAT", with the line of the current node. */
tutti_status tutti_machine_refuse(const struct machine_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The processor, in its state, of a host or of the hosts of a <cluster>. */
struct engine_processor tutti_machine_read_processor(const xmlNode *node);

/* The network: the current <cluster>, or the zones of a dragonfly+. */
tutti_status tutti_machine_read_cluster(struct machine_reading *reading);
tutti_status tutti_machine_read_dragonfly_plus(struct machine_reading *reading);

#endif
