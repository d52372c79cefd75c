/* Chakra as protobuf and as JSON: what both share. */
#ifndef TUTTI_ENGINE_WORKLOAD_CHAKRA_H
#define TUTTI_ENGINE_WORKLOAD_CHAKRA_H

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
  bool on_host, in_group;
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
};

/* Whether a name is that one, as data_deps is dataDeps in protobuf's JSON. */
bool tutti_chakra_is(const char *name, size_t length, const char *other);

/* Set what an attribute says: a number, or whether a text is filled. */
void tutti_chakra_set(struct chakra_node *node, const char *name, size_t length, uint64_t value);

/* The next node of the rank waits for that one. */
void tutti_chakra_wait(struct chakra *chakra, uint64_t node);

/* Add the next node of the rank, or pass over what should be one. */
tutti_status tutti_chakra_add(struct chakra *chakra, const struct chakra_node *node);
tutti_status tutti_chakra_pass(struct chakra *chakra, const char *why);

/* ---- workload_chakra_protobuf.c and workload_chakra_json.c: all nodes of a rank ---- */

tutti_status tutti_chakra_read_protobuf(struct chakra *chakra, const char *bytes, size_t length);
tutti_status tutti_chakra_read_json(struct chakra *chakra, const char *text, size_t length);

#endif
