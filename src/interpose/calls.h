/* Macros for the functions of MPI that wrap the library's own. */
#ifndef TUTTI_INTERPOSE_CALLS_H
#define TUTTI_INTERPOSE_CALLS_H

#include <mpi.h>
#include <stdatomic.h>

#include "interpose/beside.h"
#include "interpose/mpi_functions.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"

/* ---- the library's own, library_NAME() ---- */

#ifdef SMPI_HELPERS_H /* its Fortran bindings call the functions of C */
#define STANDS_IN_FRONT(function, parameters, list)                                                                    \
  static inline int library_##function parameters                                                                      \
  {                                                                                                                    \
    return P##function list;                                                                                           \
  }
#define BEGINS_OR_ENDS STANDS_IN_FRONT
#define FORWARDED      STANDS_IN_FRONT
#else
#define LIBRARY_FUNCTION(function, parameters, list)                                                                   \
  static int library_##function parameters                                                                             \
  {                                                                                                                    \
    return ((int(*) parameters)tutti_library_function(FUNCTIONS_BEFORE + __COUNTER__, "P" #function)) list;            \
  }
/* The Fortran bindings of Open MPI, and some of MPICH's, call PMPI_NAME, with what is special in Fortran, such as its
   MPI_IN_PLACE, translated already. So the interposer has a PMPI_NAME, too: MPI_NAME for these bindings, and the
   library's own for all others. */
#define PROFILING_NAME(function, parameters, list)                                                                     \
  int P##function parameters                                                                                           \
  {                                                                                                                    \
    const void *caller = __builtin_return_address(0);                                                                  \
    if (tutti_is_fortran_binding(caller))                                                                              \
      return function list;                                                                                            \
    tutti_count_beside(caller);                                                                                        \
    return library_##function list;                                                                                    \
  }
#define STANDS_IN_FRONT(function, parameters, list)                                                                    \
  LIBRARY_FUNCTION(function, parameters, list) PROFILING_NAME(function, parameters, list)

/* The same for functions that begin or end MPI: they reach Tutti, whatever name the program or a tool calls them by. */
#define BEGINS_OR_ENDS(function, parameters, list)                                                                     \
  LIBRARY_FUNCTION(function, parameters, list)                                                                         \
  int P##function parameters                                                                                           \
  {                                                                                                                    \
    const void *caller = __builtin_return_address(0);                                                                  \
    bool served = tutti_is_fortran_binding(caller) || tutti_is_caller_of_program(caller);                              \
    return served ? function list : library_##function list;                                                           \
  }

/* The same, with nothing but a load and a jump before the library's own. */
#define FORWARDED(function, parameters, list)                                                                          \
  enum { number_of_##function = FUNCTIONS_BEFORE + __COUNTER__ };                                                      \
  SELDOM static int first_##function parameters                                                                        \
  {                                                                                                                    \
    return ((int(*) parameters)tutti_library_function(number_of_##function, "P" #function))list;                       \
  }                                                                                                                    \
  static inline int library_##function parameters                                                                      \
  {                                                                                                                    \
    void (*found)(void) = atomic_load_explicit(&tutti_functions[number_of_##function], memory_order_relaxed);          \
    return __builtin_expect(!found, 0) ? first_##function list : ((int(*) parameters)found)list;                       \
  }                                                                                                                    \
  PROFILING_NAME(function, parameters, list)
#endif

/* ---- collectives ---- */

/* Member by member: compilers clear a large structure by an instruction that takes as long as a small message. */
#define SET_ARGUMENTS(kind, in, out, operation, root_rank)                                                             \
  struct arguments arguments;                                                                                          \
  arguments.collective = kind;                                                                                         \
  arguments.input = in;                                                                                                \
  arguments.output = out;                                                                                              \
  arguments.op = operation;                                                                                            \
  arguments.root = root_rank;                                                                                          \
  arguments.near = NULL

#define SET_CALL(from, ...)                                                                                            \
  SET_ARGUMENTS(__VA_ARGS__);                                                                                          \
  struct call call;                                                                                                    \
  call.arguments = &arguments;                                                                                         \
  call.site = from

/* A function with these parameters, which are also given as arguments of a call, and with the members of its
   `struct arguments`: served if it can be. What is like a call before is found with the arguments in registers. */
#define SERVED(function, parameters, list, ...)                                                                        \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  __attribute__((noinline)) static int serve_##function(const void *site, const struct recent_call *recent,            \
                                                        ITEMS parameters)                                              \
  {                                                                                                                    \
    SET_CALL(site, __VA_ARGS__);                                                                                       \
    int result;                                                                                                        \
    if (tutti_serve(&call, comm, recent, &result))                                                                     \
      return result;                                                                                                   \
    return tutti_passed(&call, comm, library_##function list);                                                         \
  }                                                                                                                    \
  int function parameters                                                                                              \
  {                                                                                                                    \
    SET_ARGUMENTS(__VA_ARGS__);                                                                                        \
    const void *site = tutti_site(__builtin_return_address(0));                                                        \
    const struct recent_call *recent = tutti_recent(site, &arguments, comm);                                           \
    return recent && recent->simple ? tutti_serve_again(recent, arguments.input.base, arguments.output.base)           \
                                    : serve_##function(site, recent, ITEMS list);                                      \
  }

/* A parenthesized list without its parentheses. */
#define ITEMS(...) __VA_ARGS__

#define NO_OP     (MPI_Op)0
#define NO_BUFFER ((struct user_buffer){.base = NULL})

/* A negative count becomes one that no call may have. */
#define REGULAR(buffer, elements, datatype)                                                                            \
  ((struct user_buffer){.base = (void *)(buffer), .count = (uint64_t)(elements), .type = (datatype)})
#define IRREGULAR(buffer, elements, places, datatype)                                                                  \
  ((struct user_buffer){                                                                                               \
      .base = (void *)(buffer), .wide = WIDE, .counts = (elements), .displacements = (places), .type = (datatype)})
#define OF_TYPES(buffer, elements, places, datatypes)                                                                  \
  ((struct user_buffer){                                                                                               \
      .base = (void *)(buffer), .wide = WIDE, .counts = (elements), .displacements = (places), .types = (datatypes)})
#define OF_TYPES_FAR(buffer, elements, places, datatypes) /* displacements are MPI_Aint, whatever counts are */        \
  ((struct user_buffer){.base = (void *)(buffer),                                                                      \
                        .wide = WIDE,                                                                                  \
                        .far = true,                                                                                   \
                        .counts = (elements),                                                                          \
                        .displacements = (places),                                                                     \
                        .types = (datatypes)})
#define OPERAND(buffer, datatype) ((struct user_buffer){.base = (void *)(buffer), .type = (datatype)})

#endif
