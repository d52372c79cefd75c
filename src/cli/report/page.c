/* The page: head, table of contents, sections, data, script. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report/html.h"
#include "cli/report/page.h"
#include "cli/report/palette.h"

/* Files of this folder, compiled in by embed.cmake; texts end with a zero. */
extern const char tutti_report_css[], tutti_report_tools_js[], tutti_report_map_js[], tutti_report_js[];

/* What a reader wants to know comes first, where numbers come from last. */
static const struct {
  const char *id, *title;
  report_section *print;
} sections[] = {
    {"overview", "Overview", tutti_report_section_overview},
    {"maps", "Decision maps", tutti_report_section_maps},
    {"groups", "Process groups", tutti_report_section_groups},
    {"results", "Sorting, ranges, group maps", tutti_report_section_results},
    {"claims", "Fidelity: published beside measured", tutti_report_section_claims},
    {"penalties", "Kept penalties", tutti_report_section_penalties},
    {"provenance", "Provenance", tutti_report_section_provenance},
    {"platforms", "Platforms and calibration", tutti_report_section_platforms},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* The sections as printed, "" of those that have nothing; owned. */
struct page {
  const tutti_report *report;
  char *bodies[SECTIONS];
};

/* ---- what sections share ---- */

void tutti_page_environment(FILE *out, const tutti_report *report, int environment)
{
  const int number = (int)report->contents.ids[environment];
  tutti_html_print(out, "<a href=\"#e%d\">E%d</a>", number, number);
}

char *tutti_page_program(const tutti_environment *environment, char text[TEXT_LENGTH])
{
  const char *version = environment->tutti;
  snprintf(text, TEXT_LENGTH, "%s%s", isdigit((unsigned char)*version) ? "Tutti " : "", version);
  return text;
}

void tutti_page_source(FILE *out, const tutti_report *report, int environment, const char *command)
{
  const tutti_environment *own = &report->contents.environments[environment];
  char program[TEXT_LENGTH];
  fputs("<p class=\"source\">", out);
  tutti_page_environment(out, report, environment);
  tutti_html_print(out, " %s, %s, %s \u00b7 <code>%s</code></p>\n", own->platform, own->library,
                   tutti_page_program(own, program), command);
}

static void append(char title[MAP_TITLE_LENGTH], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char title[MAP_TITLE_LENGTH], const char *format, ...)
{
  size_t used = strlen(title);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(title + used, MAP_TITLE_LENGTH - used, format, arguments);
  va_end(arguments);
}

/* What tells the map from others of the same collective and platform: the engine, the library, the version of Tutti or,
   where none of these does, the environment. */
static void append_library(const tutti_report *report, const tutti_report_map *map, char title[MAP_TITLE_LENGTH])
{
  const tutti_environment *all = report->contents.environments, *own = &all[map->environment];
  bool flavor = false, library = false, tutti = false, other = false;
  for (const tutti_report_map *twin = report->maps; twin < report->maps + report->map_count; twin++) {
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
    append(title, ", engine %s", own->flavor);
  if (library)
    append(title, ", %s", own->library);
  if (tutti)
    append(title, ", %s", tutti_page_program(own, program));
  if (other)
    append(title, ", environment %d", (int)report->contents.ids[map->environment]);
}

char *tutti_page_map_title(const tutti_report *report, const tutti_report_map *map, char title[MAP_TITLE_LENGTH])
{
  static const char *const of_file[] = {[REPORT_FILE_OLDER] = "as its file was, ", [REPORT_FILE_UNKNOWN] = "its file "};
  const tutti_environment *own = &report->contents.environments[map->environment];
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  *title = '\0';
  append(title, "%s on %s", tutti_collective_name(map->map.collective), own->platform);
  if (map->file != REPORT_FILE_ALONE)
    append(title, " (%s%.8s)", of_file[map->file], own->platform_hash);
  append_library(report, map, title);
  if (tutti_command_is_needed(report, map, MAP_SCHEME))
    append(title, ", scheme %s", tutti_scheme_name(map->scheme));
  if (tutti_command_is_needed(report, map, MAP_RANKS_PER_NODE))
    append(title, ", %d rank%s a node", map->ranks_per_node, map->ranks_per_node == 1 ? "" : "s");
  if (tutti_command_is_needed(report, map, MAP_ROOT))
    append(title, ", root %d", map->root);
  if (map->arrival.kind != TUTTI_ARRIVAL_NONE)
    append(title, ", arrival %s", tutti_arrival_format(&map->arrival, arrival));
  if (map->noise.kind != TUTTI_NOISE_NONE)
    append(title, ", noise %s", tutti_noise_format(&map->noise, noise));
  if (tutti_command_is_needed(report, map, MAP_TYPE_SIZE))
    append(title, ", elements of %zu B", (size_t)map->type_size);
  return title;
}

char *tutti_page_repetitions(const tutti_report_map *map, char text[TEXT_LENGTH])
{
  if (map->min_repetitions == map->max_repetitions)
    snprintf(text, TEXT_LENGTH, "%d", map->max_repetitions);
  else
    snprintf(text, TEXT_LENGTH, "%d to %d", map->min_repetitions, map->max_repetitions);
  return text;
}

size_t tutti_report_rows(const tutti_report *report, int kind, int result, int environment)
{
  const tutti_store_contents *contents = &report->contents;
  size_t rows = 0;
  for (int i = 0; i < contents->entry_count; i++) {
    const tutti_store_entry *entry = &contents->entries[i];
    if ((kind == REPORT_ANY || (int)entry->kind == kind) && (result == REPORT_ANY || (int)entry->result == result) &&
        (environment == REPORT_ANY || entry->environment == environment))
      rows += entry->rows;
  }
  return rows;
}

/* ---- the page ---- */

static const char *title_of(const tutti_report *report)
{
  return report->request->title ? report->request->title : "Tutti report";
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
  tutti_html_print(out,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"generator\" content=\"Tutti %s\">\n<title>%s</title>\n",
                   TUTTI_VERSION, title_of(page->report));
  /* An icon of its own, so that no browser asks for one. */
  fputs("<link rel=\"icon\" href=\"data:,\">\n<style>\n", out);
  fputs(tutti_report_css, out);
  print_series(out);
  tutti_report_print_map_styles(page->report, out);
  fputs("</style>\n</head>\n<body>\n", out);
  tutti_html_print(out, "<a class=\"skip\" href=\"#%s\">Skip to the results</a>\n", sections[first_of(page)].id);
}

static void print_header(const struct page *page, FILE *out)
{
  tutti_html_print(out,
                   "<header class=\"top\">\n<p class=\"brand\">Tutti</p>\n<h1>%s</h1>\n"
                   "<p class=\"lead\">What is measured in <code>%s</code>, and where each number comes from.</p>\n",
                   title_of(page->report), page->report->request->database);
  fputs("<div class=\"scheme\" role=\"group\" aria-label=\"Colours of the page\" hidden>\n"
        "<button type=\"button\" data-scheme=\"auto\" aria-pressed=\"true\">Auto</button>"
        "<button type=\"button\" data-scheme=\"light\" aria-pressed=\"false\">Light</button>"
        "<button type=\"button\" data-scheme=\"dark\" aria-pressed=\"false\">Dark</button>\n</div>\n</header>\n"
        "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n",
        out);
  for (int i = 0; i < SECTIONS; i++)
    if (*page->bodies[i])
      tutti_html_print(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
  fputs("</ol>\n</nav>\n<main>\n", out);
}

static void print_foot(const tutti_report *report, FILE *out)
{
  tutti_html_print(
      out,
      "</main>\n<footer>Made by <code>tutti report</code>, Tutti %s. No date: the same store gives the same "
      "bytes.</footer>\n<script type=\"application/json\" id=\"tutti-data\">",
      TUTTI_VERSION);
  tutti_report_write_data(report, out);
  fputs("</script>\n<script>\n\"use strict\";\n{\n", out);
  fputs(tutti_report_tools_js, out);
  fputs(tutti_report_map_js, out);
  fputs(tutti_report_js, out);
  fputs("}\n</script>\n</body>\n</html>\n", out);
}

static tutti_status print_sections(struct page *page, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < SECTIONS; i++) {
    struct tutti_text_stream text;
    tutti_xopen_text(&text);
    if (status == TUTTI_OK)
      status = sections[i].print(page->report, text.stream, error);
    page->bodies[i] = tutti_xclose_text(&text);
  }
  return status;
}

static void print_page(const struct page *page, FILE *out)
{
  print_head(page, out);
  print_header(page, out);
  for (int i = 0; i < SECTIONS; i++) {
    const char *id = sections[i].id;
    if (!*page->bodies[i])
      continue;
    tutti_html_print(out, "\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id, id,
                     id, sections[i].title);
    fputs(page->bodies[i], out);
    fputs("</section>\n", out);
  }
  print_foot(page->report, out);
}

tutti_status tutti_report_write(const tutti_report *report, FILE *stream, tutti_error *error)
{
  struct page page = {.report = report};
  tutti_status status = print_sections(&page, error);
  if (status == TUTTI_OK)
    print_page(&page, stream);
  for (int i = 0; i < SECTIONS; i++)
    free(page.bodies[i]);
  if (status == TUTTI_OK && ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "the report could not be written: %s", strerror(errno));
  return status;
}
