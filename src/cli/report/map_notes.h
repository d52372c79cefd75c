/* What is to be known of a decision map beside its best methods, for tutti map and the report. */
#ifndef TUTTI_REPORT_MAP_NOTES_H
#define TUTTI_REPORT_MAP_NOTES_H

#include "tutti/decision_map.h"

/* Does another candidate take the time of the best one there, or one that differs by less than their noise? */
enum tutti_map_tie { TUTTI_MAP_TIE_NONE, TUTTI_MAP_TIE_CLOSE, TUTTI_MAP_TIE_EQUAL, TUTTI_MAP_TIES };
enum tutti_map_tie tutti_map_tie_at(const tutti_decision_map *map, int ranks_index, int size_index);

/* Whether the noise of any time is known: on real machines, and with several orders of start. */
bool tutti_map_is_noisy(const tutti_decision_map *map);

/* A map, and where it was measured. */
struct tutti_noted_map {
  const tutti_decision_map *map;
  const char *library; /* and its version; "" of predictions */
  int cores;           /* of a node; 0: not known */
};

/* Receives a note, "Close: at 2 of 8 points ...", which lives during the call only. @p item: it belongs to a list that
   the one before it began. */
typedef void tutti_take_note(const char *note, bool item, void *context);

/* Whose methods are compared if others were measured, too; ties; points where not every method was measured; noise;
   ranks that took turns. */
void tutti_map_notes(const struct tutti_noted_map *noted, tutti_take_note *take, void *context);

#endif
