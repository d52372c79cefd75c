/* The command line of tutti predict. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/plot/plot_gnuplot.h"
#include "cli/predict/predict.h"
#include "experiments/experiment_list.h"

enum { KEY_METHOD = 0x400, KEY_MODEL, KEY_SEGMENTS, KEY_PLOT, KEY_STORE, KEY_JSON, KEY_CSV, KEY_TIMES };

static const struct argp_option option_table[] = {
    {.doc = "What to predict:"},
    {"ranks", 'P', "LIST", 0, "communicator sizes: 64 or 2..28 or 16,64 or 2..1024*2 (default 64)", 0},
    {"size", 'm', "LIST", 0,
     "bytes of the message, or of one rank's block: 768KB or 1..1MB*2 (default 1KB; barrier: 0)", 0},
    {"method", KEY_METHOD, "METHOD", 0, "predict this method; may be repeated (default: all algorithms)", 0},
    {"segments", KEY_SEGMENTS, "LIST", 0,
     "segment sizes to try: none, best, 8KB (default none,best); for a METHOD without any only if they are given", 0},
    {"model", KEY_MODEL, "LIST", 0,
     "hockney, loggp, plogp, each with a weight of its vote: hockney,loggp=2,plogp=2 (default: all whose parameters "
     "are known, 1 each)",
     0},
    {.doc = "Output:"},
    {"plot", KEY_PLOT, "FILE", 0, "draw the decision map of the model to FILE.svg, FILE.png or FILE.pdf", 0},
    {"store", KEY_STORE, "FILE", 0,
     "put the times into a store, as measured by the flavour \"model\": for tutti map, penalty and what else reads "
     "maps",
     0},
    {"times", KEY_TIMES, NULL, 0, "of several points, print the times of the best and the second best method too", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {"csv", KEY_CSV, NULL, 0, "print CSV", 0},
    {0},
};

static void *append(struct argp_state *state, void *array, int count, size_t size)
{
  void *larger = realloc(array, ((size_t)count + 1) * size);
  if (!larger)
    argp_failure(state, EXIT_USAGE, 0, "out of memory");
  return larger;
}

static void take_method(struct argp_state *state, struct predict_options *options, const char *text)
{
  tutti_error error;
  options->methods = append(state, options->methods, options->method_count, sizeof *options->methods);
  if (tutti_method_parse(text, &options->methods[options->method_count], &error) != TUTTI_OK)
    argp_error(state, "--method: %s", error.message);
  options->method_count++;
}

static void take_segments(struct argp_state *state, struct predict_options *options, char *text)
{
  tutti_error error;
  options->segment_count = 0;
  options->best_segment = false;
  for (char *word; (word = strsep(&text, ","));) {
    uint64_t bytes = 0;
    if (strcmp(word, "best") == 0) {
      options->best_segment = true;
      continue;
    }
    if (strcmp(word, "none") != 0 && (tutti_size_parse(word, &bytes, &error) != TUTTI_OK || bytes == 0))
      argp_error(state, "--segments: '%s' is none of none, best and a size", word);
    options->segments = append(state, options->segments, options->segment_count, sizeof *options->segments);
    options->segments[options->segment_count++] = bytes;
  }
}

/* What was left open, and what does not go together. */
static void complete(struct argp_state *state, struct predict_options *options)
{
  static char few_ranks[] = "64", few_sizes[] = "1KB", no_size[] = "0B", usual[] = "none,best";
  bool barrier = options->collective == TUTTI_COLL_BARRIER;
  if (!options->ranks)
    parse_list(state, "ranks", few_ranks, tutti_experiment_parse_rank_count, &options->ranks, &options->ranks_count);
  if (!options->sizes)
    parse_list(state, "size", barrier ? no_size : few_sizes, tutti_size_parse, &options->sizes, &options->size_count);
  const struct selection_patterns *patterns = &options->selection.patterns;
  if (options->selection.root >= 0 || options->selection.selection.scheme >= 0 ||
      options->selection.selection.ranks_per_node > 0 || patterns->arrival_count || patterns->noise_count)
    argp_error(state,
               "--root, --scheme, --ranks-per-node, --arrival and --noise say which measurements to read: nothing "
               "is measured here");
  if (barrier && (options->size_count > 1 || options->sizes[0] > 0))
    argp_error(state, "--size: a barrier has no message");
  if (!options->segments && !options->best_segment)
    take_segments(state, options, usual);
  for (int i = 0; i < options->method_count; i++)
    if (options->methods[i].algorithm->collective != options->collective)
      argp_error(state, "--method: %s/%s is no method of %s",
                 tutti_collective_name(options->methods[i].algorithm->collective), options->methods[i].algorithm->name,
                 tutti_collective_name(options->collective));
}

static void take_collective(struct argp_state *state, struct predict_options *options, const char *text)
{
  tutti_error error;
  if (options->collective != TUTTI_COLL_COUNT)
    argp_error(state, "one collective at a time, not '%s' too", text);
  else if (tutti_collective_parse(text, &options->collective, &error) != TUTTI_OK)
    argp_error(state, "%s", error.message);
}

static error_t take_value(int key, char *text, struct argp_state *state)
{
  struct predict_options *options = state->input;
  if (key == 'P')
    parse_list(state, "ranks", text, tutti_experiment_parse_rank_count, &options->ranks, &options->ranks_count);
  else if (key == 'm')
    parse_list(state, "size", text, tutti_size_parse, &options->sizes, &options->size_count);
  else if (key == KEY_METHOD)
    take_method(state, options, text);
  else if (key == KEY_SEGMENTS) {
    take_segments(state, options, text);
    options->segments_given = true;
  } else if (key == KEY_PLOT)
    options->plot = gnuplot_parse_path(state, "plot", text);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct predict_options *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options->predictor;
    state->child_inputs[1] = &options->selection;
    return 0;
  case KEY_MODEL:
    options->models = text;
    return 0;
  case KEY_STORE:
    options->store = text;
    return 0;
  case KEY_JSON:
    options->format = TUTTI_FORMAT_JSON;
    return 0;
  case KEY_CSV:
    options->format = TUTTI_FORMAT_CSV;
    return 0;
  case KEY_TIMES:
    options->times = true;
    return 0;
  case ARGP_KEY_ARG:
    take_collective(state, options, text);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which collective?");
    return 0;
  case ARGP_KEY_SUCCESS:
    complete(state, options);
    return 0;
  default:
    return take_value(key, text, state);
  }
}

static const struct argp_child children[] = {
    {&predictor_argp, 0, "Prediction:", 8}, {&selection_argp, 0, "Platform, and where its parameters are:", 9}, {0}};

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "COLLECTIVE",
    .doc = "Predict the times of methods under performance models, by published formulas or by pricing their "
           "schedules; the best method, the best segment size, and what several models vote for. For several "
           "communicator or message sizes: the decision map of each model.",
    .children = children,
};

void predict_options_read(int argc, char **argv, struct predict_options *options)
{
  options->collective = TUTTI_COLL_COUNT;
  parse_options(&argp, argc, argv, options);
}

void predict_options_free(struct predict_options *options)
{
  free(options->ranks);
  free(options->sizes);
  free(options->methods);
  free(options->segments);
}
