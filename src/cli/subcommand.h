/*
 * A command that is made of others (tutti tune, tutti place) runs them as children: this very program with other words,
 * each of which the user could type.
 *
 *   struct subcommand bench = subcommand("bench");
 *   subcommand_add(&bench, "-P");
 *   subcommand_add_format(&bench, "%d..%d*2", 2, cores);
 *   int code = subcommand_run(&bench);
 *   subcommand_free(&bench);
 */
#ifndef TUTTI_CLI_SUBCOMMAND_H
#define TUTTI_CLI_SUBCOMMAND_H

#include "base/json_read.h"
#include "cli/options/option.h"

/* Words after "tutti"; owned. */
struct subcommand {
  TUTTI_VECTOR(char *);
  struct {
    TUTTI_VECTOR(char *);
  } under; /* words of a program that starts it, such as salloc; none: it is started by this process */
};

struct subcommand subcommand(const char *name);
void subcommand_free(struct subcommand *command);

/* Append a word. @{ */
void subcommand_add(struct subcommand *command, const char *word);
void subcommand_add_format(struct subcommand *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* @} */

/* Append a word of the program that starts it. @{ */
void subcommand_under(struct subcommand *command, const char *word);
void subcommand_under_format(struct subcommand *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* @} */

/* An option with its value; nothing if that is NULL. */
void subcommand_add_option(struct subcommand *command, const char *option, const char *value);

/* An option with a list of numbers. */
void subcommand_add_numbers(struct subcommand *command, const char *option, const struct option_numbers *numbers);

/* Those of the options, named in an array that ends with NULL, that the command line of this process had. */
void subcommand_add_given(struct subcommand *command, const char *const *names);

/* As it can be pasted: "tutti bench -P 2,4"; owned by the caller. */
char *subcommand_text(const struct subcommand *command);

/* Run it to its end, with the output and errors of this process. Returns its exit status; dies if a signal ended it. */
int subcommand_run(const struct subcommand *command);

/* A temporary file for what a command prints; the caller closes it. */
FILE *subcommand_open_output(void);

/* The same as subcommand_run(), with standard output into a file. */
int subcommand_run_into(const struct subcommand *command, FILE *output);

/* The same, with its errors, too. */
int subcommand_try(const struct subcommand *command, FILE *said);

/* Run it silently: what it says is shown if it fails, which ends this process, too. */
void subcommand_run_silently(const struct subcommand *command);

/* Run it, which prints JSON, and read that; if @p silent what it says beside is shown only if it fails, which ends this
   process, too. Returns EXIT_DONE or EXIT_FOUND. tutti_json_free(). */
int subcommand_read(const struct subcommand *command, bool silent, struct json *document);

/* Run a compiler, whose words these are, in a folder; NULL: in that of this process. NULL, or why it failed: "cc does
   not compile it: " and its first error. Both that and what it said are owned by the caller. */
char *subcommand_compile(const struct subcommand *compiler, const char *folder, char **said);

/* Read a file of JSON that a command has printed, or die with its name. tutti_json_free(). */
void document_read(const char *path, struct json *document);

#endif
