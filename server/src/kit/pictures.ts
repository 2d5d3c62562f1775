import { execFile } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { LOGO_MAX_BYTES } from "@tilinta/contract/vocabulary/shops"
import { DomainError } from "./errors.ts"
import { createSlots } from "./waiting-line.ts"

/** The middle square of a picture, drawn anew as a PNG of 256 px. */
type SquarePicture = (file: Buffer) => Promise<Buffer>

const program = fileURLToPath(new URL("./square-picture.ts", import.meta.url))
/** The program itself counts how long it computes; this is for a machine that gives it no turn. */
const LONGEST_MS = 45_000
const mostBytes = 256 * 1024
/** A third of a request's share of a busy processor: payments go first, and the picture still comes within seconds. */
const NICENESS = 5

/**
 * One picture at a time, in a process of its own that knows nothing of ours: whatever a file does to the decoder, it ends
 * with that process, and so does its memory.
 */
export function pictureSquarer(): SquarePicture {
  const slots = createSlots({ atOnce: 1, mostWaiting: 8, deadlines: { calmMs: LONGEST_MS, pressedMs: LONGEST_MS } })
  return async (file) => {
    const problem = problemOf(file)
    if (problem !== null) throw refusalOf(problem)
    return slots.run(() => draw(file))
  }
}

const problems = {
  size: "A imagem deve ter no máximo 512 kB.",
  type: "Envie uma imagem PNG, JPEG ou WebP.",
  animated: "Envie uma imagem parada: animações não são aceitas.",
  extra: "Este arquivo traz mais do que a imagem. Salve a imagem de novo, como PNG ou JPEG, e envie.",
  pixels: "A imagem deve ter no máximo 4.096 pixels de lado e 16 megapixels.",
  broken: "Não foi possível ler esta imagem. Ela pode estar incompleta: salve-a de novo e envie.",
} as const
type Problem = keyof typeof problems

function refusalOf(problem: Problem): DomainError {
  const message = problems[problem]
  const code = problem === "size" ? "payload_too_large" : "validation_failed"
  return new DomainError(code, { message, errors: [{ path: "logo", message }] })
}

/** Found in the file's own structure, without decoding anything, whatever its name or header said. */
function problemOf(file: Buffer): Problem | null {
  if (file.length > LOGO_MAX_BYTES) return "size"
  if (file.indexOf(pngStart) === 0) return problemOfPng(file)
  if (file.indexOf(jpegStart) === 0) return problemOfJpeg(file)
  if (file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WEBP") return problemOfWebp(file)
  return "type"
}

const pngStart = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

/** Length, type, data and checksum of each chunk; an animation's frames are announced before the first one's data. */
function problemOfPng(file: Buffer): Problem | null {
  let at = pngStart.length
  while (at + 12 <= file.length) {
    const type = file.toString("latin1", at + 4, at + 8)
    if (type === "acTL") return "animated"
    at += 12 + file.readUInt32BE(at)
    if (type === "IEND") return at < file.length ? "extra" : null
  }
  return "broken"
}

/** The container tells its own size; frames of an animation are chunks of their own. */
function problemOfWebp(file: Buffer): Problem | null {
  if (file.length < 12) return "broken"
  const end = 8 + file.readUInt32LE(4)
  if (end > file.length) return "broken"
  if (end < file.length) return "extra"
  for (let at = 12; at + 8 <= end; ) {
    if (/^ANI[MF]$/.test(file.toString("latin1", at, at + 4))) return "animated"
    const length = file.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return null
}

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda

/** Segments with their length, and behind each scan's head its data, in which 0xff is no marker before 0 or a restart. */
function problemOfJpeg(file: Buffer): Problem | null {
  let at = 2
  while (at + 1 < file.length) {
    const marker = file[at + 1] ?? 0
    if (file[at] !== 0xff) return "broken"
    if (marker === END_OF_IMAGE) return at + 2 < file.length ? "extra" : null
    // Any number of 0xff may fill the space before a marker.
    if (marker === 0xff) at += 1
    else if (at + 4 > file.length) return "broken"
    else {
      at += 2 + file.readUInt16BE(at + 2)
      if (marker === START_OF_SCAN) at = endOfScan(file, at)
    }
  }
  return "broken"
}

function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return file.length
}

async function draw(file: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const options = {
    encoding: "buffer",
    env: {},
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
    maxBuffer: mostBytes,
  } as const
  const child = execFile(process.execPath, [program], options, (error, picture) => {
    if (error === null) resolve(picture)
    else if (error.code === 3) reject(refusalOf("pixels"))
    // It couldn't be read, took too much, or made its decoder crash.
    else if (error.code === 4 || (error.signal && error.killed !== true)) reject(refusalOf("broken"))
    else reject(new DomainError("service_unavailable", { cause: error }))
  })
  if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + NICENESS))
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined)
  child.stdin?.end(file)
  return promise
}
