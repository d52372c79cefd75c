# Sourced by end-to-end tests after begin.sh: stores of what was measured on a real machine that nobody has.

machine='ranks_per_node=1' spread='' library=Library-1 # of the records below
store() { # DATABASE FLAVOR FILE...: what these files say, of 2 and 4 ranks
  database=$1 flavor=$2
  shift 2
  for ranks in 2 4; do
    cat "$@" | awk -v flavor="$flavor" -v ranks=$ranks -v machine="$machine" -v spread="$spread" \
      -v library="$library" '
      BEGIN { print "tutti-run v=1 tutti=0.1.0 flavor=" flavor " library=" library " ranks=" ranks " " machine }
      {
        for (i = 2; i < NF; i += 2) {
          seconds = $(i + 1) "e-6"
          print "tutti-measurement v=1 method=" $1 " scheme=window ranks=" ranks " root=0 count=" $i " type_B=1" \
            " repetitions=9" spread " minimum_s=" seconds " median_s=" seconds " mean_s=" seconds " maximum_s=" seconds
          count++
        }
      }
      END { print "tutti-end v=1 measurements=" count }' >records
    run 0 import --format tutti records --db "$database" --platform here
  done
}
