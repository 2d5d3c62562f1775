import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react"
import { toast } from "./toast.ts"

/** Fetched when it is first opened. When it can't be, it says so and closes, and may be opened again. */
export function lazyDialog<P extends { onClose: () => void }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return createPart(load, null, ({ onClose }) => {
    toast.error("Não foi possível abrir", navigator.onLine ? "Recarregue a página." : "Sem conexão com a internet.")
    onClose()
  })
}

/** Comes after its screen. When it can't be fetched it stays away: better than taking the screen with it. */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  return createPart(load, waiting, () => undefined)
}

function createPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode,
  onMissing: (props: P) => void,
): ComponentType<P> {
  let fetched: ComponentType<P> | null = null

  return function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => fetched)
    const [isMissing, setIsMissing] = useState(false)
    const latest = useRef(props)
    latest.current = props

    useEffect(() => {
      if (fetched !== null) return
      let isGone = false
      load().then(
        (component) => {
          fetched = component
          if (!isGone) setLoaded(() => component)
        },
        () => {
          if (isGone) return
          setIsMissing(true)
          onMissing(latest.current)
        },
      )
      return () => {
        isGone = true
      }
    }, [])

    if (Loaded !== null) return <Loaded {...props} />
    return isMissing ? null : waiting
  }
}
