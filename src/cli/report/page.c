/* The page: head, table of contents, sections, data, script. */
#include <ctype.h>
#include <errno.h>

#include "cli/report/marks.h"
#include "cli/report/report.h"

/* Files of this folder, compiled in by embed.cmake; texts end with a zero. */
extern const char tutti_report_css[], tutti_report_tools_js[], tutti_report_map_js[], tutti_report_js[];

/* What a reader wants to know comes first, where numbers come from last. */
static const struct {
  const char *id, *title;
  report_section *print;
} sections[] = {
    {"overview", "Overview", section_overview},
    {"maps", "Decision maps", section_maps},
    {"groups", "Process groups", section_groups},
    {"results", "Sorting, ranges, group maps", section_results},
    {"claims", "Fidelity: published beside measured", section_claims},
    {"penalties", "Kept penalties", section_penalties},
    {"provenance", "Provenance", section_provenance},
    {"platforms", "Platforms and calibration", section_platforms},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* The sections as printed, "" of those that have nothing; owned. */
struct page {
  const struct report *report;
  char *bodies[SECTIONS];
};

/* ---- what sections share ---- */

void page_environment(FILE *out, const struct report *report, int environment)
{
  const int number = (int)report->contents.ids[environment];
  html_print(out, "<a href=\"#e%d\">E%d</a>", number, number);
}

char *page_program(const tutti_environment *environment, char text[TEXT_LENGTH])
{
  const char *version = environment->tutti;
  snprintf(text, TEXT_LENGTH, "%s%s", isdigit((unsigned char)*version) ? "Tutti " : "", version);
  return text;
}

void page_source(FILE *out, const struct report *report, int environment, const char *command)
{
  const tutti_environment *own = &report->contents.environments[environment];
  char program[TEXT_LENGTH];
  fputs("<p class=\"source\">", out);
  page_environment(out, report, environment);
  html_print(out, " %s, %s, %s \u00b7 <code>%s</code></p>\n", own->platform, own->library, page_program(own, program),
             command);
}

/* What tells the map from others of the same collective and platform: the engine, the library, the version of Tutti or,
   where none of these does, the environment. */
static void append_library(const struct report *report, const struct report_map *map, char title[MAP_TITLE_LENGTH])
{
  const tutti_environment *all = report->contents.environments, *own = &all[map->environment];
  bool flavor = false, library = false, tutti = false, other = false;
  for (const struct report_map *twin = report->maps; twin < report->maps + report->map_count; twin++) {
    const tutti_environment *its = &all[twin->environment];
    if (twin->environment == map->environment || twin->map.collective != map->map.collective ||
        strcmp(its->platform, own->platform) != 0 || strcmp(its->platform_hash, own->platform_hash) != 0)
      continue;
    bool by_flavor = strcmp(its->flavor, own->flavor) != 0, by_library = strcmp(its->library, own->library) != 0,
         by_tutti = strcmp(its->tutti, own->tutti) != 0;
    flavor = flavor || (by_flavor && tutti_flavor_is_simulated(own->flavor));
    library = library || (by_library && !flavor);
    tutti = tutti || (by_tutti && !by_library && !by_flavor);
    other = other || (!by_flavor && !by_library && !by_tutti);
  }
  char program[TEXT_LENGTH];
  if (flavor)
    text_append(title, MAP_TITLE_LENGTH, ", engine %s", own->flavor);
  if (library)
    text_append(title, MAP_TITLE_LENGTH, ", %s", own->library);
  if (tutti)
    text_append(title, MAP_TITLE_LENGTH, ", %s", page_program(own, program));
  if (other)
    text_append(title, MAP_TITLE_LENGTH, ", environment %d", (int)report->contents.ids[map->environment]);
}

char *page_map_title(const struct report *report, const struct report_map *map, char title[MAP_TITLE_LENGTH])
{
  static const char *const of_file[] = {[REPORT_FILE_OLDER] = "as its file was, ", [REPORT_FILE_UNKNOWN] = "its file "};
  const tutti_environment *own = report_environment(report, map);
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  *title = '\0';
  text_append(title, MAP_TITLE_LENGTH, "%s on %s", tutti_collective_name(map->map.collective), own->platform);
  if (map->file != REPORT_FILE_ALONE)
    text_append(title, MAP_TITLE_LENGTH, " (%s%.8s)", of_file[map->file], own->platform_hash);
  append_library(report, map, title);
  if (command_needs(report, map, MAP_SCHEME))
    text_append(title, MAP_TITLE_LENGTH, ", scheme %s", tutti_scheme_name(map->scheme));
  if (command_needs(report, map, MAP_RANKS_PER_NODE))
    text_append(title, MAP_TITLE_LENGTH, ", %d rank%s a node", map->ranks_per_node,
                map->ranks_per_node == 1 ? "" : "s");
  if (command_needs(report, map, MAP_ROOT))
    text_append(title, MAP_TITLE_LENGTH, ", root %d", map->root);
  if (map->arrival.kind != TUTTI_ARRIVAL_NONE)
    text_append(title, MAP_TITLE_LENGTH, ", arrival %s", tutti_arrival_format(&map->arrival, arrival));
  if (map->noise.kind != TUTTI_NOISE_NONE)
    text_append(title, MAP_TITLE_LENGTH, ", noise %s", tutti_noise_format(&map->noise, noise));
  if (command_needs(report, map, MAP_TYPE_SIZE))
    text_append(title, MAP_TITLE_LENGTH, ", elements of %zu B", (size_t)map->type_size);
  return title;
}

char *page_repetitions(const struct report_map *map, char text[TEXT_LENGTH])
{
  if (map->min_repetitions == map->max_repetitions)
    snprintf(text, TEXT_LENGTH, "%d", map->max_repetitions);
  else
    snprintf(text, TEXT_LENGTH, "%d to %d", map->min_repetitions, map->max_repetitions);
  return text;
}

/* ---- the page ---- */

static const char *title_of(const struct report *report)
{
  return report->options->title ? report->options->title : "Tutti report";
}

/* The first section that is there. */
static int first_of(const struct page *page)
{
  int first = 0;
  while (first + 1 < SECTIONS && !*page->bodies[first])
    first++;
  return first;
}

/* The colors of charts, of which black is the text's, white on a dark page (report.css). */
static void print_series(FILE *out)
{
  static const unsigned colors[] = {PALETTE_LINES};
  fputs(":root{", out);
  for (size_t i = 1; i < sizeof colors / sizeof *colors; i++)
    fprintf(out, "--series-%zu:#%06x;", i, colors[i]);
  fputs("}\n", out);
}

static void print_head(const struct page *page, FILE *out)
{
  html_print(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<meta name=\"generator\" content=\"Tutti %s\">\n<title>%s</title>\n",
             TUTTI_VERSION, title_of(page->report));
  /* An icon of its own, so that no browser asks for one. */
  fputs("<link rel=\"icon\" href=\"data:,\">\n<style>\n", out);
  fputs(tutti_report_css, out);
  print_series(out);
  report_print_map_styles(page->report, out);
  fputs("</style>\n</head>\n<body>\n", out);
  html_print(out, "<a class=\"skip\" href=\"#%s\">Skip to the results</a>\n", sections[first_of(page)].id);
}

static void print_header(const struct page *page, FILE *out)
{
  html_print(out,
             "<header class=\"top\">\n<p class=\"brand\">Tutti</p>\n<h1>%s</h1>\n"
             "<p class=\"lead\">What is measured in <code>%s</code>, and where each number comes from.</p>\n",
             title_of(page->report), page->report->options->database);
  fputs("<div class=\"scheme\" role=\"group\" aria-label=\"Colours of the page\" hidden>\n"
        "<button type=\"button\" data-scheme=\"auto\" aria-pressed=\"true\">Auto</button>"
        "<button type=\"button\" data-scheme=\"light\" aria-pressed=\"false\">Light</button>"
        "<button type=\"button\" data-scheme=\"dark\" aria-pressed=\"false\">Dark</button>\n</div>\n</header>\n"
        "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n",
        out);
  for (int i = 0; i < SECTIONS; i++)
    if (*page->bodies[i])
      html_print(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
  fputs("</ol>\n</nav>\n<main>\n", out);
}

static void print_foot(const struct report *report, FILE *out)
{
  html_print(out,
             "</main>\n<footer>Made by <code>tutti report</code>, Tutti %s. No date: the same store gives the same "
             "bytes.</footer>\n<script type=\"application/json\" id=\"tutti-data\">",
             TUTTI_VERSION);
  report_write_data(report, out);
  fputs("</script>\n<script>\n\"use strict\";\n{\n", out);
  fputs(tutti_report_tools_js, out);
  fputs(tutti_report_map_js, out);
  fputs(tutti_report_js, out);
  fputs("}\n</script>\n</body>\n</html>\n", out);
}

static void print_sections(struct page *page)
{
  for (int i = 0; i < SECTIONS; i++) {
    struct tutti_text_stream text;
    tutti_xopen_text(&text);
    sections[i].print(page->report, text.stream);
    page->bodies[i] = tutti_xclose_text(&text);
  }
}

static void print_page(const struct page *page, FILE *out)
{
  print_head(page, out);
  print_header(page, out);
  for (int i = 0; i < SECTIONS; i++) {
    const char *id = sections[i].id;
    if (!*page->bodies[i])
      continue;
    html_print(out, "\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id, id, id,
               sections[i].title);
    fputs(page->bodies[i], out);
    fputs("</section>\n", out);
  }
  print_foot(page->report, out);
}

void report_write(const struct report *report, FILE *stream)
{
  struct page page = {.report = report};
  print_sections(&page);
  print_page(&page, stream);
  for (int i = 0; i < SECTIONS; i++)
    free(page.bodies[i]);
  if (ferror(stream))
    must(tutti_fail(&failure, TUTTI_ERR_IO, "the report could not be written: %s", strerror(errno)));
}
