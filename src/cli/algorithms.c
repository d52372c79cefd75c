/* tutti algorithms: the catalogue. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/report_json.h"
#include "tutti/algorithm.h"

struct algorithms_options {
  tutti_collective collective;
  bool one; /* collective, not all */
  bool json;
};

static const struct option_row options[] = {OPTION_JSON(struct algorithms_options, json),
                                            ARGUMENT_PARSE("COLLECTIVE", struct algorithms_options, collective,
                                                           option_collective, .optional = true,
                                                           OPTION_GIVEN(struct algorithms_options, one)),
                                            OPTION_END};

/* A list in a text of limited length. */
struct list {
  char *text;
  size_t length;
};

static void add_item(struct list *list, const char *item)
{
  size_t used = strlen(list->text);
  snprintf(list->text + used, list->length - used, "%s%s", used ? ", " : "", item);
}

static const char *parameters_of(const tutti_algorithm *algorithm, char *text, size_t length)
{
  struct list list = {text, length};
  char item[96];
  *text = '\0';
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
    add_item(&list, "segment");
  if (algorithm->parameters & TUTTI_TAKES_OUTSTANDING)
    add_item(&list, "outstanding");
  if (algorithm->parameters & TUTTI_TAKES_K) {
    if (algorithm->default_k > 0)
      snprintf(item, sizeof item, "%s (>= %d, usually %d)", tutti_algorithm_k_name(algorithm), algorithm->least_k,
               algorithm->default_k);
    else
      snprintf(item, sizeof item, "%s (>= 1, usually as the nodes are)", tutti_algorithm_k_name(algorithm));
    add_item(&list, item);
  }
  for (int i = 0; i < TUTTI_MOST_PARTS && algorithm->parts[i].name; i++) {
    const tutti_part_of *part = &algorithm->parts[i];
    snprintf(item, sizeof item, "%s (%s, usually %s)", part->name, tutti_collective_name(part->collective),
             part->usual);
    add_item(&list, item);
  }
  return *text ? text : "none";
}

static const char *needs_of(const tutti_algorithm *algorithm, char *text, size_t length)
{
  static const struct {
    unsigned need;
    const char *words;
  } words[] = {
      {TUTTI_NEEDS_POWER_OF_TWO, "a power of two of ranks"},
      {TUTTI_NEEDS_EVEN, "an even number of ranks"},
      {TUTTI_NEEDS_TWO, "two ranks"},
      {TUTTI_NEEDS_COMMUTATIVE, "a commutative operation"},
      {TUTTI_NEEDS_COUNT, "an element per rank"},
      {TUTTI_NEEDS_NODES, "known nodes (ranks_per_node=)"},
  };
  struct list list = {text, length};
  *text = '\0';
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (algorithm->domain & words[i].need)
      add_item(&list, words[i].words);
  return *text ? text : algorithm->parts[0].name ? "what its parts need" : "nothing";
}

static void print_text(const tutti_algorithm *algorithm)
{
  char parameters[256], needs[160], openmpi[16] = "-";
  if (algorithm->openmpi_id)
    snprintf(openmpi, sizeof openmpi, "%d", algorithm->openmpi_id);
  printf("%s/%s\n", tutti_collective_name(algorithm->collective), algorithm->name);
  printf("    parameters  %s\n", parameters_of(algorithm, parameters, sizeof parameters));
  printf("    needs       %s\n", needs_of(algorithm, needs, sizeof needs));
  if (algorithm->substitute)
    printf("    else        %s\n", algorithm->substitute);
  printf("    source      %s\n", algorithm->source);
  printf("    Open MPI    %-4s MPICH  %s\n", openmpi, algorithm->mpich_name ? algorithm->mpich_name : "-");
}

static void print_json(const tutti_algorithm *algorithm, bool first)
{
  char parameters[256], needs[160];
  printf("%s\n  {\"collective\": ", first ? "" : ",");
  json_string(stdout, tutti_collective_name(algorithm->collective));
  printf(", \"name\": ");
  json_string(stdout, algorithm->name);
  printf(", \"parameters\": ");
  json_string(stdout, parameters_of(algorithm, parameters, sizeof parameters));
  printf(", \"needs\": ");
  json_string(stdout, needs_of(algorithm, needs, sizeof needs));
  printf(", \"else\": ");
  if (algorithm->substitute)
    json_string(stdout, algorithm->substitute);
  else
    printf("null");
  printf(", \"source\": ");
  json_string(stdout, algorithm->source);
  printf(", \"openmpi\": %d, \"mpich\": ", algorithm->openmpi_id);
  if (algorithm->mpich_name)
    json_string(stdout, algorithm->mpich_name);
  else
    printf("null");
  printf("}");
}

static int run(void *values)
{
  const struct algorithms_options *chosen = values;
  bool first = true;
  if (chosen->json)
    printf("[");
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (chosen->one && algorithm->collective != chosen->collective)
      continue;
    if (chosen->json)
      print_json(algorithm, first);
    else
      print_text(algorithm);
    first = false;
  }
  if (chosen->json)
    printf("\n]\n");
  return EXIT_DONE;
}

const struct command command_algorithms = {
    .name = "algorithms",
    .summary = "list collectives, their algorithms and what these need",
    .help = "List the algorithms of a collective, or of all: what they take as parameters, what they need and what "
            "serves the other calls, where they come from, and what Open MPI 4.1 and MPICH 4.0 call them.",
    .options = options,
    .size = sizeof(struct algorithms_options),
    .run = run,
};
