import { createHook } from "node:async_hooks"

const held: object[] = []

/**
 * A collection also takes shapes that no living object has. Were that of Node's ticks to go, V8 would make every later
 * one by its slow way, for as long as the process lives: a third of what a small request costs. So one is held.
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
