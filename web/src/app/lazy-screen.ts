import { lazyRouteComponent } from "@tanstack/react-router"
import { offlineError } from "#api/api-error.ts"

/**
 * Without a network the screen says so. Otherwise what is missing was replaced by a newer version, and the
 * router loads the page anew, once.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw navigator.onLine ? error : offlineError()
    }
  }, name)
