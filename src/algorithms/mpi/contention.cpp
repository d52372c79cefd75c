/* Links that lose throughput under SMPI: SimGrid has them in its C++ interface alone. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Link.hpp>
#include <string>

extern "C" { // they know no C++
#include "base/say.h"
#include "base/utf8.h"
}
#include "algorithms/mpi/simulation.h"
#include "tutti/contention.h"

namespace sg = simgrid::s4u;

static bool ends_with(const std::string &text, const char *end)
{
  const size_t length = strlen(end);
  return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

/* The names that SimGrid gives to the links of a flat <cluster>. */
static bool is_backbone(const std::string &name)
{
  return ends_with(name, "_backbone");
}

static bool is_cable(const std::string &name)
{
  return name.find("_link_") != std::string::npos && !ends_with(name, "_loopback") && !ends_with(name, "_limiter");
}

static bool is_port(const std::string &name)
{
  return is_cable(name) && !ends_with(name, "_UP");
}

[[noreturn]] static void fail(const char *name, const char *text, const char *reason)
{
  std::string value = text;
  tutti_utf8_clean_piece(value.data());
  tutti_say(stderr, "platform: %s=\"%s\": %s\n", name, value.c_str(), reason);
  exit(2);
}

static void contend(sg::Link *link, const tutti_contention &law)
{
  link->set_sharing_policy(sg::Link::SharingPolicy::NONLINEAR, [law](double bandwidth, int messages) {
    return tutti_contention_bandwidth(&law, bandwidth, messages);
  });
}

static void contend_all(const char *name, const char *text, bool (*wanted)(const std::string &))
{
  tutti_contention law;
  tutti_error error;
  bool found = false;
  if (tutti_contention_parse(text, &law, &error) != TUTTI_OK)
    fail(name, text, error.message);
  for (sg::Link *link : sg::Engine::get_instance()->get_all_links())
    if (wanted(link->get_name())) {
      found = true;
      if (link->get_sharing_policy() == sg::Link::SharingPolicy::NONLINEAR)
        return; /* another copy of the program was there before */
      contend(link, law);
    }
  if (!found)
    fail(name, text, "no link of the platform is of that kind");
}

/* First come, first served. Doing so again does nothing. */
static void limit_cables()
{
  for (sg::Link *link : sg::Engine::get_instance()->get_all_links())
    if (is_cable(link->get_name()))
      link->set_concurrency_limit(1);
}

extern "C" void tutti_contend(const char *(*property)(const char *))
{
  static const struct {
    const char *name;
    bool (*wanted)(const std::string &);
  } kinds[] = {{"tutti/backbone-contention", is_backbone}, {"tutti/port-contention", is_port}};
  if (!sg::Engine::is_initialized())
    return;
  for (const auto &kind : kinds)
    if (const char *text = property(kind.name))
      contend_all(kind.name, text, kind.wanted);
  if (property("tutti/messages-a-cable") && sg::this_actor::get_pid() <= 1)
    limit_cables();
}
