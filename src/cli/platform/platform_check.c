/* tutti platform check. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output/report_json.h"
#include "cli/platform/platform.h"
#include "cli/program.h"
#include "experiments/platform_probe.h"

/* Beyond this, measured and published values are not the same machine. */
#define TOLERANCE_PERCENT 2.0

struct check {
  const char *name;
  const char *pingpong; /* NULL: beside this executable */
  bool measure;
  bool json;
};

/* A value as measured, and as published if it is. */
struct comparison {
  const char *label, *unit, *member;
  double published, measured;
};

static double difference_percent(const struct comparison *comparison)
{
  double percent = 100 * (comparison->measured - comparison->published) / comparison->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* what is printed as 0.00 has no sign */
}

static bool is_off(const struct comparison *comparison)
{
  return isfinite(comparison->published) && !(fabs(difference_percent(comparison)) <= TOLERANCE_PERCENT);
}

static void print_comparison(const struct comparison *comparison)
{
  printf("%-6s %-5s %14.9g", comparison->label, comparison->unit, comparison->measured * 1e6);
  if (isfinite(comparison->published))
    printf(" %14.9g %10.2f %%%s\n", comparison->published * 1e6, difference_percent(comparison),
           is_off(comparison) ? "  beyond 2 %" : "");
  else
    printf(" %14s\n", "not published");
}

static void print_json_comparison(const struct comparison *comparison)
{
  printf(",\n  \"measured_%s\": ", comparison->member);
  json_number(stdout, comparison->measured, 12);
  printf(",\n  \"published_%s\": ", comparison->member);
  json_number(stdout, comparison->published, 12);
}

static int print(const tutti_platform *platform, const struct check *check, const struct comparison *comparisons,
                 int count)
{
  bool off = false;
  for (int i = 0; i < count; i++)
    off = off || is_off(&comparisons[i]);
  if (check->json) {
    printf("{\n  \"file\": ");
    json_string(stdout, platform->path);
    printf(",\n  \"hosts\": %d,\n  \"ranks_per_node\": %d", platform->host_count, platform->ranks_per_node);
    for (int i = 0; i < count; i++)
      print_json_comparison(&comparisons[i]);
    printf(",\n  \"agrees\": %s\n}\n", off ? "false" : "true");
  } else {
    printf("%s: valid, %d hosts, %d rank%s per node\n", platform->path, platform->host_count, platform->ranks_per_node,
           platform->ranks_per_node == 1 ? "" : "s");
    if (count > 0)
      printf("%-12s %14s %14s %12s\n", "", "measured", "published", "difference");
    for (int i = 0; i < count; i++)
      print_comparison(&comparisons[i]);
  }
  return off ? EXIT_FOUND : EXIT_DONE;
}

static tutti_status measure(const tutti_platform *platform, const char *pingpong, platform_probe *probe,
                            tutti_error *error)
{
  const struct program_options options = {.program = pingpong};
  char *program = program_find(&options, "smpi", "tutti-pingpong");
  if (!program)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "cannot find out where this program is");
  tutti_status status = tutti_platform_probe_run(platform, program, probe, error);
  free(program);
  return status;
}

static int run(const tutti_platform *platform, const struct check *check)
{
  tutti_error error;
  platform_probe probe;
  if (!check->measure)
    return print(platform, check, NULL, 0);
  if (measure(platform, check->pingpong, &probe, &error) != TUTTI_OK)
    return complain(&error);
  struct comparison comparisons[] = {
      {"alpha", "[us]", "alpha_s", platform->published_alpha, probe.alpha},
      {"beta", "[us/B]", "beta_s_per_B", platform->published_beta, probe.beta},
  };
  return print(platform, check, comparisons, 2);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct check *check = state->input;
  if (key == 'm')
    check->measure = true;
  else if (key == 'p')
    check->pingpong = argument;
  else if (key == 'j')
    check->json = true;
  else if (key == ARGP_KEY_ARG && !check->name)
    check->name = argument;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "one platform at a time: '%s' is too much", argument);
  else if (key == ARGP_KEY_END && !check->name)
    argp_error(state, "name a platform");
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

int platform_check(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"measure", 'm', NULL, 0, "Simulate messages between the first two hosts and compare with the published values",
       0},
      {"pingpong", 'p', "PATH", 0, "Measuring program (default: smpi/tutti-pingpong beside this program)", 0},
      {"json", 'j', NULL, 0, "Print JSON", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "PLATFORM",
      .doc = "Validate a platform file.\vExit status: 0 valid, 1 a measured value is more than 2 % off the published "
             "one, 2 the file is not valid or could not be measured."};
  struct check check = {0};
  tutti_platform platform;
  tutti_error error;
  parse_options(&argp, argc, argv, &check);
  if (platform_load(check.name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  int code = run(&platform, &check);
  tutti_platform_free(&platform);
  return code;
}
