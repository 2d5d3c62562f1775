import { type Refusal, refuseAt } from "./refusal.ts"

/** Stored as offsets into the text, so that only the fields in use are cut out. */
export type DataObject = { tag: number; start: number; end: number }

const headerLength = 4

export function readDataObjects(text: string, from: number, to: number): DataObject[] | Refusal {
  const objects: DataObject[] = []
  let index = from
  while (index < to) {
    const tag = twoDigits(text, index, to)
    if (tag === -1) return refuseAt("BAD_TAG", index)
    const length = twoDigits(text, index + 2, to)
    const start = index + headerLength
    const end = start + length
    if (length < 1 || end > to) return refuseAt("BAD_LENGTH", index)
    if (hasDataObject(objects, tag)) return refuseAt("DUPLICATE_TAG", index)
    objects.push({ tag, start, end })
    index = end
  }
  return objects
}

export function findValue(text: string, objects: DataObject[], tag: number): string | undefined {
  for (const object of objects) if (object.tag === tag) return text.slice(object.start, object.end)
  return undefined
}

export function writeDataObject(tag: string, value: string): string {
  return `${tag}${value.length < 10 ? "0" : ""}${value.length}${value}`
}

function hasDataObject(objects: DataObject[], tag: number): boolean {
  for (const object of objects) if (object.tag === tag) return true
  return false
}

function twoDigits(text: string, index: number, to: number): number {
  if (index + 2 > to) return -1
  const tens = text.charCodeAt(index) - 48
  const units = text.charCodeAt(index + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1
}
