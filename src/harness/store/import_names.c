/* Importing: methods by the names and numbers that tables have for them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "harness/store/import_file.h"
#include "tutti/library.h"

bool tutti_import_said_collective(const tutti_import_how *how, tutti_collective *collective)
{
  if (how->collective)
    *collective = (tutti_collective)(how->collective - 1);
  else if (how->method_count == 1)
    *collective = how->methods[0].algorithm->collective;
  return how->collective || how->method_count == 1;
}

/* A name without what is written in several ways: capitals, blanks, hyphens. Owned by the caller. */
static char *fold(const char *name)
{
  char *folded = tutti_xstrdup(name), *end = folded;
  for (; *name; name++)
    if (!strchr(" _-", *name))
      *end++ = (char)tolower((unsigned char)*name);
  *end = '\0';
  return folded;
}

static bool is_own_choice(const char *name)
{
  char *folded = fold(name);
  const bool found = tutti_word_is_listed("tuned ignore default native", ' ', folded) || strcmp(folded, "0") == 0;
  free(folded);
  return found;
}

/* The settings of Open MPI under which an algorithm runs: its number or name, and that these are read. */
static const char *setting_of(const char *name, const void *context)
{
  const size_t length = strlen(name), end = strlen("_algorithm");
  if (strcmp(name, "OMPI_MCA_coll_tuned_use_dynamic_rules") == 0)
    return "1";
  return length > end && strcmp(name + length - end, "_algorithm") == 0 ? context : NULL;
}

bool tutti_import_named_method(const struct import_file *file, tutti_collective collective, const char *name, int ranks,
                               tutti_method *method)
{
  tutti_directive told;
  tutti_error reason;
  *method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  return is_own_choice(name) || (tutti_method_told(collective, TUTTI_IMPLEMENTATION_OPENMPI, file->how->library, ranks,
                                                   setting_of, name, method, &told, &reason) == TUTTI_OK &&
                                 *told.name);
}

static bool parse(const char *prefix, const char *separator, const char *text, const char *suffix, tutti_method *method)
{
  tutti_error ignored;
  char *name = tutti_xprintf("%s%s%s%s%s", prefix, separator, text, suffix ? "@" : "", suffix ? suffix : "");
  const bool known = tutti_method_parse(name, method, &ignored) == TUTTI_OK;
  free(name);
  return known;
}

/* An algorithm of the library, or ours, whose name differs from the text in capitals, blanks and hyphens alone. */
static bool find_folded(tutti_collective collective, const char *text, const char *library, tutti_method *method)
{
  char *folded = fold(text);
  bool found = false;
  for (size_t i = 0; i < tutti_algorithm_count() && !found; i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    char *own = algorithm->collective == collective ? fold(algorithm->name) : NULL;
    found = own && strcmp(own, folded) == 0 &&
            parse(tutti_collective_name(collective), "/", algorithm->name, library, method);
    free(own);
  }
  free(folded);
  return found;
}

/* "Basic linear" as Open MPI writes it, "basic_linear"; owned by the caller. */
static char *as_openmpi(const char *text)
{
  char *name = tutti_xstrdup(text);
  for (char *at = name; *at; at++)
    *at = *at == ' ' || *at == '-' ? '_' : (char)tolower((unsigned char)*at);
  return name;
}

static bool is_told(const tutti_import_how *how, tutti_collective collective)
{
  for (size_t i = 0; i < how->method_count; i++)
    if (how->methods[i].algorithm->collective == collective)
      return true;
  return false;
}

bool tutti_import_find_method(const struct import_file *file, tutti_collective collective, const char *text, int ranks,
                              tutti_method *method)
{
  const tutti_import_how *how = file->how;
  const char *own = tutti_collective_name(collective), *library = tutti_implementation_name(how->implementation);
  const bool numbered = text[strspn(text, "0123456789")] == '\0';
  if (strchr(text, '/'))
    return parse("", "", text, NULL, method) && method->algorithm->collective == collective;
  if (numbered && is_told(how, collective))
    return true; /* what --as says */
  if ((library && !strchr(text, '@') && parse(own, "/", text, library, method)) || parse(own, "/", text, NULL, method))
    return true;
  if (is_own_choice(text) || how->implementation == TUTTI_IMPLEMENTATION_OPENMPI) {
    char *name = as_openmpi(text);
    const bool named = tutti_import_named_method(file, collective, name, ranks, method);
    free(name);
    if (named)
      return true;
  }
  method->algorithm = NULL;
  return (library && find_folded(collective, text, library, method)) || find_folded(collective, text, NULL, method);
}
