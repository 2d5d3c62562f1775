import { configureGlobal } from "fast-check"

/** A runner's report shows an error's message alone: what was thrown inside a property has to stand in it. */
configureGlobal({ includeErrorInReport: true })
