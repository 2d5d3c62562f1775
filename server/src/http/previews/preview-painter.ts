import { type ChildProcess, fork } from "node:child_process"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { DomainError } from "#kit/errors"
import type { PreviewSubject } from "./draw.ts"

export interface PreviewPainter {
  /** The same version returns the same picture. */
  paint(version: string, subject: PreviewSubject): Promise<Buffer>
  stop(): void
}

interface Waiting {
  resolve(png: Buffer): void
  reject(error: unknown): void
}

const program = fileURLToPath(new URL("./paint-previews.ts", import.meta.url))
const keptPictures = 64
const mostWaiting = 16
/** Crawlers come in bursts after a link is shared; then the memory is freed. */
const IDLE_MS = 20_000

/** One child process that renders pictures one by one, started on demand; recent pictures are cached. */
export function createPreviewPainter({ fontFolder }: { fontFolder: string }): PreviewPainter {
  const kept = new Map<string, Promise<Buffer>>()
  const waiting = new Map<number, Waiting>()
  let painting: ChildProcess | null = null
  let nextId = 0
  let idle: NodeJS.Timeout | undefined

  function start(): ChildProcess {
    const child = fork(program, [fontFolder], { env: {}, serialization: "advanced" })
    child.on("message", ({ id, png }: { id: number; png: Uint8Array }) => {
      waiting.get(id)?.resolve(Buffer.from(png))
      waiting.delete(id)
      if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS).unref()
    })
    child.once("error", (error) => failAll(child, error))
    child.once("exit", (code) => failAll(child, new Error(`the painter ended with ${code}`)))
    child.unref()
    child.channel?.unref()
    // A lower priority, so that payments go first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    return child
  }

  function failAll(child: ChildProcess, error: Error): void {
    if (painting !== child) return
    painting = null
    for (const { reject } of waiting.values()) reject(new DomainError("service_unavailable", { cause: error }))
    waiting.clear()
  }

  function stop(): void {
    clearTimeout(idle)
    const child = painting
    if (child === null) return
    failAll(child, new Error("the painter was stopped"))
    child.kill()
  }

  function ask(subject: PreviewSubject): Promise<Buffer> {
    if (waiting.size >= mostWaiting) throw new DomainError("service_unavailable", { retryAfterSeconds: 5 })
    clearTimeout(idle)
    painting ??= start()
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    waiting.set(nextId, { resolve, reject })
    painting.send({ id: nextId, subject })
    nextId += 1
    return promise
  }

  return {
    async paint(version, subject) {
      const known = kept.get(version)
      const picture = known ?? ask(subject)
      // Reinserted, so that the map is ordered by last use.
      kept.delete(version)
      kept.set(version, picture)
      const [oldest] = kept.keys()
      if (kept.size > keptPictures && oldest !== undefined) kept.delete(oldest)
      if (known === undefined) picture.catch(() => kept.delete(version))
      return picture
    },
    stop,
  }
}
