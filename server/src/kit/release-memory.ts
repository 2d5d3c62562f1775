import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

type CollectGarbage = (options: { execution: "async"; flavor: "last-resort"; type: "major" }) => Promise<void>

/** Frees memory that only the start needed; Node would otherwise keep it until something else asks for it. */
export async function releaseMemory(): Promise<void> {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as CollectGarbage
  await collectGarbage({ execution: "async", flavor: "last-resort", type: "major" })
}
