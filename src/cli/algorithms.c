/* tutti algorithms: the catalogue. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/report_json.h"
#include "tutti/algorithm.h"

enum { KEY_JSON = 0x300 };

struct algorithms_options {
  const char *collective; /* NULL: all */
  bool json;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct algorithms_options *chosen = state->input;
  switch (key) {
  case KEY_JSON:
    chosen->json = true;
    return 0;
  case ARGP_KEY_ARG:
    if (chosen->collective)
      argp_error(state, "one collective at most, not also '%s'", text);
    chosen->collective = text;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[COLLECTIVE]",
    .doc = "List the algorithms of a collective, or of all: what they take as parameters, what they need, where they "
           "come from, and what Open MPI 4.1 and MPICH 4.0 call them.",
};

static const char *parameters_of(const tutti_algorithm *algorithm, char *text, size_t length)
{
  unsigned takes = algorithm->parameters;
  char k[32] = "";
  if (takes & TUTTI_TAKES_K)
    snprintf(k, sizeof k, "k (>= %d, usually %d)", algorithm->least_k, algorithm->default_k);
  snprintf(text, length, "%s%s%s%s%s", takes & TUTTI_TAKES_SEGMENT ? "segment" : "",
           takes & TUTTI_TAKES_SEGMENT && takes & TUTTI_TAKES_OUTSTANDING ? ", " : "",
           takes & TUTTI_TAKES_OUTSTANDING ? "outstanding" : "", *k && takes & ~TUTTI_TAKES_K ? ", " : "", k);
  return *text ? text : "none";
}

static const char *needs_of(const tutti_algorithm *algorithm, char *text, size_t length)
{
  unsigned needs = algorithm->domain;
  snprintf(text, length, "%s%s%s%s", needs & TUTTI_NEEDS_POWER_OF_TWO ? "power of two; " : "",
           needs & TUTTI_NEEDS_EVEN ? "even size; " : "", needs & TUTTI_NEEDS_COMMUTATIVE ? "commutative; " : "",
           needs & TUTTI_NEEDS_COUNT ? "an element per rank; " : "");
  return *text ? text : "nothing";
}

static void print_text(const tutti_algorithm *algorithm)
{
  char parameters[80], needs[80], openmpi[16] = "-";
  if (algorithm->openmpi_id)
    snprintf(openmpi, sizeof openmpi, "%d", algorithm->openmpi_id);
  printf("%s/%s\n", tutti_collective_name(algorithm->collective), algorithm->name);
  printf("    parameters  %s\n", parameters_of(algorithm, parameters, sizeof parameters));
  printf("    needs       %s\n", needs_of(algorithm, needs, sizeof needs));
  printf("    source      %s\n", algorithm->source);
  printf("    Open MPI    %-4s MPICH  %s\n", openmpi, algorithm->mpich_name ? algorithm->mpich_name : "-");
}

static void print_json(const tutti_algorithm *algorithm, bool first)
{
  char parameters[80], needs[80];
  printf("%s\n  {\"collective\": ", first ? "" : ",");
  json_string(stdout, tutti_collective_name(algorithm->collective));
  printf(", \"name\": ");
  json_string(stdout, algorithm->name);
  printf(", \"parameters\": ");
  json_string(stdout, parameters_of(algorithm, parameters, sizeof parameters));
  printf(", \"needs\": ");
  json_string(stdout, needs_of(algorithm, needs, sizeof needs));
  printf(", \"source\": ");
  json_string(stdout, algorithm->source);
  printf(", \"openmpi\": %d, \"mpich\": ", algorithm->openmpi_id);
  if (algorithm->mpich_name)
    json_string(stdout, algorithm->mpich_name);
  else
    printf("null");
  printf("}");
}

static void print_all(const struct algorithms_options *chosen, bool all, tutti_collective collective)
{
  bool first = true;
  if (chosen->json)
    printf("[");
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (!all && algorithm->collective != collective)
      continue;
    if (chosen->json)
      print_json(algorithm, first);
    else
      print_text(algorithm);
    first = false;
  }
  if (chosen->json)
    printf("\n]\n");
}

int command_algorithms(int argc, char **argv)
{
  struct algorithms_options chosen = {0};
  tutti_collective collective = TUTTI_COLL_BCAST;
  tutti_error error;
  parse_options(&argp, argc, argv, &chosen);
  if (chosen.collective && tutti_collective_parse(chosen.collective, &collective, &error) != TUTTI_OK)
    return complain(&error);
  print_all(&chosen, chosen.collective == NULL, collective);
  return EXIT_DONE;
}
