// Runs on the open till: taps the first favourite and asks for its code; resolves with the time to the painted code.
async function sell() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const begunMs = performance.now()
  document.querySelector(".counter-picks button")?.click()
  await frame()
  document.querySelector(".counter-ask")?.click()
  for (;;) {
    await frame()
    const code = document.querySelector(".counter-code")
    if (code?.complete !== true || code.naturalWidth === 0) continue
    await frame()
    return performance.now() - begunMs
  }
}
globalThis.sold = sell()
