/**
 * @file platform.h
 * @ingroup platforms
 * Platform files: SimGrid XML plus what the machine claims to be.
 *
 * A platform file is a plain SimGrid platform that `smpirun -platform FILE` runs as it is, with every option that
 * SimGrid accepts in XML inside. What Tutti needs beyond that stands in <prop> elements of the outermost <zone> or
 * <cluster>, all optional, ids beginning with "tutti/":
 *
 *     tutti/description      one line for `tutti platform list`
 *     tutti/ranks-per-node   ranks that the hostfile puts on one host (default 1)
 *     tutti/source           where the published values come from
 *
 * published values, above 0; a number of seconds, or one with a unit of time ("110.65us"), per byte where it says so:
 *
 *     tutti/published-alpha  latency, Hockney; compared by `tutti platform check`, as the next one
 *     tutti/published-beta   time per byte, Hockney
 *     tutti/published-L      latency, LogGP; compared by `tutti params --compare`, as all others
 *     tutti/published-o      overhead of a message, LogGP
 *     tutti/published-g      gap between messages, LogGP
 *     tutti/published-G      gap per byte, LogGP
 *     tutti/published-gamma  time per byte of a reduction
 *
 * and what a message-driven runtime costs an actor (group.h), in plain seconds below 1:
 *
 *     tutti/actor-start-s    to begin
 *     tutti/actor-send-s     for each message sent
 *     tutti/actor-receive-s  for each message received
 *     tutti/actor-byte-s     for each byte of either
 *     tutti/actor-entry-s    for each entry of a list that is packed or unpacked
 *
 * SimGrid gives the properties of a <cluster> to each of its hosts (0.6 KB a host); those of a <zone> cost nothing. So
 * large machines have an enclosing <zone>.
 *
 * The name of a platform is its file name without directory and ".xml".
 *
 * **Edits** make another machine of a platform file: half the latency, another network, another topology. An edit is a
 * text WORD=VALUE or XPATH=VALUE; docs/reference/platform-edits.md has the grammar.
 */
#ifndef TUTTI_PLATFORM_H
#define TUTTI_PLATFORM_H

#include <stddef.h>
#include <stdio.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_PLATFORM_NAME_LENGTH 128
#define TUTTI_HASH_LENGTH          65 /**< SHA-256 in hexadecimal, terminating zero included */

/** SHA-256 in hexadecimal. */
void tutti_hash(const void *bytes, size_t length, char hash[TUTTI_HASH_LENGTH]);

/** What a message-driven runtime costs an actor: seconds; 0 where the file says nothing. */
typedef struct tutti_actor_cost {
  double start, send, receive, byte, entry;
} tutti_actor_cost;

/** A platform read from a file. Strings are owned by the platform; NULL where the file says nothing. */
typedef struct tutti_platform {
  char *path; /**< as given */
  char name[TUTTI_PLATFORM_NAME_LENGTH];
  char hash[TUTTI_HASH_LENGTH]; /**< of the bytes of the file */
  char *description;
  char *source;
  int ranks_per_node;
  int host_count;
  char **hosts;           /**< [host_count] names in document order, clusters expanded */
  double published_alpha; /**< seconds; NaN if not published */
  double published_beta;  /**< seconds per byte; NaN if not published, as the following */
  double published_L;     /**< seconds */
  double published_o;     /**< seconds */
  double published_g;     /**< seconds */
  double published_G;     /**< seconds per byte */
  double published_gamma; /**< seconds per byte of a reduction */
  tutti_actor_cost actor_cost;
} tutti_platform;

/**
 * Read and validate a platform file with libxml2: well-formed, a <platform> of version 4 or 4.1, known elements only,
 * every number and unit readable, 1 to 2^20 hosts, unique host names of at most 255 characters, options that SimGrid
 * accepts in XML (those that smpirun sets itself are refused there: network/model, surf/precision, smpi/privatization,
 * smpi/np, smpi/hostfile, smpi/tmpdir).
 * @return TUTTI_ERR_IO or TUTTI_ERR_ARGUMENT; the message begins with FILE:LINE where there is a line.
 */
tutti_status tutti_platform_read(const char *path, tutti_platform *platform, tutti_error *error);

/** Free what tutti_platform_read() allocated. */
void tutti_platform_free(tutti_platform *platform);

/**
 * Find a platform by name or path: @p name as a path if it contains '/' or ends with ".xml", else NAME.xml in the
 * directories of TUTTI_PLATFORM_PATH (colon-separated), ./platforms, ../platforms beside the
 * executable (the source tree), and the directory it was installed to.
 * @param path  receives the path, owned by the caller (free())
 * @return TUTTI_ERR_IO naming the directories that were searched.
 */
tutti_status tutti_platform_find(const char *name, char **path, tutti_error *error);

/** The directories that tutti_platform_find() searches, separated by colons: owned by the caller (free()). */
char *tutti_platform_directories(void);

/**
 * Write a hostfile for @p ranks ranks: one host name per line, each host ranks_per_node times in a row (a form that
 * smpirun reads without further tools).
 * @return TUTTI_ERR_ARGUMENT if the platform has fewer than ranks / ranks_per_node hosts, TUTTI_ERR_IO.
 */
tutti_status tutti_platform_write_hostfile(const tutti_platform *platform, int ranks, FILE *stream, tutti_error *error);

/* ---- edits ---- */

/** One value that an edit changed. Strings are owned by the edited platform. */
typedef struct tutti_platform_change {
  char *where;  /**< "cluster torus lat", "prop smpi/os" */
  char *before; /**< NULL: there was none */
  char *after;  /**< NULL: there is none any more */
} tutti_platform_change;

/** An edited platform file. */
typedef struct tutti_edited_platform {
  char name[TUTTI_PLATFORM_NAME_LENGTH]; /**< that of the file and the edits, "bgp+latency=x0.5": letters, digits and
                                              "._=+,@%-"; if that is too long or hides anything, with a hash */
  char *bytes; /**< what is to be written to NAME.xml; the same bytes for the same file and edits */
  size_t length;
  int host_count;
  int ranks_per_node;
  size_t change_count;
  tutti_platform_change *changes; /**< in order of the edits; the description left out */
} tutti_edited_platform;

/**
 * Edit the platform file @p path, one edit after the other. The result is as valid as tutti_platform_read() demands.
 * @return TUTTI_ERR_ARGUMENT naming the edit at fault and what is wrong with it: an unknown word, an XPath that matches
 *         nothing, a value or unit that cannot be read, hosts that a topology does not have, an edit that changes
 *         nothing; or as tutti_platform_read().
 */
tutti_status tutti_platform_edit(const char *path, const char *const *edits, int edit_count,
                                 tutti_edited_platform *edited, tutti_error *error);

/** Free what tutti_platform_edit() allocated. */
void tutti_edited_platform_free(tutti_edited_platform *edited);

#ifdef __cplusplus
}
#endif
#endif
