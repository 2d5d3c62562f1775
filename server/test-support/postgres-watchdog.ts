import { spawn } from "node:child_process"

/** Ends when the test run does, however it does: then a database that was left over is stopped and its folder removed. */
export function watchOver(dataDir: string): { release(): void } {
  const script = `
    while read -r _; do :; done
    pid=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null)
    [ -n "$pid" ] && kill -INT "$pid" 2>/dev/null
    i=0
    while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && [ "$i" -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
    rm -rf "$1"
  `
  const watchdog = spawn("/bin/sh", ["-c", script, "sh", dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  watchdog.on("error", () => undefined)
  watchdog.unref()
  return { release: () => watchdog.stdin.end() }
}
