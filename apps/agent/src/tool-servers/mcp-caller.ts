import { AppError, joinSignals } from '@lectern/service-kit';
import { runLimits } from '#config';
import type { Context } from '#context';
import type { ServerTool, ToolServer } from '#gen/prisma/client';
import { checkListing } from '#tool-servers/check-listing';
import { versionOf } from '#tool-servers/listed-tool';
import { type McpSession, openMcpSession } from '#tool-servers/mcp-session';
import { saveListing } from '#tool-servers/save-listing';
import { addressOf, authenticate } from '#tool-servers/server-connection';
import type { ServerReply } from '#tool-servers/server-reply';
import type { ToolCall } from '#tools/tool';

/** Calls the tools of one MCP server for one run, in one session. */
export interface McpCaller {
  call(tool: ServerTool, params: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ServerReply>;
  /** Never throws. */
  close(): Promise<void>;
}

interface Opened {
  readonly session: McpSession;
  /** The versions of the tools that the server lists in this session, by name. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * Creates the caller of a server. Connects at the first call and lists the tools then: a tool whose
 * definition is no longer the confirmed one is not called.
 */
export function createMcpCaller(context: Context, server: ToolServer, run: ToolCall): McpCaller {
  const { toolMs } = runLimits(context.config);
  let opening: Promise<Opened> | undefined;
  const closing = new AbortController();
  const connect = async (signal: AbortSignal): Promise<Opened> => {
    const wait = { signal, timeoutMs: toolMs };
    const { headers, query, redact } = await authenticate(context, server, signal);
    const address = { url: addressOf(server.url, query), headers, redact, fetch: context.egress.fetchWithinOrigin };
    const session = await openMcpSession(address, wait);
    try {
      const listing = await session.listTools(wait);
      const versions = new Map(listing.tools.map((tool) => [tool.name, versionOf(tool)]));
      return { session, versions };
    } catch (error) {
      await session.close();
      throw error;
    }
  };
  /** Connects within the time of one call, and not after the run. */
  const open = async (): Promise<Opened> => {
    const late = AbortSignal.timeout(toolMs);
    using ends = joinSignals(run.signal, closing.signal, late);
    try {
      return await connect(ends.signal);
    } catch (error) {
      if (!late.aborted) throw error;
      const message = `The server did not list its tools within ${toolMs / 1_000} s.`;
      throw new AppError('timeout', message, { cause: error });
    }
  };
  /** Stores the new definition, so that an editor sees it. */
  const noteChange = async (signal: AbortSignal, session: McpSession) => {
    try {
      const listing = await session.listTools({ signal, timeoutMs: toolMs });
      await saveListing(context, server, await checkListing({ listing }, signal));
    } catch (err) {
      run.log.warn({ err, serverId: server.id }, 'could not store the changed tools of a server');
    }
  };
  return {
    async call({ name, version }, params, { signal }) {
      opening ??= open();
      const opened = await opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      if (opened.versions.get(name) !== version) {
        await noteChange(signal, opened.session);
        throw new AppError(
          'precondition_failed',
          'The server has changed this tool. It cannot be used until an editor confirms it.',
        );
      }
      return opened.session.callTool(name, params, { signal, timeoutMs: toolMs });
    },
    async close() {
      closing.abort();
      const opened = await opening?.catch(() => undefined);
      await opened?.session.close();
    },
  };
}
