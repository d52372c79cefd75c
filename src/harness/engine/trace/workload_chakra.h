/* Chakra as protobuf and as JSON: what both share. */
#ifndef TUTTI_ENGINE_WORKLOAD_CHAKRA_H
#define TUTTI_ENGINE_WORKLOAD_CHAKRA_H

#include "base/json_read.h"
#include "harness/engine/trace/workload_read.h"

enum chakra_kind {
  CHAKRA_METADATA = 1,
  CHAKRA_LOAD,
  CHAKRA_STORE,
  CHAKRA_WORK,
  CHAKRA_SEND,
  CHAKRA_RECV,
  CHAKRA_COLLECTIVE
};

struct chakra_node {
  uint64_t id, kind, microseconds;
  uint64_t collective, bytes, from, to, tag, root;
  uint64_t size;  /* ranks of the group; 0: not said */
  uint32_t group; /* of chakra.groups, from 1 on; 0: all ranks */
  bool on_host, in_part;
};

/* A process group. */
struct chakra_group {
  char *name;    /* to be shown; owned */
  uint64_t size; /* as collectives say; 0: they do not */
  struct {
    TUTTI_VECTOR(uint64_t);
  } members; /* as it is defined, or else the users */
  struct {
    TUTTI_VECTOR(uint32_t);
  } users; /* ranks that call on it, ascending */
  bool defined, contradicted;
  uint32_t communicator;
  const char *why; /* NULL: the members are known */
};

/* A collective, whose group is known when all files have been read. */
struct chakra_call {
  struct chakra_node node;
  uint64_t number; /* in its file */
  uint32_t rank, op;
};

struct chakra {
  const char *path;
  struct workload *workload;
  tutti_passed *passed;
  tutti_error *error;
  struct workload_called *called;
  struct workload_pairs channels;
  struct workload_pairs nodes; /* of the rank: by number, the operation and 1 */
  uint32_t rank, last;         /* collective so far; WORKLOAD_UNKNOWN: none */
  uint64_t number;             /* of the next node of the file */
  struct {
    TUTTI_VECTOR(struct workload_pair);
  } waits; /* of the rank: operation, and the node that it waits for */
  struct {
    TUTTI_VECTOR(struct chakra_call);
  } calls;
  struct {
    TUTTI_VECTOR(struct chakra_group);
  } groups;
  struct workload_pairs group_numbers; /* by digest and length of the name, from 1 on */
  struct workload_pairs places;        /* of a rank in a group, from 1 on */
  struct {
    TUTTI_VECTOR(uint64_t);
  } list; /* of the current attribute */
};

/* Whether a name is that one, as data_deps is dataDeps in protobuf's JSON. */
bool tutti_chakra_is(const char *name, size_t length, const char *other);

/* Set what an attribute says: a number, which may be a text too; NULL: it is none. */
struct chakra_value {
  uint64_t number;
  const char *text;
  size_t length;
};
void tutti_chakra_set(struct chakra *chakra, struct chakra_node *node, const char *name, size_t length,
                      const struct chakra_value *value);

/* The next node of the rank waits for that one. */
void tutti_chakra_wait(struct chakra *chakra, uint64_t node);

/* Add the next node of the rank, or pass over what should be one. */
tutti_status tutti_chakra_add(struct chakra *chakra, const struct chakra_node *node);
tutti_status tutti_chakra_pass(struct chakra *chakra, const char *why);

/* ---- workload_chakra_groups.c ---- */

/* The number of a group of that name, from 1 on. */
uint32_t tutti_chakra_group(struct chakra *chakra, const char *name, size_t length);

/* Groups that a head or a node of metadata defines: a list of objects with pg_name and ranks, or an object of lists; in
   a text the first list of objects. */
void tutti_chakra_define(struct chakra *chakra, const struct json *value);
void tutti_chakra_define_text(struct chakra *chakra, const char *text, size_t length);

/* Set what an attribute says whose value is chakra->list. */
void tutti_chakra_set_list(struct chakra *chakra, struct chakra_node *node, const char *name, size_t length);

/* The current rank calls on a group, which has that many ranks; 0: it does not say. */
void tutti_chakra_use(struct chakra *chakra, uint32_t number, uint64_t size);

/* Find the members of all groups that are called on, and append their communicators. */
void tutti_chakra_resolve(struct chakra *chakra);
void tutti_chakra_free_groups(struct chakra *chakra);

/* ---- workload_chakra_protobuf.c and workload_chakra_json.c: all nodes of a rank ---- */

tutti_status tutti_chakra_read_protobuf(struct chakra *chakra, const char *bytes, size_t length);
tutti_status tutti_chakra_read_json(struct chakra *chakra, const char *text, size_t length);

#endif
