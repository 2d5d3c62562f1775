import { type $ZodType, toJSONSchema } from "zod/v4/core"

type JsonType = "string" | "number" | "boolean" | "array" | "object" | "null"

interface Field {
  path: string[]
  /** JSON types that the schema accepts here; null when it accepts any. */
  types: Set<JsonType> | null
  isEnum: boolean
  isRequired: boolean
}

interface Described {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Described>
  required?: string[]
  anyOf?: Described[]
  allOf?: Described[]
}

/** Every field of a body's schema, nested ones included, with its accepted types. */
export function fieldsOf(schema: $ZodType): Field[] {
  const described = toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Described
  return fieldsBelow(described, [])
}

function fieldsBelow(schema: Described, path: string[]): Field[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): Field[] => [
    {
      path: [...path, name],
      types: typesOf(field),
      isEnum: isEnum(field),
      isRequired: path.length === 0 && (schema.required ?? []).includes(name),
    },
    ...fieldsBelow(field, [...path, name]),
  ])
  return [...own, ...parts.flatMap((part) => fieldsBelow(part, path))]
}

function typesOf(schema: Described): Set<JsonType> | null {
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  if (parts.length > 0) {
    const each = parts.map(typesOf)
    return each.includes(null) ? null : new Set(each.flatMap((types) => [...(types ?? [])]))
  }
  const declared =
    schema.type ?? (schema.enum ?? [schema.const]).flatMap((value) => (value === undefined ? [] : typeof value))
  const types = [declared].flat().map((type) => (type === "integer" ? "number" : type) as JsonType)
  return types.length === 0 ? null : new Set(types)
}

function isEnum(schema: Described): boolean {
  return schema.enum !== undefined || (schema.anyOf ?? []).some(isEnum)
}

const samples: Record<JsonType, unknown[]> = {
  string: ["texto", "100", "1,50"],
  number: [7, -1.5],
  boolean: [true],
  array: [[], ["a", "b"]],
  object: [{}, { $gt: 0 }],
  null: [null],
}

/** Invalid JSON texts for the field: other types, and values that no text or number may have. */
export function wrongValuesFor({ types, isEnum }: Field): string[] {
  if (types === null) return []
  const wrongTypes = Object.entries(samples).filter(([type]) => !types.has(type as JsonType))
  const values = wrongTypes.flatMap(([, examples]) => examples.map((value) => JSON.stringify(value)))
  if (types.has("string")) values.push('"a\\u0000b"', '"a\\ud800b"', JSON.stringify("a".repeat(1_000_000)))
  if (isEnum) values.push('"desconhecido"')
  if (types.has("number")) values.push("1e309", "-1e309")
  return values
}

/** The body as JSON text, with one field replaced by another JSON text. */
export function withField(body: unknown, path: string[], text: string): string {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>
  let place = copy
  for (const name of path.slice(0, -1)) {
    const next = place[name]
    place[name] = typeof next === "object" && next !== null ? next : {}
    place = place[name] as Record<string, unknown>
  }
  const marker = "\u0001field\u0001"
  place[path.at(-1) ?? ""] = marker
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => text)
}
