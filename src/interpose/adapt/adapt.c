#include "interpose/adapt/adapt.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/say.h"
#include "decision/adaptation.h"
#include "interpose/process.h"
#include "interpose/serve/communicator.h"
#include "interpose/serve/serve.h"

enum { SIZE_CLASSES = 65 };

/* Calls of a collective, on a communicator, of a class of sizes. */
struct adapted_class {
  uint64_t calls; /* once it is decided; those that are done again (recent.h) are not among them */
  int count, chosen;
  tutti_method methods[TUTTI_ADAPT_ARMS];
  struct tutti_adaptation *adaptation; /* NULL: decided */
};

struct adapted_classes {
  int rank, ranks;                                             /* of the communicator */
  struct adapted_class *of[TUTTI_COLL_COUNT][2][SIZE_CLASSES]; /* [rounds]; NULL: none yet */
};

void tutti_adapt_begin(struct process *process)
{
  if (!process->policy->adapt)
    return;
  tutti_profile_now(process->known.shadow, &process->adapt.clock);
  process->adapt.begun = true;
}

bool tutti_adapt_concerns(const struct adapt *adapt, tutti_collective collective)
{
  return adapt->begun && !(tutti_collective_traits(collective) & TUTTI_COUNTS_ARE_LOCAL);
}

/* ---- picking ---- */

static void *allocate(size_t bytes)
{
  void *memory = calloc(1, bytes);
  if (!memory) {
    tutti_say(stderr, "tutti: TUTTI_ADAPT: out of memory\n");
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

static struct adapted_classes *classes_of(struct adapt *adapt, struct communicator *communicator)
{
  if (!communicator->adapted) {
    communicator->adapted = allocate(sizeof *communicator->adapted);
    communicator->adapted->rank = communicator->view.rank;
    communicator->adapted->ranks = communicator->view.size;
    if (!tutti_vector_push(&adapt->open, communicator->adapted))
      tutti_say(stderr, "tutti: TUTTI_ADAPT: out of memory: a communicator is left out of what is written\n");
  }
  return communicator->adapted;
}

static struct adapted_class *begin_class(struct process *process, struct communicator *communicator,
                                         tutti_collective collective, bool rounds, uint64_t bytes)
{
  const tutti_question question = {collective, communicator->view.size, 0, bytes};
  struct adapted_class *class = allocate(sizeof *class);
  class->count = tutti_policy_candidates(process->policy, &question, rounds, class->methods, TUTTI_ADAPT_ARMS);
  for (int m = 0; m < class->count; m++)
    tutti_communicator_prepare(&process->known, communicator, &class->methods[m]);
  if (class->count > 1) {
    class->adaptation = allocate(sizeof *class->adaptation);
    tutti_adaptation_begin(class->adaptation, class->count, TUTTI_ADAPT_BUDGET);
  }
  return class;
}

/* 0 of 0 bytes, else 1 + the largest n with 2^n <= bytes. */
static int size_class_of(uint64_t bytes)
{
  return bytes == 0 ? 0 : 64 - __builtin_clzll(bytes);
}

static struct adapted_class *class_of(struct communicator *communicator, tutti_collective collective, bool rounds,
                                      uint64_t bytes)
{
  struct process *process = tutti_process();
  pthread_mutex_lock(&process->lock);
  struct adapted_classes *classes = classes_of(&process->adapt, communicator);
  pthread_mutex_unlock(&process->lock);
  struct adapted_class **class = &classes->of[collective][rounds][size_class_of(bytes)];
  if (!*class)
    *class = begin_class(process, communicator, collective, rounds, bytes);
  return *class;
}

const tutti_method *tutti_adapt_pick(struct call *call, struct communicator *communicator, uint64_t bytes)
{
  const tutti_collective collective = call->arguments->collective;
  struct adapted_classes *classes = communicator->adapted;
  const bool rounds = tutti_call_rounds(call->arguments);
  struct adapted_class *class = classes ? classes->of[collective][rounds][size_class_of(bytes)] : NULL;
  bool trial = false;
  if (!class)
    class = class_of(communicator, collective, rounds, bytes);
  if (!class->adaptation) {
    class->calls++;
    return &class->methods[class->chosen];
  }
  const int picked = tutti_adaptation_pick(class->adaptation, &trial);
  call->adapted = class;
  if (trial) {
    call->trial = class;
    call->arrival = PMPI_Wtime();
  }
  return &class->methods[picked];
}

bool tutti_adapt_repeats(struct adapted_class *class, const tutti_method *candidate)
{
  struct tutti_adaptation *adaptation = class->adaptation;
  if (candidate != &class->methods[adaptation ? adaptation->favorite : class->chosen] ||
      (adaptation && adaptation->calls == adaptation->next))
    return false;
  ++*(adaptation ? &adaptation->calls : &class->calls);
  return true;
}

void tutti_adapt_end_trial(const struct call *call)
{
  struct adapted_class *class = call->trial;
  const double end = PMPI_Wtime(), offset = tutti_process()->adapt.clock.offset;
  struct tutti_adaptation *adaptation = class->adaptation;
  int count;
  if (!tutti_adaptation_end_trial(adaptation, call->arrival + offset, end + offset, &count))
    return;
  PMPI_Allreduce(MPI_IN_PLACE, adaptation->seen, count, MPI_DOUBLE, MPI_MAX, call->communicator->comm);
  tutti_adaptation_agree(adaptation);
  if (!adaptation->decided)
    return;
  class->chosen = adaptation->favorite;
  class->calls = adaptation->calls;
  class->adaptation = NULL;
  free(adaptation);
}

/* ---- what was found ---- */

static struct adapted_row make_row(const struct adapted_class *class, tutti_collective collective, int ranks,
                                   int size_class)
{
  const struct tutti_adaptation *adaptation = class->adaptation;
  struct adapted_row row = {.collective = collective,
                            .ranks = ranks,
                            .size_class = size_class,
                            .decided = !adaptation,
                            .calls = adaptation ? adaptation->calls : class->calls};
  tutti_method_format(&class->methods[adaptation ? adaptation->favorite : class->chosen], row.method);
  return row;
}

/* Rank 0 of a communicator reports for it. */
static void close_class(struct adapt *adapt, const struct adapted_classes *classes, struct adapted_class *class,
                        tutti_collective collective, int size_class)
{
  if (!class)
    return;
  if (classes->rank == 0 && !tutti_vector_push(&adapt->rows, make_row(class, collective, classes->ranks, size_class)))
    tutti_say(stderr, "tutti: TUTTI_ADAPT: out of memory: what was found is not written\n");
  free(class->adaptation);
  free(class);
}

static void close_classes(struct adapt *adapt, struct adapted_classes *classes)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int s = 0; s < SIZE_CLASSES; s++)
      for (int rounds = 0; rounds < 2; rounds++)
        close_class(adapt, classes, classes->of[c][rounds][s], (tutti_collective)c, s);
  free(classes);
}

void tutti_adapt_forget(struct adapted_classes *classes)
{
  struct process *process = tutti_process();
  struct adapt *adapt = &process->adapt;
  pthread_mutex_lock(&process->lock);
  for (size_t i = 0; i < adapt->open.count; i++)
    if (adapt->open.items[i] == classes) {
      adapt->open.items[i] = adapt->open.items[--adapt->open.count];
      close_classes(adapt, classes);
      break;
    }
  tutti_adapt_merge(&adapt->rows);
  pthread_mutex_unlock(&process->lock);
}

void tutti_adapt_end(struct process *process)
{
  struct adapt *adapt = &process->adapt;
  if (!adapt->begun)
    return;
  while (adapt->open.count > 0)
    close_classes(adapt, adapt->open.items[--adapt->open.count]);
  tutti_adapt_merge(&adapt->rows);
  if (process->policy->adapted)
    tutti_adapt_write(&adapt->rows, process->policy->adapted);
  tutti_vector_free(&adapt->rows);
  tutti_vector_free(&adapt->open);
  adapt->begun = false;
}
