/* How messages of actors are sent, over MPI and in the engine alike: what one begins with, and in how many parts. */
#ifndef TUTTI_GROUPS_WIRE_H
#define TUTTI_GROUPS_WIRE_H

#include "tutti/actor.h"

/* The header of a wire message. */
enum { WIRE_TOPIC, WIRE_KIND, WIRE_DEPTH, WIRE_HEADER_WORDS };
_Static_assert(WIRE_HEADER_WORDS == TUTTI_MESSAGE_HEADER, "the header that is counted is the one that is sent");

/* Words of a message that goes in one part: 128 bytes with the header. A longer one is announced by a wire message
   whose kind is negative (~kind) and whose only word is the number of words. */
enum { WIRE_SHORT_BYTES = 128, SHORT_WORDS = WIRE_SHORT_BYTES / (int)sizeof(int) - WIRE_HEADER_WORDS };
enum { ANNOUNCED_COUNT = WIRE_HEADER_WORDS, ANNOUNCEMENT };

/* Receives posted at all times. */
enum { WIRE_POOL = 4 };

enum wire_role {
  WIRE_IN,   /* a receive of the pool, from any source */
  WIRE_HELD, /* an announcement that waits for its turn; its request is null */
  WIRE_REST, /* a receive of the words that were announced */
  WIRE_OUT   /* a send */
};

#endif
