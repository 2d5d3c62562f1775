interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

type Content = Record<string, { schema?: Schema }>

interface Operation {
  operationId?: string
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, { content?: Content }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** A caller sends the one and reads the other: what widens the one narrows the other. */
type Side = "sent" | "answered"

interface Comparison {
  side: Side
  resolve: { before(schema: Schema): Schema; after(schema: Schema): Schema }
}

/** Changes after which a program written for `before` may fail, one line each. New optional fields are none. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const resolve = { before: resolver(before), after: resolver(after) }
  const sent: Comparison = { side: "sent", resolve }
  const answered: Comparison = { side: "answered", resolve }
  return [
    ...eachOperation(before.paths, after.paths, (name, old, now) => [
      ...changedHead(name, old, now),
      ...changedParameters(name, old, now, sent),
      ...changedBody(name, old, now, sent),
      ...changedReplies(name, old, now, answered),
    ]),
    ...eachOperation(before.webhooks ?? {}, after.webhooks ?? {}, (name, old, now) =>
      changedContent(`webhook ${name}`, old.requestBody?.content, now.requestBody?.content, answered),
    ),
  ]
}

function eachOperation(
  before: ApiDocument["paths"],
  after: ApiDocument["paths"],
  compare: (name: string, old: Operation, now: Operation) => string[],
): string[] {
  return Object.entries(before).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`
      const now = after[path]?.[method]
      return now === undefined ? [`${name}: removed`] : compare(name, old, now)
    }),
  )
}

function changedHead(name: string, old: Operation, now: Operation): string[] {
  const renamed = old.operationId !== now.operationId ? [`${name}: operationId is ${now.operationId}`] : []
  const accesses = new Set((now.security ?? []).map((each) => JSON.stringify(each)))
  const lost = (old.security ?? []).filter((each) => accesses.size > 0 && !accesses.has(JSON.stringify(each)))
  const closed = (old.security ?? []).length === 0 && accesses.size > 0 ? [`${name}: asks for a login`] : []
  return [...renamed, ...closed, ...lost.map((each) => `${name}: no access any more by ${JSON.stringify(each)}`)]
}

function changedParameters(name: string, old: Operation, now: Operation, comparison: Comparison): string[] {
  const [before, after] = [old.parameters ?? [], now.parameters ?? []]
  const same = (one: { name: string; in: string }) => (other: { name: string; in: string }) =>
    one.name === other.name && one.in === other.in
  const demanded = after.filter((each) => each.required && !before.find(same(each))?.required)
  return [
    ...demanded.map((each) => `${name}: parameter ${each.name} is required`),
    ...before.flatMap((each) => {
      const found = after.find(same(each))
      if (found === undefined) return [`${name}: parameter ${each.name} removed`]
      return changedSchema(`${name}: parameter ${each.name}`, each.schema ?? {}, found.schema ?? {}, comparison)
    }),
  ]
}

function changedBody(name: string, old: Operation, now: Operation, comparison: Comparison): string[] {
  const [before, after] = [old.requestBody, now.requestBody]
  if (after?.required && !before?.required) return [`${name}: a body is required`]
  if (before === undefined || after === undefined) return before === after ? [] : [`${name}: the body changed`]
  return changedContent(`${name}: body`, before.content, after.content, comparison)
}

function changedReplies(name: string, old: Operation, now: Operation, comparison: Comparison): string[] {
  const named = (status: string) => /^2|X/.test(status)
  return Object.entries(old.responses ?? {}).flatMap(([status, reply]) => {
    const found = now.responses?.[status]
    if (found !== undefined) return changedContent(`${name}: ${status}`, reply.content, found.content, comparison)
    return named(status) ? [`${name}: no longer answers ${status}`] : []
  })
}

function changedContent(
  place: string,
  before: Content | undefined,
  after: Content | undefined,
  comparison: Comparison,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema = {} }]) => {
    const found = after?.[type]
    return found === undefined ? [`${place}: no ${type}`] : changedSchema(place, schema, found.schema ?? {}, comparison)
  })
}

function changedSchema(place: string, before: Schema, after: Schema, comparison: Comparison): string[] {
  const old = variantsOf(before, comparison.resolve.before)
  const now = variantsOf(after, comparison.resolve.after)
  const [narrow, wide] = comparison.side === "sent" ? [old, now] : [now, old]
  const stray = narrow.find((one) => !wide.some((other) => fits(one, other)))
  if (stray !== undefined) {
    const verb = comparison.side === "sent" ? "is no longer taken" : "may be answered"
    return [`${place}: ${stray.type ?? "anything"} ${verb}`]
  }
  return old.flatMap((variant, index) => {
    const sameKind = now.filter((other) => fits(variant, other) || fits(other, variant))
    const position = old.slice(0, index).filter((other) => other.type === variant.type).length
    const found = sameKind[position] ?? sameKind[0]
    return found === undefined
      ? [`${place}: ${variant.type} removed`]
      : changedVariant(place, variant, found, comparison)
  })
}

/** One schema of one type. */
interface Variant extends Schema {
  type?: string
}

/** The types that a schema allows, each by itself; one without a type allows everything. */
function variantsOf(given: Schema, resolve: (schema: Schema) => Schema): Variant[] {
  const schema = resolve(given)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => variantsOf(each, resolve))
  if (schema.allOf !== undefined) return [merged(schema.allOf.flatMap((each) => variantsOf(each, resolve)))]
  const { type, ...rest } = schema
  if (type === undefined) return [rest.properties === undefined ? rest : { ...rest, type: "object" }]
  return [type].flat().map((each) => ({ ...rest, type: each }))
}

function merged(variants: Variant[]): Variant {
  return {
    type: "object",
    properties: Object.assign({}, ...variants.map(({ properties }) => properties ?? {})) as Record<string, Schema>,
    required: variants.flatMap(({ required = [] }) => required),
  }
}

function fits(one: Variant, other: Variant): boolean {
  return other.type === undefined || one.type === other.type || (one.type === "integer" && other.type === "number")
}

function changedVariant(place: string, old: Variant, now: Variant, comparison: Comparison): string[] {
  return [
    ...changedWords(place, old, now, comparison),
    ...changedLimits(place, old, now, comparison),
    ...changedFields(place, old, now, comparison),
    ...(old.items && now.items ? changedSchema(`${place}[]`, old.items, now.items, comparison) : []),
    ...(typeof old.additionalProperties === "object" && typeof now.additionalProperties === "object"
      ? changedSchema(`${place}{}`, old.additionalProperties, now.additionalProperties, comparison)
      : []),
  ]
}

/** New words may be answered at any time, but none disappears: somebody waits for it. */
function changedWords(place: string, old: Variant, now: Variant, { side }: Comparison): string[] {
  const [before, after] = [wordsOf(old), wordsOf(now)]
  if (after === undefined) return []
  if (before === undefined) return side === "sent" ? [`${place}: takes only ${after.join(", ")}`] : []
  return before.filter((word) => !after.includes(word)).map((word) => `${place}: ${word} removed`)
}

function wordsOf({ const: only, enum: words }: Variant): string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)]
  return words?.map((word) => JSON.stringify(word))
}

const limits = [
  { name: "minLength", tighter: (old = 0, now = 0) => now > old },
  { name: "minimum", tighter: (old = -Infinity, now = -Infinity) => now > old },
  { name: "minItems", tighter: (old = 0, now = 0) => now > old },
  { name: "maxLength", tighter: (old = Infinity, now = Infinity) => now < old },
  { name: "maximum", tighter: (old = Infinity, now = Infinity) => now < old },
  { name: "maxItems", tighter: (old = Infinity, now = Infinity) => now < old },
] as const

function changedLimits(place: string, old: Variant, now: Variant, { side }: Comparison): string[] {
  if (side === "answered") return []
  const pattern = now.pattern !== undefined && now.pattern !== old.pattern ? [`${place}: pattern changed`] : []
  const tightened = limits.filter(({ name, tighter }) => tighter(old[name], now[name]))
  return [...pattern, ...tightened.map(({ name }) => `${place}: ${name} is ${now[name]}`)]
}

function changedFields(place: string, old: Variant, now: Variant, comparison: Comparison): string[] {
  const [before, after] = [old.properties ?? {}, now.properties ?? {}]
  const isNewlyRequired = (name: string) => !(old.required ?? []).includes(name)
  const isLost = (name: string) => name in after && !(now.required ?? []).includes(name)
  const demanded =
    comparison.side === "sent"
      ? (now.required ?? []).filter(isNewlyRequired).map((name) => `${place}.${name}: required`)
      : (old.required ?? []).filter(isLost).map((name) => `${place}.${name}: may be missing`)
  return [
    ...demanded,
    ...Object.entries(before).flatMap(([name, schema]) => {
      const found = after[name]
      if (found === undefined) return [`${place}.${name}: removed`]
      return changedSchema(`${place}.${name}`, schema, found, comparison)
    }),
  ]
}

function resolver({ components }: ApiDocument): (schema: Schema) => Schema {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema
    const found = components?.schemas?.[schema.$ref.slice("#/components/schemas/".length)]
    if (found === undefined) throw new Error(`${schema.$ref} is nowhere`)
    return resolve(found)
  }
  return resolve
}
