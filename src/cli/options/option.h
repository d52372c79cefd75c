/*
 * Options by table: a row binds an option of the command line to a member of a struct.
 *
 *   struct hello { const char *name; int times; bool json; };
 *
 *   static const struct option_row options[] = {
 *       OPTION_HEADING("Output:"),
 *       OPTION_NUMBER("times", "N", struct hello, times, "greet N times", .min = 1, .initial = "1"),
 *       OPTION_JSON(struct hello, json),                        // a row that many commands have: common.h
 *       OPTION_TABLE(struct hello, selection, selection_table), // a table that many commands have
 *       ARGUMENT_STRING("NAME", struct hello, name),            // not an option: a word without dashes
 *       OPTION_END};
 *
 * A command names its table, its struct and its function (cli/command.h); it sees no parser. Usage, --help, completion
 * and manual pages come from the same rows. docs/how-to/add-a-command.md goes through a whole command.
 *
 * Vocabulary. An option means the same in all commands, and so does its letter:
 *
 *   -P --ranks             numbers of ranks (N or LIST)      -j --jobs             how many run at once
 *   -s --size              bytes of a message or block       -q --quiet            no progress
 *   -n --count             elements                             --json, --csv      output for programs
 *   -t --type-size         bytes of an element               -o --output FILE      where the result is written
 *      --ranks-per-node    ranks on a node                      --plot FILE        a picture of it
 *      --root, --seed      numbers                              --db FILE          the store
 *      --platform NAME     a platform, or its file              --store-as[=NAME]  put the result into the store
 *      --flavor, --library the kind of MPI, its version         --output-db FILE   another store, which is written
 *      --collective NAME   only this one                        --top N            how many are shown
 *      --decision DECISION a file, a method, library:NAME       --target NAME      the library that a file is for
 *      --again             although it is stored                --format NAME      the format of a file
 *      --program, --build-dir  the measuring program            --tolerance PERCENT  how much worse is accepted
 *
 * Of a command with many options --help shows those of every day, --help-all and the manual page show all: the options
 * that option_is_everyday() lists for all commands, and rows with `.everyday = true`, about ten together.
 *
 * Old spellings are aliases: rows accept them, and help does not show them. They stay for one version.
 */
#ifndef TUTTI_CLI_OPTION_H
#define TUTTI_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"
#include "cli/failure.h"
#include "harness/experiments/file/experiment_list.h"

/* What is written to the file that an option names. */
enum option_writes { WRITES_NOTHING, WRITES_TEXT, WRITES_STORE };

enum option_kind {
  OPTION_KIND_END,
  OPTION_KIND_HEADING,  /* a line of the help above the options that follow */
  OPTION_KIND_TABLE,    /* the rows of another table */
  OPTION_KIND_BEGIN,    /* a function that sets defaults */
  OPTION_KIND_REQUIRED, /* an option that must be given, with the question that asks for it */
  OPTION_KIND_CHECK,    /* a function that looks at what was given together */
  OPTION_KIND_FLAG,
  OPTION_KIND_SET,
  OPTION_KIND_NUMBER,
  OPTION_KIND_SIZE,
  OPTION_KIND_REAL,
  OPTION_KIND_TIME,
  OPTION_KIND_DURATION,
  OPTION_KIND_WORD,
  OPTION_KIND_STRING,
  OPTION_KIND_STRINGS,
  OPTION_KIND_WORDS,
  OPTION_KIND_NUMBERS,
  OPTION_KIND_PARSE,
};

/* A member that holds what an option said each time, or all arguments of the command line; the array is owned by the
   options (options_free()), the words belong to the command line. */
struct option_strings {
  TUTTI_VECTOR(const char *);
};

/* A member that holds a list of numbers such as 2..28 or 1..1MB*2: ascending, unique; owned as above. */
struct option_numbers {
  uint64_t *items;
  int count;
};

/* Reads a text into a member, or dies (cli/failure.h) with a message that needs no name of the option. */
typedef void option_parse_function(void *member, const char *text);
/* Looks at all values of a table; messages name the options. */
typedef void option_check_function(void *values);
typedef void option_begin_function(void *values);

/* Where a member is; `what` must be its type. */
#define OPTION_MEMBER(type, member, what)                                                                              \
  .offset = offsetof(type, member) + 0 * sizeof(char[_Generic(&((type *)0)->member, what * : 1, default                \
                                                              : -1)]),                                                 \
  .width = sizeof(((type *)0)->member)
#define OPTION_ANY_MEMBER(type, member) .offset = offsetof(type, member), .width = sizeof(((type *)0)->member)

struct option_row {
  const char *name;     /* long, without dashes; of an argument how the synopsis calls it; of a heading its text */
  const char *argument; /* how help calls the value */
  const char *help;     /* begins with a small letter, ends without a full stop, says nothing of the default */
  size_t offset, width; /* of the member */

  /* What a row may say beside: designated initialisers at its end. */
  char letter;
  const char *aliases;   /* old spellings with blanks between them; one letter each is one of short options */
  const char *initial;   /* the default, read as if it had been given; shown in the help */
  const char *otherwise; /* the default in words, for the help only */
  size_t given;          /* of OPTION_GIVEN(): offset + 1 of a bool that says whether the option was given */
  uint64_t min, max;     /* of numbers and sizes; max 0: the largest that the member holds */
  double low, high;      /* of reals; high 0: no limit */
  double scale;          /* what a real is multiplied with: 0.01 makes a fraction of percent; 0: 1 */
  bool open;             /* low and high themselves are outside */
  bool bare;             /* the value may be left out: --name or --name=VALUE */
  bool everyday;         /* --help shows it; those of option_is_everyday() it shows anyway */
  bool optional;         /* an argument may be left out */
  bool many;             /* an argument: as many as there are */

  enum option_kind kind;
  enum option_writes writes;    /* to the file whose path the member is */
  int value;                    /* of OPTION_SET() */
  const char *const *words;     /* of OPTION_WORD() */
  option_parse_function *parse; /* of OPTION_PARSE() */
  experiment_number *number;    /* of OPTION_NUMBERS(): reads one of the list */
  option_check_function *check;
  option_begin_function *begin;
  const struct option_row *table;
  const struct option_row *(*make)(void); /* instead of the table */
};

/* A row of a kind, the name of an option or argument, NULL of others, and members. */
#define OPTION_ROW(kind_, name_, ...)                                                                                  \
  {                                                                                                                    \
    .kind = OPTION_KIND_##kind_, .name = (name_), __VA_ARGS__                                                          \
  }

#define OPTION_END           OPTION_ROW(END, NULL)
#define OPTION_HEADING(text) OPTION_ROW(HEADING, text)

/* The rows of a table for a member. Of two rows with the same name the first one counts. */
#define OPTION_TABLE(type, member, rows) OPTION_ROW(TABLE, NULL, .table = (rows), OPTION_ANY_MEMBER(type, member))

/* The rows of a table, or those that a function makes, which belong to it, for the whole struct. @{ */
#define OPTION_TABLE_ALL(rows)      OPTION_ROW(TABLE, NULL, .table = (rows))
#define OPTION_TABLE_FROM(function) OPTION_ROW(TABLE, NULL, .make = (function))
/* @} */

/* Called with the values of the table before, and after, the command line is read. @{ */
#define OPTION_BEGIN(function) OPTION_ROW(BEGIN, NULL, .begin = (function))
#define OPTION_CHECK(function) OPTION_ROW(CHECK, NULL, .check = (function))
/* @} */

/* An option of the table that must be given: all that are not, and all arguments that are missing, are asked for in one
   message, by questions that name what to type. */
#define OPTION_REQUIRED(option_, question) OPTION_ROW(REQUIRED, NULL, .argument = (option_), .help = (question))

/* At the end of a row: a bool that becomes true where the option is given. */
#define OPTION_GIVEN(type, member) .given = offsetof(type, member) + 1

/* bool */
#define OPTION_FLAG(name_, type, member, help_, ...)                                                                   \
  OPTION_ROW(FLAG, name_, OPTION_MEMBER(type, member, bool), .help = (help_), __VA_ARGS__)
/* An int or enumeration, which becomes a value. */
#define OPTION_SET(name_, type, member, value_, help_, ...)                                                            \
  OPTION_ROW(SET, name_, .value = (value_), OPTION_ANY_MEMBER(type, member), .help = (help_), __VA_ARGS__)
/* A whole number: int, size_t, uint64_t; .min, .max. */
#define OPTION_NUMBER(name_, argument_, type, member, help_, ...)                                                      \
  OPTION_ROW(NUMBER, name_, .argument = (argument_), OPTION_ANY_MEMBER(type, member), .help = (help_), __VA_ARGS__)
/* The same in bytes: 100, 8KB, 1MB. */
#define OPTION_SIZE(name_, argument_, type, member, help_, ...)                                                        \
  OPTION_ROW(SIZE, name_, .argument = (argument_), OPTION_ANY_MEMBER(type, member), .help = (help_), __VA_ARGS__)
/* double; .low, .high, .open, .scale. */
#define OPTION_REAL(name_, argument_, type, member, help_, ...)                                                        \
  OPTION_ROW(REAL, name_, .argument = (argument_), OPTION_MEMBER(type, member, double), .help = (help_), __VA_ARGS__)
/* double, seconds: 3.2ns, 0. */
#define OPTION_TIME(name_, type, member, help_, ...)                                                                   \
  OPTION_ROW(TIME, name_, .argument = "TIME", OPTION_MEMBER(type, member, double), .help = (help_), __VA_ARGS__)
/* double, seconds: 30s, 10min, 1.5h. */
#define OPTION_DURATION(name_, type, member, help_, ...)                                                               \
  OPTION_ROW(DURATION, name_, .argument = "TIME", OPTION_MEMBER(type, member, double), .help = (help_), __VA_ARGS__)
/* An int or enumeration: the index of one of the words, whose array ends with NULL; "" is one that cannot be
   given. Help lists them. */
#define OPTION_WORD(name_, type, member, words_, help_, ...)                                                           \
  OPTION_ROW(WORD, name_, .words = (words_), OPTION_ANY_MEMBER(type, member), .help = (help_), __VA_ARGS__)
/* const char * */
#define OPTION_STRING(name_, argument_, type, member, help_, ...)                                                      \
  OPTION_ROW(STRING, name_, .argument = (argument_), OPTION_MEMBER(type, member, const char *), .help = (help_),       \
             __VA_ARGS__)
/* struct option_strings: the option may be given several times. */
#define OPTION_STRINGS(name_, argument_, type, member, help_, ...)                                                     \
  OPTION_ROW(STRINGS, name_, .argument = (argument_), OPTION_MEMBER(type, member, struct option_strings),              \
             .help = (help_), __VA_ARGS__)
/* const char *, owned by the options: what it said each time, with a blank between. */
#define OPTION_WORDS(name_, argument_, type, member, help_, ...)                                                       \
  OPTION_ROW(WORDS, name_, .argument = (argument_), OPTION_MEMBER(type, member, const char *), .help = (help_),        \
             __VA_ARGS__)
/* struct option_numbers: a list, each of which `number_` reads (tutti_experiment_parse_rank_count, tutti_size_parse).
 */
#define OPTION_NUMBERS(name_, type, member, number_, help_, ...)                                                       \
  OPTION_ROW(NUMBERS, name_, .argument = "LIST", .number = (number_),                                                  \
             OPTION_MEMBER(type, member, struct option_numbers), .help = (help_), __VA_ARGS__)
/* Any member, read by a function. */
#define OPTION_PARSE(name_, argument_, type, member, parse_, help_, ...)                                               \
  OPTION_ROW(PARSE, name_, .argument = (argument_), .parse = (parse_), OPTION_ANY_MEMBER(type, member),                \
             .help = (help_), __VA_ARGS__)

/* The same for the whole struct. */
#define OPTION_PARSE_ALL(name_, argument_, parse_, help_, ...)                                                         \
  OPTION_ROW(PARSE, name_, .argument = (argument_), .parse = (parse_), .help = (help_), __VA_ARGS__)

/* Words without dashes, in the order of the rows; .optional, .many (the last row). @{ */
#define ARGUMENT_STRING(name_, type, member, ...)                                                                      \
  OPTION_ROW(STRING, name_, OPTION_MEMBER(type, member, const char *), __VA_ARGS__)
#define ARGUMENT_STRINGS(name_, type, member, ...)                                                                     \
  OPTION_ROW(STRINGS, name_, .many = true, OPTION_MEMBER(type, member, struct option_strings), __VA_ARGS__)
#define ARGUMENT_PARSE(name_, type, member, parse_, ...)                                                               \
  OPTION_ROW(PARSE, name_, .parse = (parse_), OPTION_ANY_MEMBER(type, member), __VA_ARGS__)
#define ARGUMENT_PARSE_ALL(name_, parse_, ...) OPTION_ROW(PARSE, name_, .parse = (parse_), __VA_ARGS__)
/* @} */

/* For OPTION_PARSE() and ARGUMENT_PARSE(): a tutti_collective. */
void option_collective(void *member, const char *text);
/* A tutti_model: "hockney:alpha=110us,beta=85.1ns" or "loggp:L=50us,o=1us,g=3us,G=85.1ns"; all parameters of the kind,
   each once, in any order; a time has a unit unless it is 0. gamma and delta are left as they are. */
tutti_status model_parse(const char *text, tutti_model *model, tutti_error *error);
void option_model(void *member, const char *text);

/* Read one value of an option into its member, as the command line does, or die with what is wrong with the text.
   @p values is the struct of the row. */
void option_read(const struct option_row *option, void *values, const char *text);

/* What a command line is, beside its options. */
struct option_usage {
  const char *arguments; /* of the synopsis, a line each; NULL: those of the table */
  const char *help;      /* above the options */
  const char *notes;     /* below them; may be NULL */
  char *(*list)(void);   /* makes more of the notes, to be freed; may be NULL */
  void (*refused)(int count, char *const *words, const char *why); /* called before wrong usage ends the program; NULL:
                                                                      nothing else is to be done */
};

/* Set defaults, read the command line and check it; argv[0] is the name in messages. Wrong usage ends the program with
   EXIT_USAGE, --help, --usage and --version with 0. */
void options_parse(const struct option_row *table, const struct option_usage *usage, int argc, char **argv,
                   void *values);

/* For the parser: until the end usage->refused is called if the program exits with EXIT_USAGE, with what
   option_refusal() was last given, which it returns. @{ */
void option_refusals_begin(const struct option_usage *usage, int argc, char **argv);
void option_refusals_end(void);
const char *option_refusal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* @} */

/* Those of the options, named in an array that ends with NULL, that the command line had, to be said again in a command
   to be pasted: " -P 2,4 --launcher srun", or "". Owned by the caller. */
char *options_given(const char *const *names);

/* The option of the command line with that index, in its order, by its long name, and its text, which is NULL of a flag
   and belongs to the command line; defaults and arguments are none. False: there are not so many. */
bool option_given_at(size_t index, const char **name, const char **text);

/* For the parser: an option or argument was given, or has its default; all are forgotten. The text belongs to the
   command line. @{ */
void option_note_given(const struct option_row *option, const char *text, bool usual);
void option_forget_given(void);
/* @} */

/* For the parser: die if the option writes text over a store or another file of the command line, or cannot write its
   store. */
void option_check_written(const struct option_row *option);

/* Free what the options own. */
void options_free(const struct option_row *table, void *values);

#endif
