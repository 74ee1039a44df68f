/** Bounds of what a tool server can send. It may be hostile. */
export const SERVER_LIMITS = {
  /** Tools of one server. The rest is left out. */
  tools: 300,
  /** Pages of a list of tools. */
  pages: 50,
  /** Parts of the result of a call. The rest is left out. */
  parts: 1_000,
  /** Bytes of one response to a list, and of an OpenAPI document. */
  listBytes: 4 * 1024 * 1024,
  /** Bytes of one response to a call. Beyond this it is truncated or fails. */
  callBytes: 4 * 1024 * 1024,
  /** Characters of a tool's name at its server. */
  name: 200,
  /** Characters of the path of an operation. */
  path: 2_000,
  /** Characters of a description. The rest is cut before anyone confirms it. */
  description: 2_000,
  /** Bytes and depth of the schema of a tool's arguments. */
  schemaBytes: 32 * 1024,
  schemaDepth: 32,
  /** Bytes and depth of the arguments of a call. */
  inputBytes: 64 * 1024,
  inputDepth: 32,
  /** Milliseconds in which a schema must be compiled, and in which arguments must be checked. */
  compileMs: 2_000,
  checkMs: 1_000,
  /** Notes about what a listing left out. */
  notes: 20,
} as const;

/** Servers of one team. */
export const MAX_SERVERS = 50;

/** Milliseconds of a listing or a test. */
export const LIST_MS = 30_000;
