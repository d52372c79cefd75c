/* The settings of the interposer, from the environment. No MPI.

     TUTTI_DECISION=FILE       rules, see tutti/decision.h; what they do not answer is answered by the built-in ones
     TUTTI_BCAST=binomial/8KB  the method of a collective, without its name; "native": left to the MPI library
     TUTTI_VERBOSE=1           a report at the end

   An empty value is none. */
#ifndef TUTTI_INTERPOSE_SETTINGS_H
#define TUTTI_INTERPOSE_SETTINGS_H

#include "tutti/decision.h"

/* A method from the variable of a collective. */
struct override {
  bool given, native;
  tutti_method method;
};

struct settings {
  struct override overrides[TUTTI_COLL_COUNT];
  tutti_decision file;                      /* decide is NULL if no file is named */
  tutti_decision builtin[TUTTI_COLL_COUNT]; /* decide is NULL where the catalogue has no algorithm */
  bool verbose;
  uint64_t digest; /* differs where the settings do */
};

/* TUTTI_ERR_ARGUMENT or TUTTI_ERR_IO names the variable, or FILE:LINE. */
tutti_status tutti_settings_read(struct settings *settings, tutti_error *error);

void tutti_settings_free(struct settings *settings);

/* The method for a call, or false if it is to be left to the library. */
bool tutti_settings_decide(const struct settings *settings, const tutti_question *question, tutti_method *method);

/* May a method be decided on that must know which ranks share memory? */
bool tutti_settings_may_need_nodes(const struct settings *settings);

/* "TUTTI_BCAST" into `name`, of TUTTI_VARIABLE_LENGTH bytes; returns it. */
char *tutti_settings_variable(tutti_collective collective, char *name);

#define TUTTI_VARIABLE_LENGTH 40

/* The built-in rules for a collective. */
const char *tutti_builtin_rules(tutti_collective collective);

#endif
