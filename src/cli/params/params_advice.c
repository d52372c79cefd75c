#include "cli/params/params_advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

enum { SIZE_LENGTH = 24 };

void params_advise_real(const char *name, bool simulated)
{
  char *path;
  tutti_error error;
  bool found = tutti_platform_find(name, &path, &error) == TUTTI_OK;
  free(path);
  if (found || strchr(name, '/'))
    return;
  fputs(simulated ? "tutti: a real machine has no platform file: name its flavour with --flavor (mpich, openmpi)\n"
                  : "tutti: a real machine has no platform file to compare with: leave out --compare\n",
        stderr);
}

/* Round trips go a little beyond what was asked for, gaps do not. */
static uint64_t largest_of(const tutti_parameter_set *set)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < set->parameter_count; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAP && set->parameters[i].bytes > largest)
      largest = set->parameters[i].bytes;
  return largest;
}

void params_advise_stored(const char *name, const tutti_parameter_set *set, uint64_t largest, double tolerance)
{
  char stored[SIZE_LENGTH], asked[SIZE_LENGTH];
  if (largest_of(set) < largest)
    fprintf(stderr, "tutti: %s: measured to %s; --again measures to %s\n", name,
            tutti_size_format(largest_of(set), stored), tutti_size_format(largest, asked));
  if (tolerance > 0)
    fprintf(stderr, "tutti: %s: the store does not say with what tolerance; --again measures with %g\n", name,
            tolerance);
}

void params_advise_contradiction(const char *name, const tutti_parameter_set *set)
{
  char size[SIZE_LENGTH];
  tutti_parameter_contradiction worst;
  if (!tutti_parameter_set_contradicts(set, &worst))
    return;
  fprintf(stderr,
          "tutti: %s: warning: at %s the gap is %.3g us but half a round trip %.3g us: PLogP and LogGP contradict "
          "Hockney (--again measures anew)\n",
          name, tutti_size_format(worst.bytes, size), 1e6 * worst.gap, 1e6 * worst.half_trip);
}
