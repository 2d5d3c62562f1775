import { writeFile } from "node:fs/promises"
import { clientFile, writeClientSource } from "./client-source.ts"

for (const [name, text] of Object.entries(await writeClientSource())) await writeFile(clientFile(name), text)
