/**
 * @file price.h
 * @ingroup analysis
 * The time of a method under a point-to-point model: the schedules of all ranks, run through an event loop. It works
 * for every algorithm, with or without a published formula (model.h), and includes effects that formulas omit: the
 * shape of the tree, the last segment, ranks that wait for each other.
 *
 * Each rank has a processor and two ports, one to send and one to receive: links are full duplex (Pjesivac-Grbovic
 * 2007, section 4.3). Each does one thing at a time. There is no contention between the ports of different ranks.
 *
 * Eager (LogP, LogGP, PLogP): a message occupies the processor of the sender for `send` and its port for `gap`; the
 * send is complete when the processor is free again. `latency` after it began, the message reaches the port of the
 * receiver, which it occupies for `gap`. `transit` after that began it has arrived; receiving it, as soon as the
 * receive is posted, occupies the processor for `receive`.
 *
 * Rendezvous (Hockney): a message begins when both ends are posted and both ports are free, occupies both for `gap`,
 * and completes both vertices. The processors are not involved.
 *
 * Reducing and copying occupy the processor for gamma and delta seconds a byte. A vertex without data that neither
 * sends nor receives takes no time. Of the things a rank could do at the same moment, sends go first, then the rest in
 * vertex order (the run loop of run.h copies first); of messages that reach a rank at the same moment the one received
 * by the earlier vertex goes first.
 *
 * Time is kept in whole quanta, chosen so small that the completion time has at least 45 significant bits: times that
 * are equal in the model are equal here, and the order of equal times never depends on rounding. The same question
 * gives the same answer, bit for bit, with any number of threads.
 */
#ifndef TUTTI_PRICE_H
#define TUTTI_PRICE_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The cost of a message. Seconds, none negative. A rendezvous uses the gap alone. */
typedef struct tutti_message_cost {
  double send;    /**< the sender's processor is busy */
  double gap;     /**< a port is busy */
  double transit; /**< from when the receiver's port begins until the message can be received. If it is more than gap,
                       a message can be received before one that was sent earlier */
  double receive; /**< the receiver's processor is busy */
} tutti_message_cost;

/** A point-to-point model as the event loop sees it. tutti_model_costs() of model.h makes one. */
typedef struct tutti_costs {
  bool rendezvous;
  double latency; /**< seconds; the same for all messages, so that they reach a rank in the order they were sent */
  double gamma;   /**< seconds per byte of a reduction */
  double delta;   /**< seconds per byte of a copy */
  void (*message)(const void *context, uint64_t bytes, tutti_message_cost *cost); /**< the same for the same bytes */
  const void *context; /**< for message(); must live as long */
} tutti_costs;

/**
 * Called for each vertex when it begins, in order of time, with the time of its completion. In the vertex, kind, peer
 * and count are set; count is bytes. Pricing with a trace takes twice as long: all is priced before the first call.
 */
typedef void (*tutti_price_trace)(void *context, int rank, const tutti_vertex *vertex, tutti_vertex_id id, double start,
                                  double end);

/** How to price. Zero-initialize for the defaults. */
typedef struct tutti_price_options {
  int threads;             /**< threads that build schedules; 0: one. The event loop itself is sequential. */
  bool path;               /**< report the critical path and its costs; then nothing is freed before the end */
  tutti_price_trace trace; /**< or NULL */
  void *context;           /**< for trace */
} tutti_price_options;

/** One vertex on the critical path. */
typedef struct tutti_price_step {
  int rank;
  tutti_vertex_id vertex;
  tutti_kind kind;
  int peer;       /**< of a send or receive, else -1 */
  uint64_t bytes; /**< sent, received, reduced or copied */
  double start;   /**< seconds */
  double end;     /**< seconds; of an eager send: when the processor is free again */
} tutti_price_step;

/** How often the costs of messages of one size are on the critical path. */
typedef struct tutti_price_term {
  uint64_t bytes;
  uint64_t sends, gaps, transits, receives;
} tutti_price_term;

/** A price. Free with tutti_price_free(). */
typedef struct tutti_price {
  double seconds;    /**< when the last vertex of the last rank is complete */
  uint64_t messages; /**< sent messages */
  uint64_t vertices; /**< of all ranks */
  uint64_t events;   /**< events that the event loop took from its queue */
  uint64_t memory_B; /**< largest number of bytes that the event loop held at a time, schedules included */
  double build_s;    /**< seconds of processor time, of all threads, that building and loading schedules took */
  double run_s;      /**< seconds of processor time that the event loop took */
  tutti_price_step *
      path; /**< [path_length] from the first vertex to the last to complete; NULL unless requested. Each begins because
               the previous one ended: it waited for it, for its message, or for the processor or port it occupied */
  size_t path_length;
  /** With the path: the time as a sum of costs, `latencies` times the latency, `reduced_B` gamma, `copied_B` delta, and
      of each term so many times what a message of its size costs. It is the time, but for the rounding to quanta, and
      so are their coefficients its derivatives, as long as the same path is the longest. Where several are, it is one
      of them. Follows, beyond the steps, messages that waited at the port of their receiver. @{ */
  uint64_t latencies;
  double reduced_B, copied_B;
  tutti_price_term *terms; /**< [term_count] by size */
  size_t term_count;
  /** @} */
} tutti_price;

/**
 * Price a method for a call that all ranks make alike (as tutti_count_method()): ranks are built one after the other,
 * kept in some 36 bytes a vertex, and freed when they are complete.
 * @param call     the rank is not used
 * @param options  may be NULL
 * @param price    needs no initializing; after an error all zeros: nothing to free
 * @return as tutti_method_schedule(); TUTTI_ERR_MEMORY; TUTTI_ERR_FAULT names a vertex that never completes, or a send
 *         that no receive matches; TUTTI_ERR_ARGUMENT names a cost that is negative or not finite (of any number of
 *         bytes that occurs), a completion time that may overflow a double, a vertex of too many bytes (2^60), or one
 *         with elements if call->type_size is 0
 */
tutti_status tutti_price_method(const tutti_method *method, const tutti_call *call, const tutti_costs *costs,
                                const tutti_price_options *options, tutti_price *price, tutti_error *error);

/**
 * Price given schedules of any origin.
 * @param schedules [size], sealed (schedule.h); schedules[i] is that of rank i of size. They are only read, by several
 *         threads if options say so, and during the call alone.
 * @param type_size bytes of an element; may be 0 if all vertices are empty
 * @param price     as of tutti_price_method()
 * @return as tutti_price_method(), but nothing is built; TUTTI_ERR_ARGUMENT if @p size is less than 1; TUTTI_ERR_FAULT
 *         names a schedule that is not in its place, or the fault that tutti_schedule_validate() finds in it
 */
tutti_status tutti_price_schedules(const tutti_schedule *schedules, int size, uint64_t type_size,
                                   const tutti_costs *costs, const tutti_price_options *options, tutti_price *price,
                                   tutti_error *error);

/** Free the path. */
void tutti_price_free(tutti_price *price);

#ifdef __cplusplus
}
#endif
#endif
