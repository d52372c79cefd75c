/* The steps of reading a platform file, in their order. */
#ifndef TUTTI_HARNESS_PLATFORM_PRIVATE_H
#define TUTTI_HARNESS_PLATFORM_PRIVATE_H

#include "platforms/xml_schema.h"
#include "tutti/platform.h"

/* Most hosts of a platform: more than any machine has; a guard against a radical like 0-999999999. */
enum { PLATFORM_MOST_HOSTS = 1 << 20 };

extern const xml_element_rule tutti_platform_elements[];

/* Elements, attributes and their order, as SimGrid 3.32 reads them. */
tutti_status tutti_platform_check_structure(const xml_file *file, tutti_error *error);

/* The element below <platform> that holds all others: <zone>, <AS> or <cluster>. There is exactly one after the check.
 */
const xmlNode *tutti_platform_outermost(const xml_file *file);

/* Read <prop>: options in <config> are checked, tutti/ properties fill in @p platform. */
tutti_status tutti_platform_read_properties(const xml_file *file, tutti_platform *platform, tutti_error *error);

/* Fill in hosts and host_count; names are unique after this. */
tutti_status tutti_platform_read_hosts(const xml_file *file, tutti_platform *platform, tutti_error *error);

/* A platform of which nothing is known: one rank a node, no published value. */
tutti_platform tutti_platform_unpublished(void);

/* Numbers of a radical, "0-63" or "1-3,7", in order. @p numbers is owned by the caller. */
tutti_status tutti_platform_expand_radical(const char *radical, int **numbers, int *count, tutti_error *error);

/* Hosts that the topology of a <cluster> calls for; -1 for a topology that takes any number. */
tutti_status tutti_platform_topology_hosts(const char *topology, const char *parameters, long *hosts,
                                           tutti_error *error);

#endif
