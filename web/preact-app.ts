import { options } from "preact"

/** Effects run before the next key or press, as React's do: what a screen has just shown must react to it. */
options.requestAnimationFrame = queueMicrotask

export { createRoot } from "preact/compat/client"
