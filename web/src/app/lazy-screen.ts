import { lazyRouteComponent } from "@tanstack/react-router"
import { offlineError } from "#api/api-error.ts"

/**
 * Without a network the screen says so. Otherwise a newer version has replaced the missing file, and the router reloads
 * the page once.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw navigator.onLine ? error : offlineError()
    }
  }, name)
