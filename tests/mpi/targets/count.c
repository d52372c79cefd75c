/* Preloaded into MPI programs on UCX: counts the messages that a process hands to UCX, whatever library sends them. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

unsigned long tutti_messages_sent(void);

static unsigned long sent;
static int depth; /* some of these functions call others */

unsigned long tutti_messages_sent(void)
{
  return sent;
}

/* All four have an endpoint, a buffer, a count, a number of 64 bits or a datatype, a tag or such, and a last word; all
   words of the same size, passed on as they come. */
typedef void *(*send_function)(void *, const void *, size_t, size_t, size_t, void *);

static void *pass_on(const char *name, send_function *real, void *endpoint, const void *buffer, size_t count,
                     size_t fourth, size_t fifth, void *last)
{
  if (!*real) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(real, &symbol, sizeof symbol);
  }
  sent += depth == 0;
  depth++;
  void *request = (*real)(endpoint, buffer, count, fourth, fifth, last);
  depth--;
  return request;
}

#define COUNTED(name)                                                                                                  \
  void *name(void *, const void *, size_t, size_t, size_t, void *);                                                    \
  void *name(void *endpoint, const void *buffer, size_t count, size_t fourth, size_t fifth, void *last)                \
  {                                                                                                                    \
    static send_function real;                                                                                         \
    return pass_on(#name, &real, endpoint, buffer, count, fourth, fifth, last);                                        \
  }

COUNTED(ucp_tag_send_nb)
COUNTED(ucp_tag_send_nbx)
COUNTED(ucp_tag_send_sync_nb)
COUNTED(ucp_tag_send_sync_nbx)
