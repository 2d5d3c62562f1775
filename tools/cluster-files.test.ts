import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { repositoryFolder } from "./run-tool.ts"

const folder = join(repositoryFolder, "deploy/cluster")
const read = (file: string) => readFileSync(join(folder, file), "utf8")

test("the cluster's README explains whatever its files leave open, and nothing else", () => {
  const files = readdirSync(folder).filter((file) => file !== "README.md")
  expect(files).toEqual(
    expect.arrayContaining(["etcd.env", "haproxy.cfg", "patroni.yaml", "pgbackrest.conf", "server.env"]),
  )
  const open = new Set(files.flatMap((file) => [...read(file).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)))
  const [table = ""] = /^\| braces[\s\S]*?\n\n/m.exec(read("README.md")) ?? []
  const explained = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(explained.toSorted()).toEqual([...open].toSorted())
})
