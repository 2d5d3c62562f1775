import { type $ZodType, safeEncode } from "zod/v4/core"

interface Reply {
  schema: $ZodType
  method: string
  url: string
}

/** By the contract's schemas. What never changes is checked and written once. */
export function serializeReply({ schema, method, url }: Reply): (data: unknown) => string {
  const serialize = (data: unknown): string => {
    const result = safeEncode(schema, data)
    if (!result.success) throw new Error(`${method} ${url} answered against its schema`, { cause: result.error })
    return JSON.stringify(result.data)
  }
  const written = new WeakMap<object, string>()
  return (data) => {
    if (!isLasting(data)) return serialize(data)
    const text = written.get(data) ?? serialize(data)
    written.set(data, text)
    return text
  }
}

/** Made once and for ever: a route that answers one of few things keeps them frozen. */
export function isLasting(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.isFrozen(value)
}
