import { readFileSync } from "node:fs"

type ValidVector = { id: string; valid: true; payload: string; fields: Record<string, unknown>; lint: string[] }
type InvalidVector = { id: string; valid: false; payload: string; error: string }

const file = new URL("../test-vectors/brcode-vectors.json", import.meta.url)
const vectors: (ValidVector | InvalidVector)[] = JSON.parse(readFileSync(file, "utf8"))

export const validVectors = vectors.filter((vector) => vector.valid)
export const invalidVectors = vectors.filter((vector) => !vector.valid)
