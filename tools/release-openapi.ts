import { writeFile } from "node:fs/promises"
import { presentApi, releasedApiFile } from "./openapi.ts"

await writeFile(releasedApiFile, `${JSON.stringify(presentApi(), null, 1)}\n`)
console.log("docs/openapi.json is the API that this release promises")
