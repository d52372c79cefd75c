/**
 * @file plugin.h
 * @ingroup catalogue
 * Plug-ins: algorithms outside Tutti, in a shared object that it loads. To all of Tutti they are algorithms of the
 * catalogue: proven, counted, priced, measured, learned and checked. A plug-in is one file:
 *
 *     #include <tutti/plugin.h>
 *
 *     static void build(tutti_builder *builder, const tutti_call *call) { ... }
 *
 *     static const tutti_algorithm algorithms[] = {
 *         {.collective = TUTTI_COLL_BCAST, .name = "mine", .build = build, .source = "my thesis"},
 *     };
 *     TUTTI_PLUGIN("mine", algorithms);
 *
 * compiled with `cc -shared -fPIC`, linked with nothing: the functions of schedule.h, segments.h, tree.h and
 * tutti_fail() are those of the program that loads it. `tutti new algorithm` writes one; docs/how-to/plug-in.md goes
 * through it.
 *
 * Build functions run in simulated ranks: small stack frames, no variables that change.
 */
#ifndef TUTTI_PLUGIN_H
#define TUTTI_PLUGIN_H

#include "tutti/algorithm.h"
#include "tutti/segments.h"
#include "tutti/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counted up whenever a plug-in must be compiled again: a struct or a function that it uses has changed. */
#define TUTTI_PLUGIN_INTERFACE 4

/** The declaration of a plug-in. The first member is the same in all versions. */
typedef struct tutti_plugin {
  int interface; /**< TUTTI_PLUGIN_INTERFACE that it was compiled with */
  size_t algorithm_size, call_size;
  const char *name;
  const tutti_algorithm *algorithms; /**< [count] */
  size_t count;
} tutti_plugin;

/** The one symbol that a plug-in exports. */
#define TUTTI_PLUGIN(called, list)                                                                                     \
  extern const tutti_plugin tutti_plugin_entry;                                                                        \
  const tutti_plugin tutti_plugin_entry = {TUTTI_PLUGIN_INTERFACE,                                                     \
                                           sizeof(tutti_algorithm),                                                    \
                                           sizeof(tutti_call),                                                         \
                                           called,                                                                     \
                                           list,                                                                       \
                                           sizeof(list) / sizeof *(list)}

/** The environment variable that names plug-ins: absolute paths, with ':' between them. */
#define TUTTI_PLUGINS_VARIABLE "TUTTI_PLUGINS"

/**
 * Load a plug-in, or a file of MSCCL (NAME.xml) as one, unless it is loaded already. Its algorithms come after the
 * catalogue, in the order of loading, until the process ends. Must be called before methods are read, by one thread.
 * @return TUTTI_ERR_ARGUMENT, naming the file, if it is neither, was built against another interface, or
 *         describes an algorithm wrongly; TUTTI_ERR_MEMORY
 */
tutti_status tutti_plugin_load(const char *path, tutti_error *error);

/** Load what TUTTI_PLUGINS names; nothing if it is not set. */
tutti_status tutti_plugins_load(tutti_error *error);

/** Runs a build function so that it cannot end the program: returns the signal that ended it, or 0. */
typedef int tutti_plugin_guard(tutti_build_function build, tutti_builder *builder, const tutti_call *call);

/** From now on build functions run under @p guard; NULL: as they are, as in the measuring programs. */
void tutti_plugins_guard(tutti_plugin_guard *guard);

/** Whether it is an algorithm of a plug-in. */
bool tutti_algorithm_is_plugin(const tutti_algorithm *algorithm);

/** The file of the plug-in that an algorithm is of, by its whole path, NULL: it is of none; @p code receives the hash
   of it, as tutti_method_code(). */
const char *tutti_algorithm_plugin_file(const tutti_algorithm *algorithm, uint64_t *code);

/** The code that a method runs beyond the catalogue: a hash of the files of its plug-ins, those of parts included; 0:
   it runs none. It changes when a plug-in is compiled from another source. */
uint64_t tutti_method_code(const tutti_method *method);

#ifdef __cplusplus
}
#endif
#endif
