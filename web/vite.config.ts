import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

/** For browsers that know no `@property`: those can't show the rest of Tailwind 4 either. */
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

/** The seller's app. The checkout has builds of its own, in `build.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), tailwindcss(), withoutPropertyFallback],
  build: {
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The first file names all others, and can't be packed where they are random: seven such characters are enough.
      output: { chunkFileNames: "assets/[name]-[hash:7].js", entryFileNames: "assets/[name]-[hash:7].js" },
    },
    sourcemap: false,
    assetsDir: "assets",
    // Every browser that knows the rest of what we use preloads modules by itself, or fetches them a moment later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://localhost:3000", "^/checkout/": "http://localhost:3000" } },
})
