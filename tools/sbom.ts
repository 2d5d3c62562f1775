import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type LockedPackage, type LockedPackages, readLockfile } from "./lockfile.ts"
import { repositoryFolder } from "./run-tool.ts"

interface Component {
  "bom-ref": string
  name: string
  type: string
  version: string
  purl: string
  properties?: { name: string; value: string }[]
}

interface Sbom {
  bomFormat: "CycloneDX"
  specVersion: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const file = "sbom.cdx.json"
if (import.meta.main) {
  const sbom = describeRuntime()
  writeFileSync(join(repositoryFolder, file), `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`${sbom.components.length} components of version ${sbom.metadata.component.version}: ${file}`)
}

/**
 * The bill of materials of what runs at the operator's and in browsers: npm's own, less the tools of development.
 * npm's `--omit dev` also leaves out packages that one workspace runs on and another only tests with.
 */
export function describeRuntime(): Sbom {
  const parameters = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"]
  const output = execFileSync("npm", parameters, { cwd: repositoryFolder, stdio: ["ignore", "pipe", "ignore"] })
  const whole = JSON.parse(output.toString("utf8")) as Sbom
  const packages = readLockfile(repositoryFolder)
  const isRuntime = ([, { dev, devOptional }]: [string, LockedPackage]) => dev !== true && devOptional !== true
  const runtime = new Set(
    Object.entries(packages)
      .filter(isRuntime)
      .map(([path]) => refOf(path, packages)),
  )
  const components = whole.components.filter((component) => runtime.has(component["bom-ref"])).map(withoutMark)
  const { component } = whole.metadata
  const kept = new Set([component, ...components].map((each) => each["bom-ref"]))
  return {
    ...whole,
    // npm names the product after the folder that it was cloned into.
    metadata: { ...whole.metadata, component: { ...component, name: "tilinta" } },
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  }
}

function refOf(path: string, packages: LockedPackages): string {
  const { name = path.replace(/^.*node_modules\//, ""), version = "" } = packages[path] ?? {}
  return `${name}@${version}`
}

function withoutMark({ properties = [], ...component }: Component): Component {
  return { ...component, properties: properties.filter(({ name }) => name !== "cdx:npm:package:development") }
}
