/* Numbers with SimGrid's units (xbt_parse_units of SimGrid 3.32). A value other than 0 must have a unit: SimGrid still
   takes bare numbers as seconds, Bps or flops, but warns, and a forgotten "us" is the usual cause. */
#ifndef TUTTI_HARNESS_PLATFORM_UNITS_H
#define TUTTI_HARNESS_PLATFORM_UNITS_H

#include "tutti/error.h"

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
