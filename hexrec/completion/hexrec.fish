# Completion of hexrec's command lines for fish; `hexrec completion fish` prints this file.

function __hexrec_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l answer (env _HEXREC_COMPLETE=fish $words "$word" 2>/dev/null)
    switch "$answer[1]"
        case words
            printf '%s\n' $answer[2..-1]
        case 'files*' 'folders*'
            set -l skipped (string split ' ' $answer[1])[2]
            set -l before (string sub -l $skipped -- "$word")
            set -l name (string sub -s (math $skipped + 1) -- "$word")
            set -l found
            if string match -q 'files*' $answer[1]
                set found (__fish_complete_path "$name")
            else
                set found (__fish_complete_directories "$name")
            end
            printf '%s\n' $before$found
    end
end

complete -c hexrec -f -k -a '(__hexrec_complete)'
