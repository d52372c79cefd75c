/* The steps of reading a platform file, in their order, and numbers with SimGrid's units. */
#ifndef TUTTI_PLATFORMS_PLATFORM_PRIVATE_H
#define TUTTI_PLATFORMS_PLATFORM_PRIVATE_H

#include "platforms/xml.h"
#include "tutti/error.h"
#include "tutti/platform.h"

/* Most hosts of a platform: more than any machine has; a guard against a radical like 0-999999999. */
enum { PLATFORM_MAX_HOSTS = 1 << 20 };

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

/* Numbers with SimGrid's units (xbt_parse_units of SimGrid 3.32). A value other than 0 must have a unit: SimGrid still
   takes bare numbers as seconds, Bps or flops, but warns, and a forgotten "us" is the usual cause. */

/* w d h m s ms us ns ps; not negative. */
tutti_status tutti_platform_parse_time(const char *text, double *seconds, tutti_error *error);

/* Bps and bps with k M G T P E (powers of 1000) or Ki Mi Gi Ti Pi Ei (of 1024); above 0. */
tutti_status tutti_platform_parse_bandwidth(const char *text, double *bytes_per_second, tutti_error *error);

/* f and flops with k M G T P E Z Y, or kilo mega ... yotta before flops; above 0. */
tutti_status tutti_platform_parse_speed(const char *text, double *flops, tutti_error *error);

/* The checks of xml_schema.h; lists are separated by commas. */
tutti_status tutti_platform_check_time(const char *text, tutti_error *error);
tutti_status tutti_platform_check_bandwidth(const char *text, tutti_error *error);
tutti_status tutti_platform_check_bandwidths(const char *text, tutti_error *error);
tutti_status tutti_platform_check_speeds(const char *text, tutti_error *error);

#endif
