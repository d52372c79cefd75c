/* Values of arguments in DUMPI's text, and the fields of liballprof that they become. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_dumpi.h"

const char *tutti_dumpi_value(const struct dumpi *dumpi, const char *name)
{
  for (int v = 0; v < dumpi->count; v++) {
    const char *found = tutti_word_value(dumpi->values[v], name);
    if (found)
      return found;
  }
  return "";
}

bool tutti_dumpi_number(const char *text, uint64_t *number)
{
  char *end;
  text += *text == '[';
  if (*text < '0' || *text > '9')
    return false;
  *number = strtoull(text, &end, 10);
  return true;
}

uint64_t tutti_dumpi_bytes(const struct dumpi *dumpi, const char *text)
{
  static const struct {
    const char *name;
    int bytes;
  } types[] = {{"CHAR", 1},
               {"BYTE", 1},
               {"PACKED", 1},
               {"SIGNED_CHAR", 1},
               {"UNSIGNED_CHAR", 1},
               {"SHORT", 2},
               {"INT", 4},
               {"LONG", 8},
               {"FLOAT", 4},
               {"DOUBLE", 8},
               {"UNSIGNED", 4},
               {"LONG_LONG", 8},
               {"LONG_LONG_INT", 8},
               {"UNSIGNED_SHORT", 2},
               {"UNSIGNED_LONG", 8},
               {"UNSIGNED_LONG_LONG", 8},
               {"LONG_DOUBLE", 16},
               {"CHARACTER", 1},
               {"INTEGER", 4},
               {"REAL", 4},
               {"LOGICAL", 4},
               {"DOUBLE_PRECISION", 8},
               {"COMPLEX", 8},
               {"DOUBLE_COMPLEX", 16},
               {"FLOAT_INT", 8},
               {"DOUBLE_INT", 12},
               {"2INT", 8},
               {"LONG_INT", 12},
               {"SHORT_INT", 6},
               {"2REAL", 8},
               {"2DOUBLE_PRECISION", 16},
               {"2INTEGER", 8},
               {"INTEGER4", 4},
               {"INTEGER8", 8},
               {"REAL4", 4},
               {"REAL8", 8},
               {"WCHAR", 4}};
  const char *name = strstr(text, "(MPI_");
  uint64_t number;
  for (size_t t = 0; name && t < sizeof types / sizeof *types; t++) {
    const size_t length = strlen(types[t].name);
    if (strncmp(name + 5, types[t].name, length) == 0 && name[5 + length] == ')')
      return (uint64_t)types[t].bytes;
  }
  const uint32_t *known = tutti_dumpi_number(text, &number) ? tutti_pair_find(&dumpi->types, number, 0) : NULL;
  return known ? *known - 1u : UINT64_MAX;
}

/* ---- fields ---- */

/* What a receive from any rank got, where its status says so. */
static char *from_status(const struct dumpi *dumpi, const char *key)
{
  const char *status = tutti_dumpi_value(dumpi, "status"), *found = strstr(status, key);
  uint64_t number;
  return found && tutti_dumpi_number(found + strlen(key), &number) ? tutti_xprintf("%llu", (unsigned long long)number)
                                                                   : tutti_xstrdup("-1");
}

/* "[1, 2]" is "1,2" in a line. */
static char *list_of(const char *text)
{
  char *list = tutti_xstrdup(text), *end = list;
  for (const char *next = text; *next; next++)
    if (!strchr("[] ", *next))
      *end++ = *next;
  *end = '\0';
  return list;
}

/* The same argument has other names in some calls. */
static const char *argument_of(const struct dumpi *dumpi, const char *name)
{
  static const char *const others[][2] = {{"oldcomm", "comm"}, {"newcomm", "comm_cart"}, {"ndim", "ndims"}};
  const char *value = tutti_dumpi_value(dumpi, name);
  for (size_t o = 0; o < sizeof others / sizeof *others && !*value; o++)
    if (strcmp(name, others[o][0]) == 0)
      value = tutti_dumpi_value(dumpi, others[o][1]);
  return value;
}

static bool is_list(const char *name)
{
  return tutti_stem_length(name, "counts") > 0 || tutti_stem_length(name, "_dims") > 0 || strcmp(name, "dims") == 0 ||
         strcmp(name, "ranks") == 0 || strcmp(name, "ranges") == 0;
}

/* Of others than these the text has neither the rank nor the size. */
static char *communicator_field(const struct trace_lines *trace, const char *value, uint64_t number)
{
  const unsigned long long handle = number;
  if (strstr(value, "(MPI_COMM_WORLD)"))
    return tutti_xprintf("%llu,%u,%u", handle, (unsigned)trace->rank, (unsigned)trace->workload->rank_count);
  return tutti_xprintf(strstr(value, "(MPI_COMM_SELF)") ? "%llu,0,1" : "%llu,0,0", handle);
}

char *tutti_dumpi_field(const struct trace_lines *trace, const char *name)
{
  const struct dumpi *dumpi = trace->dumpi;
  const char *value = argument_of(dumpi, name);
  uint64_t number = 0;
  const bool is_number = tutti_dumpi_number(value, &number);
  if (strstr(value, "(MPI_ANY_SOURCE)"))
    return from_status(dumpi, "source=");
  if (strstr(value, "(MPI_ANY_TAG)"))
    return from_status(dumpi, "tag=");
  if (is_list(name))
    return list_of(value);
  if (strcmp(name, "key") == 0)
    return tutti_xprintf("%.*s", (int)strcspn(value, " "), value);
  if (tutti_stem_length(name, "comm") > 0 || strcmp(name, "comm") == 0)
    return communicator_field(trace, value, number);
  if (tutti_stem_length(name, "type") > 0) {
    const uint64_t bytes = tutti_dumpi_bytes(dumpi, value);
    return bytes == UINT64_MAX ? tutti_xstrdup("unknown")
                               : tutti_xprintf("%llu,%llu", (unsigned long long)number, (unsigned long long)bytes);
  }
  return is_number ? tutti_xprintf("%llu", (unsigned long long)number) : tutti_xstrdup(*value ? "-2" : "-");
}
