/**
 * @file platform_edit.h
 * @ingroup platforms
 * Edits of platform files: the same machine with half the latency, another network, another topology. An edit is a
 * text WORD=VALUE, or XPATH=VALUE:
 *
 *     latency=*0.5                       of every wire; also bandwidth, speed (flops: 1 / gamma)
 *     overhead=1us                       that MPI costs the host for a message (smpi/os, smpi/ois, smpi/or)
 *     loopback-latency= loopback-bandwidth= limiter= backbone-latency= backbone-bandwidth=
 *     actor=*0.5                         what a message-driven runtime costs (tutti/actor-...)
 *     hosts=1024                         of the one flat <cluster>; *2, +16 and so on work, too
 *     ranks_per_node=4
 *     topology=torus:16x16x8             a cable of the latency and bandwidth of the file from node to node
 *     topology=fat-tree:32x32x32         downward cables of a switch by level; as many upwards, full bisection
 *     topology=fat-tree:512x18/4         a quarter as many upwards
 *     topology=dragonfly:8x4x16x4        groups x chassis x routers x nodes, one cable each; SimGrid wants at most as
 *                                        many groups as a chassis has routers, and crashes otherwise
 *     topology=fat-tree:2;512,18;1,128;1,1   SimGrid's topo_parameters to the letter, as for torus: and dragonfly:
 *     topology=flat                      every node on one crossbar (cluster, crossbar: the same)
 *     network=infiniband                 latency, bandwidth, overhead and network options of another platform
 *     //link[@id="x"]/@latency=+1us      any attributes, or values of <prop> elements, by XPath 1.0
 *
 * A VALUE is absolute, with a unit as in platform files (5us, 1GBps, 2Gf), or relative: *FACTOR, /FACTOR, +AMOUNT,
 * -AMOUNT (amounts with units). A quantity keeps the unit that it has in the file.
 *
 * What a file says was published of a machine is dropped where an edit would make it untrue (nobody measured that
 * machine): alpha, L by latency, bandwidth, overhead, topology; beta, g, G by bandwidth and topology; g, o by overhead;
 * gamma by speed. network= takes over what was published of the other network if both machines are flat.
 * tutti/description says what was edited. An edit may set a published value anew:
 *
 *     //prop[@id="tutti/published-alpha"]=50us
 */
#ifndef TUTTI_PLATFORM_EDIT_H
#define TUTTI_PLATFORM_EDIT_H

#include <stddef.h>

#include "tutti/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One value that is another now. Strings are owned by the edited platform. */
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
