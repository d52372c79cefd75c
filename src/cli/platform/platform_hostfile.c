/* tutti platform hostfile. */
#include "cli/options/common.h"
#include "cli/output/output_file.h"
#include "cli/platform/platform.h"

struct hostfile {
  const char *name;
  const char *output; /* NULL: standard output */
  int ranks;
};

static tutti_status check(void *values, tutti_error *error)
{
  const struct hostfile *hostfile = values;
  return hostfile->ranks > 0 ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_ARGUMENT, "--ranks N is missing");
}

static const struct option_row options[] = {
    OPTION_NUMBER("ranks", "N", struct hostfile, ranks, "number of ranks", .letter = 'P', .min = 1, .aliases = "n"),
    OPTION_OUTPUT(struct hostfile, output), ARGUMENT_STRING("PLATFORM", struct hostfile, name), OPTION_CHECK(check),
    OPTION_END};

static tutti_status write_hostfile(const tutti_platform *platform, const struct hostfile *hostfile, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(hostfile->output, &output, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_write_hostfile(platform, hostfile->ranks, output.stream, error);
  return output_file_end(&output, status, error);
}

static int run(void *values)
{
  const struct hostfile *hostfile = values;
  tutti_platform platform;
  tutti_error error;
  tutti_status status = platform_load(hostfile->name, &platform, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  status = write_hostfile(&platform, hostfile, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command platform_hostfile = {
    .name = "hostfile",
    .arguments = "PLATFORM --ranks N",
    .help = "Write a hostfile for smpirun: one host name a line, each as often in a row as the platform puts ranks on "
            "a node.",
    .options = options,
    .size = sizeof(struct hostfile),
    .run = run,
};
