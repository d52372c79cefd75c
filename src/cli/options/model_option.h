/* A performance model on the command line: KIND:NAME=TIME,NAME=TIME... */
#ifndef TUTTI_CLI_MODEL_OPTION_H
#define TUTTI_CLI_MODEL_OPTION_H

#include "tutti/model.h"

/* "hockney:alpha=110us,beta=85.1ns" or "loggp:L=50us,o=1us,g=3us,G=85.1ns": all parameters of the kind, each once, in
   any order; a time has a unit unless it is 0. gamma and delta are left as they are. TUTTI_ERR_ARGUMENT. */
tutti_status model_option_parse(const char *text, tutti_model *model, tutti_error *error);

#endif
