/* tutti platform hostfile. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/platform/platform.h"

struct hostfile {
  const char *name;
  const char *output; /* NULL: standard output */
  int ranks;
};

static void parse_ranks(const char *text, struct hostfile *hostfile, struct argp_state *state)
{
  char *end;
  long ranks = strtol(text, &end, 10);
  if (end == text || *end != '\0' || ranks < 1 || ranks > INT_MAX)
    argp_error(state, "--ranks '%s' is not a whole number of at least 1", text);
  hostfile->ranks = (int)ranks;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct hostfile *hostfile = state->input;
  if (key == 'n')
    parse_ranks(argument, hostfile, state);
  else if (key == 'o')
    hostfile->output = argument;
  else if (key == ARGP_KEY_ARG && !hostfile->name)
    hostfile->name = argument;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "one platform at a time: '%s' is too much", argument);
  else if (key == ARGP_KEY_END && !hostfile->name)
    argp_error(state, "name a platform");
  else if (key == ARGP_KEY_END && hostfile->ranks == 0)
    argp_error(state, "say how many: --ranks N");
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

static tutti_status write_text(const char *path, const char *text, size_t length, tutti_error *error)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  bool complete = fwrite(text, 1, length, stream) == length;
  if (fclose(stream) == 0 && complete)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

/* Composed in memory, so that a request that cannot be met leaves alone what is in the file. */
static tutti_status write_file(const tutti_platform *platform, const struct hostfile *hostfile, tutti_error *error)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a hostfile");
  tutti_status status = tutti_platform_write_hostfile(platform, hostfile->ranks, stream, error);
  if (fclose(stream) != 0 && status == TUTTI_OK)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a hostfile");
  if (status == TUTTI_OK)
    status = write_text(hostfile->output, text, length, error);
  free(text);
  return status;
}

int platform_hostfile(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"ranks", 'n', "N", 0, "Number of ranks", 0},
      {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0},
      {0},
  };
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "PLATFORM --ranks N",
                                   .doc = "Write a hostfile for smpirun: one host name a line, each as often in a row "
                                          "as the platform puts ranks on a node."};
  struct hostfile hostfile = {0};
  tutti_platform platform;
  tutti_error error;
  parse_options(&argp, argc, argv, &hostfile);
  tutti_status status = platform_load(hostfile.name, &platform, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  if (hostfile.output)
    status = write_file(&platform, &hostfile, &error);
  else
    status = tutti_platform_write_hostfile(&platform, hostfile.ranks, stdout, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}
