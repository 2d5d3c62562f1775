import { spawn } from "node:child_process"

const script = `
  while read -r _; do :; done
  sleep 0.3
  pids=$(find "$1" -name postmaster.pid -exec head -qn 1 {} + 2>/dev/null)
  for pid in $pids; do kill -INT "$pid" 2>/dev/null; done
  for pid in $pids; do
    i=0
    while kill -0 "$pid" 2>/dev/null && [ "$i" -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
  done
  rm -rf "$1"
`

/** Outlives the test run, however it ends: stops the databases that it left below the folder, and removes it. */
export function watchOver(folder: string): { release(): void } {
  const watchdog = spawn("/bin/sh", ["-c", script, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  watchdog.on("error", () => undefined)
  watchdog.unref()
  return { release: () => watchdog.stdin.end() }
}
