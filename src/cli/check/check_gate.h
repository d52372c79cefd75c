/* The gate of a repository: what tutti check without a baseline compiles and compares. */
#ifndef TUTTI_CLI_CHECK_GATE_H
#define TUTTI_CLI_CHECK_GATE_H

#include "cli/check/check.h"
#include "cli/subcommand.h"

#define CHECK_GATE     "tutti.gate"     /* a line for each source: docs/how-to/gate.md */
#define CHECK_BASELINE "tutti.baseline" /* what it is compared with */

/* A plug-in, or an MPI program. */
struct gate_part {
  bool program;
  char *name;
  struct {
    TUTTI_VECTOR(char *);
  } sources;     /* C or C++, relative to the top of the repository */
  char *built;   /* the shared object or the program */
  char *trouble; /* why it is left out (--init); NULL: it is not */
};

struct gate {
  TUTTI_VECTOR(struct gate_part);
  char *folder; /* where the parts are built */
};

/* A part is checked: its name is a word, its sources are within the repository, and none is taken for an option.
   Returns what is wrong, or NULL. @{ */
const char *gate_check_name(const char *name);
const char *gate_check_source(const char *path);
/* @} */

/* The folder of what is compiled, which is removed when the process ends. */
void gate_begin(struct gate *gate);
void gate_end(struct gate *gate);

/* Compile a part into the folder. Returns NULL, or what the compiler said; owned by the caller. */
char *gate_build(const struct gate *gate, struct gate_part *part);

/* tutti check of a baseline with the parts that are built. */
struct subcommand gate_command(const struct gate *gate, const char *baseline);

/* tutti check without a baseline: compiles what CHECK_GATE names and compares; returns its exit status. */
int gate_run(void);

/* The parts of the folder: each source that includes tutti/plugin.h, and each MPI program of one file. What cannot be
   taken has its trouble. */
void gate_detect(struct gate *gate);

/* tutti check --init. */
int check_init(const struct check_options *options);

#endif
