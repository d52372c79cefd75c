/* Readers of the formats of traces (workload.h). They get the whole file in workload->text. */
#ifndef TUTTI_ENGINE_WORKLOAD_READ_H
#define TUTTI_ENGINE_WORKLOAD_READ_H

#include "harness/engine/trace/workload.h"

/* The files of a trace that has several. */
struct workload_files {
  TUTTI_VECTOR(char *); /* paths, that of rank 0 first; owned */
};

/* Read a trace of the interposer (results/trace_format.h). */
tutti_status tutti_workload_read_trace(const char *path, struct workload *workload, tutti_error *error);

/* Text whose first word is num_ranks, and the same in bytes. */
tutti_status tutti_workload_read_goal(const char *path, struct workload *workload, tutti_passed *passed,
                                      tutti_error *error);
tutti_status tutti_workload_read_binary_goal(const char *path, struct workload *workload, tutti_passed *passed,
                                             tutti_error *error);

/* Calls of MPI, a file for each rank: a line each (liballprof), or what dumpi2ascii writes. */
tutti_status tutti_workload_read_lines(const struct workload_files *files, bool dumpi, struct workload *workload,
                                       tutti_passed *passed, tutti_error *error);

/* SimGrid's time-independent traces: "RANK ACTION ...", a file for all ranks or for each. */
tutti_status tutti_workload_read_ti(const struct workload_files *files, struct workload *workload, tutti_passed *passed,
                                    tutti_error *error);

/* Chakra, as protobuf or JSON, a file for each rank; and whether bytes begin so. */
tutti_status tutti_workload_read_chakra(const struct workload_files *files, bool json, struct workload *workload,
                                        tutti_passed *passed, tutti_error *error);
bool tutti_workload_is_chakra(const char *text, size_t length);
bool tutti_workload_is_chakra_json(const char *text, size_t length);

/* ---- workload_files.c: a trace that is several files ---- */

/* What a file is, by its beginning. */
enum workload_format {
  WORKLOAD_NONE,
  WORKLOAD_TRACE,
  WORKLOAD_GOAL,
  WORKLOAD_BINARY_GOAL,
  WORKLOAD_LINES,
  WORKLOAD_DUMPI,
  WORKLOAD_TI,
  WORKLOAD_LIST,
  WORKLOAD_CHAKRA,
  WORKLOAD_CHAKRA_JSON
};

enum { WORKLOAD_BEGINNING = 1 << 16 }; /* bytes that tell it */

/* Of a text with a zero byte at its end. */
enum workload_format tutti_workload_format(const char *text, size_t length);

/* The files of ranks beside one of them: that of rank 0 has a 0 as the last number of its name. Appends none if it is
   not so. */
void tutti_files_beside(const char *path, struct workload_files *files);

/* The files of a folder that are of the format of its first trace; others are passed over. */
tutti_status tutti_files_in_folder(const char *folder, struct workload_files *files, enum workload_format *format,
                                   tutti_passed *passed, tutti_error *error);

/* The files that a text names, one a line, in its folder or below. */
tutti_status tutti_files_of_list(const char *path, const char *text, struct workload_files *files, tutti_passed *passed,
                                 tutti_error *error);
void tutti_files_free(struct workload_files *files);

/* ---- workload_align.c: collectives that all ranks of a communicator call ---- */

/* A call of a rank. */
struct workload_call_of {
  uint32_t communicator;
  uint32_t op;
  uint64_t nanoseconds; /* as recorded */
  bool known;           /* false: the operation stands for a call that is passed over */
};
struct workload_called {
  TUTTI_VECTOR(struct workload_call_of); /* in their order */
};

void tutti_called_add(struct workload_called *called, uint32_t communicator, uint32_t op, double seconds, bool known);

/* Leave out what not all ranks of a communicator call alike: it takes as long as recorded. @p called is [rank_count],
   and is sorted. */
tutti_status tutti_workload_align(const char *path, struct workload *workload, struct workload_called *called,
                                  tutti_passed *passed, tutti_error *error);

/* ---- workload_graph.c ---- */

/* Append an operation, or that one waits for another one of its segment. Returns its number. */
uint32_t tutti_graph_add(struct workload_graph *graph, struct workload_op op);
void tutti_graph_order(struct workload_graph *graph, uint32_t before, uint32_t after, bool posted);

/* End a segment, unless it is empty. */
void tutti_graph_end_segment(struct workload_graph *graph);

/* Operations of a rank that come one after the other: each begins when the previous one is complete or, after a
   nonblocking message, posted. */
struct workload_request {
  uint64_t number;
  uint32_t op;
  uint32_t copy; /* of several with the same number, for the caller */
};
struct workload_writer {
  struct workload_graph *graph;
  uint32_t before; /* operation that the next one waits for; WORKLOAD_UNKNOWN: no one of the segment */
  bool posted;     /* or for its posting */
  struct {
    TUTTI_VECTOR(struct workload_request);
  } requests; /* that are not waited for yet, and their messages; owned */
};

uint32_t tutti_writer_add(struct workload_writer *writer, struct workload_op op);
void tutti_writer_work(struct workload_writer *writer, uint64_t nanoseconds);

/* A nonblocking message, whose request has that number. */
void tutti_writer_start(struct workload_writer *writer, struct workload_op op, uint64_t request);

/* A message out and one in at once, and waiting for both. */
void tutti_writer_both(struct workload_writer *writer, struct workload_op out, struct workload_op in);

/* The next operation also waits for request `place` of writer->requests, which is removed; `end` is an operation after
   it. */
void tutti_writer_wait(struct workload_writer *writer, size_t place, uint32_t end);

/* End an operation: where nothing is outstanding, later operations need not know earlier ones. */
void tutti_writer_end(struct workload_writer *writer);

/* What waits for each operation. */
struct workload_order {
  uint32_t *pending; /* [ops] how many it waits for */
  uint32_t *first;   /* [ops + 2] of edges[]: that of operation o is first[o] */
  uint32_t *edges;   /* [edges] numbers, by the operation before */
};

struct workload_order tutti_graph_order_of(const struct workload_graph *graph);
void tutti_order_free(struct workload_order *order);

/* Whether no operation waits for itself. */
bool tutti_graph_is_acyclic(const struct workload_graph *graph);

/* A number for each pair. Zero-initialize. */
struct workload_pair {
  uint64_t first, second;
  uint32_t number; /* 0: free */
};
struct workload_pairs {
  struct workload_pair *slots; /* [capacity] by hash; owned */
  uint32_t capacity, used;
};

/* The number of a pair; 0 of a new one, and the caller sets another one. Until the next call. */
uint32_t *tutti_pair_number(struct workload_pairs *pairs, uint64_t first, uint64_t second);

/* The number that was set for a pair, or NULL. */
uint32_t *tutti_pair_find(const struct workload_pairs *pairs, uint64_t first, uint64_t second);
void tutti_pairs_free(struct workload_pairs *pairs);

/* Numbers for pairs of a communicator and a tag, from 1 on. */
uint32_t tutti_channel_of(struct workload_pairs *channels, uint64_t communicator, uint64_t tag);

/* ---- workload_match.c: both ends of each message ---- */

/* Channels of tags come after those of communicators, of which there is one until then. */
void tutti_workload_number_channels(struct workload *workload, uint32_t tags);

/* Set the bytes of receives to those sent, and leave out messages with one end only, which are counted. The n-th
   receive from a rank on a channel gets the n-th message that was sent so. */
void tutti_workload_match(struct workload *workload);

/* ---- workload_any.c ---- */

/* Give each receive from any rank, or with any tag, the message that it gets when all ranks run without time. Those
   that get none stay as they are. */
void tutti_workload_resolve(struct workload *workload);

/* ---- workload_shapes.c ---- */

/* The number of a shape, which is added unless it is among the last ones. */
uint64_t tutti_workload_shape_number(struct workload *workload, const struct workload_shape *shape);

/* The counts of an irregular collective on one rank: NULL and 0 if unknown there, one number for the own block, or one
   for each rank. */
struct workload_vector {
  uint64_t *items;
  size_t count;
};

/* A call of the library's own method, which ran as far as is known, with commutative operations. Its collective,
   communicator and rank are set, and more of call. */
void tutti_workload_shape_begin(const struct workload *workload, struct workload_shape *shape);

/* Add a collective to the operations of a rank, after those that are there, and to what it has called. NULL: it is
   passed over that it was called on the communicator, and all ranks pass it over then. */
void tutti_workload_add_collective(struct workload *workload, struct workload_writer *writer,
                                   struct workload_called *called, uint32_t communicator,
                                   const struct workload_shape *shape, double seconds);

/* Make the call of a shape from what was recorded: its collective, bytes, call.size, .rank, .root, .type_size and
   .commutative are set. Returns NULL, or what is wrong. Takes nothing of the vectors. */
const char *tutti_workload_shape_complete(struct workload_shape *shape, const struct workload_vector *input,
                                          const struct workload_vector *output);

/* Its layouts, which complete() frees where it says what is wrong. */
void tutti_workload_shape_free(struct workload_shape *shape);

#endif
