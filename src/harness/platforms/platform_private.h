/* The steps of reading a platform file, in their order, and numbers with SimGrid's units. */
#ifndef TUTTI_PLATFORMS_PLATFORM_PRIVATE_H
#define TUTTI_PLATFORMS_PLATFORM_PRIVATE_H

#include <stdarg.h>
#include <stdbool.h>

#include "harness/platforms/xml.h"
#include "tutti/error.h"
#include "tutti/platform.h"

/* Most hosts of a platform: more than any machine has; a guard against a radical like 0-999999999. */
enum { PLATFORM_MAX_HOSTS = 1 << 20 };

/* Elements, attributes and their order, as SimGrid 3.32 reads them. */
tutti_status tutti_platform_check_structure(const xml_file *file, tutti_error *error);

/* The element below <platform> that holds all others: <zone>, <AS> or <cluster>. There is exactly one after the check.
 */
const xmlNode *tutti_platform_outermost(const xml_file *file);

/* Read <prop>: options in <config> are checked, tutti/ properties fill in @p platform. */
tutti_status tutti_platform_read_properties(const xml_file *file, tutti_platform *platform, tutti_error *error);

/* Check that a platform file may set this option of SimGrid, and to this value. platform_options.def lists them. The
   error is a sentence that names the option, and a similar one for an unknown name. */
tutti_status tutti_platform_check_option(const char *name, const char *value, tutti_error *error);

/* Whether it is an option that has no effect, as the command line of smpirun has another value: its own, or that of
   tutti_platform_options_for(). */
bool tutti_platform_is_overridden(const char *name, const char *value);

/* The next file that an element names and SimGrid opens: an attribute, or the content of a disk. *at is 0 before the
   first. */
bool tutti_platform_next_file(const xmlNode *node, size_t *at, const char **name, const char **path);

/* Check that SimGrid may open this file beside the file @p platform, and that it holds what @p name calls for.
 *missing: the file does not exist, which is not an error here. The error is a clause. */
tutti_status tutti_platform_check_profile(const char *platform, const char *name, const char *path, bool *missing,
                                          tutti_error *error);

#define TUTTI_DISK_CONTENT "content"

/* The value of a <prop> of a disk that has this id; NULL: it is none. */
const char *tutti_platform_disk_property(const xmlNode *node, const char *id);

/* The first line of a disk's content, which is changed, that SimGrid ends at, and why; or 0. */
long tutti_platform_content_fault(char *text, size_t length, const char **why);

/* Check the size of disks, and disks that hosts mount from others. */
tutti_status tutti_platform_check_disks(const xml_file *file, tutti_error *error);

/* A size of a disk, as SimGrid reads it. */
tutti_status tutti_platform_check_size(const char *text, tutti_error *error);

/* The same for all files that it names, and the content of <trace>; fills in has_files. */
tutti_status tutti_platform_check_profiles(const xml_file *file, tutti_platform *platform, tutti_error *error);

/* Links that lose throughput are there, and more than one message can use them. */
tutti_status tutti_platform_check_contention(const xml_file *file, tutti_error *error);

/* Whether it is a property about links that lose throughput. */
bool tutti_platform_is_contention(const char *id);

/* Fill in hosts and host_count; names are unique after this. */
tutti_status tutti_platform_read_hosts(const xml_file *file, tutti_platform *platform, tutti_error *error);

/* Fill in levels, nodes, switches, groups of a dragonfly, clusters, and torus, of a platform with hosts. */
void tutti_platform_find_places(const xml_file *file, tutti_platform *platform);

/* A platform without known facts: one rank a node, no published value. */
tutti_platform tutti_platform_unpublished(void);

/* Numbers of a radical, "0-63" or "1-3,7", in order. @p numbers is owned by the caller. */
tutti_status tutti_platform_expand_radical(const char *radical, int **numbers, int *count, tutti_error *error);

/* Hosts of a <cluster> or <cabinet>: those of its topology, if its radical names more. 0: it cannot be read. */
int tutti_platform_count_hosts(const xmlNode *cluster);

/* A whole number that fits an int, with blanks around it; returns the text after them, or NULL without a number. */
const char *tutti_platform_parse_number(const char *text, int *number);

/* SimGrid's words for it, in any case. */
bool tutti_platform_says_no(const char *value);

/* True if a host has more ranks than SimGrid simulates in reasonable time. Then @p text explains it, else it is "". */
bool tutti_platform_is_crowded(int ranks, tutti_error *text);

/* Fill in the findings, of a file that is valid and has been read. */
void tutti_platform_find_faults(const xml_file *file, tutti_platform *platform);

/* Add a finding about an element. */
void tutti_platform_report(const xml_file *file, tutti_platform *platform, const xmlNode *node, bool refused,
                           const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

/* Numbers with SimGrid's units (xbt_parse_units of SimGrid 3.32). A value other than 0 must have a unit:
   a forgotten "us" is the usual cause of none. */

/* w d h m s ms us ns ps; not negative. */
tutti_status tutti_platform_parse_time(const char *text, double *seconds, tutti_error *error);

/* Bps and bps with k M G T P E (powers of 1000) or Ki Mi Gi Ti Pi Ei (of 1024); above 0. */
tutti_status tutti_platform_parse_bandwidth(const char *text, double *bytes_per_second, tutti_error *error);

/* f and flops with k M G T P E Z Y, or kilo mega ... yotta before flops; above 0. */
tutti_status tutti_platform_parse_speed(const char *text, double *flops, tutti_error *error);

/* The same for a file, where SimGrid takes a number without unit as seconds, Bps or flops, too, and a speed of 0: of a
   host that sends and receives, and computes nothing. */
tutti_status tutti_platform_read_time(const char *text, double *seconds, tutti_error *error);
tutti_status tutti_platform_read_bandwidth(const char *text, double *bytes_per_second, tutti_error *error);
tutti_status tutti_platform_read_speed(const char *text, double *flops, tutti_error *error);

/* The checks of xml_schema.h; lists are separated by commas. */
tutti_status tutti_platform_check_time(const char *text, tutti_error *error);
tutti_status tutti_platform_check_bandwidth(const char *text, tutti_error *error);
tutti_status tutti_platform_check_bandwidths(const char *text, tutti_error *error);
tutti_status tutti_platform_check_speeds(const char *text, tutti_error *error);

/* ---- the steps of editing a platform file ---- */

/* How a value is written. Lists are separated by commas. */
enum edit_kind {
  EDIT_TEXT, /* anything; relative edits work where it is a number */
  EDIT_TIME,
  EDIT_BANDWIDTH,
  EDIT_BANDWIDTHS,
  EDIT_SPEEDS,
  EDIT_PIECES, /* SMPI's "from:value...;from:value...", where "from" is a size and never changes */
};

/* The value @p before after @p change, the text after '='. *after is owned by the caller. */
tutti_status tutti_edit_value(enum edit_kind kind, const char *before, const char *change, char **after,
                              tutti_error *error);

/* Whether it changes an existing value: "*2", not "5us". */
int tutti_edit_is_relative(const char *change);

/* ---- the edit ---- */

/* The parts that an edit touches: they determine which published values it invalidates. */
enum {
  TOUCHES_LATENCY = 1,
  TOUCHES_BANDWIDTH = 2,
  TOUCHES_OVERHEAD = 4,
  TOUCHES_SPEED = 8,
};

/* A platform file while it is edited. */
struct editing {
  xml_file *file;
  tutti_edited_platform *edited;
  const char *edit;      /* the current one, for messages */
  const char *described; /* the description before the edits, or NULL */
  unsigned touched;      /* by it */
  unsigned done;         /* values that it changed */
  unsigned own;          /* published values that XPaths have set: by their place in the table, from bit 0 on */
};

/* TUTTI_ERR_ARGUMENT: "edit 'latency=5': " and the message. */
tutti_status tutti_edit_fail(const struct editing *editing, tutti_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Change every attribute that @p path (XPath 1.0) selects by @p value: the value of a <prop>, if it selects one. @p
   count receives their number. */
tutti_status tutti_edit_select(struct editing *editing, const char *path, const char *value, int *count,
                               tutti_error *error);

/* Set an attribute, whether it is there or not; @p value NULL removes it. The change is noted. */
tutti_status tutti_edit_set(struct editing *editing, xmlNode *node, const char *name, const char *value,
                            tutti_error *error);

/* The <prop> called @p id below @p parent, or NULL. */
xmlNode *tutti_edit_find_prop(const xmlNode *parent, const char *id);

/* Set a <prop> of @p parent; @p value NULL removes it. The change is noted. */
tutti_status tutti_edit_set_prop(struct editing *editing, xmlNode *parent, const char *id, const char *value,
                                 tutti_error *error);

/* The outermost element, which holds our properties; the <config> of the file, made if it is missing. */
xmlNode *tutti_edit_outermost(const struct editing *editing);
xmlNode *tutti_edit_config(const struct editing *editing);

/* The only <cluster> of the machine, without other hosts. NULL with @p error filled in. */
xmlNode *tutti_edit_cluster(const struct editing *editing, tutti_error *error);

/* How many hosts a <cluster> has; and to number them anew, from 0. */
tutti_status tutti_edit_count_hosts(const xmlNode *cluster, int *count, tutti_error *error);
tutti_status tutti_edit_number_hosts(struct editing *editing, xmlNode *cluster, long count, tutti_error *error);

/* hosts=, ranks_per_node= */
tutti_status tutti_edit_hosts(struct editing *editing, const char *value, tutti_error *error);
tutti_status tutti_edit_ranks_per_node(struct editing *editing, const char *value, tutti_error *error);

/* Remove the limit of all links; if @p cables, the cables get their own limit, else none. */
tutti_status tutti_edit_drop_limit(struct editing *editing, bool cables, tutti_error *error);

/* backbone-contention=, port-contention=: no text drops it; a text drops the limit that keeps messages from meeting. */
tutti_status tutti_edit_backbone_contention(struct editing *editing, const char *value, tutti_error *error);
tutti_status tutti_edit_port_contention(struct editing *editing, const char *value, tutti_error *error);

/* topology= */
tutti_status tutti_edit_topology(struct editing *editing, const char *value, tutti_error *error);

/* network= */
tutti_status tutti_edit_network(struct editing *editing, const char *value, tutti_error *error);

/* If @p node is a published value, it is the edits' own from now on, and stays. */
void tutti_edit_keep_own(struct editing *editing, const xmlNode *node);

/* Drop what was published that the edit under way made untrue. */
tutti_status tutti_edit_drop_published(struct editing *editing, tutti_error *error);

/* Whether it is a published value of a network, not of hosts. */
bool tutti_edit_is_published_of_network(const char *id);

/* The parts that an attribute, or the <prop> with that value, describes, and the notation of its value. */
unsigned tutti_edit_touches(const xmlNode *node, const char *attribute);
enum edit_kind tutti_edit_kind_of(const xmlNode *node, const char *attribute);

#endif
