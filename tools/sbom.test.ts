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
  const wanted = [".", "server", "simulator", "brcode", "contract", "web"].flatMap((workspace) =>
    Object.entries(readPackage(workspace).dependencies ?? {}).map(([name, version]) => `${name}@${version}`),
  )
  expect(wanted).toEqual(expect.arrayContaining([expect.stringMatching(/^react@/), expect.stringMatching(/^preact@/)]))
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
