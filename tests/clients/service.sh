# Starts and stops the service for the scripts beside this one. Sourced; they set `program` and
# `work`, an empty folder.
# shellcheck shell=bash disable=SC2154

graph_path=api/upgrades_info/v1/graph

# start ARGUMENT…: starts the service on free ports, and sets `pid`, `log`, `url`, and, with
# `--status`, `status_url`.
start() {
    log=$(mktemp "$work/log.XXXXXX")
    "$program" serve --listen 127.0.0.1:0 "$@" 2>"$log" &
    pid=$!
    for _ in {1..3000}; do
        if grep -q 'clusters ask at' "$log"; then break; fi
        if ! kill -0 "$pid" 2>/dev/null; then break; fi
        sleep 0.1
    done
    url=$(sed -n "s|.*clusters ask at \(.*\)/$graph_path,.*|\1|p" "$log")
    if [ -z "$url" ]; then
        cat "$log"
        fail 'the service did not start'
    fi
    for _ in {1..50}; do
        # shellcheck disable=SC2034
        status_url=$(sed -n 's|.*/metrics are at ||p' "$log")
        case " $* " in *' --status '*) [ -z "$status_url" ] || break ;; *) break ;; esac
        sleep 0.1
    done
}

# stop: ends the service. It has to end well.
stop() {
    kill -TERM "$pid"
    local ended=0
    wait "$pid" || ended=$?
    [ "$ended" = 0 ] || { cat "$log"; fail "the service ended with status $ended"; }
    tail -n 1 "$log" | grep -qx 'exitpath: stopped' || fail 'the last line is not that it stopped'
    if grep -E 'panicked|RUST_BACKTRACE' "$log"; then fail 'the service panicked'; fi
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# resident PID: the memory of a process in MiB.
resident() {
    awk '$1 == "VmRSS:" { printf "%d\n", $2 / 1024 }' "/proc/$1/status"
}

# What runs ends with the script.
finish() {
    local children
    mapfile -t children < <(jobs -p)
    [ "${#children[@]}" = 0 ] || kill "${children[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
