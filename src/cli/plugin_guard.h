/* Build functions of plug-ins, of which one that crashes ends its command with a sentence. */
#ifndef TUTTI_CLI_PLUGIN_GUARD_H
#define TUTTI_CLI_PLUGIN_GUARD_H

#include "tutti/plugin.h"

/* Guard all build functions that run from now on, until the process ends. */
void plugin_guard_begin(void);

#endif
