/* tutti platform show. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/platform/platform.h"
#include "cli/output/report_json.h"

struct show {
  const char *name;
  bool json;
};

static void print_time(const char *label, double seconds, const char *unit)
{
  if (isfinite(seconds))
    printf("%-16s %.9g %s\n", label, seconds * 1e6, unit);
}

/* In microseconds, or nothing where actors cost nothing. */
static void print_cost(const tutti_actor_cost *cost)
{
  if (cost->start + cost->send + cost->receive + cost->byte + cost->entry > 0)
    printf("%-16s %g us to begin, %g us a message sent, %g us received, %g us a byte, %g us an entry\n", "actors",
           1e6 * cost->start, 1e6 * cost->send, 1e6 * cost->receive, 1e6 * cost->byte, 1e6 * cost->entry);
}

static void print_text(const tutti_platform *platform)
{
  printf("%-16s %s\n", "name", platform->name);
  printf("%-16s %s\n", "file", platform->path);
  if (platform->description)
    printf("%-16s %s\n", "description", platform->description);
  printf("%-16s %d, %s to %s\n", "hosts", platform->host_count, platform->hosts[0],
         platform->hosts[platform->host_count - 1]);
  printf("%-16s %d\n", "ranks per node", platform->ranks_per_node);
  printf("%-16s %ld\n", "room for ranks", (long)platform->host_count * platform->ranks_per_node);
  print_time("published alpha", platform->published_alpha, "us");
  print_time("published beta", platform->published_beta, "us/B");
  print_time("published L", platform->published_L, "us");
  print_time("published o", platform->published_o, "us");
  print_time("published g", platform->published_g, "us");
  print_time("published G", platform->published_G, "us/B");
  print_time("published gamma", platform->published_gamma, "us/B");
  print_cost(&platform->actor_cost);
  if (platform->source)
    printf("%-16s %s\n", "source", platform->source);
  printf("%-16s %s\n", "SHA-256", platform->hash);
}

static void print_member(const char *name, const char *text)
{
  printf("  \"%s\": ", name);
  if (text)
    json_string(stdout, text);
  else
    printf("null");
  printf(",\n");
}

static void print_number(const char *name, double number)
{
  printf(",\n  \"%s\": ", name);
  json_number(stdout, number, 12);
}

static void print_json(const tutti_platform *platform)
{
  printf("{\n");
  print_member("name", platform->name);
  print_member("file", platform->path);
  print_member("description", platform->description);
  print_member("source", platform->source);
  print_member("sha256", platform->hash);
  printf("  \"hosts\": %d,\n  \"ranks_per_node\": %d", platform->host_count, platform->ranks_per_node);
  print_number("published_alpha_s", platform->published_alpha);
  print_number("published_beta_s_per_B", platform->published_beta);
  print_number("published_L_s", platform->published_L);
  print_number("published_o_s", platform->published_o);
  print_number("published_g_s", platform->published_g);
  print_number("published_G_s_per_B", platform->published_G);
  print_number("published_gamma_s_per_B", platform->published_gamma);
  const tutti_actor_cost *cost = &platform->actor_cost;
  printf(",\n  \"actor_cost\": {\"start_s\": %g, \"send_s\": %g, \"receive_s\": %g, \"byte_s\": %g, "
         "\"entry_s\": %g}\n}\n",
         cost->start, cost->send, cost->receive, cost->byte, cost->entry);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct show *show = state->input;
  if (key == 'j')
    show->json = true;
  else if (key == ARGP_KEY_ARG && !show->name)
    show->name = argument;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "one platform at a time: '%s' is too much", argument);
  else if (key == ARGP_KEY_END && !show->name)
    argp_error(state, "name a platform");
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

int platform_show(int argc, char **argv)
{
  static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Print JSON", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "PLATFORM", .doc = "Show what a platform file says of itself."};
  struct show show = {0};
  tutti_platform platform;
  tutti_error error;
  parse_options(&argp, argc, argv, &show);
  if (platform_load(show.name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  if (show.json)
    print_json(&platform);
  else
    print_text(&platform);
  tutti_platform_free(&platform);
  return EXIT_DONE;
}
