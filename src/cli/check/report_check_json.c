/* The regression gate as JSON. */
#include <stdio.h>

#include "cli/check/report_check.h"
#include "cli/output/report_json.h"

static void print_string(const char *before, const char *text)
{
  fputs(before, stdout);
  if (text)
    json_string(stdout, text);
  else
    fputs("null", stdout);
}

static void print_difference(const tutti_difference *difference)
{
  print_string("{\"point\": ", difference->entry->key);
  print_string(", \"section\": ", difference->section->name);
  if (difference->verdict == TUTTI_BASELINE_WORSE || difference->verdict == TUTTI_BASELINE_BETTER) {
    print_string(", \"value\": ", tutti_metric_name(difference->metric));
    json_member("baseline", difference->before, 12);
    json_member("now", difference->after, 12);
    json_member("change_percent", difference->change, 12);
  }
  putchar('}');
}

static void print_verdict(const tutti_baseline_comparison *comparison, tutti_baseline_verdict verdict, const char *name)
{
  const char *separator = "";
  printf(",\n   \"%s\": [", name);
  for (size_t i = 0; i < comparison->count; i++)
    if (comparison->differences[i].verdict == verdict) {
      printf("%s\n    ", separator);
      print_difference(&comparison->differences[i]);
      separator = ",";
    }
  putchar(']');
}

static void print_section(const tutti_baseline_section *before, const tutti_baseline_section *after)
{
  print_string("\n    {\"section\": ", before->name);
  print_string(", \"platform\": ", after->platform);
  print_string(", \"platform_hash\": ", after->platform_hash);
  print_string(", \"library\": ", after->library);
  print_string(", \"baseline_platform_hash\": ", before->platform_hash);
  print_string(", \"baseline_library\": ", before->library);
  printf(", \"times_compared\": %s}", tutti_baseline_other_library(before, after) ? "false" : "true");
}

static void print_tolerance(const tutti_tolerance *tolerance)
{
  fputs(",\n   \"tolerance_percent\": {", stdout);
  for (int a = 0; a < TUTTI_ASPECTS; a++) {
    printf("%s\"%s\": ", a > 0 ? ", " : "", tutti_aspect_name((tutti_aspect)a));
    json_number(stdout, tolerance->percent[a], 12);
  }
  putchar('}');
}

static void print_comparison(const tutti_baseline_comparison *comparison)
{
  print_string("  {\"baseline\": ", comparison->before->path);
  printf(", \"points\": %zu, \"failed\": %s", tutti_baseline_points(comparison->before),
         tutti_baseline_comparison_failed(comparison) ? "true" : "false");
  print_tolerance(&comparison->tolerance);
  fputs(",\n   \"sections\": [", stdout);
  for (size_t i = 0; i < comparison->before->count; i++) {
    fputs(i > 0 ? "," : "", stdout);
    print_section(&comparison->before->sections[i], &comparison->after->sections[i]);
  }
  putchar(']');
  print_verdict(comparison, TUTTI_BASELINE_WORSE, "worse");
  print_verdict(comparison, TUTTI_BASELINE_MISSING, "missing");
  print_verdict(comparison, TUTTI_BASELINE_BETTER, "better");
  print_verdict(comparison, TUTTI_BASELINE_NEW, "new");
  putchar('}');
}

void report_check_print_json(const tutti_baseline_comparison *comparisons, size_t count)
{
  fputs("{\"checks\": [\n", stdout);
  for (size_t i = 0; i < count; i++) {
    print_comparison(&comparisons[i]);
    puts(i + 1 < count ? "," : "");
  }
  puts("]}");
}
