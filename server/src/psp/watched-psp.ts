import type { ContactRecorder } from "./contact-recorder.ts"
import { type Psp, PspError } from "./psp.ts"

/** Records every answer and failure of the provider; works for methods that are added later too. */
export function watchPsp(psp: Psp, notes: ContactRecorder): Psp {
  return watched(psp, notes, "")
}

function watched<T extends object>(target: T, notes: ContactRecorder, prefix: string): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name)
      const call = `${prefix}${String(name)}`
      if (typeof value === "function") {
        return (...given: unknown[]) => watchResult(Reflect.apply(value, target, given), notes, call)
      }
      return isPart(value) ? watched(value, notes, `${call}.`) : value
    },
  })
}

function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date)
}

function watchResult(result: unknown, notes: ContactRecorder, call: string): unknown {
  if (result instanceof Promise) return watchAnswer(result, notes, call)
  if (isPart(result) && Symbol.asyncIterator in result) {
    return watchPages(result as AsyncIterable<unknown>, notes, call)
  }
  return result
}

async function watchAnswer(answer: Promise<unknown>, notes: ContactRecorder, call: string): Promise<unknown> {
  try {
    const result = await answer
    notes.succeeded(call)
    return result
  } catch (error) {
    noteFailure(error, notes, call)
    throw error
  }
}

async function* watchPages(pages: AsyncIterable<unknown>, notes: ContactRecorder, call: string): AsyncGenerator {
  try {
    for await (const page of pages) {
      notes.succeeded(call)
      yield page
    }
    notes.succeeded(call)
  } catch (error) {
    noteFailure(error, notes, call)
    throw error
  }
}

/** A definite refusal counts as contact: the provider is up and listening. */
function noteFailure(error: unknown, notes: ContactRecorder, call: string): void {
  notes.failed(call, error, error instanceof PspError && error.failure === "rejected")
}
