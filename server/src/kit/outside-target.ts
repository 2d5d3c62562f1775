import { Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { isLoopback } from "./client-network.ts"
import { isPublicAddress } from "./public-address.ts"

/** All addresses of a host name; empty when there are none. */
type ResolveHost = (host: string) => Promise<string[]>

/** The addresses that somebody else may make this server connect to. */
export interface OutsideAccess {
  resolve: ResolveHost
  /** In the sandbox: plain HTTP, and this machine. */
  allowsLocal: boolean
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
  const found = isIP(host) > 0 ? [host] : isLocalName(host) ? ["127.0.0.1", "::1"] : await lookUp(access, host)
  if (found.length === 0) throw new TargetRefused("unresolved")
  const isAllowed = (address: string) => isPublicAddress(address) || (access.allowsLocal && isThisMachine(address))
  if (!found.every(isAllowed)) throw new TargetRefused("inside")
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

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
}

function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost")
}

/** Not the IPv4-mapped form, with which nobody means to write an address. */
function isThisMachine(address: string): boolean {
  return isLoopback(address) && !address.startsWith("::ffff:")
}

async function lookUp({ resolve }: OutsideAccess, host: string): Promise<string[]> {
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
