/* Words for the values of an enumeration: words[value], NULL for a value without a word. */
#ifndef TUTTI_BASE_WORDS_H
#define TUTTI_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tutti/error.h"

/* The word of a value; NULL outside 0 .. count - 1. Static storage, as the words. */
const char *tutti_word_of(const char *const *words, int count, int value);

/* The value of a word; -1 if it is not among them. */
int tutti_word_find(const char *const *words, int count, const char *word);

/**
 * The value of a word.
 * @param what  for the message: "measuring scheme"
 * @return TUTTI_ERR_ARGUMENT: "unknown measuring scheme 'x': known are occ, window"; *value is unchanged then
 */
tutti_status tutti_word_parse(const char *const *words, int count, const char *what, const char *word, int *value,
                              tutti_error *error);

/* TYPE_name() and TYPE_parse() of an enumeration with `count` values, whose words follow. */
#define TUTTI_DEFINE_WORDS(type, count, what, ...)                                                                     \
  static const char *const type##_words[] = {__VA_ARGS__};                                                             \
  _Static_assert(sizeof type##_words / sizeof *type##_words == (count), "a word for each value of " #type);            \
  const char *type##_name(type value)                                                                                  \
  {                                                                                                                    \
    return tutti_word_of(type##_words, count, (int)value);                                                             \
  }                                                                                                                    \
  tutti_status type##_parse(const char *name, type *value, tutti_error *error)                                         \
  {                                                                                                                    \
    int found = 0;                                                                                                     \
    const tutti_status status = tutti_word_parse(type##_words, count, what, name, &found, error);                      \
    if (status == TUTTI_OK)                                                                                            \
      *value = (type)found;                                                                                            \
    return status;                                                                                                     \
  }

/* Whether the word is in a list. Its words are separated by @p separator; blanks before a word are not part of it. */
bool tutti_word_is_listed(const char *list, char separator, const char *word);

/* Letters to add, drop, change or swap with a neighbor to turn one word into the other, ignoring case; INT_MAX for
   words of more than 40 letters. */
int tutti_word_distance(const char *left, const char *right);

/*
 * The word that was meant by one that is not known: the nearest of those that there are, if no more than two of its
 * letters, and no more than one of three, are wrong, else the only one that begins with it, or the
 * one that all others which do are longer forms of. Of two that are equally
 * near it is the first by alphabet.
 *
 *   tutti_guess guess = {.word = name};
 *   for (...)
 *     tutti_guess_try(&guess, known[i]);
 *   return tutti_fail(..., "unknown word '%s'%s: known are %s", name, tutti_guess_text(&guess, text), list);
 */
enum { TUTTI_GUESS_LENGTH = 64 };

typedef struct tutti_guess {
  const char *word;
  bool few;   /* words are known, and one may differ in half of its letters instead of a third, by 2 at most */
  int steps;  /* to the nearest, + 1; 0: none */
  int begins; /* how many words it begins that part ways */
  char nearest[TUTTI_GUESS_LENGTH], longer[TUTTI_GUESS_LENGTH];
} tutti_guess;

void tutti_guess_try(tutti_guess *guess, const char *known);

/* The names of all files NAME@p suffix of a directory, if it exists. */
void tutti_guess_try_files(tutti_guess *guess, const char *directory, const char *suffix);

/* NULL: none is near. */
const char *tutti_guess_word(const tutti_guess *guess);

/* A guess for a missing file, among those with this suffix in the current directory: as tutti_guess_text(). */
char *tutti_guess_file(const char *path, const char *suffix, char text[2 * TUTTI_GUESS_LENGTH]);

/* " (did you mean 'ring'?)", or "". Returns @p text. */
char *tutti_guess_text(const tutti_guess *guess, char text[2 * TUTTI_GUESS_LENGTH]);

/* The same of the words of an array, as tutti_word_of() has them. */
char *tutti_word_meant(const char *const *words, int count, const char *word, char text[2 * TUTTI_GUESS_LENGTH]);

/*
 * Words of a message, separated by commas: as many as fit, and how many more there are.
 *
 *   tutti_word_list list = {.text = text, .length = sizeof text, .where = " (tutti algorithms bcast)"};
 *   for (...)
 *     tutti_word_list_add(&list, known[i]);
 *   return tutti_fail(..., "known are %s", tutti_word_list_end(&list));
 */
typedef struct tutti_word_list {
  char *text;        /* the result: "binomial, chain and 20 more (tutti algorithms bcast)"; "" without words */
  size_t length;     /* of it, with the terminating zero */
  const char *where; /* text after "more", where all of them are listed; NULL: none */
  size_t used, kept; /* bytes of all words so far, and of those that leave place for the end */
  int left;          /* words after those that are kept */
  bool full;
} tutti_word_list;

void tutti_word_list_add(tutti_word_list *list, const char *word);
const char *tutti_word_list_end(tutti_word_list *list);

/* The words that there are, "occ, window", as a tutti_word_list of @p length bytes. Returns @p text. */
const char *tutti_words_list(const char *const *words, int count, char *text, size_t length);

/* Several match where one is needed: @p count of @p path; @p items are lines to be pasted after a command. */
typedef struct tutti_choice {
  const char *path;
  size_t count;
  const char *what;   /* "sets of measurements match" */
  const char *ending; /* after the lines, may be "" */
  char **items;       /* each ends with its comment */
  size_t lines;
} tutti_choice;

/* TUTTI_ERR_ARGUMENT: "results.db: 2 sets of measurements match; choose one by adding:" and as many lines as fit. */
tutti_status tutti_choice_fail(const tutti_choice *choice, tutti_error *error);

#endif
