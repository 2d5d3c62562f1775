import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react"
import { toast } from "./toast.ts"

/** A dialog that is fetched when first opened. If that fails it shows a toast and closes, and may be opened again. */
export function lazyDialog<P extends { onClose: () => void }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return createPart(load, null, ({ onClose }) => {
    toast.error("Não foi possível abrir", navigator.onLine ? "Recarregue a página." : "Sem conexão com a internet.")
    onClose()
  })
}

/** A part that is fetched after its screen. If that fails it stays empty instead of failing the screen. */
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
