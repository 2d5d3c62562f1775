import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

/** The fallback for browsers without `@property`, which can't show the rest of Tailwind 4 either. */
const propertyFallback = /@layer properties\{@supports[^{]+\{[^{]+\{[^}]*\}\}\}/

const withoutPropertyFallback: Plugin = {
  name: "without-property-fallback",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue
      file.source = file.source.toString().replace(propertyFallback, "")
    }
  },
}

/** The seller's and admin's app. The checkout has builds of its own, in `build.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), tailwindcss(), withoutPropertyFallback],
  build: {
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The first file lists all others: without names, and with seven characters of a hash, the list stays short.
      output: { chunkFileNames: "assets/[hash:7].js", entryFileNames: "assets/[name]-[hash:7].js" },
    },
    sourcemap: false,
    assetsDir: "assets",
    // Browsers that support the rest of our code preload modules natively, or fetch them a moment later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://localhost:3000", "^/checkout/": "http://localhost:3000" } },
})
