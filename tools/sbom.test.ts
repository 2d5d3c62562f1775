import { expect, test } from "vitest"
import { readPackage } from "./package-files.ts"
import { describeRuntime } from "./sbom.ts"

const sbom = describeRuntime()
const refs = new Set(sbom.components.map((component) => component["bom-ref"]))

test("the bill of materials is CycloneDX and names the product and its version", () => {
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.\d$/) })
  const { version } = readPackage(".")
  expect(sbom.metadata.component).toMatchObject({ name: "tilinta", type: "application", version })
})

test("it holds every package that the server, the bank's simulator and the pages run on, in its exact version", () => {
  const ofServer = [".", "server", "simulator", "brcode", "contract"].flatMap((workspace) =>
    Object.entries(readPackage(workspace).dependencies ?? {}),
  )
  const pages = readPackage("web").devDependencies ?? {}
  const ofPages = ["react", "react-dom", "preact", "zod", "@tanstack/react-query", "@fontsource/figtree"].map(
    (name) => [name, pages[name]] as const,
  )
  const wanted = [...ofServer, ...ofPages].map(([name, version]) => `${name}@${version}`)
  expect(wanted.filter((ref) => !refs.has(ref))).toEqual([])
})

test("it leaves out the tools of development, and no dependency points at something it leaves out", () => {
  const { devDependencies = {} } = readPackage(".")
  for (const tool of ["vitest", "typescript", "oxlint", "@biomejs/biome"]) {
    expect(refs).not.toContain(`${tool}@${devDependencies[tool]}`)
  }
  const pointedAt = sbom.dependencies.flatMap(({ dependsOn }) => dependsOn)
  expect(pointedAt.filter((ref) => !refs.has(ref))).toEqual([])
})
