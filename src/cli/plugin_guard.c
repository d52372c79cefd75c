/* Build functions of plug-ins, of which one that crashes ends its command with a sentence. */
#include "cli/plugin_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

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

void plugin_guard_begin(void)
{
  stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
  if (stack.ss_sp && sigaltstack(&stack, NULL) == 0)
    tutti_plugins_guard(guard);
}
