/* Recommended rules: the smallest tree over ranks and bytes whose mean penalty is at most one percent. */
#include "cli/report/report.h"
#include "harness/experiments/file/bench_command.h"
#include "tutti/learn.h"

/* The rules are read by people: a mean loss of one percent pays for a shorter tree. */
static const char learner_name[] = "optimal", option_name[] = "mean", decision_name[] = "recommended";
static const double mean_percent = 1;

/* The library that the rules are for. */
static const char *library_of(const tutti_environment *environment)
{
  return strcmp(environment->flavor, "mpich") == 0 ? "mpich" : "openmpi";
}

static tutti_status learn(const tutti_decision_map *map, tutti_decision *decision)
{
  const tutti_learner *learner = tutti_learner_find(learner_name, NULL);
  const tutti_learner_option *option = tutti_learner_option_find(learner, option_name);
  const tutti_learn_options options = {.seed = 1};
  tutti_decision_trees trees = {.count = 1, .items = tutti_xcalloc(1, sizeof *trees.items)};
  char *settings = tutti_xcalloc(1, learner->settings_size);
  memcpy(settings, learner->defaults, learner->settings_size);
  memcpy(settings + option->offset, &mean_percent, sizeof mean_percent);
  tutti_status status = tutti_learn(learner, settings, &options, map, 1, &trees.items[0], NULL, NULL);
  free(settings);
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees(decision_name, &trees, decision, NULL);
  else
    trees.count = 0;
  tutti_decision_trees_free(&trees);
  return status;
}

/* A copy of the map, to be freed: as in the commands with a target, the methods of the library can be best where some
   were measured, and its own choice. */
static tutti_decision_map choose_for_library(const struct report *report, const struct report_map *asked,
                                             const tutti_target *target)
{
  tutti_decision_map chosen;
  const tutti_implementation library = tutti_target_implementation(target);
  must(tutti_decision_map_restrict(&asked->map, NULL, NULL, &chosen, &failure));
  if (report->options->maps.implementation < 0 && tutti_decision_map_has(&chosen, library))
    tutti_decision_map_choose(&chosen, (tutti_candidates){.implementation = library, .native = true});
  report_mark_own_choice(report_environment(report, asked), &chosen);
  return chosen;
}

/* As `tutti learn --target` does. */
static tutti_status learn_for_library(const tutti_target *target, const tutti_decision_map *chosen,
                                      tutti_decision *decision)
{
  tutti_decision_map learnable;
  tutti_status status = tutti_target_learnable(target, TUTTI_TARGET_MARGIN, chosen, &learnable, NULL);
  if (status != TUTTI_OK)
    return status;
  status = learn(&learnable, decision);
  tutti_decision_map_free(&learnable);
  return status;
}

/* What `tutti export` says of the file where the library lacks a method, or why there is no file. */
static void describe_file(const tutti_target *target, const tutti_decision_map *chosen, const tutti_decision *decision,
                          struct report_map *map)
{
  const tutti_range range = tutti_range_of_map(chosen);
  struct tutti_text_stream text;
  tutti_export_part part;
  tutti_error why;
  map->has_file =
      tutti_export_part_create(target, decision, chosen->collective, &range, NULL, 0, &part, &why) == TUTTI_OK;
  if (!map->has_file) {
    map->written = tutti_xstrdup(why.message + (strncmp(why.message, decision_name, strlen(decision_name)) == 0
                                                    ? strlen(decision_name) + 2
                                                    : 0));
    return;
  }
  if (part.replaced > 0) {
    tutti_xopen_text(&text);
    tutti_export_part_print(&part, text.stream);
    map->written = tutti_xclose_text(&text);
  }
  tutti_export_part_free(&part);
}

/* Points are whole numbers: "(10.0/8.0)" becomes "(10/8)". */
static void drop_zeros(char *text)
{
  char *to = text;
  for (const char *at = text; *at; at++)
    if (strncmp(at, ".0", 2) == 0 && (at[2] == ')' || at[2] == '/'))
      at++;
    else
      *to++ = *at;
  *to = '\0';
}

/* The lines of the tree, without the head of its file. */
static char *print_lines(const tutti_decision *decision)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  tutti_decision_trees_write(tutti_decision_get_trees(decision), NULL, text.stream, NULL);
  char *file = tutti_xclose_text(&text), *lines = file;
  for (char *at; (at = strstr(lines, "\nattribute "));)
    lines = at + 1;
  lines = strchr(lines, '\n');
  char *own = tutti_xstrdup(lines ? lines + 1 : "");
  free(file);
  drop_zeros(own);
  return own;
}

bool report_recommend(const struct report *report, struct report_map *map, tutti_decision *decision)
{
  const tutti_environment *own = report_environment(report, map);
  const tutti_target *target;
  must(tutti_target_find(library_of(own), &target, &failure));
  tutti_decision_map chosen = choose_for_library(report, map, target);
  tutti_status status = tutti_flavor_is_simulated(own->flavor) ? learn(&map->map, decision)
                                                               : learn_for_library(target, &chosen, decision);
  if (status == TUTTI_OK) {
    map->rules = print_lines(decision);
    describe_file(target, &chosen, decision, map);
  }
  tutti_decision_map_free(&chosen);
  return status == TUTTI_OK;
}

/* ---- on the page ---- */

bool report_recommends_native(const struct report_map *map)
{
  return map->rules && strncmp(map->rules, "native", strlen("native")) == 0;
}

/* No file is suggested where a comparison of one lost, or won nothing. */
static bool has_commands(const struct report *report, const struct report_map *map)
{
  return map->has_file && !report_recommends_native(map) &&
         comparison_verdict(report_compared(report, map)) != COMPARISON_CONTRADICTS;
}

/* What a comparison of a file for the collective means for the rules. */
static void print_verdict(const struct file_comparison *compared, FILE *out)
{
  const enum comparison_verdict verdict = comparison_verdict(compared);
  char file[TUTTI_TUNING_DIGEST];
  if (verdict == COMPARISON_CONTRADICTS)
    html_print(out,
               "<p class=\"warning\">Not recommended: a file for this collective %s when it was compared with the "
               "library left alone. %s</p>\n",
               compared->all.lost > 0 ? "lost" : "won nowhere",
               compared->all.won > 0 ? "tutti compare untuned FILE -o MENDED keeps of it what won."
                                     : "Leave the library as it is, or measure again with more repetitions.");
  else if (verdict == COMPARISON_WINS)
    html_print(out,
               "<p class=\"facts\">Better than these rules, because it was compared: the file whose SHA-256 begins "
               "with %s.</p>\n",
               comparison_file(compared, file));
}

/* On a real machine the library runs its own code: its own times are learnt from, the store says on which ranks the
   file may decide and what the library does without it, and a comparison what the file wins. */
static void print_commands(const struct report *report, const struct report_map *map, FILE *out)
{
  const tutti_environment *own = report_environment(report, map);
  const char *collective = tutti_collective_name(map->map.collective), *library = library_of(own);
  bool real = !tutti_flavor_is_simulated(own->flavor);
  const char *ending = strcmp(library, "mpich") == 0 ? "json" : "rules";
  char subcommand[160], text[COMMAND_LENGTH];
  snprintf(subcommand, sizeof subcommand, "learn %s %s --%s %g%s%s -o %s.tree", learner_name, collective, option_name,
           mean_percent, real ? " --target " : "", real ? library : "", collective);
  html_print(out, "<code>%s</code>", command_of_map(report, subcommand, map, text));
  if (!has_commands(report, map))
    return;
  snprintf(subcommand, sizeof subcommand, "export %s.tree --format %s -o %s.%s", collective, library, collective,
           ending);
  html_print(out, " <code>%s</code>", command_of_map(report, subcommand, map, text));
  if (!real)
    return;
  snprintf(subcommand, sizeof subcommand, "compare untuned %s.%s --between -o mended-%s.%s", collective, ending,
           collective, ending);
  const struct bench_command again = {.map = &map->map,
                                      .flavor = own->flavor,
                                      .settings = own->settings,
                                      .cores = own->cores,
                                      .ranks_per_node = map->ranks_per_node};
  char *command = tutti_bench_with_settings(
      &again, tutti_xstrdup(command_of_environment(report, subcommand, map->environment, text)));
  html_print(out, " <code>%s</code>", command);
  free(command);
}

void report_print_rules(const struct report *report, const struct report_map *map, FILE *out)
{
  const struct file_comparison *compared = report_compared(report, map);
  if (!map->rules)
    return;
  html_print(out,
             "<h4>%s</h4>\n<p>The smallest tree that loses at most %g %% on average; after each "
             "method the points, and at how many of them another one is best.",
             comparison_verdict(compared) == COMPARISON_CONTRADICTS ? "Rules that were learnt" : "Recommended rules",
             mean_percent);
  if (strstr(map->rules, "native"))
    html_print(out,
               " <code>native</code> is what the library chooses itself: another method is better if it is "
               "faster by more than the noise of both, and by %d %% at least.",
               TUTTI_TARGET_MARGIN);
  if (report_recommends_native(map))
    fputs(" <strong>There is nothing to install.</strong>", out);
  html_print(out,
             "</p>\n<pre class=\"rules\" tabindex=\"0\" aria-label=\"Recommended rules of %s\">%s</pre>\n"
             "<p class=\"source\">",
             tutti_collective_name(map->map.collective), map->rules);
  if (has_commands(report, map))
    fputs("As a file for the library: ", out);
  print_commands(report, map, out);
  fputs("</p>\n", out);
  print_verdict(compared, out);
  if (map->written)
    html_print(out, "<p class=\"facts\">%s: %s.</p>\n",
               map->has_file ? "Where the library lacks a method, another one stands in the file"
                             : "There is no file of it for a library",
               map->written);
}
