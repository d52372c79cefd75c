/* What is on the page. */
#include "tutti/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/collect.h"

static bool is_asked_for(const tutti_report_request *request, const char *platform)
{
  for (int i = 0; i < request->platform_count; i++)
    if (strcmp(request->platforms[i], platform) == 0)
      return true;
  return request->platform_count == 0;
}

static tutti_status unknown_platform(const tutti_report *report, const char *name, tutti_error *error)
{
  const tutti_store_contents *contents = &report->contents;
  char list[TUTTI_ERROR_LENGTH / 2] = "";
  for (int i = 0; i < contents->environment_count; i++) {
    const char *platform = contents->environments[i].platform;
    size_t used = strlen(list);
    if (i == 0 || strcmp(platform, contents->environments[i - 1].platform) != 0)
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", platform);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: nothing was measured on the platform '%s', only on: %s",
                    report->request->database, name, *list ? list : "none");
}

static tutti_status check_platforms(const tutti_report *report, tutti_error *error)
{
  const tutti_store_contents *contents = &report->contents;
  for (int i = 0; i < report->request->platform_count; i++) {
    bool found = false;
    for (int e = 0; e < contents->environment_count && !found; e++)
      found = strcmp(contents->environments[e].platform, report->request->platforms[i]) == 0;
    if (!found)
      return unknown_platform(report, report->request->platforms[i], error);
  }
  return TUTTI_OK;
}

/* Leave out what was not asked for. */
static void keep_platforms(tutti_report *report)
{
  tutti_store_contents *contents = &report->contents;
  int kept = 0;
  for (int i = 0; i < contents->holding_count; i++)
    if (is_asked_for(report->request, contents->environments[contents->holdings[i].environment].platform))
      contents->holdings[kept++] = contents->holdings[i];
  contents->holding_count = kept;
}

tutti_status tutti_report_create(const tutti_report_request *request, tutti_store *store, tutti_report *report,
                                 tutti_error *error)
{
  *report = (tutti_report){.request = request, .store = store};
  tutti_status status = tutti_store_contents_read(store, &report->contents, error);
  if (status == TUTTI_OK)
    status = check_platforms(report, error);
  if (status == TUTTI_OK) {
    keep_platforms(report);
    status = tutti_report_collect_maps(report, error);
  }
  for (int i = 0; i < report->map_count && status == TUTTI_OK; i++) {
    status = tutti_report_ask_all(report, &report->maps[i], error);
    if (status == TUTTI_OK)
      status = tutti_report_give_letters(&report->maps[i], error);
  }
  if (status != TUTTI_OK)
    tutti_report_free(report);
  return status;
}

void tutti_report_free(tutti_report *report)
{
  for (int i = 0; i < report->map_count; i++)
    tutti_report_free_map(&report->maps[i]);
  free(report->maps);
  tutti_store_contents_free(&report->contents);
  *report = (tutti_report){0};
}
