# bash completion for qdedup and qdedupd. The help of the programs says what there is to complete.

# Prints what a command takes, a line each: "command NAME" or "option NAME VALUE" or "argument NAME VALUE", where VALUE
# is "none", "number", "folder", "file", or "one:" or "some:" with the choices.
_qdedup_takes() {
  LC_ALL=C "$@" --help 2>/dev/null | awk '
    function value(type) {
      if (type == "") return "none"
      if (match(type, /\{.*\}/)) {
        return (type ~ /\.\.\./ ? "some:" : "one:") substr(type, RSTART + 1, RLENGTH - 2)
      }
      return type ~ /INT/ ? "number" : type == "DIR" ? "folder" : "file"
    }
    /^[^ ].*:$/ { section = $0 }
    /^  [^ ]/ {
      split($0, parts, /  +/)
      split(parts[2], form, " ")
      if (section == "Subcommands:") print "command", form[1]
      else if (section == "Positionals:") print "argument", form[1], value(form[2])
      else for (i = split(form[1], names, ","); i > 0; --i) print "option", names[i], value(form[2])
    }'
}

# Completes $2 as a value of the kind $1.
_qdedup_value() {
  local choices=${1#*:} before=
  case $1 in
    some:* | one:*)
      [[ $1 == some:* && $2 == *,* ]] && before=${2%,*},
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "${choices//,/ }" -- "${2##*,}")
      ;;
    folder) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    file) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
  esac
}

_qdedup() {
  local current=${COMP_WORDS[COMP_CWORD]} value=none takes word
  local -a command=("$1")
  takes=$(_qdedup_takes "${command[@]}")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == "=" ]]; then
      continue
    elif [[ $value != none ]]; then
      value=none
    elif [[ $word == -* ]]; then
      value=$(awk -v name="$word" '$1 == "option" && $2 == name { print $3 }' <<<"$takes")
      value=${value:-none}
    elif grep -qx "command $word" <<<"$takes"; then
      command+=("$word")
      takes=$(grep '^option' <<<"$takes"; _qdedup_takes "${command[@]}")
    fi
  done

  [[ $current == "=" ]] && current=
  if [[ $value != none ]]; then
    _qdedup_value "$value" "$current"
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(awk '$1 == "option" { print $2 }' <<<"$takes" | sort -u)" -- "$current")
  elif grep -q '^command' <<<"$takes"; then
    mapfile -t COMPREPLY < <(compgen -W "$(awk '$1 == "command" { print $2 }' <<<"$takes")" -- "$current")
  else
    _qdedup_value "$(awk '$1 == "argument" { print $3; exit }' <<<"$takes")" "$current"
  fi
}

complete -F _qdedup qdedup qdedupd
