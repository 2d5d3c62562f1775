import { Kbd } from "#ui/kbd.tsx"

const hints = [
  { keys: ["J", "K"], does: "percorrer" },
  { keys: ["X"], does: "selecionar" },
  { keys: ["A"], does: "aprovar" },
  { keys: ["R"], does: "rejeitar" },
  { keys: ["?"], does: "atalhos" },
] as const

/** Keyboard shortcuts; hidden on touch devices. */
export function KeysHint() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-1.5 text-meta text-t3 max-md:hidden pointer-coarse:hidden">
      {hints.map(({ keys, does }) => (
        <span key={does} className="flex items-center gap-1.5">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}{" "}
          {does}
        </span>
      ))}
    </p>
  )
}
