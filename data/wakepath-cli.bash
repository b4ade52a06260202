# Completion of wakepath-cli for bash. The program's own help is asked, so that there is one list of commands and options only.

_wakepath_cli()
{
  local current=$2 command=${COMP_WORDS[1]} words

  if [ "$COMP_CWORD" = 1 ]; then
    words=$(wakepath-cli --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$current")
  elif [ "${current:0:1}" = - ]; then
    words=$(wakepath-cli "$command" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -o filenames -F _wakepath_cli wakepath-cli
