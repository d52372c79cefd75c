/* The names of SimGrid's options, by which one that is misspelt is found: SimGrid itself ends with a backtrace. */
#include <string.h>

#include "base/words.h"
#include "platforms/platform_private.h"

/* What SimGrid 3.32 takes in these categories, from `--help` of a program that is linked with it and from smpirun. The
   options of other categories are for SimGrid alone to judge. */
static const char *const categories[] = {"smpi/", "network/", "maxmin/", "cpu/"};
static const char *const known[] = {
    "cpu/maxmin-selective-update",
    "cpu/model",
    "cpu/optim",
    "cpu/solver",
    "maxmin/concurrency-limit",
    "maxmin/precision",
    "network/TCP-gamma",
    "network/bandwidth-factor",
    "network/crosstraffic",
    "network/latency-factor",
    "network/loopback-bw",
    "network/loopback-lat",
    "network/maxmin-selective-update",
    "network/model",
    "network/optim",
    "network/solver",
    "network/weight-S",
    "smpi/IB-penalty-factors",
    "smpi/allgather",
    "smpi/allgatherv",
    "smpi/allreduce",
    "smpi/alltoall",
    "smpi/alltoallv",
    "smpi/async-small-thresh",
    "smpi/auto-shared-malloc-thresh",
    "smpi/barrier",
    "smpi/bcast",
    "smpi/bw-factor",
    "smpi/coll-selector",
    "smpi/comp-adjustment-file",
    "smpi/cpu-threshold",
    "smpi/display-allocs",
    "smpi/errors-are-fatal",
    "smpi/finalization-barrier",
    "smpi/gather",
    "smpi/grow-injected-times",
    "smpi/host-speed",
    "smpi/hostfile",
    "smpi/init",
    "smpi/iprobe",
    "smpi/iprobe-cpu-usage",
    "smpi/keep-temps",
    "smpi/lat-factor",
    "smpi/list-leaks",
    "smpi/map",
    "smpi/np",
    "smpi/ois",
    "smpi/or",
    "smpi/os",
    "smpi/pedantic",
    "smpi/privatization",
    "smpi/privatize-libs",
    "smpi/reduce",
    "smpi/reduce_scatter",
    "smpi/replay",
    "smpi/scatter",
    "smpi/send-is-detached-thresh",
    "smpi/shared-malloc",
    "smpi/shared-malloc-blocksize",
    "smpi/shared-malloc-hugepage",
    "smpi/simulate-computation",
    "smpi/test",
    "smpi/tmpdir",
    "smpi/trace-call-location",
    "smpi/trace-call-use-absolute-path",
    "smpi/wtime",
};

static bool is_in_category(const char *name)
{
  for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
    if (strncmp(name, categories[i], strlen(categories[i])) == 0)
      return true;
  return false;
}

tutti_status tutti_platform_check_option_name(const char *name, tutti_error *error)
{
  tutti_guess guess = {.word = name};
  char meant[2 * TUTTI_GUESS_LENGTH];
  if (!is_in_category(name))
    return TUTTI_OK;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(name, known[i]) == 0)
      return TUTTI_OK;
    tutti_guess_try(&guess, known[i]);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "SimGrid 3.32 has no option '%.100s'%s", name,
                    tutti_guess_text(&guess, meant));
}
