/* tutti learn: decision functions from measurements. */
#include "cli/learn/learn.h"
#include "cli/command.h"

static int learn_main(int argc, char **argv)
{
  struct learn_command command;
  tutti_error error;
  learn_parse(argc, argv, &command);
  tutti_status status = command.file ? learn_from_file(&command, &error) : learn_from_maps(&command, &error);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_learn = {
    .name = "learn",
    .summary = "make a decision function from measurements: C4.5, quadtrees, trees of least penalty",
    .main = learn_main,
};
