import { prepareSite } from "./prepare-site.ts"

await prepareSite()
await import("../server/src/main.ts")
