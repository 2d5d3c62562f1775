import chromium from "@sparticuz/chromium"

/** In a process of its own: the package changes the environment of the one that loads it. */
await chromium.executablePath()
