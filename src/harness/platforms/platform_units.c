#include "base/memory.h"
#include "harness/platforms/platform_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct unit {
  const char *name;
  double scale;
};

static const struct unit time_units[] = {{"s", 1},  {"ms", 1e-3}, {"us", 1e-6},   {"ns", 1e-9},       {"ps", 1e-12},
                                         {"m", 60}, {"h", 3600},  {"d", 86400.0}, {"w", 7 * 86400.0}, {NULL, 0}};

static const struct unit bandwidth_units[] = {
    {"Bps", 1},
    {"kBps", 1e3},
    {"MBps", 1e6},
    {"GBps", 1e9},
    {"TBps", 1e12},
    {"PBps", 1e15},
    {"EBps", 1e18},
    {"ZBps", 1e21},
    {"YBps", 1e24},
    {"KiBps", 0x1p10},
    {"MiBps", 0x1p20},
    {"GiBps", 0x1p30},
    {"TiBps", 0x1p40},
    {"PiBps", 0x1p50},
    {"EiBps", 0x1p60},
    {"bps", 1 / 8.},
    {"kbps", 1e3 / 8},
    {"Mbps", 1e6 / 8},
    {"Gbps", 1e9 / 8},
    {"Tbps", 1e12 / 8},
    {"Pbps", 1e15 / 8},
    {"Ebps", 1e18 / 8},
    {"Zbps", 1e21 / 8},
    {"Ybps", 1e24 / 8},
    {"Kibps", 0x1p10 / 8},
    {"Mibps", 0x1p20 / 8},
    {"Gibps", 0x1p30 / 8},
    {"Tibps", 0x1p40 / 8},
    {"Pibps", 0x1p50 / 8},
    {"Eibps", 0x1p60 / 8},
    {NULL, 0},
};

static const struct unit size_units[] = {
    {"B", 1},
    {"kB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"PB", 1e15},
    {"EB", 1e18},
    {"ZB", 1e21},
    {"YB", 1e24},
    {"KiB", 0x1p10},
    {"MiB", 0x1p20},
    {"GiB", 0x1p30},
    {"TiB", 0x1p40},
    {"PiB", 0x1p50},
    {"EiB", 0x1p60},
    {"ZiB", 0x1p70},
    {"YiB", 0x1p80},
    {"b", 1 / 8.},
    {"kb", 1e3 / 8},
    {"Mb", 1e6 / 8},
    {"Gb", 1e9 / 8},
    {"Tb", 1e12 / 8},
    {"Pb", 1e15 / 8},
    {"Eb", 1e18 / 8},
    {"Zb", 1e21 / 8},
    {"Yb", 1e24 / 8},
    {"Kib", 0x1p10 / 8},
    {"Mib", 0x1p20 / 8},
    {"Gib", 0x1p30 / 8},
    {"Tib", 0x1p40 / 8},
    {"Pib", 0x1p50 / 8},
    {"Eib", 0x1p60 / 8},
    {"Zib", 0x1p70 / 8},
    {"Yib", 0x1p80 / 8},
    {NULL, 0},
};

static const struct unit speed_units[] = {
    {"f", 1},           {"kf", 1e3},          {"Mf", 1e6},          {"Gf", 1e9},         {"Tf", 1e12},
    {"Pf", 1e15},       {"Ef", 1e18},         {"Zf", 1e21},         {"Yf", 1e24},        {"flops", 1},
    {"kiloflops", 1e3}, {"megaflops", 1e6},   {"gigaflops", 1e9},   {"teraflops", 1e12}, {"petaflops", 1e15},
    {"exaflops", 1e18}, {"zettaflops", 1e21}, {"yottaflops", 1e24}, {NULL, 0},
};

/* @p bare: a number may lack its unit, which is then the first one. */
static tutti_status parse(const char *text, const struct unit *units, const char *known, bool bare, double *value,
                          tutti_error *error)
{
  char *unit;
  double number = strtod(text, &unit);
  if (unit == text || !isfinite(number))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a number with a unit (%s)", known);
  if (*unit == '\0' && (number == 0 || bare)) {
    *value = number;
    return TUTTI_OK;
  }
  while (units->name && strcmp(units->name, unit) != 0)
    units++;
  if (!units->name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s%s%s: units are %s", *unit ? "unknown unit '" : "has no unit", unit,
                      *unit ? "'" : "", known);
  *value = number * units->scale;
  return TUTTI_OK;
}

static tutti_status parse_time(const char *text, bool bare, double *seconds, tutti_error *error)
{
  tutti_status status = parse(text, time_units, "ps ns us ms s m h d w", bare, seconds, error);
  if (status == TUTTI_OK && *seconds < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a time is not negative");
  return status;
}

static tutti_status parse_bandwidth(const char *text, bool bare, double *bytes_per_second, tutti_error *error)
{
  const char *known = "Bps kBps MBps GBps, KiBps MiBps GiBps, bps kbps Mbps Gbps and so on";
  tutti_status status = parse(text, bandwidth_units, known, bare, bytes_per_second, error);
  if (status == TUTTI_OK && *bytes_per_second <= 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a bandwidth is above 0");
  return status;
}

static tutti_status parse_speed(const char *text, bool bare, double *flops, tutti_error *error)
{
  tutti_status status = parse(text, speed_units, "f kf Mf Gf Tf and so on, or flops", bare, flops, error);
  if (status == TUTTI_OK && *flops < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a speed is not negative");
  return status;
}

tutti_status tutti_platform_parse_time(const char *text, double *seconds, tutti_error *error)
{
  return parse_time(text, false, seconds, error);
}

tutti_status tutti_platform_parse_bandwidth(const char *text, double *bytes_per_second, tutti_error *error)
{
  return parse_bandwidth(text, false, bytes_per_second, error);
}

tutti_status tutti_platform_parse_speed(const char *text, double *flops, tutti_error *error)
{
  tutti_status status = parse_speed(text, false, flops, error);
  return status == TUTTI_OK && *flops == 0 ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "a speed is above 0") : status;
}

tutti_status tutti_platform_read_time(const char *text, double *seconds, tutti_error *error)
{
  return parse_time(text, true, seconds, error);
}

tutti_status tutti_platform_read_bandwidth(const char *text, double *bytes_per_second, tutti_error *error)
{
  return parse_bandwidth(text, true, bytes_per_second, error);
}

tutti_status tutti_platform_read_speed(const char *text, double *flops, tutti_error *error)
{
  return parse_speed(text, true, flops, error);
}

/* ---- checks of attributes ---- */

typedef tutti_status read_function(const char *text, double *value, tutti_error *error);

static tutti_status check_list(const char *text, const char *separators, read_function *read, tutti_error *error)
{
  char *copy = tutti_xstrdup(text), *rest = copy;
  tutti_status status = TUTTI_OK;
  for (char *part; status == TUTTI_OK && (part = strsep(&rest, separators));) {
    double ignored;
    for (size_t length = strlen(part); length > 0 && part[length - 1] == ' '; length--)
      part[length - 1] = '\0';
    status = read(part, &ignored, error);
  }
  free(copy);
  return status;
}

tutti_status tutti_platform_check_time(const char *text, tutti_error *error)
{
  double ignored;
  return tutti_platform_read_time(text, &ignored, error);
}

tutti_status tutti_platform_check_bandwidth(const char *text, tutti_error *error)
{
  double ignored;
  return tutti_platform_read_bandwidth(text, &ignored, error);
}

tutti_status tutti_platform_check_bandwidths(const char *text, tutti_error *error)
{
  return check_list(text, ",;", tutti_platform_read_bandwidth, error);
}

tutti_status tutti_platform_check_speeds(const char *text, tutti_error *error)
{
  return check_list(text, ",", tutti_platform_read_speed, error);
}

tutti_status tutti_platform_check_size(const char *text, tutti_error *error)
{
  double bytes = 0;
  tutti_status status = parse(text, size_units, "B kB MB GB, KiB MiB GiB and so on", true, &bytes, error);
  if (status == TUTTI_OK && !(bytes >= 0 && bytes < 0x1p64))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a size is not negative, and below 2^64 bytes");
  return status;
}
