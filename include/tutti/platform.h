/**
 * @file platform.h
 * @ingroup platforms
 * Platform files: SimGrid XML with Tutti's properties of the machine.
 *
 * A platform file is a plain SimGrid platform that `smpirun -platform FILE` runs as it is, with every option that
 * SimGrid accepts in XML inside. Tutti's additional facts are in <prop> elements of the outermost <zone> or
 * <cluster>, all optional, ids beginning with "tutti/": docs/reference/platform-files.md lists them.
 *
 * The name of a platform is its file name without directory and ".xml".
 *
 * **Edits** make another machine of a platform file: half the latency, another network, another topology. An edit is a
 * text WORD=VALUE or XPATH=VALUE; docs/reference/platform-edits.md has the grammar.
 */
#ifndef TUTTI_PLATFORM_H
#define TUTTI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/algorithm.h"
#include "tutti/contention.h"
#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_PLATFORM_NAME_LENGTH 128
#define TUTTI_HASH_LENGTH          65 /**< SHA-256 in hexadecimal, terminating zero included */

/** SHA-256 in hexadecimal. */
void tutti_hash(const void *bytes, size_t length, char hash[TUTTI_HASH_LENGTH]);

/** Costs of a message-driven runtime for an actor: seconds; 0 if the file has none. */
typedef struct tutti_actor_cost {
  double start, send, receive, byte, entry, candidate;
} tutti_actor_cost;

/** Processor time of a message beyond the wire, from an option in the <config> of a file. */
typedef struct tutti_overhead {
  const char *option; /**< "smpi/os", "smpi/ois" or "smpi/or"; NULL: not set */
  long from;          /**< the size in bytes at which its first piece begins */
  double seconds;     /**< of that piece, without what it takes for each byte */
  int even;           /**< the same for messages of all sizes */
} tutti_overhead;

#define TUTTI_OVERHEADS 3

#define TUTTI_PLATFORM_SELECTOR_LENGTH 24

/** A fault in a platform file that SimGrid loads without a message. */
typedef struct tutti_platform_finding {
  bool refused;  /**< SimGrid crashes, or ends with an error; else times are wrong, or differ from run to run */
  int hosts;     /**< refused only if ranks use so many of the first hosts or more; 0: always; more than there are: of
                      no concern to fewer ranks, which have a host each */
  char *message; /**< FILE:LINE, what is wrong, and what to do */
} tutti_platform_finding;

/** A platform read from a file. Strings are owned by the platform; NULL if the file has none. */
typedef struct tutti_platform {
  char *path; /**< as given */
  char name[TUTTI_PLATFORM_NAME_LENGTH];
  char hash[TUTTI_HASH_LENGTH]; /**< of the bytes of the file */
  char *description;
  char *source;
  char *nodes;       /**< names of its nodes in the order of hosts, "n[1-3],m0" */
  char *level_hosts; /**< "20,100": hosts of a switch of each level, from below */
  char *fit; /**< "3 parameters; METHOD BYTES LOGARITHM; ...": of measured over simulated times; its reader checks it */
  int ranks_per_node; /**< of a host */
  int hosts_per_node; /**< in a row */
  int levels; /**< tutti_sides_pack() of its levels from the nodes up: nodes, switches, groups; of more than three the
                   two lowest and the highest one; 0: none */
  int torus;  /**< tutti_sides_pack() of the first sides of the torus that its hosts are; 0: they are none */
  int host_count;
  char **hosts;           /**< [host_count] names in document order, clusters expanded */
  double published_alpha; /**< seconds; NaN if not published */
  double published_beta;  /**< seconds per byte; NaN if not published, as the following */
  double published_L;     /**< seconds */
  double published_o;     /**< seconds */
  double published_g;     /**< seconds */
  double published_G;     /**< seconds per byte */
  double published_gamma; /**< seconds per byte of a reduction */
  double copy_cost;       /**< bytes that are reduced in the time of copying one */
  double first_touch;     /**< seconds for a byte of temporaries that a call touches first; 0: none */
  double receive_gap;     /**< seconds between two messages that a rank receives; 0: none */
  tutti_contention backbone_contention, port_contention; /**< messages 0: without */
  int messages_a_cable;                                  /**< 1, or 0: any number */
  tutti_actor_cost actor_cost;
  tutti_overhead overheads[TUTTI_OVERHEADS];
  char selector[TUTTI_PLATFORM_SELECTOR_LENGTH]; /**< smpi/coll-selector in its <config>; "": not set */
  bool has_files;                                /**< it names files beside it, which SimGrid reads */
  bool traces; /**< its <config> asks SimGrid to write a trace, which tutti_platform_options_for() turns off */
  bool eager;  /**< smpi/send-is-detached-thresh is set, and not to 0: small messages do not wait for their receivers */
  int finding_count;
  tutti_platform_finding *findings; /**< [finding_count] in document order, except for options, which come first */
} tutti_platform;

/**
 * Read and validate a platform file with libxml2: well-formed, a <platform> of version 4 or 4.1, known elements only,
 * every number and unit readable, 1 to 2^20 hosts, unique host names of at most 255 characters, options that SimGrid
 * accepts in XML (those that smpirun sets itself are refused there: network/model, surf/precision, smpi/privatization,
 * smpi/np, smpi/hostfile, smpi/tmpdir).
 * @return TUTTI_ERR_IO or TUTTI_ERR_ARGUMENT; the message begins with FILE:LINE where there is a line.
 */
tutti_status tutti_platform_read(const char *path, tutti_platform *platform, tutti_error *error);

/** Its facts for methods. */
tutti_places tutti_platform_places(const tutti_platform *platform);

/** Whether any link loses throughput when many messages meet on it. */
bool tutti_platform_contends(const tutti_platform *platform);

/** Free what tutti_platform_read() allocated. */
void tutti_platform_free(tutti_platform *platform);

/** Whether SimGrid ends because of it when a program of so many ranks runs there; 0: of any number. */
bool tutti_platform_refuses(const tutti_platform *platform, const tutti_platform_finding *finding, int ranks);

/** Whether it says something to whoever runs so many ranks; 0: as many as there are hosts. */
bool tutti_platform_concerns(const tutti_platform *platform, const tutti_platform_finding *finding, int ranks);

/**
 * Before it is simulated with up to @p ranks ranks: print findings, a line each, to @p warnings (NULL: to none).
 * @return TUTTI_ERR_ARGUMENT with the message of the first finding that is refused.
 */
tutti_status tutti_platform_accept(const tutti_platform *platform, int ranks, FILE *warnings, tutti_error *error);

/** A host beside the first one. */
typedef struct tutti_platform_partner {
  int host;  /**< index in tutti_platform.hosts */
  int links; /**< between the two; 0: the same node; -1: in another zone */
} tutti_platform_partner;

#define TUTTI_PLATFORM_MAX_PARTNERS 64

/**
 * A host at every distance from the first one, nearest first: that one itself if nodes have several ranks, one for each
 * number of links in its cluster, and one beyond each zone around that. Evenly thinned out to
 * TUTTI_PLATFORM_MAX_PARTNERS. Reads the file again.
 */
tutti_status tutti_platform_partners(const tutti_platform *platform, tutti_platform_partner *partners, int *count,
                                     tutti_error *error);

/**
 * Find a platform by name or path: @p name as a path if it contains '/' or ends with ".xml", else NAME.xml in the
 * directories of TUTTI_PLATFORM_PATH (colon-separated), ./platforms, ../platforms beside the
 * executable (the source tree), and the directory it was installed to.
 * @param path  receives the path, owned by the caller (free())
 * @return TUTTI_ERR_IO naming the directories that were searched.
 */
tutti_status tutti_platform_find(const char *name, char **path, tutti_error *error);

/** Whether it is the path of a platform file, and not a name. */
bool tutti_platform_is_path(const char *name);

/** The directories that tutti_platform_find() searches, separated by colons: owned by the caller (free()). */
char *tutti_platform_directories(void);

struct tutti_guess;

/** Offer the names of all platforms there to a guess at a word (base/words.h). */
void tutti_platform_guess(struct tutti_guess *guess);

/**
 * Write a hostfile for @p ranks ranks: one host name per line, each host ranks_per_node times in a row (a form that
 * smpirun reads without further tools).
 * @return TUTTI_ERR_ARGUMENT if the platform has fewer than ranks / ranks_per_node hosts, TUTTI_ERR_IO.
 */
tutti_status tutti_platform_write_hostfile(const tutti_platform *platform, int ranks, FILE *stream, tutti_error *error);

/** Options of smpirun beside the platform file, "--cfg=smpi/os:2.86e-06". */
typedef struct tutti_platform_options {
  int count;
  char items[TUTTI_OVERHEADS + 1][48];
  const tutti_overhead *lost; /**< one that no option keeps for messages up to its `from`; NULL: all are kept */
} tutti_platform_options;

/**
 * Options for a version of SimGrid ("3.32", "4.1") by which it writes no trace, and all messages have the overheads of
 * the file. Up to 3.32 the first piece applies to smaller messages, too; later versions charge nothing for messages up
 * to its `from`, those of 0 B at least, unless the option is a single number, which 3.32 does not read.
 */
tutti_platform_options tutti_platform_options_for(const tutti_platform *platform, const char *version);

/* ---- new platforms ---- */

typedef enum tutti_machine_kind {
  TUTTI_MACHINE_CLUSTER,        /**< one switch */
  TUTTI_MACHINE_FAT_TREE,       /**< switches in levels */
  TUTTI_MACHINE_TORUS,          /**< a cable to each neighbor */
  TUTTI_MACHINE_DRAGONFLY,      /**< groups of routers; a cable between any two routers of a group, any two groups */
  TUTTI_MACHINE_DRAGONFLY_PLUS, /**< groups of leaf switches below spine switches; cables between any two groups */
  TUTTI_MACHINE_TREE,           /**< switches of a wiring, of which some differ from others */
  TUTTI_MACHINE_KINDS
} tutti_machine_kind;

/** Switches and nodes that a file of another program lists. */
typedef struct tutti_wiring tutti_wiring;

/** The machine that a new platform file describes; begin with tutti_machine_default(). Texts are the caller's. */
typedef struct tutti_machine {
  tutti_machine_kind kind;
  const char *shape;       /**< NODES; 32x18/2 (nodes a switch, switches of each level, fewer cables upwards); 8x8x4;
                                GROUPSxROUTERSxNODES; GROUPSxLEAVESxNODES */
  int ranks_per_node;      /**< 1 */
  int nics;                /**< network cards of a node; a message can use one of them (1) */
  int spines;              /**< of a dragonfly+: cables upwards of a leaf; 0: as many as downwards */
  int global_cables;       /**< between two groups (1) */
  int local_cables;        /**< of a dragonfly: between two routers of a group (1) */
  double latency;          /**< seconds: half a round trip of no bytes between the two nearest nodes */
  double bandwidth;        /**< bytes a second of a network card, and of each cable */
  double hop_latency;      /**< seconds of a link; NaN: by the overhead, else 100 ns, on one switch half the latency */
  double overhead;         /**< seconds of the sender of any message; NaN: what links leave of the latency */
  double loopback_latency; /**< seconds: half a round trip of no bytes within a node; NaN: 100 ns and the overhead */
  double loopback_bandwidth; /**< within a node; NaN: 10 GB/s, or that of a network card if it is larger */
  double gamma;              /**< seconds to reduce a byte (0.1 ns) */
  const char *description;   /**< NULL: made of kind and shape */
  const char *source;        /**< origin of the numbers; NULL: unknown */
  const char *broken; /**< cables of a torus that are not there, by the hosts at their ends: "0:1,n4:n5"; NULL: none */
  const tutti_wiring *wiring; /**< names of its nodes, and its switches; NULL: of the shape alone */
} tutti_machine;

/** The defaults in brackets; NaN for members without one. */
tutti_machine tutti_machine_default(void);

/** The kind of a name: "cluster", "fat-tree", "torus", "dragonfly", "dragonfly+". TUTTI_ERR_ARGUMENT lists them. */
tutti_status tutti_machine_kind_parse(const char *name, tutti_machine_kind *kind, tutti_error *error);

struct tutti_passed;

/**
 * Read the switches and nodes of a machine: Slurm's topology.conf or topology.yaml (tree or blocks), the output of
 * ibnetdiscover, or the XML of hwloc, which describes one node. Rows that are not understood are passed over.
 * @param wiring  to be freed by tutti_wiring_free(); NULL after an error
 * @return TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT if no row is understood, or the file is of another kind
 */
tutti_status tutti_wiring_read(const char *path, struct tutti_passed *passed, tutti_wiring **wiring,
                               tutti_error *error);
void tutti_wiring_free(tutti_wiring *wiring);

/** One line: how many nodes at how many switches, level by level. Owned by the caller (free()). */
char *tutti_wiring_summary(const tutti_wiring *wiring);

/**
 * Fill in what a wiring says of a machine: kind and shape, and the bandwidth unless it is given. That of hwloc gives
 * the ranks and network cards of a node of a machine with a shape, else a machine of its sockets. The machine refers to
 * the wiring.
 */
tutti_status tutti_wiring_describe(tutti_wiring *wiring, tutti_machine *machine, tutti_error *error);

/** How far the times of a fit are from the measured ones. */
typedef struct tutti_machine_fit {
  size_t sizes;   /**< number of measured sizes */
  double error;   /**< the largest, relative to the measured time: 0.1 is 10 % too long */
  uint64_t bytes; /**< the size of the message */
} tutti_machine_fit;

/**
 * Fit latency and bandwidth to a measured ping-pong: lines "SIZE MICROSECONDS" (osu_latency), a table of IMB, or what
 * tutti-pingpong prints; '#' begins a comment. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE.
 */
tutti_status tutti_machine_read_pingpong(const char *path, tutti_machine *machine, tutti_machine_fit *fit,
                                         tutti_error *error);

/** Properties of a written machine that follow from the requested ones. */
typedef struct tutti_machine_made {
  int ranks;          /**< of a host */
  double overhead;    /**< seconds of the sender of any message */
  double within_node; /**< seconds: half a round trip of no bytes between ranks of a host */
  tutti_error crowd;  /**< its message: that hosts have more ranks than can be simulated fast; else "" */
} tutti_machine_made;

/**
 * Write the platform file of a machine, without findings except for a crowd of ranks;
 * docs/how-to/describe-a-topology.md explains how SimGrid expresses it. TUTTI_ERR_ARGUMENT: nothing was written.
 */
tutti_status tutti_platform_new(const tutti_machine *machine, FILE *stream, tutti_machine_made *made,
                                tutti_error *error);

/* ---- edits ---- */

/** One value that an edit changed. Strings are owned by the edited platform. */
typedef struct tutti_platform_change {
  char *where;  /**< "cluster torus lat", "prop smpi/os" */
  char *before; /**< NULL: there was none */
  char *after;  /**< NULL: removed */
} tutti_platform_change;

/** An edited platform file. */
typedef struct tutti_edited_platform {
  char name[TUTTI_PLATFORM_NAME_LENGTH]; /**< name of the file and the edits, "bgp+latency=x0.5": letters, digits and
                                            "._=+,@%-"; with a hash if that is too long or hides anything */
  char *bytes;                           /**< content for NAME.xml; the same bytes for the same file and edits */
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
