/* Notes on a decision map, as tutti map has them. */
#include "cli/report/html.h"
#include "cli/report/map_notes.h"
#include "cli/report/page.h"

struct note_list {
  FILE *out;
  bool begun;
};

static void print_note(const char *note, bool item, void *context)
{
  struct note_list *list = context;
  if (!list->begun)
    fputs("<ul class=\"notes\">\n", list->out);
  list->begun = true;
  tutti_html_print(list->out, item ? "<li class=\"item\">%s</li>\n" : "<li>%s</li>\n", note);
}

void tutti_report_print_notes(const tutti_report *report, const tutti_report_map *map, FILE *out)
{
  const tutti_environment *own = &report->contents.environments[map->environment];
  struct note_list list = {.out = out};
  tutti_map_notes(&(struct tutti_noted_map){&map->map, own->library, own->cores}, print_note, &list);
  if (list.begun)
    fputs("</ul>\n", out);
}
