import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import {
  createPix,
  expectStatus,
  logIn,
  openShop,
  type Pix,
  pay,
  readBalanceCents,
  readStatus,
  type Shop,
} from "../lab/crash-tests/shop.ts"
import { pickFreePort } from "../server/src/db/postmaster.ts"
import { makeBases } from "./image/bases.ts"
import { buildah, canBuildImages, containerFrom, imagePrograms, run } from "./image/buildah.ts"
import { type Container, exitCodeOf, readImageConfig, startContainer } from "./image/run-container.ts"
import { repositoryFolder } from "./run-tool.ts"

/**
 * `npm run image:check [-- --base NAME --build-base NAME]` builds deploy/Containerfile and lives with the image: signs up,
 * sells, restarts it and looks whether all is still there, under an uid that it doesn't know and with a read-only root.
 */
const prefix = "localhost/tilinta-image-check"
const unknownUid = 4711
const mostOverBase = 130_000_000
const paidWithinMs = 60_000

const { values } = parseArgs({ options: { base: { type: "string" }, "build-base": { type: "string" } } })
await checkMachine()
const folder = await mkdtemp(join(tmpdir(), "tilinta-image-"))
const containers: string[] = []
const running = new Set<Container>()
try {
  await check()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  for (const container of running) await container.stop()
  await tidy()
}

async function checkMachine(): Promise<void> {
  const programs = imagePrograms(values.base !== undefined)
  if (await canBuildImages(programs)) return
  console.error(`npm run image:check needs root, ${programs.join(", ")}.`)
  process.exit(1)
}

async function check(): Promise<void> {
  const bases =
    values.base === undefined
      ? await timed("base by debootstrap", () => makeBases(folder, prefix))
      : { base: values.base, build: values["build-base"] ?? values.base }
  await timed("build", () => build(bases))
  const overBase = (await sizeOf(prefix)) - (await sizeOf(bases.base))
  say(`size over its base: ${(overBase / 1e6).toFixed(0)} MB, at most ${mostOverBase / 1e6}`)
  ensure(overBase <= mostOverBase, "the image is too large")
  await live()
  say("every step of the image's life went well")
}

async function build({ base, build: buildBase }: { base: string; build: string }): Promise<void> {
  const file = join(repositoryFolder, "deploy/Containerfile")
  await buildah(
    ...["build", "--isolation", "chroot", "--network", "host", "--format", "docker", "--pull-never", "--file", file],
    ...["--build-arg", `BASE=${base}`, "--build-arg", `BUILD_BASE=${buildBase}`, "--tag", prefix, repositoryFolder],
  )
}

async function live(): Promise<void> {
  const volume = join(folder, "volume")
  await mkdir(volume)
  await chmod(volume, 0o777)
  const config = readImageConfig(await buildah("inspect", "--type", "image", prefix))
  const env = { PORT: String(await pickFreePort()), LOG_LEVEL: "warn" }
  const place = { root: await mountOf(prefix), volume, uid: unknownUid, config, env }

  ensure((await exitCodeOf(place, ["touch", "/app/changed"])) !== 0, "the root is not read-only")
  const first = await timed("first start, empty volume", () => start(place))
  const { Test: health = [] } = config.Healthcheck ?? {}
  ensure((await exitCodeOf(place, health.slice(1))) === 0, "the health check fails beside a ready server")
  const shop = await openShop(first.url)
  const pix = await createPix(first.url, shop)
  await pay(first.url, pix)
  const balance = await balanceOncePaid(first.url, shop, pix)
  say(`signed up, charged and paid: ${balance} centavos in the balance`)
  await timed("SIGTERM", () => stop(first))
  ensure((await exitCodeOf(place, health.slice(1))) !== 0, "the health check succeeds without a server")

  const second = await timed("second start", () => start(place))
  expectStatus(await logIn(second.url, shop), 200)
  ensure((await readStatus(second.url, pix)) === "pago", "the payment is gone after the restart")
  ensure((await readBalanceCents(second.url, shop)) === balance, "the balance changed with the restart")
  const { uid } = await stat(join(volume, "tilinta", "postgres"))
  ensure(uid === unknownUid, `the database belongs to ${uid}`)
  await stop(second)
  say(`all is still there after the restart, as uid ${unknownUid} with a read-only root`)
}

async function start(place: Parameters<typeof startContainer>[0]): Promise<Container> {
  const container = await startContainer(place)
  running.add(container)
  return container
}

async function stop(container: Container): Promise<void> {
  running.delete(container)
  const code = await container.stop()
  ensure(code === 0, `SIGTERM ended the server with ${code}:\n${container.output().slice(-2_000)}`)
}

async function balanceOncePaid(url: string, shop: Shop, pix: Pix): Promise<number> {
  for (const giveUpAt = Date.now() + paidWithinMs; Date.now() < giveUpAt; await sleep(100)) {
    if ((await readStatus(url, pix)) === "pago") return readBalanceCents(url, shop)
  }
  throw new Error("the payment was not confirmed")
}

async function sizeOf(image: string): Promise<number> {
  const [bytes = ""] = (await run("du", ["--summarize", "--bytes", await mountOf(image)])).split("\t")
  return Number(bytes)
}

async function mountOf(image: string): Promise<string> {
  const container = await containerFrom(image)
  containers.push(container)
  return buildah("mount", container)
}

async function tidy(): Promise<void> {
  for (const container of containers) await buildah("rm", container)
  const made = values.base === undefined ? [`${prefix}-build-base`, `${prefix}-base`] : []
  for (const image of [prefix, ...made]) await buildah("rmi", "--force", image).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
}

async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const begin = performance.now()
  const result = await work()
  say(`${step}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
  return result
}

function say(line: string): void {
  console.log(line)
}

function ensure(isSo: boolean, problem: string): void {
  if (!isSo) throw new Error(problem)
}
