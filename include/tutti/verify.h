/**
 * @file verify.h
 * @ingroup analysis
 * Proof that the schedules of all ranks together do what their collective promises. No MPI, one process.
 *
 * The argument has five steps, each of which names rank and vertex when it fails:
 *  1. every schedule keeps its invariants (tutti_schedule_validate()) and stays within its buffers;
 *  2. the i-th send of a to b has the i-th receive of b from a, with equal counts, and nothing is left over;
 *  3. the graph of all vertices, in which a send and its receive complete together, has no cycle: no deadlock even if
 *     every send waits for its receiver (MPI_Ssend), hence none with buffering either;
 *  4. no two vertices of a rank touch the same element, one of them writing, unless one must wait for the other;
 *  5. by 2 and 4 every order of arrival gives the same result, so one execution on symbolic elements decides whether
 *     the contract of the collective holds (for barrier: nobody leaves before everybody has entered).
 */
#ifndef TUTTI_VERIFY_H
#define TUTTI_VERIFY_H

#include <stdbool.h>

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Symbolic content of one element: a word over the contributions of the ranks. Concatenation is associative but not
 * commutative, as a general MPI_Op may be. Two words are equal iff both members are (up to a collision of probability
 * below 2^-50 per comparison).
 */
typedef struct tutti_symbol {
  uint64_t hash;  /**< polynomial hash modulo 2^61 - 1; 0 means the element holds nothing defined */
  uint64_t scale; /**< base to the power of the length of the word */
} tutti_symbol;

/** The one-letter word "element @p index of the contribution of @p rank". */
tutti_symbol tutti_symbol_letter(int rank, uint64_t index);

/** The same letter for an operation that commutes: words of such letters are equal whatever their order. */
tutti_symbol tutti_symbol_commutative_letter(int rank, uint64_t index);

/** The word @p left followed by @p right. Undefined operands give an undefined result. */
tutti_symbol tutti_symbol_concatenate(tutti_symbol left, tutti_symbol right);

/** What a collective promises, element by element; functions of the call of a rank (call->rank). */
typedef struct tutti_contract {
  /** Number of elements of TUTTI_INPUT or TUTTI_OUTPUT at this rank. */
  uint64_t (*extent)(const tutti_call *call, tutti_buffer buffer);
  /** Content before the operation; an undefined symbol where there is none. */
  tutti_symbol (*initial)(const tutti_call *call, tutti_buffer buffer, uint64_t index);
  /** Promised content of TUTTI_OUTPUT afterwards; an undefined symbol where nothing is promised. */
  tutti_symbol (*promised)(const tutti_call *call, uint64_t index);
  /** No rank completes before every rank has started. */
  bool synchronizes;
} tutti_contract;

/** The contract of a collective; static storage. */
const tutti_contract *tutti_contract_of(tutti_collective collective);

/**
 * Verify the schedules of ranks 0..size-1 against @p contract. calls[r] is the call of rank r, its rank included.
 * @return TUTTI_ERR_FAULT with the first fault found, TUTTI_ERR_MEMORY.
 */
tutti_status tutti_verify(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                          tutti_error *error);

/** Build the schedules of all ranks under @p method and verify them; calls[r] is the call of rank r. */
tutti_status tutti_verify_calls(const tutti_method *method, const tutti_call *calls, tutti_error *error);

/** The same where all ranks make the call @p call, whose rank is ignored. */
tutti_status tutti_verify_method(const tutti_method *method, const tutti_call *call, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
