/* How kinds of files are recognized by their content. */
#ifndef TUTTI_LIBRARIES_RECOGNIZE_H
#define TUTTI_LIBRARIES_RECOGNIZE_H

#include "decision/libraries/libraries.h"

/* A text, and the first line with content. */
struct look {
  const char *text, *end, *line;
  char first; /* its first character; 0: there is none */
  struct variables *variables;
};

/* How often a text sets variables of the lists. Each belongs to the first list that has it. */
struct variables {
  bool scanned, script;
  size_t capitals; /* names that begin with a capital letter */
  size_t kinds;
  struct variables_of {
    const char *words;   /* NULL: of another kind; as of tutti_settings_prefix() */
    size_t count, first; /* how many, and the place of the first */
  } of[TUTTI_TUNING_KINDS];
};

/* Whether a text is of a kind; what the word is follows the name. */
typedef bool tutti_look_function(const struct look *look, const char *word);

tutti_look_function tutti_look_begins; /* the first line begins so */
tutti_look_function
    tutti_look_comment; /* a comment before the content begins with one of the words, '|' between them */
tutti_look_function tutti_look_json_part;  /* JSON with that text in it */
tutti_look_function tutti_look_json_words; /* JSON with all of these words, each as a text of its own */
tutti_look_function tutti_look_selection;  /* JSON with a key "word=..." of one of the words */
tutti_look_function tutti_look_template;   /* a selection of MPICH that is a part of one, or has this text in it */
tutti_look_function tutti_look_element;    /* XML whose first element has this name */
tutti_look_function tutti_look_han;        /* rules of coll/han */
tutti_look_function tutti_look_tuned;      /* rules of coll/tuned, with this header or without */
tutti_look_function
    tutti_look_variables; /* some line sets a variable that begins with one of the words up to its '_', or is one */
tutti_look_function tutti_look_script;       /* a script, or lines that set variables */
tutti_look_function tutti_look_begins_field; /* a table whose first field is one of the words */
tutti_look_function tutti_look_tune;         /* a tuning string of UCC of one of the collectives */
tutti_look_function tutti_look_sections;     /* some line is a section with a condition on one of the words */
tutti_look_function tutti_look_rules;        /* rules of Tutti */
tutti_look_function tutti_look_fujitsu;      /* a decision tree of Fujitsu MPI */

#endif
