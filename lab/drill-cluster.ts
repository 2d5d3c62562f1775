import { openCluster } from "./drill/cluster.ts"
import { enterCommand, enterOwnNamespaces } from "./drill/own-namespaces.ts"

/** `npm run drill:cluster`: the reference cluster of deploy/cluster on this machine, until Ctrl+C. Needs root. */
await enterOwnNamespaces()
const cluster = await openCluster()
const primary = await cluster.findPrimary()
for (const { machine, folder } of cluster.nodes) {
  console.log(`${machine.name}  ${machine.address}  ${folder}${machine === primary?.machine ? "  primary" : ""}`)
}
console.log(`DATABASE_URL=${cluster.databaseUrl}`)
console.log(`Reached from its own network alone: ${enterCommand()} psql "${cluster.databaseUrl}"`)
console.log("Ctrl+C takes it down.")
