# Completion of tutti for fish. Everything is asked from the command itself, so that it is never out of date.
function __tutti_subcommands
    tutti --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)   *\(.*\)/\1\t\2/p'
end

function __tutti_options
    set -l words (commandline -opc)
    tutti $words[2] --help-all 2>/dev/null | sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\)[^ ]* *\(.*\)/\2\t\3/p'
end

function __tutti_collectives
    tutti algorithms 2>/dev/null | sed -n 's/^\([a-z_]\{1,\}\)\/.*/\1/p' | sort -u
end

function __tutti_platforms
    tutti platform list 2>/dev/null | awk 'NR > 1 { print $1 }'
end

set -l with_collective algorithms explain guidelines learn map predict
complete -c tutti -n __fish_use_subcommand -f -a '(__tutti_subcommands)'
complete -c tutti -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__tutti_options)'
complete -c tutti -n "__fish_seen_subcommand_from $with_collective" -a '(__tutti_collectives)'
complete -c tutti -n '__fish_seen_subcommand_from params platform whatif' -a '(__tutti_platforms)'
complete -c tutti -l platform -n 'not __fish_use_subcommand' -x -a '(__tutti_platforms)'
