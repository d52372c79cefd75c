/* Recommended rules: the smallest tree over ranks and bytes whose mean penalty is at most one percent. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/settings.h"
#include "report/html.h"
#include "report/page.h"
#include "tutti/decision.h"
#include "tutti/learn.h"

/* A table of rules that a person reads is worth a percent. */
static const char learner_name[] = "optimal", option_name[] = "mean";
static const double mean_percent = 1;

/* On a real machine the library runs its own code: its own times are learnt from, the store says on which ranks the
   file may decide and what the library does without it, and a comparison what the file wins. */
void tutti_report_print_commands(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  const tutti_environment *own = &report->contents.environments[map->environment];
  const char *collective = tutti_collective_name(map->map.collective);
  const char *library = strcmp(own->flavor, "mpich") == 0 ? "mpich" : "openmpi";
  bool real = !tutti_flavor_is_simulated(own->flavor);
  char subcommand[160], text[COMMAND_LENGTH];
  snprintf(subcommand, sizeof subcommand, "learn %s %s --%s %g%s%s -o %s.tree", learner_name, collective, option_name,
           mean_percent, real ? " --target " : "", real ? library : "", collective);
  tutti_html_print(out, "<code>%s</code>", tutti_command_of_map(report, subcommand, map, text));
  snprintf(subcommand, sizeof subcommand, "export %s.tree --format %s -o %s.rules", collective, library, collective);
  if (!real) {
    tutti_html_print(out, " <code>tutti %s</code>", subcommand);
    return;
  }
  tutti_html_print(out, " <code>%s</code>", tutti_command_of_map(report, subcommand, map, text));
  snprintf(subcommand, sizeof subcommand, "compare untuned %s.rules -o mended-%s.rules", collective, collective);
  char *command = tutti_settings_command(own->flavor, own->settings,
                                         tutti_command_of_environment(report, subcommand, map->environment, text));
  tutti_html_print(out, " <code>%s</code>", command);
  free(command);
}

static tutti_status learn(const tutti_decision_map *map, tutti_decision *decision, tutti_error *error)
{
  const tutti_learner *learner = tutti_learner_find(learner_name, error);
  const tutti_learner_option *option = tutti_learner_option_find(learner, option_name);
  const tutti_learn_options options = {.seed = 1};
  tutti_decision_trees trees = {.count = 1, .items = tutti_xcalloc(1, sizeof *trees.items)};
  char *settings = tutti_xcalloc(1, learner->settings_size);
  memcpy(settings, learner->defaults, learner->settings_size);
  memcpy(settings + option->offset, &mean_percent, sizeof mean_percent);
  tutti_status status = tutti_learn(learner, settings, &options, map, 1, &trees.items[0], NULL, error);
  free(settings);
  if (status == TUTTI_OK)
    status = tutti_decision_of_trees("recommended", &trees, decision, error);
  else
    trees.count = 0;
  tutti_decision_trees_free(&trees);
  return status;
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

bool tutti_report_recommend(tutti_report_map *map, tutti_decision *decision)
{
  if (learn(&map->map, decision, NULL) != TUTTI_OK)
    return false;
  map->rules = print_lines(decision);
  return true;
}
