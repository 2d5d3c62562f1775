/**
 * Node's `http` without an import: that reads every name which the module exports, and so loads the `fetch` of Node,
 * 12 MB and 30 ms of a start.
 */
export const http = process.getBuiltinModule("node:http")
