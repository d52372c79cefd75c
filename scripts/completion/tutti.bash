# Completion of tutti for bash. Everything is asked from the command itself, so that it is never out of date.

_tutti_subcommands() {
  "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

_tutti_options() { # COMMAND SUBCOMMAND
  "$1" "$2" --help-all 2>/dev/null | sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' | sort -u
}

_tutti_collectives() {
  "$1" algorithms 2>/dev/null | sed -n 's/^\([a-z_]\{1,\}\)\/.*/\1/p' | sort -u
}

_tutti_methods() {
  "$1" algorithms 2>/dev/null | sed -n 's/^\([a-z_]\{1,\}\/[^ ]*\).*/\1/p'
}

# Names that need quotes are left out: bash takes them into the line as they are.
_tutti_platforms() {
  "$1" platform list 2>/dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9_.,=+@%-]+$/ { print $1 }'
}

# Those that begin with WORD. Unlike compgen -W this runs nothing that stands in a word.
_tutti_beginning_with() { # WORD WORDS
  local candidate
  while read -r candidate; do
    [[ $candidate != "$1"* || -z $candidate ]] || printf '%s\n' "$candidate"
  done <<<"${2// /$'\n'}"
}

# What a message of ours says that there is, after "known are" or "only for".
_tutti_known() { # COMMAND ARGUMENTS...
  "$@" 2>&1 </dev/null | tr '\n' ' ' | sed -n 's/.*\(known are\|only for\) //p' | sed 's/ Try .*//; s/,//g' | tr ' ' '\n'
}

# The words that help lists after an option: --engine=smpi|fast|flow.
_tutti_alternatives() { # COMMAND SUBCOMMAND OPTION
  "$1" "$2" --help-all 2>/dev/null | sed -n "s/^  \(-.,\|   \) $3=\([a-z|]*|[a-z|]*\).*/\2/p" | tr '|' '\n'
}

_tutti_value() { # COMMAND OPTION SUBCOMMAND: words that can follow it
  case $2 in
  --platform) _tutti_platforms "$1" ;;
  --collective) _tutti_collectives "$1" ;;
  --decision | --against | --untuned | --own-choice)
    printf '%s\n' untuned native
    _tutti_known "$1" explain bcast --decision library:
    _tutti_methods "$1"
    ;;
  --method | --methods | --mine | --as) _tutti_methods "$1" ;;
  --target) _tutti_known "$1" export bcast/binomial --format '?' ;;
  --format) [ "$3" = export ] && _tutti_known "$1" export bcast/binomial --format '?' || _tutti_alternatives "$1" "$3" "$2" ;;
  --*) _tutti_alternatives "$1" "$3" "$2" ;;
  esac
}

_tutti() {
  local command=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
  [ "$word" = = ] && word=
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}
  local prefix= # of words with a colon bash shows, and takes, what is after it
  [ "$word" = : ] && prefix=${COMP_WORDS[COMP_CWORD - 1]}: word= before=${COMP_WORDS[COMP_CWORD - 2]}
  [ "$before" = : ] && prefix=${COMP_WORDS[COMP_CWORD - 2]}: before=${COMP_WORDS[COMP_CWORD - 3]}
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 4]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="$(_tutti_subcommands "$command") --help --version"
  else
    case $word in
    -*) words=$(_tutti_options "$command" "${COMP_WORDS[1]}") ;;
    *)
      words=$(_tutti_value "$command" "$before" "${COMP_WORDS[1]}")
      [ -z "$prefix" ] || words=$(sed -n "s/^$prefix//p" <<<"$words")
      [ -n "$words" ] || case ${COMP_WORDS[1]} in
      learn) [ "$COMP_CWORD" -eq 2 ] && words=$(_tutti_known "$command" learn '?' bcast) || words=$(_tutti_collectives "$command") ;;
      penalty | export) words=$(_tutti_value "$command" --decision) ;;
      algorithms | bench | explain | guidelines | map | predict) words=$(_tutti_collectives "$command") ;;
      params | whatif) words=$(_tutti_platforms "$command") ;;
      platform) [ "$COMP_CWORD" -eq 2 ] && words='list show check new hostfile options' || words=$(_tutti_platforms "$command") ;;
      schedule) words=$(_tutti_methods "$command") ;;
      esac
      ;;
    esac
  fi
  mapfile -t COMPREPLY < <(_tutti_beginning_with "$word" "$words")
}

complete -o bashdefault -o default -F _tutti tutti
