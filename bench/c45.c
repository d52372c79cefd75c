/* C4.5 on a file of cases: the tree and what table 6.7 of Pjesivac-Grbovic 2007 counts, for comparison with others.

   bench-c45 FILE.arff [-m WEIGHT] [-c PERCENT] [-u] [-s] [-g] [-n] [-t TRIALS] [-q]: -u unpruned, -s groups of values,
   -g gain, -n limits as J48 has them, -q no tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/input.h"
#include "tutti/learners.h"
#include "unit/decision/arff.h"

static bool parse(int argc, char **argv, tutti_c45_options *options, bool *quiet)
{
  int option;
  while ((option = getopt(argc, argv, "m:c:t:usgnq")) != -1)
    switch (option) {
    case 'm':
      options->weight = atof(optarg);
      break;
    case 'c':
      options->confidence = atof(optarg);
      break;
    case 't':
      options->trials = atoi(optarg);
      break;
    case 'u':
      options->unpruned = true;
      break;
    case 's':
      options->grouping = true;
      break;
    case 'g':
      options->gain = true;
      break;
    case 'n':
      options->limit = TUTTI_LIMIT_NORMAL;
      break;
    case 'q':
      *quiet = true;
      break;
    default:
      return false;
    }
  return optind + 1 == argc;
}

static tutti_status run(const char *path, const tutti_c45_options *options, bool quiet, tutti_error *error)
{
  tutti_classifier tree;
  tutti_c45_report report;
  struct rusage usage;
  char *text;
  size_t length;
  double begin = tutti_clock(CLOCK_MONOTONIC);
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_RECORDS, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  tutti_cases cases = arff_read(text);
  free(text);
  double read = tutti_clock(CLOCK_MONOTONIC);
  status = tutti_c45_learn(&cases, options, &tree, &report, error);
  double learnt = tutti_clock(CLOCK_MONOTONIC);
  if (status == TUTTI_OK && !quiet)
    status = tutti_classifier_print(&tree, stdout, error);
  if (status == TUTTI_OK) {
    getrusage(RUSAGE_SELF, &usage);
    printf("rows %zu grown %d %zu leaves %d errors %zu predicted %.1f\n", cases.count, report.grown_leaves,
           report.grown_errors, report.leaves, report.errors, report.predicted);
    fprintf(stderr, "read %.2f s, learnt %.2f s, %ld MB at most\n", read - begin, learnt - read,
            usage.ru_maxrss / 1024);
    tutti_classifier_free(&tree);
  }
  tutti_cases_free(&cases);
  return status;
}

int main(int argc, char **argv)
{
  tutti_c45_options options = tutti_c45_defaults();
  tutti_error error;
  bool quiet = false;
  if (!parse(argc, argv, &options, &quiet)) {
    fprintf(stderr, "usage: bench-c45 [-m WEIGHT] [-c PERCENT] [-t TRIALS] [-u] [-s] [-g] [-n] [-q] FILE\n");
    return 2;
  }
  if (run(argv[optind], &options, quiet, &error) == TUTTI_OK)
    return 0;
  fprintf(stderr, "bench-c45: %s\n", error.message);
  return 2;
}
