import { DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"

interface SlotLimits {
  /** Slots of everybody together, as this caller counts them. */
  atOnce: number
  perPerson: number
}

const retryAfterSeconds = 10

/** An export holds a connection as long as its reader takes, so requests beyond the limit are refused at once. */
export function createExportSlots() {
  const people: string[] = []

  /** Returns a function that releases the slot, at most once. */
  return function enter(person: string, { atOnce, perPerson }: SlotLimits): () => void {
    const own = people.filter((each) => each === person)
    if (people.length >= atOnce || own.length >= perPerson) {
      throw new DomainError("too_many_exports", { retryAfterSeconds })
    }
    people.push(person)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const place = people.indexOf(person)
      invariant(place !== -1, "an export released a slot that it did not hold")
      people.splice(place, 1)
    }
  }
}
