/* Findings of tutti lint, printed. */
#include "cli/lint/report_lint.h"

#include "cli/output/report_json.h"

static void print_finding(const char *path, const tutti_finding *finding)
{
  const tutti_lint_code *code = finding->code;
  printf("%s:%d:%d: %s: %s: %s [%s]\n", path, finding->line, finding->column, tutti_severity_name(code->severity),
         code->title, finding->message, code->name);
  printf("    %s\n    %s\n", code->effect, code->remedy);
}

void report_lint_print(const struct linted *file, bool notes)
{
  char name[40];
  size_t counts[3] = {0};
  for (size_t i = 0; i < file->findings.count; i++) {
    const tutti_finding *finding = &file->findings.items[i];
    counts[finding->code->severity]++;
    if (notes || finding->code->severity != TUTTI_NOTE)
      print_finding(file->path, finding);
  }
  printf("%s for %s: %zu errors, %zu warnings, %zu notes\n", file->path,
         tutti_library_version_format(&file->version, name), counts[TUTTI_ERROR], counts[TUTTI_WARNING],
         counts[TUTTI_NOTE]);
}

static void print_code_members(const tutti_lint_code *code)
{
  printf("\"code\": ");
  json_string(stdout, code->name);
  printf(", \"severity\": ");
  json_string(stdout, tutti_severity_name(code->severity));
  printf(", \"title\": ");
  json_string(stdout, code->title);
  printf(", \"effect\": ");
  json_string(stdout, code->effect);
  printf(", \"remedy\": ");
  json_string(stdout, code->remedy);
}

static void print_file(const struct linted *file, bool notes)
{
  char name[40];
  const char *comma = "";
  printf("  {\"file\": ");
  json_string(stdout, file->path);
  printf(", \"target\": ");
  json_string(stdout, tutti_library_version_format(&file->version, name));
  printf(", \"errors\": %zu, \"warnings\": %zu, \"findings\": [", tutti_findings_count(&file->findings, TUTTI_ERROR),
         tutti_findings_count(&file->findings, TUTTI_WARNING));
  for (size_t i = 0; i < file->findings.count; i++) {
    const tutti_finding *finding = &file->findings.items[i];
    if (!notes && finding->code->severity == TUTTI_NOTE)
      continue;
    printf("%s\n    {\"line\": %d, \"column\": %d, ", comma, finding->line, finding->column);
    print_code_members(finding->code);
    printf(", \"message\": ");
    json_string(stdout, finding->message);
    putchar('}');
    comma = ",";
  }
  printf("]}");
}

void report_lint_json(const struct linted *files, int count, bool notes)
{
  printf("{\"files\": [\n");
  for (int i = 0; i < count; i++) {
    print_file(&files[i], notes);
    printf("%s\n", i + 1 < count ? "," : "");
  }
  printf("]}\n");
}

void report_lint_codes(bool json)
{
  const tutti_lint_code *code;
  if (json)
    printf("{\"codes\": [\n");
  for (size_t i = 0; (code = tutti_lint_code_at(i)); i++) {
    if (!json) {
      printf("%-10s %-8s %s\n", code->name, tutti_severity_name(code->severity), code->title);
      continue;
    }
    printf("%s  {", i ? ",\n" : "");
    print_code_members(code);
    putchar('}');
  }
  if (json)
    printf("\n]}\n");
}
