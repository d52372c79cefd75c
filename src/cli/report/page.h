/* The sections of the page, in their order, and what they share. */
#ifndef TUTTI_REPORT_PAGE_H
#define TUTTI_REPORT_PAGE_H

#include <stdio.h>

#include "cli/report/html.h"
#include "tutti/report.h"

/* ---- what is on the page ---- */

/* choice.c: is a measurement asked for, and let those methods be best that are; false: a map has none of them. @{ */
bool tutti_report_is_chosen(const tutti_report *report, const tutti_measurement *measurement);
bool tutti_report_choose(const tutti_report *report, tutti_decision_map *map);
/* @} */

/* Ask every decision function at the points of a map. */
tutti_status tutti_report_ask_all(const tutti_report *report, tutti_report_map *map, tutti_error *error);

/* Which methods are best, or picked, anywhere. */
void tutti_report_mark_methods(tutti_report_map *map);

/* As in all commands, what a library's own choice is has the time of that. */
tutti_status tutti_report_mark_own_choice(const tutti_environment *environment, tutti_decision_map *map,
                                          tutti_error *error);

/* Learn the rules of a map that are recommended, as a decision to be freed, and set map->rules; false: there are none.
 */
bool tutti_report_recommend(const tutti_report *report, tutti_report_map *map, tutti_decision *decision);

enum { REPORT_ANY = -1 };

/* Rows of a tutti_store_entry_kind, of a tutti_result_kind and of an environment, each of which may be REPORT_ANY. */
size_t tutti_report_rows(const tutti_report *report, int kind, int result, int environment);

/* ---- sections ---- */

/* Print what is in a section below its heading; a section that prints nothing is not on the page. */
typedef tutti_status report_section(const tutti_report *report, FILE *out, tutti_error *error);

report_section tutti_report_section_overview, tutti_report_section_platforms, tutti_report_section_maps,
    tutti_report_section_penalties, tutti_report_section_groups, tutti_report_section_results,
    tutti_report_section_claims, tutti_report_section_provenance;

/* What decision functions lose over all points of a map, and a sentence of it on the libraries left alone. @{ */
void tutti_report_print_losses(const tutti_report *report, const tutti_report_map *map, FILE *out);
void tutti_report_print_gain(const tutti_report_map *map, FILE *out);
/* @} */

/* What tutti map says below a map: ties, noise, ranks that took turns. */
void tutti_report_print_notes(const tutti_report *report, const tutti_report_map *map, FILE *out);

/* Whether its rules equal the library's own choice everywhere, so that there is nothing to install. */
bool tutti_report_recommends_native(const tutti_report_map *map);

/* The recommended rules of a map, and the commands that make a file of them for the library, and on a real machine
   measure what it wins; nothing if there are none. */
void tutti_report_print_rules(const tutti_report *report, const tutti_report_map *map, FILE *out);

/* A link to an environment in the section on provenance, "E1": the number that the store and --environment have. */
void tutti_page_environment(FILE *out, const tutti_report *report, int environment);

/* The program that measured: the version of Tutti, "Tutti 0.1.0", or the one that was imported, "osu-7.3". */
char *tutti_page_program(const tutti_environment *environment, char text[TEXT_LENGTH]);

/* The command that gives the numbers above, as a paragraph with a link to their environment. */
void tutti_page_source(FILE *out, const tutti_report *report, int environment, const char *command);

enum { MAP_TITLE_LENGTH = 2 * TUTTI_PLATFORM_NAME_LENGTH + TUTTI_ARRIVAL_LENGTH + TUTTI_NOISE_LENGTH + 192 };

/* Title of a map: "bcast on grig_mx", with what tells it from others like it ("MPICH-4.2.1", "root 3"). Returns
   @p title. */
char *tutti_page_map_title(const tutti_report *report, const tutti_report_map *map, char title[MAP_TITLE_LENGTH]);

/* "9", or "9 to 200": how often a point of the map was repeated. Returns @p text. */
char *tutti_page_repetitions(const tutti_report_map *map, char text[TEXT_LENGTH]);

/* The colors of the methods of all maps, for the style sheet of the page. */
void tutti_report_print_map_styles(const tutti_report *report, FILE *out);

/* The data of all maps as JSON (report.h). */
void tutti_report_write_data(const tutti_report *report, FILE *out);

/* ---- commands and queries that give the numbers of the report again ---- */

#define COMMAND_LENGTH 1024

/* "tutti params grig_mx --compare": measures parameters, and sets them beside published ones. */
char *tutti_command_of_parameters(const tutti_report *report, int environment, char text[COMMAND_LENGTH]);

/* "tutti map bcast --platform grig_mx --db my.db": @p subcommand ends with what selects the environment, and options
   only where something else in the store would match, too. Returns @p text. */
char *tutti_command_of_environment(const tutti_report *report, const char *subcommand, int environment,
                                   char text[COMMAND_LENGTH]);

/* As tutti_command_of_environment(), of the measurements of a map. */
char *tutti_command_of_map(const tutti_report *report, const char *subcommand, const tutti_report_map *map,
                           char text[COMMAND_LENGTH]);

/* The command that measures the algorithms of a library at the points of a map. Owned by the caller. */
char *tutti_command_of_bench(const tutti_report *report, const tutti_report_map *map);

/* The rows of a map or of other entries, in SQL. */
char *tutti_query_of_map(const tutti_report *report, const tutti_report_map *map, char text[COMMAND_LENGTH]);
char *tutti_query_of_entry(const tutti_report *report, const tutti_store_entry *entry, char text[COMMAND_LENGTH]);

/* In what maps of one collective and environment can differ. */
enum map_member { MAP_SCHEME, MAP_RANKS_PER_NODE, MAP_ROOT, MAP_TYPE_SIZE };

/* Whether there is another map of the collective and environment that differs in this member. */
bool tutti_command_is_needed(const tutti_report *report, const tutti_report_map *map, enum map_member member);

#endif
