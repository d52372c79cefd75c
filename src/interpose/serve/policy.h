/* The policy of the interposer: how each call is served, from the environment. No MPI.

     TUTTI_DECISION=FILE       rules, see tutti/decision.h; the built-in ones answer the other calls
     TUTTI_BCAST=binomial/8KB  the method of a collective, without its name; "native": left to the MPI library
     TUTTI_NATIVE=1            the MPI library answers the other calls, in place of the built-in rules
     TUTTI_VERBOSE=1           a report at the end
     TUTTI_NONBLOCKING=1       nonblocking and persistent collectives are served, too (started.h)
     TUTTI_NEIGHBORS=combining neighborhood collectives are served by this method, or by linear (near.h)
     TUTTI_PROFILE=FILE        records of the cost of collectives, at the end (profile.h)
     TUTTI_TRACE=FILE          all calls (trace.h)
     TUTTI_RAN=FILE            what the library did in the calls that were left to it (ran.h)
     TUTTI_ADAPT=1|FILE        candidates are tried while the program runs (decision/adaptation.h); the fastest ones are
                               written into FILE at the end, as rules
     TUTTI_CANDIDATES=FILE     all rules that match a call are its candidates
     TUTTI_REPRODUCIBLE=CLASS  reductions that round have these classes (tutti/reproducible.h), in all their forms,
                               whatever else decides
     TUTTI_LEVELS=FILE         the switch, cell or group of each node (base/node_table.h), for multi-level methods

   An empty value is ignored. Other names that begin with TUTTI_ are errors, unless another part of Tutti reads them. */
#ifndef TUTTI_INTERPOSE_POLICY_H
#define TUTTI_INTERPOSE_POLICY_H

#include "base/node_table.h"
#include "decision/libraries/tutti/variables.h"
#include "tutti/decision.h"

/* A method from the variable of a collective. */
struct override {
  bool given, native;
  tutti_method method;
};

/* How neighborhood collectives are done: by the library, by a message for each neighbor, by combined ones where they
   can be. */
enum near { NEAR_NATIVE, NEAR_LINEAR, NEAR_COMBINING };

struct policy {
  struct override overrides[TUTTI_COLL_COUNT];
  tutti_decision file;    /* decide is NULL if no file is named */
  tutti_decision builtin; /* builtin.rules: for all collectives, communicators and sizes */
  bool native;            /* which the library answers in their place */
  bool verbose;
  bool nonblocking; /* other forms of all collectives are served, too */
  enum near near;
  const char *profile;   /* path; NULL: none. Of the environment */
  const char *trace;     /* the same */
  const char *ran;       /* the same */
  unsigned reproducible; /* classes that reductions which round must have; 0: none but the same bits on all ranks */
  bool adapt;
  const char *adapted;       /* the same */
  tutti_decision candidates; /* decide is NULL if no file is named */
  const char *levels_path;   /* path; NULL: none. Of the environment */
  struct node_table levels;  /* level_count is 0 if no file is named */
  uint64_t digest;           /* differs where the policy does */
};

/* TUTTI_ERR_ARGUMENT or TUTTI_ERR_IO names the variable, or FILE:LINE. */
tutti_status tutti_policy_read(struct policy *policy, tutti_error *error);

/* Check that the output files of the policy can be written. Called by the process that will write them. Creates no
   file. TUTTI_ERR_IO names the variable and the file. */
tutti_status tutti_policy_check_outputs(const struct policy *policy, tutti_error *error);

void tutti_policy_free(struct policy *policy);

/* The method for a call, or false if it is to be left to the library. */
bool tutti_policy_decide(const struct policy *policy, const tutti_question *question, tutti_method *method);

/* The candidates for a call, which are tried if the policy adapts: first the answer of tutti_policy_decide(), "native"
   if it is left to the library; then the matching rules of TUTTI_CANDIDATES; without that file the library itself, and
   the methods that the decision file, if it has rules, and the built-in rules have for the collective at any size.
   Without methods that do the same or cannot serve this number of ranks. Only one where a variable gives the method.
   @param rounds   the operation rounds: tutti_policy_rounding()
   @param methods  [most]
   @return their number */
int tutti_policy_candidates(const struct policy *policy, const tutti_question *question, bool rounds,
                            tutti_method *methods, int most);

/* The method that serves a call in place of another one: tutti_method_rounding(), and if the operation @p rounds one
   with the classes of TUTTI_REPRODUCIBLE. */
tutti_method tutti_policy_rounding(const struct policy *policy, const tutti_method *method, bool rounds);

/* Whether the policy serves all calls of a collective itself, also those that it would leave to the library. */
static inline bool tutti_policy_keeps(const struct policy *policy, tutti_collective collective)
{
  return policy->reproducible && tutti_collective_traits(collective) & TUTTI_REDUCES;
}

/* Whether a method may be picked that needs the places of ranks. */
bool tutti_policy_may_need_places(const struct policy *policy);

#endif
