# A platform at random: zones of all routings, up to four deep, clusters, single hosts, routers, links of all policies.
#   awk -v seed=N -f zones.awk
function random(n) { return int(n * rand()) }
function pick(list, parts) { return parts[1 + random(split(list, parts, " "))] }
function indent(text) { printf "%*s%s\n", 2 * depth, "", text }

# Declare a link; its <link_ctn> is in step[name], that of the way down in down[name].
function link(name) {
  policy[name] = pick("SHARED SHARED FATPIPE SPLITDUPLEX")
  indent("<link id=\"" name "\" bandwidth=\"" pick("125MBps 1GBps 1Gbps 90MBps") "\" latency=\"" \
         pick("0us 1us 50us 3.7us") "\" sharing_policy=\"" policy[name] "\"/>")
}
function step(name) {
  return "<link_ctn id=\"" name "\"" (policy[name] == "SPLITDUPLEX" ? " direction=\"" pick("UP DOWN") "\"" : "") "/>"
}
function route(tag, from, to, gateways, name,  i, steps, count) {
  count = 1 + random(2)
  steps = ""
  for (i = 0; i < count; i++)
    link(name "_" i)
  for (i = 0; i < count; i++)
    steps = steps step(name "_" i)
  routes[depth] = routes[depth] sprintf("%*s%s\n", 2 * depth, "", "<" tag " src=\"" from "\" dst=\"" to "\"" gateways ">" steps "</" tag ">")
}
# They come after all else in a zone.
function print_routes() {
  printf "%s", routes[depth]
  routes[depth] = ""
}
function host(name) { indent("<host id=\"" name "\" speed=\"" pick("1Gf 2Gf 500Mf") "\" core=\"" pick("1 2") "\"/>") }

# Single hosts; declared routes join all of them (Full), or make a chain with a short cut.
function hosts(id, routing,  i, j, n) {
  n = 2 + random(4)
  for (i = 0; i < n; i++)
    host(id "h" i)
  indent("<router id=\"" id "r\"/>")
  gateway[id] = id "r"
  second[id] = id "h0"
  for (i = 0; i < n; i++)
    for (j = i + 1; j <= n; j++)
      if (routing == "Full" || j == i + 1 || (i == 0 && j == n && n > 1))
        route("route", id "h" i, j == n ? id "r" : id "h" j, "", id "l" i "_" j)
}
function star(id,  i, n) {
  n = 1 + random(4)
  indent("<router id=\"" id "r\"/>")
  for (i = 0; i < n; i++) {
    host(id "h" i)
    indent("<link id=\"" id "u" i "\" bandwidth=\"125MBps\" latency=\"20us\"/>")
    indent("<link id=\"" id "d" i "\" bandwidth=\"80MBps\" latency=\"10us\"/>")
    indent("<host_link id=\"" id "h" i "\" up=\"" id "u" i "\" down=\"" id (random(2) ? "d" : "u") i "\"/>")
  }
  if (random(2))
    indent("<backbone id=\"" id "b\" bandwidth=\"200MBps\" latency=\"5us\"/>")
  if (random(2))
    indent("<cabinet id=\"" id "c\" prefix=\"" id "c\" suffix=\"x\" radical=\"0-2\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"7us\"/>")
  gateway[id] = second[id] = id "r"
}
function cluster(id,  kind, more) {
  kind = pick("FLAT FLAT TORUS FAT_TREE DRAGONFLY")
  more = kind == "TORUS" ? "0-5\" topology=\"TORUS\" topo_parameters=\"3,2" : \
         kind == "FAT_TREE" ? "0-7\" topology=\"FAT_TREE\" topo_parameters=\"2;4,2;1,2;1,1" : \
         kind == "DRAGONFLY" ? "0-7\" topology=\"DRAGONFLY\" topo_parameters=\"2,1;1,1;2,1;2" : \
         "0-" random(5) (random(2) ? "\" bb_bw=\"2GBps\" bb_lat=\"1us" : "")
  indent("<cluster id=\"" id "\" prefix=\"" id "n\" suffix=\"\" radical=\"" more "\" speed=\"1Gf\" bw=\"125MBps\" lat=\"" \
         pick("0us 50us") "\"" (random(2) ? " loopback_bw=\"1GBps\" loopback_lat=\"1us\"" : "") \
         (random(3) ? "" : " limiter_link=\"150MBps\"") " sharing_policy=\"" pick("SHARED SPLITDUPLEX") "\"/>")
  gateway[id] = second[id] = kind == "FLAT" ? id "n" id "_router" : id "n0"
}
# Zones in a zone: all pairs, or a chain. Dijkstra's crashes in SimGrid 3.32 where a zone has two gateways.
function zones(id, routing, deep,  i, j, n, from, to) {
  n = 2 + random(2)
  for (i = 0; i < n; i++)
    zone(id "z" i, deep - 1)
  for (i = 0; i < n; i++)
    for (j = i + 1; j < n; j++)
      if (routing == "Full" || j == i + 1) {
        from = routing != "Dijkstra" && random(3) == 0 ? second[id "z" i] : gateway[id "z" i]
        to = gateway[id "z" j]
        route("zoneRoute", id "z" i, id "z" j, " gw_src=\"" from "\" gw_dst=\"" to "\"", id "l" i "_" j)
      }
  if (routing != "Dijkstra" && random(3) == 0)
    route("bypassZoneRoute", id "z0", id "z1", " gw_src=\"" gateway[id "z0"] "\" gw_dst=\"" gateway[id "z1"] "\"", id "by")
  gateway[id] = gateway[id "z0"]
  second[id] = gateway[id "z" n - 1]
}
function zone(id, deep,  routing, inner) {
  inner = deep > 0 && random(3) > 0
  if (!inner && random(2)) {
    cluster(id)
    return
  }
  routing = inner ? pick("Full Floyd Dijkstra") : pick("Full Floyd Dijkstra Cluster")
  indent("<zone id=\"" id "\" routing=\"" routing (routing == "Dijkstra" && random(2) ? "Cache" : "") "\">")
  depth++
  if (inner)
    zones(id, routing, deep)
  else if (routing == "Cluster")
    star(id)
  else
    hosts(id, routing)
  print_routes()
  depth--
  indent("</zone>")
}
BEGIN {
  srand(seed)
  print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">"
  depth = 1
  if (random(2)) {
    print "  <config>"
    if (random(2))
      print "    <prop id=\"smpi/bw-factor\" value=\"0:0.9;5000:0.7\"/>\n    <prop id=\"smpi/lat-factor\" value=\"0:1.5\"/>"
    if (random(2))
      print "    <prop id=\"network/crosstraffic\" value=\"no\"/>"
    if (random(2))
      print "    <prop id=\"network/weight-S\" value=\"" pick("0 20537") "\"/>"
    if (random(3) == 0)
      print "    <prop id=\"network/TCP-gamma\" value=\"20000\"/>"
    if (random(3) == 0)
      print "    <prop id=\"maxmin/concurrency-limit\" value=\"1\"/>"
    print "  </config>"
  }
  zone("o", 4)
  print "</platform>"
}
