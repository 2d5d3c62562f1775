import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { query } from "../crash-tests/embedded-books.ts"
import { eventually } from "../crash-tests/eventually.ts"
import type { Credentials } from "./ask-over-tls.ts"
import { type DatabaseNode, prepareNode } from "./database-node.ts"
import { type Network, openNetwork } from "./network.ts"
import { openPatroniApi, type PatroniApi } from "./patroni-api.ts"
import { defineProgram, findPostgresFolder, type Program } from "./programs.ts"
import { fill, makeCertificates, readVariables } from "./templates.ts"

const execute = promisify(execFile)
const machineCount = 3
const firstPrimaryWithinMs = 120_000
/** The servers' ports on the host, where HAProxy looks for them. */
export const serverPorts = [3_001, 3_002, 3_003] as const

/** Three database machines with synchronous replication, and HAProxy before them and before the servers. */
export interface Cluster extends PatroniApi {
  databaseUrl: string
  /** PostgreSQL's programs. */
  binaries: string
  folder: string
  /** An empty folder of PostgreSQL's account. */
  scratch: string
  network: Network
  nodes: readonly DatabaseNode[]
  haproxy: Program
  /** People's address, at HAProxy. */
  site: { origin: string; credentials: Credentials }
  /** The environment of a server on this port. */
  serverVariables(port: number): Promise<Record<string, string>>
}

/** Everything of it ends with this process, see `enterOwnNamespaces`. */
export async function openCluster(): Promise<Cluster> {
  const binaries = await findPostgresFolder()
  const folder = tmpdir()
  const network = await openNetwork(machineCount)
  const facts = await prepareFacts(folder, network, binaries)
  const nodes = await Promise.all(network.machines.map((machine) => prepareNode(machine, folder, facts)))
  const haproxy = await prepareHaproxy(folder, network, facts)
  for (const node of nodes) node.start()
  haproxy.start()
  const superuserUrl = urlOf(`postgres:${facts.password}`, "postgres", facts)
  await eventually(
    () => query(superuserUrl, "select 1").catch(() => []),
    (rows) => rows.length === 1,
    firstPrimaryWithinMs,
  )
  await query(superuserUrl, `create role tilinta login createrole password '${facts.databasePassword}'`)
  await query(superuserUrl, "create database tilinta owner tilinta")
  const credentials = await readCredentials(facts)
  const api = openPatroniApi(nodes, credentials)
  await api.untilWhole(firstPrimaryWithinMs)
  return {
    ...api,
    databaseUrl: urlOf(`tilinta:${facts.databasePassword}`, "tilinta", facts),
    ...{ binaries, folder, scratch: facts.scratch, network, nodes, haproxy },
    site: { origin: `https://${network.address}`, credentials: { ca: credentials.ca } },
    serverVariables: async (port) =>
      readVariables(
        await fill("server.env", {
          ...{ ...facts, port: String(port), publicUrl: `http://${network.address}:${port}` },
          ...{ address: network.address, proxies: network.address },
        }),
      ),
  }
}

function urlOf(login: string, database: string, { certificates, database: host }: Facts): string {
  return `postgres://${login}@${host}:5000/${database}?sslmode=verify-full&sslrootcert=${certificates}/ca.pem`
}

type Facts = Awaited<ReturnType<typeof prepareFacts>>

/** The facts in braces that are the same on all machines. */
async function prepareFacts(folder: string, { address, range, machines }: Network, binaries: string) {
  const certificates = join(folder, "pki")
  const named = machines.map((each) => [each.name, [each.address, address]] as const)
  await makeCertificates(certificates, { ...Object.fromEntries(named), site: [address] })
  const siteCertificate = join(certificates, "site-with-key.pem")
  const parts = await Promise.all(["site.pem", "site.key"].map((file) => readFile(join(certificates, file), "utf8")))
  await writeFile(siteCertificate, parts.join(""), { mode: 0o600 })
  const [repository, scratch] = [join(folder, "repository"), join(folder, "scratch")]
  for (const each of [repository, scratch]) await mkdir(each)
  await execute("chown", ["-R", "postgres:postgres", certificates, repository, scratch])
  return {
    ...{
      binaries,
      certificates,
      siteCertificate,
      repository,
      scratch,
      network: range,
      database: address,
      site: address,
    },
    etcd: machines.map((each) => `${each.address}:2379`).join(),
    etcdPeers: machines.map((each) => `${each.name}=https://${each.address}:2380`).join(),
    maxWalSize: "256MB",
    password: newSecret(),
    patroniPassword: newSecret(),
    databasePassword: newSecret(),
    backupPassword: newSecret(),
    secretsKey: randomBytes(32).toString("base64"),
  }
}

function newSecret(): string {
  return randomBytes(16).toString("hex")
}

async function readCredentials({ certificates, patroniPassword }: Facts): Promise<Credentials> {
  const read = (file: string) => readFile(join(certificates, file), "utf8")
  const [ca, cert, key] = await Promise.all([read("ca.pem"), read("site.pem"), read("site.key")])
  return { ca, cert, key, auth: `patroni:${patroniPassword}` }
}

async function prepareHaproxy(folder: string, { address, machines }: Network, facts: Facts): Promise<Program> {
  const lines = (each: readonly string[]) => each.map((line) => `    server ${line}`).join("\n")
  const servers = serverPorts.map((port, at) => [`app${at + 1}`, `${address}:${port}`] as const)
  const config = join(folder, "haproxy.cfg")
  const text = await fill("haproxy.cfg", {
    ...facts,
    databases: lines(machines.map((each) => `${each.name} ${each.address}:5432 check port 8008`)),
    servers: lines(servers.map(([name, at]) => `${name} ${at} check`)),
    lastServers: lines(servers.map(([name, at]) => `${name}-anyway ${at} backup`)),
  })
  await writeFile(config, text)
  return defineProgram({ command: "haproxy", args: ["-db", "-f", config], logFile: join(folder, "haproxy.log") })
}
