import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createLog } from "#kit/log"
import { createCheckpointCopy } from "./copy.ts"

let folder: string
let file: string
let place: Server
let url: string
let got: string[]
let status: number | "never"
/** The address's answer to GET. */
let held: string | null
let alarms: string[]
let minutes: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilinta-checkpoint-"))
  file = join(folder, "checkpoint.txt")
  got = []
  status = 204
  held = null
  alarms = []
  minutes = 0
  vi.spyOn(performance, "now").mockImplementation(() => minutes * 60_000)
  place = createServer(async (request, reply) => {
    if (request.method === "GET") return void reply.writeHead(held === null ? 405 : 200).end(held)
    let body = ""
    for await (const chunk of request) body += String(chunk)
    got.push(`${request.method} ${body}`)
    if (status !== "never") reply.writeHead(status).end()
  })
  await new Promise<void>((listening) => place.listen(0, "127.0.0.1", listening))
  url = `http://127.0.0.1:${(place.address() as AddressInfo).port}/tilinta`
})

afterEach(async () => {
  vi.restoreAllMocks()
  place.closeAllConnections()
  await new Promise((closed) => place.close(closed))
  await rm(folder, { recursive: true })
})

function openCopy(places: { file?: string; url?: string }) {
  const log = createLog("error", { write: (line) => void alarms.push(JSON.parse(line).alarm) })
  return createCheckpointCopy({ file: places.file ?? null, url: places.url ?? null, log })
}

/** A server that knows this checkpoint as the latest. */
function openCopyOf(places: { file?: string; url?: string }) {
  const copy = openCopy(places)
  return (note: string) => copy.bring(async () => note)
}

const patience = { timeout: 20_000 }
/** The address is never waited for. */
async function expectGot(...puts: string[]): Promise<void> {
  await expect.poll(() => got, patience).toEqual(puts)
}

async function expectAlarms(count: number): Promise<void> {
  const wanted = Array.from({ length: count }, () => "checkpoint_not_copied")
  await expect.poll(() => alarms, patience).toEqual(wanted)
}

test("each checkpoint replaces the file, and is put to the address once a minute at most", async () => {
  const copy = openCopyOf({ file, url })
  await copy("one")
  await copy("one")
  await copy("two")
  expect(await readFile(file, "utf8")).toBe("two")
  await expectGot("PUT one")
  minutes = 1
  await copy("two")
  await expectGot("PUT one", "PUT two")
  minutes = 2
  await copy("three")
  await expectGot("PUT one", "PUT two", "PUT three")
  expect(await readdir(folder)).toEqual(["checkpoint.txt"])
  expect(alarms).toEqual([])
})

test("a place that can't be reached raises the alarm each time, stops nothing, and gets the latest once it can", async () => {
  const copy = openCopyOf({ file: join(folder, "none", "checkpoint.txt"), url })
  status = 503
  await copy("one")
  await expectAlarms(2)
  minutes = 1
  status = 200
  await copy("two")
  await expectGot("PUT one", "PUT two")
  await expectAlarms(3)
  const later = openCopyOf({ url: "http://127.0.0.1:1/" })
  await later("three")
  await expectAlarms(4)
})

test("an address that never answers holds up neither the file nor whoever copies", async () => {
  const copy = openCopyOf({ file, url })
  status = "never"
  await copy("one")
  await expectGot("PUT one")
  await copy("two")
  expect(await readFile(file, "utf8")).toBe("two")
  place.closeAllConnections()
  await expectAlarms(1)
})

test("a server that starts again copies once more, and many at once leave one whole file", async () => {
  const notes = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(20_000))
  await Promise.all(notes.map((note) => openCopyOf({ file })(note)))
  expect(notes).toContain(await readFile(file, "utf8"))
  for (let start = 0; start < 2; start += 1) await openCopyOf({ file, url })("same")
  expect(await readFile(file, "utf8")).toBe("same")
  await expectGot("PUT same", "PUT same")
  expect(await readdir(folder)).toEqual(["checkpoint.txt"])
  expect(alarms).toEqual([])
})

test("a slower server that overwrites a newer checkpoint with an older one puts the newer one back", async () => {
  const [slow, fast] = [openCopy({ file }), openCopy({ file })]
  let latest = "older"
  await slow.bring(async () => {
    const note = latest
    latest = "newer"
    await fast.bring(async () => latest)
    return note
  })
  expect(await readFile(file, "utf8")).toBe("newer")
  expect(alarms).toEqual([])
})

test("an older checkpoint of a server that ended right after goes in the next round of any other one", async () => {
  const copy = openCopyOf({ file, url })
  await copy("newer")
  await writeFile(file, "older")
  await copy("newer")
  expect(await readFile(file, "utf8")).toBe("newer")
  await expectGot("PUT newer")
  minutes = 9
  await copy("newer")
  minutes = 10
  await copy("newer")
  await expectGot("PUT newer", "PUT newer")
})

const noteOf = (size: number) =>
  `pix.example.com/tilinta\n${size}\n${"A".repeat(43)}=\n\n— pix.example.com/tilinta AAAA\n`

test("what this process, the file and the address hold is read; what is no checkpoint is not", async () => {
  held = noteOf(3)
  const copy = openCopy({ file, url })
  expect(await copy.readKept()).toEqual([noteOf(3)])
  await writeFile(file, noteOf(2))
  copy.remember(noteOf(4))
  copy.remember(noteOf(1))
  expect(await copy.readKept()).toEqual([noteOf(4), noteOf(2), noteOf(3)])
  for (const other of ["", "<html>", "pix.example.com/tilinta\n"]) {
    await writeFile(file, other)
    expect(await copy.readKept()).toEqual([noteOf(4), noteOf(3)])
  }
  expect(alarms).toEqual([])
})

test("an address that knows no GET, or that can't be reached, holds nothing; it is asked again until it answers", async () => {
  expect(await openCopy({ url }).readKept()).toEqual([])
  const copy = openCopy({ url })
  place.closeAllConnections()
  const { port } = place.address() as AddressInfo
  await new Promise((closed) => place.close(closed))
  expect(await copy.readKept()).toEqual([])
  await new Promise<void>((listening) => place.listen(port, "127.0.0.1", listening))
  held = noteOf(5)
  expect(await copy.readKept()).toEqual([])
  minutes = 1
  expect(await copy.readKept()).toEqual([noteOf(5)])
})

test("a file that can't be read raises the alarm, and what else is known counts", async () => {
  const copy = openCopy({ file: folder })
  copy.remember(noteOf(6))
  expect(await copy.readKept()).toEqual([noteOf(6)])
  await expectAlarms(1)
})
