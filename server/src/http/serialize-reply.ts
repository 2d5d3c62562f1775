import { type $ZodType, safeEncode } from "zod/v4/core"

interface Reply {
  schema: $ZodType
  method: string
  url: string
}

/** Serialises by the contract's schemas. */
export function serializeReply({ schema, method, url }: Reply): (data: unknown) => string {
  return (data) => {
    const result = safeEncode(schema, data)
    if (!result.success) throw new Error(`${method} ${url} answered against its schema`, { cause: result.error })
    return JSON.stringify(result.data)
  }
}
