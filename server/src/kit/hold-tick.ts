import { createHook } from "node:async_hooks"

const held: object[] = []

/**
 * V8's garbage collector also drops hidden classes that no living object has. Without that of Node's ticks, V8 would
 * create every later tick by its slow path, for as long as the process lives: a third of a small request's cost. So one
 * tick is kept alive.
 */
export function holdTick(): void {
  const made = createHook({
    trackPromises: false,
    init(_id, type, _causedBy, resource) {
      if (type === "TickObject") held.push(resource)
    },
  })
  made.enable()
  process.nextTick(() => undefined)
  made.disable()
}
