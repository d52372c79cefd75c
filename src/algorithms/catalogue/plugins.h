/* The plug-ins that are loaded, for the catalogue. */
#ifndef TUTTI_ALGORITHMS_PLUGINS_H
#define TUTTI_ALGORITHMS_PLUGINS_H

#include "tutti/plugin.h"

/* Letters of the name of an algorithm of a plug-in. */
enum { TUTTI_ALGORITHM_NAME = 64 };

/* Algorithm @p index of all plug-ins, in the order of loading; NULL past the end. */
const tutti_algorithm *tutti_plugins_at(size_t index);

bool tutti_plugins_has(const tutti_plugin *plugin);

/* Whether the file of that path, with that hash, is loaded. */
bool tutti_plugins_has_file(const char *path, uint64_t code);

/* Append a plug-in, once; @p code is a hash of its file. TUTTI_ERR_MEMORY. */
tutti_status tutti_plugins_add(const tutti_plugin *plugin, const char *path, uint64_t code, tutti_error *error);

/* Run a build function, under the guard if there is one. Returns the signal that ended it, or 0. */
int tutti_plugins_build(tutti_build_function build, tutti_builder *builder, const tutti_call *call);

#endif
