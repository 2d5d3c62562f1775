import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** The seller's app. The checkout has builds of its own, in `build.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    rolldownOptions: { checks: { bundlerTimings: false } },
    sourcemap: false,
    assetsDir: "assets",
    // Every browser that knows the rest of what we use preloads modules by itself, or fetches them a moment later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://localhost:3000", "^/checkout/": "http://localhost:3000" } },
})
