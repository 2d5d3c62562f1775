import { useEffect, useState } from "react"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"

/** Stays in sight while an administrator looks at a seller's account in this tab, and leaves when the time is over. */
export function ViewBar({ name, until }: { name: string; until: Date }) {
  const seconds = useSecondsTo(until)
  useEffect(() => {
    if (seconds <= 0) session.close()
  }, [seconds])
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return (
    <section
      aria-label="Visualização"
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-2 bg-amber-bg px-4 py-2 text-label md:px-8"
    >
      <Icon name="eye" className="size-5 flex-none text-amber" />
      <p className="min-w-0 flex-1 basis-40 break-words">
        Você está vendo como <b className="font-[650]">{name}</b>. Somente leitura.
        <span className="ml-2 whitespace-nowrap text-t2 tabular-nums">
          {minutes === 1 ? "Resta" : "Restam"} {minutes} min.
        </span>
      </p>
      <Button onClick={() => session.close()}>Sair</Button>
    </section>
  )
}

function useSecondsTo(moment: Date): number {
  const read = () => Math.ceil((moment.getTime() - Date.now()) / 1000)
  const [seconds, setSeconds] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(read), 1000)
    return () => clearInterval(timer)
  })
  return seconds
}
