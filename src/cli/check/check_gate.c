#include "cli/check/check_gate.h"

#include <errno.h>
#include <unistd.h>

#include "base/process.h"

/* ---- the file ---- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

const char *gate_check_name(const char *name)
{
  return name[strspn(name, letters)] || *name == '-' || *name == '.' ? "a name has letters, digits, '.', '_' and '-'"
                                                                     : NULL;
}

const char *gate_check_source(const char *path)
{
  bool outside = *path == '/' || strncmp(path, "../", 3) == 0 || strstr(path, "/../");
  for (const char *c = path; *c; c++)
    if (!strchr(letters, *c) && *c != '/' && *c != '+')
      return "a path has letters, digits, '.', '_', '+', '-' and '/'";
  if (*path == '-')
    return "it would be taken for an option";
  return outside ? "it is not within the repository" : NULL;
}

static void read_part(struct gate *gate, struct tutti_lines *lines)
{
  char *words = lines->text, *kind = strsep(&words, " "), *name = words ? strsep(&words, " ") : NULL;
  struct gate_part part = {.program = strcmp(kind, "program") == 0};
  const char *wrong = NULL;
  if (!part.program && strcmp(kind, "plugin") != 0) {
    tutti_lines_fault(lines, "'%s' is neither plugin nor program", kind);
    return;
  }
  if (!name || !words) {
    tutti_lines_fault(lines, "not %s NAME SOURCE...", kind);
    return;
  }
  wrong = gate_check_name(name);
  for (size_t i = 0; i < gate->count && !wrong; i++)
    wrong = strcmp(gate->items[i].name, name) == 0 ? "a line above has that name" : NULL;
  if (wrong)
    tutti_lines_fault(lines, "'%s': %s", name, wrong);
  part.name = tutti_xstrdup(name);
  for (char *source; (source = strsep(&words, " "));) {
    wrong = *source ? gate_check_source(source) : "two blanks";
    if (wrong)
      tutti_lines_fault(lines, "'%s': %s", source, wrong);
    tutti_xpush(&part.sources, tutti_xstrdup(source));
  }
  tutti_xpush(gate, part);
}

static void read_gate(struct gate *gate)
{
  struct tutti_lines lines;
  must(tutti_lines_open(&lines, CHECK_GATE, TUTTI_INPUT_TEXT, &failure));
  while (tutti_lines_next(&lines))
    if (lines.number == 1 && strcmp(lines.text, "tutti-gate 1") != 0)
      tutti_lines_fault(&lines, "the first line is not 'tutti-gate 1'");
    else if (lines.number > 1 && *lines.text && *lines.text != '#')
      read_part(gate, &lines);
  must(tutti_lines_close(&lines));
}

/* ---- compiling ---- */

static void remove_folder(void *gate)
{
  tutti_folder_remove(((struct gate *)gate)->folder);
}

void gate_begin(struct gate *gate)
{
  const char *temporary = getenv("TMPDIR");
  gate->folder = tutti_xprintf("%s/tutti-gate.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(gate->folder))
    die("%s: cannot be made: %s", gate->folder, strerror(errno));
  failure_undo(remove_folder, gate);
}

void gate_end(struct gate *gate)
{
  failure_forget();
  remove_folder(gate);
}

static bool is_cplusplus(const struct gate_part *part)
{
  bool found = false;
  for (size_t i = 0; i < part->sources.count; i++)
    found |=
        tutti_stem_length(part->sources.items[i], ".cc") > 0 || tutti_stem_length(part->sources.items[i], ".cpp") > 0;
  return found;
}

/* The compiler of a part, with what it needs beside the sources. */
static void add_compiler(struct subcommand *words, const struct gate_part *part)
{
  subcommand_add(words, "-O2");
  if (!part->program) {
    char *include = tutti_self_path("../include");
    subcommand_add(words, "-fPIC");
    subcommand_add(words, "-shared");
    subcommand_add_format(words, "-I%s", include);
    free(include);
  }
  subcommand_add(words, "-o");
  subcommand_add(words, part->built);
  for (size_t i = 0; i < part->sources.count; i++)
    subcommand_add(words, part->sources.items[i]);
  if (part->program)
    subcommand_add(words, "-lm");
}

char *gate_build(const struct gate *gate, struct gate_part *part)
{
  static const char *const compilers[2][2] = {{"cc", "c++"}, {"smpicc", "smpicxx"}};
  const char *compiler = compilers[part->program][is_cplusplus(part)];
  char *found = tutti_program_find(compiler);
  part->built = tutti_xprintf("%s/%s%s", gate->folder, part->name, part->program ? "" : ".so");
  if (!found)
    return tutti_xprintf("no %s in PATH (Debian: apt-get install %s)", compiler,
                         part->program ? "libsimgrid-dev" : "gcc libc6-dev");
  struct subcommand words = subcommand(compiler);
  add_compiler(&words, part);
  char *said, *trouble = subcommand_compile(&words, NULL, &said);
  subcommand_free(&words);
  free(found);
  free(said);
  return trouble;
}

/* ---- the check ---- */

struct subcommand gate_command(const struct gate *gate, const char *baseline)
{
  struct subcommand command = subcommand("check");
  subcommand_add_option(&command, "--baseline", baseline);
  for (size_t i = 0; i < gate->count; i++) {
    const struct gate_part *part = &gate->items[i];
    if (part->trouble)
      continue;
    char *word = tutti_xshell_word(part->built);
    if (part->program)
      subcommand_add_format(&command, "--subject=%s=%s", part->name, word);
    else
      subcommand_add_option(&command, "--plugin", part->built);
    free(word);
  }
  return command;
}

int gate_run(void)
{
  static const char *const options[] = {"update", "tolerance", "strict",      "no-strict", "format",
                                        "junit",  "json",      "csv",         "output-db", "jobs",
                                        "quiet",  "program",   "job-timeout", "build-dir", NULL};
  struct gate gate = {0};
  read_gate(&gate);
  gate_begin(&gate);
  for (size_t i = 0; i < gate.count; i++) {
    char *trouble = gate_build(&gate, &gate.items[i]);
    if (trouble)
      die("%s: %s: %s", CHECK_GATE, gate.items[i].name, trouble);
  }
  struct subcommand command = gate_command(&gate, CHECK_BASELINE);
  subcommand_add_given(&command, options);
  const int code = subcommand_run(&command);
  subcommand_free(&command);
  gate_end(&gate);
  return code;
}
