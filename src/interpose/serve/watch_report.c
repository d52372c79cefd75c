/* The common facts of a call, and the reports of differences. */
#include <stdio.h>
#include <time.h>

#include "base/say.h"
#include "interpose/serve/serve.h"
#include "interpose/serve/watch.h"

/* ---- what a call is ---- */

enum { COMMUTES = 1 << 8, ROUNDS = 1 << 9, NATIVE = 1 << 10, NEAR = 1 << 11, ROOT = 32 };

static uint64_t kind_of_operation(const struct arguments *arguments)
{
  int commutes = 1;
  PMPI_Op_commutative(arguments->op, &commutes);
  return (commutes ? COMMUTES : 0) | (tutti_call_rounds(arguments) ? ROUNDS : 0);
}

struct watched_call tutti_watch_describe(const struct arguments *arguments, uint64_t bytes, bool native, bool near)
{
  const unsigned traits = tutti_collective_traits(arguments->collective);
  struct watched_call call = {.kind = (uint64_t)arguments->collective | (near ? NEAR : 0)};
  if (native)
    call.kind |= NATIVE;
  else {
    call.bytes = bytes;
    call.kind |= traits & TUTTI_REDUCES ? kind_of_operation(arguments) : 0;
    call.kind |= traits & TUTTI_HAS_ROOT ? ((uint64_t)(unsigned)arguments->root + 1) << ROOT : 0;
  }
  return call;
}

/* `differing`: bits of the kind. */
static void append_text(char *text, size_t length, const struct watched_call *call, uint64_t differing)
{
  const tutti_collective collective = (tutti_collective)(call->kind & 0xff);
  size_t used =
      (size_t)snprintf(text, length, "%s%s", call->kind & NEAR ? "neighbor_" : "", tutti_collective_name(collective));
  if (call->kind & NATIVE)
    used += (size_t)snprintf(text + used, length - used, " with arguments that are left to the MPI library");
  else if (collective != TUTTI_COLL_BARRIER && !(call->kind & NEAR) &&
           !(tutti_collective_traits(collective) & TUTTI_COUNTS_ARE_LOCAL))
    used += (size_t)snprintf(text + used, length - used, " of %llu bytes", (unsigned long long)call->bytes);
  if (call->kind >> ROOT)
    used +=
        (size_t)snprintf(text + used, length - used, " with root %llu", (unsigned long long)(call->kind >> ROOT) - 1);
  if (differing & (COMMUTES | ROUNDS) && tutti_collective_traits(collective) & TUTTI_REDUCES && !(call->kind & NATIVE))
    snprintf(text + used, length - used, " by an operation that %s%s",
             call->kind & COMMUTES ? "commutes" : "does not commute", call->kind & ROUNDS ? " and rounds" : "");
}

/* ---- reports ---- */

/* MPICH's launcher may end before it has forwarded the report. */
static void end_program(void)
{
  const struct timespec pause = {.tv_nsec = 200000000};
  fflush(stderr);
  nanosleep(&pause, NULL);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

void tutti_watch_report_difference(int asker, const struct watched_call *asked, int rank,
                                   const struct watched_call *own)
{
  char theirs[160], ours[160] = "MPI_Finalize";
  const uint64_t differing = own ? own->kind ^ asked->kind : 0;
  append_text(theirs, sizeof theirs, asked, differing);
  if (own)
    append_text(ours, sizeof ours, own, differing);
  tutti_say(
      stderr,
      "tutti: ranks wait for each other, because their calls on a communicator differ: rank %d of MPI_COMM_WORLD has "
      "called %s, and rank %d %s\n",
      asker, theirs, rank, ours);
  end_program();
}

void tutti_watch_report_absence(int rank, int peer, const struct watched_call *call)
{
  char text[160];
  append_text(text, sizeof text, call, 0);
  tutti_say(
      stderr,
      "tutti: rank %d of MPI_COMM_WORLD waits for a message with rank %d in %s, which that rank has left: another "
      "count or datatype there, or a failure\n",
      rank, peer, text);
  end_program();
}
