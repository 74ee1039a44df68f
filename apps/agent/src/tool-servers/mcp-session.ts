import { createBoundedFetch, egressErrorIn } from '@lectern/egress';
import { orAborted } from '@lectern/resilience';
import { AppError, joinSignals } from '@lectern/service-kit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { SERVER_LIMITS } from '#tool-servers/limits';
import { isVisible, type ListedTool, type Listing, toListedTool } from '#tool-servers/listed-tool';

/** How to reach an MCP server. */
export interface McpAddress {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Replaces the secrets of the server in a text. */
  readonly redact: (text: string) => string;
}

/** The result of a call. */
interface McpResult {
  readonly text: string;
  readonly isError: boolean;
}

interface Wait {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A connection to an MCP server for one run or one listing. Its errors are `AppError`s. */
export interface McpSession {
  listTools(wait: Wait): Promise<Listing>;
  callTool(name: string, input: Readonly<Record<string, unknown>>, wait: Wait): Promise<McpResult>;
  /** Ends the session. Never throws. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;
/** A response that has ended is parsed within this time. */
const END_MS = 100;
/** The error of a request whose response ended without an answer. */
const NO_ANSWER = { code: -32_000, message: 'The response ended without an answer.' };

const toolList = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(10_000).optional() });
const tool = z.looseObject({
  name: z.string().min(1).max(SERVER_LIMITS.name).refine(isVisible),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional().catch(undefined),
});
const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
const part = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text),
  z
    .looseObject({ type: z.literal('resource'), resource: z.looseObject({ text: z.string() }) })
    .transform(({ resource }) => resource.text),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string() }).transform(({ uri }) => `[link: ${uri}]`),
  z
    .looseObject({ type: z.string().max(50), mimeType: z.string().max(100).optional() })
    .transform(({ type, mimeType }) => `[${mimeType ?? type}, not shown]`),
]);

/**
 * Connects to an MCP server. It cannot send requests or notifications of its own: the stream for
 * them is not opened, no capabilities are declared, and those in a response are not answered.
 */
export async function openMcpSession({ url, headers, fetch, redact }: McpAddress, wait: Wait): Promise<McpSession> {
  const timers = new Set<NodeJS.Timeout>();
  const bounded = createBoundedFetch(fetch, {
    maxBytes: SERVER_LIMITS.listBytes,
    server: 'The server',
    onEnd: (init) => {
      const id = requestId(init?.body);
      if (id === undefined) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Ignored if the request was answered.
        transport.onmessage?.({ jsonrpc: '2.0', id, error: NO_ANSWER });
      }, END_MS);
      timers.add(timer);
    },
  });
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: async (target, init) =>
      init?.method === 'GET' ? new Response(null, { status: 405 }) : bounded(String(target), init),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const send = transport.send.bind(transport);
  // An answer is a request, whose response can ask again: a server could have any number of them sent.
  transport.send = async (message, how) => {
    if (Array.isArray(message) || 'method' in message) await send(message, how);
  };
  const client = new Client({ name: 'lectern', version: '1' }, { capabilities: {} });
  // Problems of single messages end in the requests that they belong to.
  client.onerror = () => undefined;
  const options = ({ signal, timeoutMs }: Wait) => ({ signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
  const close = async () => {
    for (const timer of timers) clearTimeout(timer);
    const ended = transport.sessionId === undefined ? Promise.resolve() : transport.terminateSession();
    const late = AbortSignal.timeout(CLOSE_MS);
    const gone = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([ended.catch(() => undefined), gone]);
    await client.close().catch(() => undefined);
  };
  try {
    // The types of the SDK do not know `exactOptionalPropertyTypes`.
    const connected = client.connect(transport as Parameters<Client['connect']>[0], options(wait));
    // The SDK limits the first request, but not the notification after it.
    await within(connected, wait);
  } catch (error) {
    await close();
    throw translate(error, wait);
  }
  return {
    close,
    listTools: async (listWait) => {
      try {
        const read = (params: { cursor?: string }) =>
          client.request({ method: 'tools/list', params }, toolList, options(listWait));
        return await readList(read, redact);
      } catch (error) {
        throw translate(error, listWait);
      }
    },
    callTool: async (name, input, callWait) => {
      try {
        const params = { name, arguments: { ...input } };
        const result = await client.request({ method: 'tools/call', params }, callResult, options(callWait));
        const { text, isError } = toResult(result);
        return { text: redact(text), isError };
      } catch (error) {
        throw translate(error, callWait);
      }
    },
  };
}

function requestId(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  const { id } = z.object({ id: z.union([z.string(), z.number()]).optional() }).parse(JSON.parse(body));
  return id;
}

/** Waits for a promise at most as long as `wait`. Throws a `timeout` error then. */
async function within<T>(promise: Promise<T>, { signal, timeoutMs }: Wait): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  using ends = joinSignals(signal, late);
  try {
    return await orAborted(promise, ends.signal);
  } catch (error) {
    throw late.aborted ? lateError(timeoutMs) : error;
  }
}

const lateError = (timeoutMs: number) =>
  new AppError('timeout', `The server did not answer within ${timeoutMs / 1_000} s.`);

async function readList(
  read: (params: { cursor?: string }) => Promise<z.output<typeof toolList>>,
  redact: (text: string) => string,
): Promise<Listing> {
  const tools = new Map<string, ListedTool>();
  const notes: string[] = [];
  const cursors = new Set<string>();
  let invalid = 0;
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    for (const item of page.tools) {
      if (tools.size >= SERVER_LIMITS.tools || invalid >= SERVER_LIMITS.tools) break;
      const parsed = tool.safeParse(item);
      const isUsable = parsed.success && redact(parsed.data.name) === parsed.data.name;
      if (!isUsable || tools.has(parsed.data.name)) {
        invalid += 1;
        continue;
      }
      const { name, description = '', inputSchema, annotations } = parsed.data;
      const readOnlyHint = annotations?.readOnlyHint;
      const listed = { name, description, inputSchema, changes: true };
      tools.set(name, toListedTool(readOnlyHint === undefined ? listed : { ...listed, readOnlyHint }, redact));
    }
    cursor = page.nextCursor;
    if (cursor !== undefined && cursors.has(cursor)) {
      throw new AppError('upstream_error', 'The server lists the same page of tools again and again.');
    }
    cursors.add(cursor ?? '');
  } while (
    cursor !== undefined &&
    tools.size < SERVER_LIMITS.tools &&
    invalid < SERVER_LIMITS.tools &&
    cursors.size < SERVER_LIMITS.pages
  );
  if (cursor !== undefined || tools.size >= SERVER_LIMITS.tools || invalid >= SERVER_LIMITS.tools) {
    notes.push(`The server lists more tools than the first ${tools.size}, which are used.`);
  }
  if (invalid > 0) notes.push(`${invalid} tools were left out, because they are malformed or listed twice.`);
  return { tools: [...tools.values()], notes };
}

function toResult({ content, structuredContent, isError }: z.output<typeof callResult>): McpResult {
  const texts = content
    .slice(0, SERVER_LIMITS.parts)
    .map((item) => part.safeParse(item).data ?? '[malformed part, not shown]');
  if (content.length > SERVER_LIMITS.parts)
    texts.push(`[${content.length - SERVER_LIMITS.parts} more parts, not shown]`);
  const text =
    texts.length > 0 || structuredContent === undefined ? texts.join('\n') : JSON.stringify(structuredContent);
  return { text, isError: isError === true };
}

const httpStatus = z.object({ code: z.int().min(300).max(599) });
const protocolError = z.object({ code: z.int().negative() });

/**
 * Translates an error of the SDK. Its message can contain text of the server, so it is only a cause.
 */
function translate(error: unknown, { signal, timeoutMs }: Wait): unknown {
  if (signal.aborted) return signal.reason;
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  const blocked = egressErrorIn(error);
  if (blocked !== undefined) return new AppError('upstream_error', blocked.message, { cause: error });
  const status = httpStatus.safeParse(error).data?.code;
  if (status === 401 || status === 403) {
    return new AppError('upstream_error', `The server rejects the credentials (HTTP ${status}).`, { cause: error });
  }
  if (status !== undefined)
    return new AppError('upstream_error', `The server returned HTTP ${status}.`, { cause: error });
  const code = protocolError.safeParse(error).data?.code;
  if (code === -32_001) return lateError(timeoutMs);
  if (code !== undefined && code !== NO_ANSWER.code && code !== -1) {
    return new AppError('upstream_error', `The server returned the error ${code}.`, { cause: error });
  }
  return new AppError('upstream_error', 'The server is unavailable, or its response is invalid.', { cause: error });
}
