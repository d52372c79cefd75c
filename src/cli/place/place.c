/* tutti place: an algorithm is proven, measured against all others, and put in its place. */
#include "cli/place/place.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/subcommand.h"
#include "tutti/experiment.h"

static const struct option_row option_table[] = {
    OPTION_STRING("platform", "NAME|FILE", struct place_options, platform, "the machine"),
    OPTION_NUMBERS("ranks", struct place_options, ranks, tutti_experiment_parse_rank_count, "numbers of ranks",
                   .letter = 'P',
                   .otherwise = "powers of two from 4 on and one number that is none, as far as a computer simulates "
                                "in about a minute"),
    OPTION_NUMBERS("size", struct place_options, sizes, tutti_size_parse,
                   "bytes of the message, or of one rank's block", .letter = 's',
                   .otherwise = "a dozen from 8B to 1MB, or to 64KB"),
    OPTION_STRING("methods", "LIST", struct place_options, methods,
                  "compare with these methods, separated by commas: binomial, chain/8KB/k=2",
                  .otherwise = "all algorithms, where they take segments also with 8 KB and 64 KB"),
    OPTION_PARSE("engine", "smpi|fast|flow", struct place_options, engine, option_engine, "what simulates",
                 .initial = TUTTI_FLAVOR_FAST),
    OPTION_STRING("scheme", "occ|window", struct place_options, scheme,
                  "how a call is timed; bounds of any method are closest under window", .otherwise = "as tutti bench"),
    OPTION_JOBS(struct place_options, jobs),
    OPTION_QUIET(struct place_options, quiet),
    OPTION_HEADING("Output:"),
    OPTION_STRING("output", "PREFIX|FOLDER", struct place_options, prefix,
                  "write the figures PREFIX.pdf and PREFIX-map.pdf, and the tables PREFIX.csv, PREFIX-methods.csv, "
                  "PREFIX.tex and PREFIX-points.tex",
                  .letter = 'o', .otherwise = "place-COLLECTIVE-NAME"),
    OPTION_STRING("db", "FILE", struct place_options, database, "the store; what it has is not measured again",
                  .writes = WRITES_STORE, .otherwise = "PREFIX.db"),
    OPTION_NUMBER("top", "N", struct place_options, top,
                  "list so many methods, beside the own one, as text and in "
                  "PREFIX.tex",
                  .min = 1, .max = 10000, .initial = "10"),
    OPTION_FORMAT(struct place_options, format),
    OPTION_LATEX(struct place_options, format),
    ARGUMENT_STRING("METHOD|FILE.c|FILE.so|FILE.xml", struct place_options, subject),
    OPTION_REQUIRED("platform", "on which machine? --platform NAME|FILE (tutti platform list, tutti platform new)"),
    OPTION_END};

/* ---- measuring ---- */

/* tutti bench of a collective; its summary is not the output of this command. @p methods NULL: all. */
static int bench(const struct place *place, tutti_collective collective, const char *methods)
{
  const struct place_options *options = place->options;
  struct subcommand command = subcommand("bench");
  FILE *summary = subcommand_open_output();
  subcommand_add(&command, tutti_collective_name(collective));
  subcommand_add_option(&command, "--platform", options->platform);
  subcommand_add_option(&command, "--engine", options->engine);
  subcommand_add_option(&command, "--db", place->database);
  if (options->scheme)
    subcommand_add_option(&command, "--scheme", options->scheme);
  subcommand_add_option(&command, methods ? "--methods" : "--segments", methods ? methods : PLACE_SEGMENTS);
  subcommand_add_numbers(&command, "--ranks", &place->ranks);
  if (collective != TUTTI_COLL_BARRIER)
    subcommand_add_numbers(&command, "--size", &place->sizes);
  if (place_root(place) > 0)
    subcommand_add_format(&command, "--root=%d", place_root(place));
  subcommand_add(&command, "--no-verify"); /* that was done */
  if (options->jobs > 0)
    subcommand_add_format(&command, "--jobs=%d", options->jobs);
  if (options->quiet)
    subcommand_add(&command, "--quiet");
  const int code = subcommand_run_into(&command, summary);
  fclose(summary);
  subcommand_free(&command);
  return code;
}

static int measure(const struct place *place)
{
  unsigned done = 0;
  int code = EXIT_DONE;
  patience_end(); /* bench shows how far it is */
  for (size_t i = 0; i < place->count && code == EXIT_DONE; i++) {
    const tutti_collective collective = place->items[i].method.algorithm->collective;
    if (done & 1u << collective)
      continue;
    done |= 1u << collective;
    char *methods = place_methods(place, collective);
    if (!place->options->methods)
      code = bench(place, collective, NULL);
    if (methods && code == EXIT_DONE)
      code = bench(place, collective, methods);
    free(methods);
  }
  return code;
}

/* ---- output ---- */

static void print_verdicts(const struct place *place)
{
  for (size_t i = 0; i < place->count; i++)
    if (place->items[i].verdict)
      print_sentence(0, "%s.", place->items[i].verdict);
}

/* Its tables, figures and text. */
static void show(struct place *place, const struct placed *placed)
{
  struct map_report report = map_report_create(&placed->among->measured);
  map_mine_find(&placed->among->measured.map, "methods", placed->name, &report.mine);
  if (place->options->format == TUTTI_FORMAT_TEXT)
    place_print(place, placed, &report);
  fflush(stdout); /* the text is printed even if a picture fails */
  char *names = place_write_files(place, placed, &report);
  if (place->options->format == TUTTI_FORMAT_TEXT) {
    printf("\n");
    print_sentence(0, "Written:%s; the store: %s", names, place->database);
  }
  free(names);
  map_report_free(&report);
}

static void stand(struct place *place)
{
  for (size_t i = 0; i < place->count; i++) {
    struct placed *placed = &place->items[i];
    place_read_map(place, placed);
    place_stand(place, placed);
    placed->verdict = place_verdict(placed);
  }
}

static void report(struct place *place)
{
  if (place->options->format == TUTTI_FORMAT_TEXT)
    print_verdicts(place);
  else
    place_print_document(place);
}

/* The verdict on those that are wrong; the others were not measured. */
static int report_wrong(struct place *place)
{
  for (size_t i = 0; i < place->count; i++)
    if (place->items[i].reason)
      place->items[i].verdict = place_verdict(&place->items[i]);
  report(place);
  return EXIT_FOUND;
}

static int run_place(struct place *place)
{
  if (!place_prove(place, false))
    return report_wrong(place);
  place_choose_points(place);
  if (!place_prove(place, true))
    return report_wrong(place);
  const int code = measure(place);
  if (code != EXIT_DONE)
    return code;
  stand(place);
  report(place);
  char *prefix = place->prefix;
  for (size_t i = 0; i < place->count; i++) {
    place->prefix = place_prefix_of(place, prefix, i);
    show(place, &place->items[i]);
    free(place->prefix);
  }
  place->prefix = prefix;
  return EXIT_DONE;
}

static void free_place(struct place *place)
{
  for (size_t i = 0; i < place->count; i++) {
    free(place->items[i].reason);
    free(place->items[i].verdict);
    if (place->items[i].among)
      tutti_decision_map_free(&place->items[i].among->measured.map);
    free(place->items[i].among);
  }
  tutti_vector_free(place);
  tutti_table_free(&place->points);
  tutti_table_free(&place->methods);
  tutti_platform_free(&place->platform);
  free(place->ranks.items);
  free(place->sizes.items);
  free(place->prefix);
  free(place->database);
}

static int run(void *values)
{
  const struct place_options *options = values;
  tutti_scheme scheme;
  struct place place = {.options = options,
                        .scheme = -1,
                        .points = {.key = "standings",
                                   .columns = place_point_columns,
                                   .column_count = PLACE_POINT_COLUMNS,
                                   .row_size = sizeof(struct place_point)},
                        .methods = {.key = "methods",
                                    .columns = place_method_columns,
                                    .column_count = PLACE_METHOD_COLUMNS,
                                    .row_size = sizeof(struct place_method)}};
  if (options->scheme) {
    must(tutti_scheme_parse_ours(options->scheme, &scheme, &failure));
    place.scheme = (int)scheme;
  }
  must(platform_load(options->platform, &place.platform, &failure));
  place_read_subject(&place);
  const int code = run_place(&place);
  free_place(&place);
  return code;
}

DEFINE_COMMAND(place, "place", option_table, struct place_options, run);
