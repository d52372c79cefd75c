#include "cli/doctor/doctor.h"

#include <sqlite3.h>
#include <stdarg.h>

#include "base/color.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/words.h"
#include "cli/command.h"
#include "harness/experiments/launch/packages.h"

/* ---- the machine ---- */

static void check_processors(struct findings *findings)
{
  uint64_t processors[TUTTI_PROCESSORS_WORDS];
  int cores = tutti_machine_cores(), own = tutti_machine_affinity(processors);
  findings_add(findings, "cores", "note",
               "%d online; more ranks than that share processors, and their times say little", cores);
  if (own > 0 && own < cores)
    findings_add(findings, "binding", "note", "this process, and all that it starts, may use %d of them only", own);
}

/* Half a processor's worth of others is felt by ranks that wait for each other. */
static void check_load(struct findings *findings)
{
  double load = tutti_machine_load();
  findings_add(findings, "load", "note", "%.2f%s", load,
               load > 0.5 ? ": other programs are running, times will be noisy" : "");
}

static void check_machine(struct findings *findings)
{
  char host[TUTTI_MACHINE_WORD], cpu[TUTTI_MACHINE_WORD];
  uint64_t available, memory = tutti_machine_memory(&available);
  findings_add(findings, "host", "note", "%s, %s", tutti_machine_host(host), tutti_machine_cpu(cpu));
  check_processors(findings);
  findings_add(findings, "memory", "note", "%.1f GB, of which %.1f GB can be used", (double)memory / 1e9,
               (double)available / 1e9);
  check_load(findings);
}

/* ---- tools ---- */

enum { TOOL_SECONDS = 20, TOOL_TEXT = 256 };

/* What it says about its version, in one line. */
static void check_tool(struct findings *findings, const char *check, const char *program, const char *use,
                       const char *packages)
{
  char text[TOOL_TEXT] = "";
  char *path = tutti_program_find(program), *arguments[] = {path, "--version", NULL};
  const struct tutti_command command = {.arguments = arguments, .directory = -1, .seconds = TOOL_SECONDS};
  if (!path) {
    findings_add(findings, check, "missing", "no %s in PATH: %s", program, use)->install = tutti_xstrdup(packages);
    return;
  }
  int code = tutti_process_capture(&command, text, sizeof text);
  text[strcspn(text, "\n")] = '\0';
  if (code == 0)
    findings_add(findings, check, "ok", "%s, %s", path, text);
  else
    findings_add(findings, check, "failed",
                 code == TUTTI_CAPTURE_LATE ? "%s --version did not answer" : "%s --version failed: %s", path, text);
  free(path);
}

static void check_tools(struct findings *findings)
{
  findings_add(findings, "sqlite", "ok", "library %s", sqlite3_libversion());
  check_tool(findings, "gnuplot", "gnuplot", "it draws plots", tutti_packages(TUTTI_PACKAGES_GNUPLOT));
  check_tool(findings, "slurm", "sbatch", "only for --launcher slurm", tutti_packages(TUTTI_PACKAGES_SLURM));
}

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

void findings_free(struct findings *findings)
{
  for (size_t i = 0; i < findings->count; i++) {
    free(findings->items[i].found);
    free(findings->items[i].install);
  }
  tutti_vector_free(findings);
  free(findings->left_out);
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
  if (!findings->by_library && findings->measurable && findings->left_out && !*failed)
    tutti_say(stdout,
              "\nThis Tutti has no MPI programs, so it cannot measure by what is here:\n%s.\n"
              "Tutti's own engine can measure without them: --engine fast.\n",
              findings->left_out);
  else if (!findings->by_library)
    tutti_say(stdout, "\n%s: neither SimGrid nor an MPI library works.\n",
              findings->measurable ? "Only Tutti's own engine can measure" : "Nothing can be measured");
  else
    tutti_say(stdout, "\nTutti can measure%s%s.\n", *failed ? ", but not by " : "", failed);
  free(failed);
}

static void print_text(const struct findings *findings)
{
  for (size_t i = 0; i < findings->count; i++) {
    const struct finding *finding = &findings->items[i];
    bool noted = strcmp(finding->state, "note") == 0;
    const char *color = tutti_color_of(stdout, finding->state, strlen(finding->state));
    printf("%-9s %s%-7s%s ", finding->check, color, noted ? "" : finding->state, *color ? TUTTI_COLOR_END : "");
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

static const struct option_row options[] = {OPTION_FORMAT(struct doctor_options, format),
                                            OPTION_BUILD_DIR(struct doctor_options, launch.build_dir), OPTION_END};

static int run(void *values)
{
  const struct doctor_options *doctor = values;
  struct findings findings = {.count = 0};
  check_machine(&findings);
  doctor_check_simulators(doctor, &findings);
  doctor_check_libraries(doctor, &findings);
  check_tools(&findings);
  print(&findings, doctor->format);
  bool measurable = findings.measurable;
  findings_free(&findings);
  return measurable ? EXIT_DONE : EXIT_FOUND;
}

DEFINE_COMMAND(doctor, "doctor", options, struct doctor_options, run);
