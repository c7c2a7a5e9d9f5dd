# Completion of hexrec's command lines for bash; `hexrec completion bash` prints this file.

_hexrec() {
    local kind line
    COMPREPLY=()
    {
        IFS= read -r kind
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done
    } < <(_HEXREC_COMPLETE=bash "$1" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Without words bash completes the names of files, which is not wanted in other places. Old ones cannot be told so.
    if [[ $kind == words ]] && type compopt >/dev/null 2>&1; then
        compopt +o default
    elif [[ $kind == folders* ]] && type compopt >/dev/null 2>&1; then
        compopt -o dirnames +o default
    fi
}

complete -o default -F _hexrec hexrec
