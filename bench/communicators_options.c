/* The command line of bench-communicators: --NAME VALUE. By hand, because every rank reads it and those of a simulation
   share the globals of getopt. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "communicators.h"

const char *const sharing_names[3] = {"nothing", "node", "world"};

const char communicators_usage[] =
    "Usage: bench-communicators [--NAME VALUE...]\n"
    "  --shape NAME       decreasing, two-runs, hole, ranges or range-stride (default decreasing)\n"
    "  --members N        of the group (default: as many as fit; divisible by ten for ranges)\n"
    "  --sharing NAME     nothing, node or world: who shares maps (default node)\n"
    "  --ranks-per-node N so many consecutive processes share (default: those of a node)\n"
    "  --strategy NAME    least-space, least-time or hybrid (default least-space)\n"
    "  --communicators N  of the same group, made one after the other (default 8)\n"
    "  --messages N       between random members (default 10000)\n"
    "  --gathers N        by rank 0 of the group (default 10)\n"
    "  --seed N           of the pairs (default 7)\n"
    "  --help             print this\n";

static bool take_number(const char *text, long least, long most, int *number)
{
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < least || value > most)
    return false;
  *number = (int)value;
  return true;
}

static int find_name(const char *const *names, int count, const char *text)
{
  int i = 0;
  while (i < count && strcmp(names[i], text) != 0)
    i++;
  return i;
}

static bool take(const char *name, const char *value, struct communicators_options *options)
{
  if (strcmp(name, "--shape") == 0)
    return (options->shape = (enum shape)find_name(tutti_shape_names, SHAPES, value)) < SHAPES;
  if (strcmp(name, "--sharing") == 0)
    return (options->sharing = (tutti_sharing)find_name(sharing_names, 3, value)) <= TUTTI_SHARE_WORLD;
  if (strcmp(name, "--strategy") == 0)
    return tutti_map_strategy_parse(value, &options->strategy, NULL) == TUTTI_OK;
  if (strcmp(name, "--members") == 0)
    return take_number(value, 1, INT_MAX, &options->members);
  if (strcmp(name, "--ranks-per-node") == 0)
    return take_number(value, 1, INT_MAX, &options->ranks_per_node);
  if (strcmp(name, "--communicators") == 0)
    return take_number(value, 1, MAX_COMMUNICATORS, &options->communicators);
  if (strcmp(name, "--messages") == 0)
    return take_number(value, 0, INT_MAX, &options->messages);
  if (strcmp(name, "--gathers") == 0)
    return take_number(value, 0, INT_MAX, &options->gathers);
  return strcmp(name, "--seed") == 0 && take_number(value, 0, INT_MAX, &options->seed);
}

tutti_status communicators_options_read(int argc, char **argv, struct communicators_options *options,
                                        tutti_error *error)
{
  *options = (struct communicators_options){
      .sharing = TUTTI_SHARE_NODE, .communicators = 8, .messages = 10000, .gathers = 10, .seed = 7};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--help") == 0) {
      options->help = true;
      return TUTTI_OK;
    }
    if (!value || !take(argv[i], value, options))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use %s %s", argv[i], value ? value : "without a value");
  }
  return TUTTI_OK;
}
