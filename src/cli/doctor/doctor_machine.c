/* The machine, and tools beside the launchers. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/doctor/doctor.h"
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

void doctor_check_machine(struct findings *findings)
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

void doctor_check_tools(struct findings *findings)
{
  findings_add(findings, "sqlite", "ok", "library %s", sqlite3_libversion());
  check_tool(findings, "gnuplot", "gnuplot", "it draws plots", tutti_packages(TUTTI_PACKAGES_GNUPLOT));
  check_tool(findings, "slurm", "sbatch", "only for --launcher slurm", tutti_packages(TUTTI_PACKAGES_SLURM));
}
