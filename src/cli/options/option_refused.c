/* Wrong usage ends the program: argp does that, of its own, too. Before, it is said to those whom the command names. */
#include <stdarg.h>

#include "base/utf8.h"
#include "cli/command.h"
#include "cli/output/output.h"

/* The command line that is being read. */
static struct {
  const struct option_usage *usage; /* NULL: none is */
  int argc;
  char **argv;
  char *why;    /* NULL: argp alone knows */
  char *folded; /* as it is told, after the name of the command */
} reading;

static void report(int status, void *context)
{
  (void)context;
  if (reading.usage && reading.usage->refused && status == EXIT_USAGE)
    reading.usage->refused(reading.argc, reading.argv,
                           reading.why ? reading.why : "the command line is wrong: standard error says how");
}

void option_refusals_begin(const struct option_usage *usage, int argc, char **argv)
{
  static bool registered;
  reading.usage = usage;
  reading.argc = argc;
  reading.argv = argv;
  if (!registered)
    on_exit(report, NULL);
  registered = true;
}

void option_refusals_end(void)
{
  reading.usage = NULL;
}

const char *option_refusal(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  free(reading.why);
  if (vasprintf(&reading.why, format, arguments) < 0)
    reading.why = NULL;
  va_end(arguments);
  if (!reading.why)
    return "out of memory";
  tutti_utf8_clean(reading.why); /* argp prints it as it is */
  char *told = tutti_xprintf("%s: %s", reading.argv[0], reading.why);
  free(reading.folded);
  reading.folded = fold_message(told);
  free(told);
  return reading.folded + strlen(reading.argv[0]) + strlen(": ");
}
