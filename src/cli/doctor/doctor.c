#include "cli/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/words.h"
#include "cli/command.h"

struct finding *findings_add(struct findings *findings, const char *check, const char *state, const char *format, ...)
{
  va_list arguments;
  struct finding finding = {.check = check, .state = state};
  va_start(arguments, format);
  if (vasprintf(&finding.found, format, arguments) < 0)
    tutti_out_of_memory();
  va_end(arguments);
  tutti_xpush(findings, finding);
  return &findings->items[findings->count - 1];
}

static void free_findings(struct findings *findings)
{
  for (size_t i = 0; i < findings->count; i++) {
    free(findings->items[i].found);
    free(findings->items[i].install);
  }
  tutti_vector_free(findings);
}

/* ---- printing ---- */

enum { WIDTH = 80, INDENT = 18 };

/* Words in lines of at most WIDTH columns, of which the first is begun; a longer word has a line of its own. */
static void print_words(const char *text)
{
  int column = INDENT;
  for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
    int length = (int)strcspn(text, " \n");
    bool begun = column > INDENT;
    if (begun && column + 1 + length > WIDTH) {
      tutti_say(stdout, "\n%*s", INDENT, "");
      column = INDENT;
      begun = false;
    }
    tutti_say(stdout, "%s%.*s", begun ? " " : "", length, text);
    column += length + begun;
    text += length;
  }
  putchar('\n');
}

/* The libraries that are there and fail, "openmpi, mpich"; owned by the caller. */
static char *list_failed(const struct findings *findings)
{
  static const char *const libraries[] = {"simgrid", "openmpi", "mpich"};
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (size_t i = 0; i < findings->count; i++)
    if (strcmp(findings->items[i].state, "failed") == 0 && tutti_word_find(libraries, 3, findings->items[i].check) >= 0)
      fprintf(list.stream, "%s%s", ftell(list.stream) > 0 ? ", " : "", findings->items[i].check);
  return tutti_xclose_text(&list);
}

static void print_end(const struct findings *findings)
{
  char *failed = list_failed(findings);
  if (!findings->by_library)
    tutti_say(stdout, "\n%s: neither SimGrid nor an MPI library works.\n",
              findings->measurable ? "Only the fast engine can measure" : "Nothing can be measured");
  else
    tutti_say(stdout, "\nTutti can measure%s%s.\n", *failed ? ", but not by " : "", failed);
  free(failed);
}

static void print_text(const struct findings *findings)
{
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *finding = &findings->items[i];
    bool noted = strcmp(finding->state, "note") == 0;
    tutti_say(stdout, "%-9s %-7s ", finding->check, noted ? "" : finding->state);
    print_words(finding->found);
    if (finding->install) {
      char *advice = tutti_xprintf("install: apt-get install %s", finding->install);
      tutti_say(stdout, "%*s", INDENT, "");
      print_words(advice);
      free(advice);
    }
  }
  print_end(findings);
}

static const tutti_column columns[] = {
    {NULL, "check", TUTTI_FIELD(struct finding, check)},
    {NULL, "state", TUTTI_FIELD(struct finding, state)},
    {NULL, "found", TUTTI_FIELD(struct finding, found)},
    {NULL, "install", TUTTI_FIELD(struct finding, install)},
};

static const tutti_column facts[] = {{NULL, "measurable", TUTTI_FIELD(struct findings, measurable)}};

static void print(const struct findings *findings, tutti_format format)
{
  const tutti_table table = {.key = "checks", TUTTI_COLUMNS(columns), TUTTI_ROWS(findings->items, findings->count)};
  const tutti_document document = {TUTTI_FACTS(facts, findings), .tables = &table, .table_count = 1};
  if (format != TUTTI_FORMAT_TEXT)
    must(tutti_document_print(&document, format, stdout, &failure));
  else
    print_text(findings);
}

/* ---- the command ---- */

static const struct option_row options[] = {OPTION_FORMAT(struct doctor_options, format),
                                            OPTION_BUILD_DIR(struct doctor_options, launch.build_dir), OPTION_END};

static int run(void *values)
{
  const struct doctor_options *doctor = values;
  struct findings findings = {.count = 0};
  doctor_check_machine(&findings);
  doctor_check_libraries(doctor, &findings);
  doctor_check_tools(&findings);
  print(&findings, doctor->format);
  bool measurable = findings.measurable;
  free_findings(&findings);
  return measurable ? EXIT_DONE : EXIT_FOUND;
}

extern const char tutti_help_doctor[];

const struct command command_doctor = {
    .name = "doctor",
    .text = tutti_help_doctor,
    .options = options,
    .size = sizeof(struct doctor_options),
    .run = run,
};
