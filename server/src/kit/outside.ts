import { Resolver } from "node:dns/promises"
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http"
import * as https from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { networkInterfaces } from "node:os"
import ipaddr from "ipaddr.js"
import { http } from "./http-client.ts"

/** All addresses of a host name; empty when there are none. */
type ResolveHost = (host: string) => Promise<string[]>

/** The addresses that somebody else may make this server connect to. */
export interface OutsideAccess {
  resolve: ResolveHost
  /** In the sandbox, for whoever may steer its bank: plain HTTP, and this machine. */
  allowsLocal: boolean
  /** Ports of this machine on which we, or what we use, listen: nobody is let in there. */
  ownPorts?: readonly number[]
  /** Instead of the time that a caller grants. */
  timeoutMs?: number
}

export type TargetProblem = "malformed" | "scheme" | "userinfo" | "port" | "unresolved" | "inside"

export class TargetRefused extends Error {
  override name = "TargetRefused"
  readonly problem: TargetProblem

  constructor(problem: TargetProblem, cause?: unknown) {
    super(`the address is refused: ${problem}`, { cause })
    this.problem = problem
  }
}

interface Target {
  url: URL
  /** Each one was checked: connect to these, and never resolve the name again. */
  addresses: { address: string; family: 4 | 6 }[]
}

/** Resolves once. One address inside refuses the whole name, or a rebind would choose between its addresses. */
export async function resolveTarget(access: OutsideAccess, text: string): Promise<Target> {
  const url = readTarget(access, text)
  const host = hostOf(url)
  const found = isIP(host) > 0 ? [host] : isLocalName(host) ? ["127.0.0.1", "::1"] : await resolveHost(access, host)
  if (found.length === 0) throw new TargetRefused("unresolved")
  const isAllowed = (address: string) => isPublicAddress(address) || (access.allowsLocal && isThisMachine(address))
  if (!found.every(isAllowed) || isOwnPort(access, url, found)) throw new TargetRefused("inside")
  return { url, addresses: found.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 })) }
}

/** The URL parser writes decimal, octal, hexadecimal and short IPv4 hosts as four decimal numbers. */
function readTarget({ allowsLocal }: OutsideAccess, text: string): URL {
  const url = URL.parse(text)
  if (url === null || url.hostname === "") throw new TargetRefused("malformed")
  if (url.protocol !== "https:" && !(allowsLocal && url.protocol === "http:")) throw new TargetRefused("scheme")
  if (url.username !== "" || url.password !== "") throw new TargetRefused("userinfo")
  if (url.port === "0") throw new TargetRefused("port")
  url.hash = ""
  return url
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
}

function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}

/** Not the IPv4-mapped form, with which nobody means to write an address. */
function isThisMachine(address: string): boolean {
  return isLoopback(address) && !address.startsWith("::ffff:")
}

function isOwnPort({ ownPorts = [] }: OutsideAccess, { port, protocol }: URL, addresses: readonly string[]): boolean {
  if (!ownPorts.includes(port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))) return false
  const cards = Object.values(networkInterfaces()).flatMap((card) => card ?? [])
  return addresses.some((address) => isLoopback(address) || cards.some((card) => card.address === address))
}

async function resolveHost({ resolve }: OutsideAccess, host: string): Promise<string[]> {
  try {
    return await resolve(host)
  } catch (error) {
    throw new TargetRefused("unresolved", error)
  }
}

/**
 * Asks the name servers directly: `dns.lookup` has four threads for the whole process, which names that nobody answers
 * would hold for seconds.
 */
export function createHostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
}

type OutsideFailure = "timed_out" | "unresolved" | "inside" | "refused" | "tls" | "broken"

export type OutsideReply =
  | { status: number; text: string; headers: IncomingHttpHeaders; failure: null }
  | { status: null; text: ""; headers: Record<string, never>; failure: OutsideFailure }

interface OutsideRequest {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

interface Bounds {
  /** From the lookup of the name to the last byte. */
  timeoutMs: number
  /** At most so much of the answer is read; its status counts whatever follows. */
  maxBytes: number
  /** Ends it earlier, as the timeout does. */
  giveUp?: AbortSignal | undefined
}

/**
 * Posts to an address that somebody else chose: resolves and checks it, connects to exactly what was checked, follows no
 * redirect. Never throws.
 */
export async function postOutside(
  access: OutsideAccess,
  request: OutsideRequest,
  { timeoutMs, maxBytes, giveUp }: Bounds,
): Promise<OutsideReply> {
  const deadline = new AbortController()
  const end = () => deadline.abort()
  const timer = setTimeout(end, access.timeoutMs ?? timeoutMs)
  giveUp?.addEventListener("abort", end, { once: true })
  try {
    return await post(access, request, { maxBytes, signal: deadline.signal })
  } catch (error) {
    return { status: null, text: "", headers: {}, failure: deadline.signal.aborted ? "timed_out" : failureOf(error) }
  } finally {
    clearTimeout(timer)
    giveUp?.removeEventListener("abort", end)
  }
}

interface Limits {
  maxBytes: number
  signal: AbortSignal
}

async function post(access: OutsideAccess, { url, headers, body }: OutsideRequest, limits: Limits) {
  const target = await unlessAborted(resolveTarget(access, url), limits.signal)
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = target.addresses
    if (options.all === true || first === undefined) done(null, target.addresses)
    else done(null, first.address, first.family)
  }
  const { protocol, port, pathname, search, host } = target.url
  const options = {
    host: hostOf(target.url),
    port,
    path: pathname + search,
    method: "POST",
    lookup,
    headers: { ...headers, host, "content-length": Buffer.byteLength(body), connection: "close" },
    // A connection of its own: a kept one would outlive the check of its address.
    agent: false,
    signal: limits.signal,
  } as const
  const request = protocol === "https:" ? https.request(options) : http.request(options)
  try {
    const response = await responseOf(request, body)
    const { statusCode: status = 0, headers } = response
    return { status, headers, text: await textOf(response, limits.maxBytes), failure: null } as const
  } finally {
    request.destroy()
  }
}

/** A lookup can't be ended, but nobody waits for it any longer. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

function responseOf(request: ClientRequest, body: string | Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("error", reject)
    request.once("response", resolve)
    request.end(body)
  })
}

/** In the charset that the answer names, where it is a known one. */
function decoderOf({ headers }: IncomingMessage) {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/** The text until the end, the limit or the timeout: by then the status has decided. */
async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= maxBytes) break
    }
  } catch {
    // The status has come, and it alone decides.
  }
  return decoderOf(response).decode(Buffer.concat(chunks, Math.min(size, maxBytes)))
}

function failureOf(error: unknown): OutsideFailure {
  if (error instanceof TargetRefused) return error.problem === "unresolved" ? "unresolved" : "inside"
  const { code = "" } = error as NodeJS.ErrnoException
  if (["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"].includes(code)) return "refused"
  return /CERT|_TLS|_SSL|EPROTO|UNABLE_TO/.test(code) ? "tls" : "broken"
}

/**
 * True for an address of the public Internet alone. An address that carries another inside (IPv4-mapped, NAT64, 6to4,
 * Teredo, `::a.b.c.d`) is never public, because it may lead anywhere.
 */
function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false
  const family = isIP(address)
  if (family === 4) return ipaddr.IPv4.parse(address).range() === "unicast"
  if (family !== 6) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.range() === "unicast" && parsed.match(globalUnicast)
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * The network that stands for one client in rate limits: an IPv4 address, or the /64 of an IPv6 address, because a home
 * connection has 2^64 of those.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%")
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return ipv4Of(groups)
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** An IPv4 address written as IPv6, as a socket for both shows it. */
function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".")
}

/** The eight groups. The URL parser writes each address in one form, without dotted endings. */
function groupsOf(address: string): number[] {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const [before, after] = [head, tail].map((part) =>
    part.split(":").flatMap((group) => (group === "" ? [] : [Number.parseInt(group, 16)])),
  )
  const known = [...(before ?? []), ...(after ?? [])]
  return [...(before ?? []), ...Array.from({ length: 8 - known.length }, () => 0), ...(after ?? [])]
}

export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address)
}
