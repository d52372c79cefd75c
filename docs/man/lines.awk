# What help2man fills: the lines of an indented paragraph, examples and lists, stay as they are. A heading of options
# stands above them, not below the option before.
#
# usage: awk -v page=OUTPUT -f lines.awk INPUT
function put(line) { print line >page }
function flush(next_line,   i) {
  if (count == 1 && text[1] ~ /^[A-Z].*:$/ && next_line ~ /^\.TP/) {
    put(".SS \"" text[1] "\"")
  } else if (count > 0) {
    put(".IP\n.nf")
    for (i = 1; i <= count; i++)
      put(text[i])
    put(".fi")
  }
  count = 0
}
/^\.IP$/ { flush($0); inside = 1; next }
inside && !/^\./ { text[++count] = $0; next }
{ flush($0); inside = 0; put($0) }
/^\.TH/ { put(".nh") } # a broken name of an option is another name
END { flush("") }
