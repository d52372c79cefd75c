/* NCCL and RCCL: the table of the tuner plug-in that comes with them, and the rules of NCCLX. Both choose algorithm,
   protocol and channels by collective, size, nodes and ranks; the first line that matches answers, unless the
   communicator does not support what it names.

   Sources, read in November 2026: plugins/tuner/example/plugin.c of github.com/NVIDIA/nccl (the fields, what becomes of
   unknown words, the look-up), the same in ext-tuner/example of github.com/ROCm/rccl; src/enqueue.cc of NCCL 2.28.7 for
   the size, which is that of all blocks where there are blocks (ncclFuncMaxSendRecvCount); comms/ncclx/meta/tuner of
   github.com/meta-pytorch/torchcomms (README.md, MetaTuner.cc, JsonConfigParse.h, Int64Range.cc). */
#ifndef TUTTI_LIBRARIES_NCCL_H
#define TUTTI_LIBRARIES_NCCL_H

#include "base/vector.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"

enum { NCCL_ANY = -1, NCCL_MAX_LOCAL_RANKS = 64 }; /* the latter of src/include/device.h */

/* Words of both formats, by index; -1: unknown. @{ */
int tutti_nccl_collective_index(const char *word, size_t length); /* of TUTTI_COLL_..., which it returns */
int tutti_nccl_algorithm_index(const char *word, size_t length);
int tutti_nccl_protocol_index(const char *word, size_t length);
const char *tutti_nccl_collective_word(tutti_collective collective); /* NULL: it has none */
const char *tutti_nccl_algorithm_word(int algorithm);
const char *tutti_nccl_protocol_word(int protocol);
/* @} */

/* A line, or a rule. Ranges include both ends. */
struct nccl_rule {
  size_t at;
  tutti_collective collective;
  uint64_t bytes[2];          /* of the call as NCCL counts them; NCCLX: by the ranks */
  int64_t nodes[2], ranks[2]; /* NCCLX: ranks of a node */
  int algorithm, protocol;
  long channels;             /* NCCL_ANY: as without the file */
  long pipe_ops, registered; /* that a call must have; NCCL_ANY */
  uint64_t chunk_bytes;      /* 0: as without the file */
};

struct nccl_rules {
  bool per_rank; /* of NCCLX */
  bool refused;  /* NCCLX: with a fault, communicators cannot be made */
  TUTTI_VECTOR(struct nccl_rule);
};

/* What a rule compares with its bytes, for a call; the range of rank_bytes for a range of that. @{ */
uint64_t tutti_nccl_key(const struct nccl_rules *rules, const tutti_explained_call *call);
uint64_t tutti_nccl_least(const struct nccl_rules *rules, const tutti_explained_call *call, uint64_t key);
uint64_t tutti_nccl_most(const struct nccl_rules *rules, const tutti_explained_call *call, uint64_t key);
/* @} */

/* Nodes of a communicator; 0: not known. */
int tutti_nccl_nodes(const tutti_explained_call *call);

/* Whether the total of all blocks is compared. */
bool tutti_nccl_counts_all(tutti_collective collective);

/* Our algorithm that does what one of NCCL's does, NULL: the catalogue has none; and the other way, -1. @{ */
const tutti_algorithm *tutti_nccl_ours(tutti_collective collective, int algorithm);
int tutti_nccl_theirs(const tutti_algorithm *algorithm);
/* @} */

/* Codes of findings. */
#define CODE(identifier, ...) LINT_##identifier,
enum nccl_code {
#include "decision/libraries/nccl/codes.def"
  NCCL_CODES
};
enum ncclx_code {
#include "decision/libraries/nccl/codes_x.def"
  NCCLX_CODES
};
#undef CODE

tutti_status tutti_nccl_read(struct tuning_file *file, void *rules, tutti_error *error);
tutti_status tutti_ncclx_read(struct tuning_file *file, void *rules, tutti_error *error);
void tutti_nccl_lint(struct tuning_file *file);
void tutti_ncclx_lint(struct tuning_file *file);
tutti_status tutti_nccl_explain(struct explaining *explaining, tutti_error *error);
tutti_status tutti_nccl_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                              tutti_error *error);
tutti_status tutti_ncclx_write(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                               tutti_error *error);

#endif
