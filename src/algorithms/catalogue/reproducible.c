/* Classes of reproducibility: their names, and what the catalogue says of methods. */
#include "tutti/reproducible.h"

#include <stdio.h>
#include <string.h>

#include "tutti/plugin.h"

static const char *const names[TUTTI_REPRODUCIBLE_CLASSES] = {"ranks", "arrival", "nodes",
                                                              "size",  "aligned", "distribution"};

const char *tutti_reproducible_name(int index)
{
  return index >= 0 && index < TUTTI_REPRODUCIBLE_CLASSES ? names[index] : NULL;
}

char *tutti_reproducible_format(unsigned classes, char *text)
{
  size_t length = 0;
  for (int c = 0; c < TUTTI_REPRODUCIBLE_CLASSES; c++)
    if (classes & 1u << c)
      length +=
          (size_t)snprintf(text + length, TUTTI_REPRODUCIBLE_LENGTH - length, "%s%s", length ? ", " : "", names[c]);
  return length ? text : strcpy(text, "none");
}

tutti_status tutti_reproducible_parse(const char *text, unsigned *classes, tutti_error *error)
{
  *classes = 0;
  for (;; text++) {
    const size_t length = strcspn(text, ",");
    int c = 0;
    while (c < TUTTI_REPRODUCIBLE_CLASSES && (strlen(names[c]) != length || strncmp(text, names[c], length) != 0))
      c++;
    if (c == TUTTI_REPRODUCIBLE_CLASSES)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                        "'%.*s' is no class of reproducibility: ranks, arrival, nodes, size, aligned, distribution, or "
                        "several with commas",
                        length < 40 ? (int)length : 40, text);
    *classes |= 1u << c;
    text += length;
    if (!*text)
      return TUTTI_OK;
  }
}

unsigned tutti_reproducible_of_choice(unsigned classes)
{
  return classes & TUTTI_REPRODUCIBLE_SIZE ? classes | TUTTI_REPRODUCIBLE_ALIGNED : classes;
}

/* The parts that reduce have an effect on the order. */
static unsigned classes_of_parts(const tutti_method *method)
{
  unsigned classes = TUTTI_REPRODUCIBLE_ALL;
  for (int i = 0; i < TUTTI_MAX_PARTS && method->parameters.parts[i].algorithm; i++) {
    const tutti_algorithm *part = method->parameters.parts[i].algorithm;
    if (!(tutti_collective_traits(part->collective) & TUTTI_REDUCES))
      continue;
    classes &= ~(part->sizes_apart ? TUTTI_REPRODUCIBLE_SIZE : 0u);
    classes &= ~(part->aligned ? 0u : TUTTI_REPRODUCIBLE_ALIGNED);
  }
  return classes;
}

/* Parts whose operands are combined in one tree whatever the root is, or the rank that gets the block; where operands
   may be exchanged. */
static bool has_one_tree(const tutti_algorithm *part)
{
  static const char *const reduce[] = {"linear", "rabenseifner", "fixed-tree", NULL};
  static const char *const scatter[] = {"reduce-scatter", "recursive-halving", "recursive-doubling", "butterfly", NULL};
  const char *const *names = part->collective == TUTTI_COLL_REDUCE ? reduce : scatter;
  while (*names && strcmp(part->name, *names) != 0)
    names++;
  return *names;
}

/* Whether elements at other places of the message have other trees. By algorithms made of others they do because the
   first part combines the operands of a node for each piece at another rank: two operands have one tree. */
static bool has_sizes_apart(const tutti_method *method)
{
  const tutti_algorithm *part = method->parameters.parts[0].algorithm;
  const int ranks_per_node = method->parameters.k;
  return method->algorithm->sizes_apart &&
         !(part && (ranks_per_node == 1 || ranks_per_node == 2 || has_one_tree(part)));
}

/* Algorithms that a library runs otherwise for short messages, or leaves their parts to its choice by size: what
   bench/reproducible.sh found by Open MPI 4.1.4 and MPICH 4.0.2. */
static bool is_refuted(const tutti_method *method)
{
  static const struct {
    tutti_implementation implementation;
    tutti_collective collective;
    const char *name;
  } refuted[] = {
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_ALLREDUCE, "reduce-bcast"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_ALLREDUCE, "rabenseifner"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_ALLREDUCE, "allgather-reduce"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_REDUCE, "rabenseifner"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_REDUCE, "k-nomial"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_REDUCE_SCATTER, "reduce-scatter"},
      {TUTTI_IMPLEMENTATION_OPENMPI, TUTTI_COLL_REDUCE_SCATTER_BLOCK, "reduce-scatter"},
      {TUTTI_IMPLEMENTATION_MPICH, TUTTI_COLL_REDUCE_SCATTER_BLOCK, "butterfly"},
      {TUTTI_IMPLEMENTATION_MPICH, TUTTI_COLL_REDUCE, "rabenseifner"},
      {TUTTI_IMPLEMENTATION_MPICH, TUTTI_COLL_REDUCE, "two-level"},
      {TUTTI_IMPLEMENTATION_MPICH, TUTTI_COLL_ALLREDUCE, "two-level"},
  };
  for (size_t i = 0; i < sizeof refuted / sizeof *refuted; i++)
    if (method->implementation == refuted[i].implementation && method->algorithm->collective == refuted[i].collective &&
        strcmp(method->algorithm->name, refuted[i].name) == 0)
      return true;
  return false;
}

unsigned tutti_method_reproducible(const tutti_method *method)
{
  const tutti_algorithm *algorithm = method->algorithm;
  unsigned classes = TUTTI_REPRODUCIBLE_ARRIVAL;
  if (!(tutti_collective_traits(algorithm->collective) & TUTTI_REDUCES))
    return TUTTI_REPRODUCIBLE_ALL;
  if (tutti_method_is_native(method))
    return 0;
  if (!tutti_method_rounds_apart(method))
    classes |= TUTTI_REPRODUCIBLE_RANKS;
  if (tutti_algorithm_is_plugin(algorithm))
    return classes;
  if (!(algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS | TUTTI_NEEDS_TORUS)) || method->parameters.k > 0)
    classes |= TUTTI_REPRODUCIBLE_NODES;
  classes |= has_sizes_apart(method) ? 0 : TUTTI_REPRODUCIBLE_SIZE;
  classes |= algorithm->aligned == TUTTI_ALIGNED ? TUTTI_REPRODUCIBLE_ALIGNED : 0;
  classes |= algorithm->distributes ? TUTTI_REPRODUCIBLE_DISTRIBUTION : 0;
  if (is_refuted(method))
    classes &= ~(unsigned)(TUTTI_REPRODUCIBLE_SIZE | TUTTI_REPRODUCIBLE_ALIGNED);
  return classes & classes_of_parts(method);
}

static bool has(const tutti_method *method, unsigned classes)
{
  return (tutti_method_reproducible(method) & classes) == classes;
}

/* An algorithm that serves all calls: a substitute of another one, else the first; false: there is none. */
static bool find_reproducible(tutti_collective collective, unsigned classes, tutti_method *method)
{
  for (size_t i = 0; i < 2 * tutti_algorithm_count(); i++) {
    const bool substitutes = i < tutti_algorithm_count();
    const tutti_algorithm *algorithm = tutti_algorithm_at(i % tutti_algorithm_count());
    if (algorithm->collective != collective || (substitutes ? !algorithm->substitute : algorithm->domain))
      continue;
    *method = tutti_method_default(algorithm);
    if (substitutes)
      *method = tutti_method_substitute(method);
    if (has(method, classes))
      return true;
  }
  return false;
}

tutti_method tutti_method_reproducing(const tutti_method *method, unsigned classes)
{
  const tutti_collective collective = method->algorithm->collective;
  tutti_method found;
  if (has(method, classes))
    return *method;
  if (method->algorithm->substitute) {
    const tutti_method substitute = tutti_method_substitute(method);
    if (has(&substitute, classes))
      return substitute;
  }
  if (!find_reproducible(collective, classes, &found) &&
      !find_reproducible(collective, classes & ~TUTTI_REPRODUCIBLE_ALIGNED, &found))
    return *method;
  return tutti_method_as(&found, method->implementation);
}
