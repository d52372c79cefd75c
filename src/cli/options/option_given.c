/* What the command line said, to be said again in commands that a message suggests. */
#include "cli/options/option.h"

/* What the command line had, in its order; the texts belong to it. */
static struct {
  TUTTI_VECTOR(struct given {
    const struct option_row *option;
    const char *text;
  });
} given;

void option_note_given(const struct option_row *option, const char *text)
{
  tutti_xpush(&given, (struct given){option, text});
}

void option_forget_given(void)
{
  tutti_vector_free(&given);
}

char *options_given(const char *const *names)
{
  struct tutti_text_stream again;
  tutti_xopen_text(&again);
  for (; *names; names++)
    for (size_t i = 0; i < given.count; i++) {
      const struct given *said = &given.items[i];
      char *word = said->text ? tutti_xshell_word(said->text) : NULL;
      if (strcmp(said->option->name, *names) == 0 && said->option->letter)
        fprintf(again.stream, " -%c %s", said->option->letter, word ? word : "");
      else if (strcmp(said->option->name, *names) == 0)
        fprintf(again.stream, " --%s%s%s", *names, word ? " " : "", word ? word : "");
      free(word);
    }
  return tutti_xclose_text(&again);
}
