/* How fast schedules are priced: a binomial broadcast and a dissemination barrier, under LogGP with the parameters of
   the published run of LogGOPSim (L = 2000 ns, o = g = 0, G = 2 ns/B, 8 bytes), the same with overheads, and Hockney.

   bench-price [THREADS [RANKS...]]: processor time, of all threads, with and without that of building the schedules. */
#include <stdio.h>
#include <stdlib.h>

#include "tutti/model.h"

static const struct {
  const char *name;
  tutti_model model;
} models[] = {
    {"loggp, o = 0", {TUTTI_MODEL_LOGGP, {.loggp = {2e-6, 0, 0, 2e-9}}, 0, 0}},
    {"loggp, o = 1 us", {TUTTI_MODEL_LOGGP, {.loggp = {2e-6, 1e-6, 0, 2e-9}}, 0, 0}},
    {"hockney", {TUTTI_MODEL_HOCKNEY, {.hockney = {2e-6, 2e-9}}, 0, 0}},
};

static int price(const char *name, int ranks, int threads, size_t which)
{
  tutti_method method;
  tutti_error error;
  tutti_price result;
  tutti_price_options options = {.threads = threads};
  tutti_costs costs = tutti_model_costs(&models[which].model);
  if (tutti_method_parse(name, &method, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-price: %s\n", error.message);
    return 2;
  }
  bool barrier = method.algorithm->collective == TUTTI_COLL_BARRIER;
  tutti_call call = {.size = ranks, .count = barrier ? 0 : 8, .type_size = 1, .commutative = true};
  if (tutti_price_method(&method, &call, &costs, &options, &result, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-price: %s\n", error.message);
    return 1;
  }
  double all = result.build_s + result.run_s, messages = (double)result.messages;
  printf(
      "%-14s %8d %-15s %9.0f messages %9.0f events  build %6.3f s, loop %6.3f s: %5.2f M messages/s, %5.2f M events/s; "
      "with building %5.2f M messages/s; %5.0f MB, %4.0f B a message; end %.9g us\n",
      name, ranks, models[which].name, messages, (double)result.events, result.build_s, result.run_s,
      messages / result.run_s / 1e6, (double)result.events / result.run_s / 1e6, messages / all / 1e6,
      (double)result.memory_B / 1e6, (double)result.memory_B / messages, 1e6 * result.seconds);
  tutti_price_free(&result);
  return 0;
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"bcast/binomial", "barrier/bruck"}, *const usual[] = {"131072", "1048576"};
  int threads = argc > 1 ? atoi(argv[1]) : 1, code = 0;
  int count = argc > 2 ? argc - 2 : 2;
  for (int i = 0; i < count; i++)
    for (size_t n = 0; n < 2; n++)
      for (size_t m = 0; m < sizeof models / sizeof *models && code == 0; m++)
        code = price(names[n], atoi(argc > 2 ? argv[2 + i] : usual[i]), threads, m);
  return code;
}
