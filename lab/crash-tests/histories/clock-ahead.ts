/** Preloaded into a server, whose clock is then ahead by CLOCK_AHEAD_MS: that much time has passed. */
const aheadMs = Number(process.env["CLOCK_AHEAD_MS"])
const machineNow = Date.now

Date.now = () => machineNow() + aheadMs
// A proxy, so that dates stay dates to whoever asks with instanceof.
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, caller) => Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, caller),
})
