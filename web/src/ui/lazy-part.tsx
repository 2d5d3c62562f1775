import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react"
import type { FieldValues, Resolver } from "react-hook-form"
import { toast } from "./toast.ts"

/** A dialog that is fetched when first opened. If that fails it shows a toast and closes, and may be opened again. */
export function lazyDialog<M, Name extends keyof M>(load: () => Promise<M>, name: Name): M[Name] {
  const loadPart = async () => (await load())[name] as ComponentType<{ onClose: () => void }>
  return createPart(loadPart, null, ({ onClose }) => {
    toast.error("Não foi possível abrir", navigator.onLine ? "Recarregue a página." : "Sem conexão com a internet.")
    onClose()
  }) as M[Name]
}

/** A part that is fetched after its screen. If that fails it stays empty instead of failing the screen. */
export function lazyPart<M, Name extends keyof M>(
  load: () => Promise<M>,
  name: Name,
  waiting: ReactNode = null,
): M[Name] {
  return createPart(
    async () => (await load())[name] as ComponentType<object>,
    waiting,
    () => undefined,
  ) as M[Name]
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

/** Preloads; a failure is ignored, because the submit loads again and reports it. */
export function warmUp(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}

/** A form resolver that is fetched when first needed, not with the page. */
export function lazyResolver<Input extends FieldValues, Output>(
  load: () => Promise<Resolver<Input, unknown, Output>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    let resolve: Resolver<Input, unknown, Output>
    try {
      resolve = await load()
    } catch {
      return { values: {}, errors: { root: { type: "load", message: "Sem conexão com a internet." } } } as never
    }
    return resolve(values, context, options)
  }
}

/** Stands where a part will be. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />
}
