import { spawn } from "node:child_process"

const script = `
  pids=""
  while read -r sign pid; do
    if [ "$sign" = "+" ]; then pids="$pids $pid"; else pids=$(echo " $pids " | sed "s/ $pid / /"); fi
  done
  for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
`

interface ProcessGuard {
  add(pid: number): void
  remove(pid: number): void
  release(): void
}

/** Outlives the test run, however it ends, and kills the processes that it left. */
export function guardProcesses(): ProcessGuard {
  const guard = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  guard.on("error", () => undefined)
  guard.stdin.on("error", () => undefined)
  guard.unref()
  return {
    add: (pid) => void guard.stdin.write(`+ ${pid}\n`),
    remove: (pid) => void guard.stdin.write(`- ${pid}\n`),
    release: () => void guard.stdin.end(),
  }
}
