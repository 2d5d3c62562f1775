import { execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describeApi } from "../server/src/http/openapi.ts"
import { repositoryFolder } from "./run-tool.ts"

/** A release commits it; before the first one no commit has it. */
const releasedApiFile = "docs/openapi.json"

/** The document of an installation under its usual name, for comparing and for generating types. */
export function presentApi(): object {
  return describeApi({ name: "Tilinta", publicUrl: "https://pix.exemplo.com.br", isSandbox: false })
}

/** That of the newest tag which has one; null before the first release, and in a folder without git. */
export function releasedApi(git: (...parameters: string[]) => string = gitHere): object | null {
  const tags = textOf(() => git("tag", "--merged", "HEAD", "--sort=-version:refname")) ?? ""
  for (const tag of tags.split("\n").filter((name) => name !== "")) {
    const text = textOf(() => git("show", `${tag}:${releasedApiFile}`))
    if (text !== null) return JSON.parse(text) as object
  }
  return null
}

function textOf(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

function gitHere(...parameters: string[]): string {
  const stdio = ["ignore", "pipe", "ignore"] as const
  return execFileSync("git", parameters, {
    cwd: repositoryFolder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: [...stdio],
  })
}

if (import.meta.main) {
  await writeFile(join(repositoryFolder, releasedApiFile), `${JSON.stringify(presentApi(), null, 1)}\n`)
  console.log(`${releasedApiFile} is the API that this release promises`)
}
