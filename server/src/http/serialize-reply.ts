import { serializerCompiler } from "fastify-type-provider-zod"

/** By the contract's schemas. What never changes is checked and written once. */
export const serializeReply: typeof serializerCompiler = (route) => {
  const serialize = serializerCompiler(route)
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
