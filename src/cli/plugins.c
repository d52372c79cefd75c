/* Plug-ins: how they are loaded, and what guards the command from them. */
#include <setjmp.h>
#include <signal.h>

#include "cli/command.h"
#include "cli/options/steps.h"
#include "tutti/plugin.h"

/* ---- build functions of plug-ins, of which one that crashes ends its command with a sentence ---- */

enum { STACK = 1 << 16 };

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};

enum { CRASHES = sizeof crashes / sizeof *crashes };

static sigjmp_buf before;

static void jump_back(int signal)
{
  siglongjmp(before, signal);
}

/* A stack of its own, since the other one may be what is used up. */
static int guard(tutti_build_function build, tutti_builder *builder, const tutti_call *call)
{
  struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_ONSTACK}, others[CRASHES];
  for (int i = 0; i < CRASHES; i++)
    sigaction(crashes[i], &action, &others[i]);
  int signal = sigsetjmp(before, 1);
  if (signal == 0)
    build(builder, call);
  for (int i = 0; i < CRASHES; i++)
    sigaction(crashes[i], &others[i], NULL);
  return signal;
}

void plugins_guard(void)
{
  stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
  if (stack.ss_sp && sigaltstack(&stack, NULL) == 0)
    tutti_plugins_guard(guard);
}

/* ---- plug-ins ---- */

/* A step of an experiment may name none. */
tutti_status plugin_load(const char *path, tutti_error *error)
{
  const char *others = getenv(TUTTI_PLUGINS_VARIABLE);
  tutti_status status = step_check_option("tutti", "plugin", path, error);
  if (status == TUTTI_OK)
    status = tutti_plugin_load(path, error);
  if (status != TUTTI_OK)
    return status;
  char *absolute = realpath(path, NULL);
  char *list = tutti_xprintf("%s%s%s", others ? others : "", others && *others ? ":" : "", absolute ? absolute : path);
  setenv(TUTTI_PLUGINS_VARIABLE, list, 1);
  free(list);
  free(absolute);
  plugins_guard();
  return TUTTI_OK;
}

const tutti_algorithm *plugin_load_only(const char *path)
{
  const tutti_algorithm *found = NULL, *algorithm;
  uint64_t code;
  char *absolute = realpath(path, NULL);
  must(plugin_load(path, &failure));
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const char *file = tutti_algorithm_plugin_file(algorithm, &code);
    if (file && absolute && strcmp(file, absolute) == 0)
      found = algorithm;
  }
  free(absolute);
  return found;
}
