// Runs in the page before its own scripts. With `pressing` the button is pressed as soon as the page's script has run.
const seen = { largestPaintMs: 0, firstPaintMs: 0, layoutShift: 0, tasks: [], qrMs: 0 }
Object.assign(globalThis, { seen })

function watch(type, note) {
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
}

watch("largest-contentful-paint", ({ startTime }) => {
  seen.largestPaintMs = startTime
})
watch("paint", ({ name, startTime }) => {
  if (name === "first-contentful-paint") seen.firstPaintMs = startTime
})
watch("layout-shift", ({ value }) => {
  seen.layoutShift += value
})
watch("longtask", ({ startTime, duration }) => {
  seen.tasks.push({ at: startTime, ms: duration })
})

if (globalThis.pressing) {
  document.addEventListener("DOMContentLoaded", () => document.querySelector("form button")?.click())
  const looking = new MutationObserver(() => {
    const image = document.querySelector(".q img[src^=data]")
    if (image === null) return
    looking.disconnect()
    // Two frames: the second one begins once the first has been painted.
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => (seen.qrMs = performance.now())))
    image.decode().then(painted, console.error)
  })
  looking.observe(document, { childList: true, subtree: true, attributes: true })
}
