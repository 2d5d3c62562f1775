import { fileURLToPath } from "node:url"
import type { Plugin } from "vite"

/**
 * The app is written for React. In a build this answers its imports, and those of its packages, with Preact as
 * published; the development server runs on React itself.
 */
export const preactAsReact: Plugin = {
  name: "preact-as-react",
  apply: "build",
  config: () => ({
    resolve: {
      alias: [
        { find: /^react$/, replacement: fileURLToPath(import.meta.resolve("preact/compat")) },
        { find: /^react\/jsx-runtime$/, replacement: fileURLToPath(import.meta.resolve("preact/jsx-runtime")) },
        { find: /^react-dom$/, replacement: fileURLToPath(import.meta.resolve("preact/compat")) },
        { find: /^react-dom\/client$/, replacement: fileURLToPath(import.meta.resolve("./preact-app.ts")) },
      ],
    },
  }),
}
