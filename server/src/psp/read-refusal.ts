const LONGEST = 200

/** Fields in which banks give a reason, best first: the standard's problem, and other formats. */
const reasonFields = [
  "detail",
  "mensagem",
  "message",
  "_message",
  "error_description",
  "faultstring",
  "descricao",
  "title",
]
const nestedFields = ["fault", "erros", "errors", "_details", "details", "error", "violacoes"]
const kindFields = ["type", "nome", "codigo", "code", "_errorCode", "errorcode", "error"]

/** The bank's reason in its own words; null when it gives none. */
export function readRefusal({ body, text }: { body: unknown; text: string }): string | null {
  const reason = body === undefined ? faultOf(text) : reasonIn(body, 0)
  return reason === null ? null : shorten(reason)
}

/** For the log: the kind of refusal and its reason, without personal data. */
export function describeRefusal(answer: { body: unknown; text: string }): string {
  const kind = answer.body === undefined ? null : kindIn(answer.body)
  const parts = [...new Set([kind, readRefusal(answer)])].filter((part) => part !== null)
  return shorten(withoutPersonalData(parts.join(": ")))
}

function reasonIn(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null || depth > 3) return null
  if (Array.isArray(value)) return firstOf(value, (item) => reasonIn(item, depth + 1))
  const fields = value as Record<string, unknown>
  const own = firstOf(reasonFields, (name) => textOf(fields[name]))
  const violated = firstOf([fields.violacoes].flat(), violationOf)
  if (own !== null) return violated === null ? own : `${own} ${violated}`
  const nested = firstOf(nestedFields, (name) => reasonIn(fields[name], depth + 1))
  return nested ?? textOf(fields.error)
}

function violationOf(violation: unknown): string | null {
  const { razao, propriedade } = (violation ?? {}) as { razao?: unknown; propriedade?: unknown }
  const reason = textOf(razao)
  const property = textOf(propriedade)
  if (reason === null) return null
  return property === null ? reason : `${property}: ${reason}`
}

function kindIn(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null
  const kind = firstOf(kindFields, (name) => textOf((body as Record<string, unknown>)[name]))
  return kind?.split("/").at(-1) ?? null
}

/** SOAP or any other markup. */
function faultOf(text: string): string | null {
  const fault = /<(?:\w+:)?(?:faultstring|Text|message|title)[^>]*>([^<]{1,400})</i.exec(text)?.[1]
  return textOf(fault)
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null
}

function firstOf<Item>(items: readonly Item[], read: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = read(item)
    if (found !== null) return found
  }
  return null
}

function shorten(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, LONGEST)
}

function withoutPersonalData(text: string): string {
  return text
    .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)*/g, "[email]")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "[chave]")
    .replace(/\+?\d[\d.()/-]{6,}\d/g, "[número]")
}
