import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

type CollectGarbage = (options: { execution: "async"; flavor: "last-resort"; type: "major" }) => Promise<void>

/** What only the start needed: by itself Node would keep its place for as long as nothing else asks for it. */
export async function giveBackMemory(): Promise<void> {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as CollectGarbage
  await collectGarbage({ execution: "async", flavor: "last-resort", type: "major" })
}
