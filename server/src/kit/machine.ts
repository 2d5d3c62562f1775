import { statfs } from "node:fs/promises"
import { isIP } from "node:net"
import { dirname } from "node:path"
import { connect } from "node:tls"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import product from "../../../package.json" with { type: "json" }
import { type Clock, secondsAfter } from "./clock.ts"

interface DiskSpace {
  freeBytes: number
  totalBytes: number
}

/** Facts of the machine that answers, which the database doesn't know. */
export interface MachineFacts {
  /** Null where the folder can't be asked about. */
  disk: DiskSpace | null
  /** End of the certificate that visitors are shown; null without TLS, or when nobody answers. */
  certificateEndsAt: Date | null
  /** The server's own, without DATABASE_URL. */
  isDatabaseEmbedded: boolean
}

export interface Machine {
  read(): Promise<MachineFacts>
}

const handshakeMs = 3_000
const certificateKeptSeconds = 3_600

/** Asks for the certificate once an hour at most: each look at the screen would be a handshake through the proxy. */
export function watchMachine({
  dataDir,
  databaseUrl,
  publicUrl,
  clock,
}: {
  dataDir: string
  databaseUrl: string | null
  publicUrl: string
  clock: Clock
}): Machine {
  let known: { endsAt: Promise<Date | null>; until: Date } | null = null
  function certificateEnd(): Promise<Date | null> {
    const now = clock.now()
    if (known === null || known.until < now) {
      known = { endsAt: readCertificateEnd(publicUrl), until: secondsAfter(now, certificateKeptSeconds) }
    }
    return known.endsAt
  }
  return {
    async read() {
      const [disk, certificateEndsAt] = await Promise.all([readDiskSpace(dataDir), certificateEnd()])
      return { disk, certificateEndsAt, isDatabaseEmbedded: databaseUrl === null }
    },
  }
}

/** The folder may not exist yet: then its parent's disk is where it will be. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === "ENOENT" && dirname(folder) !== folder ? readDiskSpace(dirname(folder)) : null
  }
}

/** Reads it whoever signed the certificate: one that browsers refuse has an end, too. */
export function readCertificateEnd(address: string): Promise<Date | null> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== "https:") return Promise.resolve(null)
  const host = hostname.replace(/^\[|\]$/g, "")
  const name = isIP(host) === 0 ? { servername: host } : {}
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...name,
      rejectUnauthorized: false,
      timeout: handshakeMs,
    })
    const end = (endsAt: Date | null) => {
      socket.destroy()
      resolve(endsAt)
    }
    socket.once("secureConnect", () => {
      const endsAt = new Date(socket.getPeerCertificate().valid_to)
      end(Number.isNaN(endsAt.getTime()) ? null : endsAt)
    })
    socket.once("error", () => end(null))
    socket.once("timeout", () => end(null))
  })
}

/** The version of the whole product: the repository's own package.json names it. */
export const version: string = product.version

type CollectGarbage = (options: { execution: "async"; flavor: "last-resort"; type: "major" }) => Promise<void>

/** Frees memory that only the start needed; Node would otherwise keep it until something else asks for it. */
export async function releaseMemory(): Promise<void> {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as CollectGarbage
  await collectGarbage({ execution: "async", flavor: "last-resort", type: "major" })
}
