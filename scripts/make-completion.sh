#!/bin/sh
# make-completion.sh VOLSCALE - prints the bash completion, made from the option tables in the executable.
set -eu
words=$("$1" --dump-words)

cat <<'END'
# bash completion of volscale; made from its option tables
_volscale()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options word
	COMPREPLY=()
	case $command in
END
echo "$words" | sed -E 's/^([a-z-]+): (.*)$/\t\1) options="\2" ;;/'
cat <<'END'
	*) options="" ;;
	esac
	if [ "$COMP_CWORD" = 1 ]; then
END
# shellcheck disable=SC2016 # for the shell that completes
printf '\t\tmapfile -t COMPREPLY < <(compgen -W "%s --help --version" -- "$cur")\n' \
	"$(echo "$words" | sed 's/:.*//' | tr '\n' ' ' | sed 's/ $//')"
cat <<'END'
		return
	fi
	# After "--rw": its alternatives; after any other option with a value: file names.
	for word in $options; do
		[ "${word%%=*}" = "$prev" ] || continue
		[ "$word" != "$prev" ] || continue
		word=${word#*=}
		[ -n "$word" ] && mapfile -t COMPREPLY < <(compgen -W "${word//|/ }" -- "$cur")
		return
	done
	case $cur in
	-*)
		# shellcheck disable=SC2086
		mapfile -t COMPREPLY < <(compgen -W "$(printf '%s ' ${options} | sed 's/=[^ ]*//g')" -- "$cur")
		;;
	esac
}
complete -o default -F _volscale volscale
END
