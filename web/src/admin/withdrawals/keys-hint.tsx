import { Kbd } from "#ui/kbd.tsx"

/** For those who have a keyboard at hand. */
export function KeysHint() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3.5 pb-2 text-meta text-t3 max-md:hidden pointer-coarse:hidden">
      <span className="flex items-center gap-1.5">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> percorrer
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>Enter</Kbd> abrir
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>A</Kbd> aprovar
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>R</Kbd> rejeitar
      </span>
    </p>
  )
}
