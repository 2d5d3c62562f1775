import { brokenRule } from "#kit/domain-error"

/** As the sandbox's developers run a shop on their own machine. */
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Origins as `URL` writes them, each once. @throws validation_failed */
export function canonicalOrigins(typed: readonly string[], isSandbox: boolean): string[] {
  const origins = typed.map((text, at) => {
    const origin = originOf(text.trim())
    if (origin === null) {
      throw brokenRule(`origins.${at}`, `Informe só o endereço do site, como https://loja.com.br: ${text}`)
    }
    if (origin.startsWith("https:") || (isSandbox && loopback.test(origin))) return origin
    throw brokenRule(`origins.${at}`, notSecure(origin, isSandbox))
  })
  return [...new Set(origins)]
}

function notSecure(origin: string, isSandbox: boolean): string {
  return isSandbox ? `Use https; http só vale para http://localhost: ${origin}` : `Use https: ${origin}`
}

/** Null for whatever is more or less than scheme, host and port. */
function originOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null
  const isBare = `${url.origin}/` === url.href && !/[\s\\*]/.test(text)
  return isBare ? url.origin : null
}
