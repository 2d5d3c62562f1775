import { spawn } from "node:child_process"
import { once } from "node:events"

const script = `
  while read -r _; do :; done
  pids=$(cat "$1/server.pid" 2>/dev/null)
  for pid in $pids; do kill -INT "$pid" 2>/dev/null; done
  pids="$pids $(find "$1" -name postmaster.pid -exec head -qn 1 {} + 2>/dev/null)"
  i=0
  for pid in $pids; do
    while kill -0 "$pid" 2>/dev/null && [ "$i" -lt 120 ]; do sleep 0.1; i=$((i + 1)); done
    kill -INT "$pid" 2>/dev/null
  done
  i=0
  for pid in $pids; do
    while kill -0 "$pid" 2>/dev/null && [ "$i" -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
    kill -KILL "$pid" 2>/dev/null
  done
  rm -rf "$1"
`

/** Outlives the tests, however they end: stops the folder's server and database, and removes it. */
export function watchInstallation(folder: string): { release(): Promise<void> } {
  const watchdog = spawn("/bin/sh", ["-c", script, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  watchdog.unref()
  return {
    async release() {
      watchdog.ref()
      const ended = once(watchdog, "exit")
      watchdog.stdin.end()
      await ended
    },
  }
}
