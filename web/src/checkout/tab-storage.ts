/** Session storage that never throws: where the browser forbids it, a reload forgets. */
export const tabStorage = {
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string): void {
    try {
      sessionStorage.setItem(key, value)
    } catch {
      // The payment goes on without storage.
    }
  },
}
