/* tutti learn: decision functions from measurements. */
#include "cli/learn/learn.h"
#include "cli/command.h"

int command_learn(int argc, char **argv)
{
  struct learn_command command;
  tutti_error error;
  learn_parse(argc, argv, &command);
  tutti_status status = command.file ? learn_from_file(&command, &error) : learn_from_maps(&command, &error);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}
