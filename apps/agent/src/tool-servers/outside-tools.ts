import { isOutsideTool, ServerToolStatus } from '@lectern/contracts';
import { BUILTIN_MODEL_ID } from '@lectern/extractive';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { ServerTool, ToolServer } from '#gen/prisma/client';
import type { PreparedRun } from '#runs/prepare-run';
import { callOperation } from '#tool-servers/call-operation';
import { inputProblem } from '#tool-servers/check-input';
import { createMcpCaller, type McpCaller } from '#tool-servers/mcp-caller';
import { operationSchema } from '#tool-servers/openapi/operation';
import type { ServerReply } from '#tool-servers/server-reply';
import { statusOf } from '#tool-servers/server-rows';
import { type Tool, type ToolCall, type ToolOutcome, toolError } from '#tools/tool';

/** The outside tools of one run. Disposing ends their connections. */
export interface OutsideTools extends AsyncDisposable {
  readonly tools: ReadonlyMap<string, Tool>;
}

/** The share of a model's window for the definitions of outside tools. */
const WINDOW_SHARE = 0.25;

type Row = ServerTool & { readonly server: ToolServer };

const object = z.record(z.string(), z.unknown());

/**
 * Returns the tools of tool servers that a run can use: those of the agent that are enabled with
 * their confirmed definition. The model sees the stored definition, never what a server sends now. The
 * rules of the built-in model know no tools of others.
 */
export async function openOutsideTools(
  context: Context,
  { agent, model, usesOutsideTools }: Pick<PreparedRun, 'agent' | 'model' | 'usesOutsideTools'>,
  run: ToolCall,
): Promise<OutsideTools> {
  const canCall = usesOutsideTools && model.info.supportsTools && model.id !== BUILTIN_MODEL_ID;
  const names = canCall ? agent.tools.filter(isOutsideTool) : [];
  const callers = new Map<string, McpCaller>();
  const close = async () => {
    await Promise.all([...callers.values()].map((caller) => caller.close()));
  };
  const tools = new Map<string, Tool>();
  if (names.length > 0) {
    const rows = await context.db.serverTool.findMany({
      where: { teamId: agent.teamId, agentName: { in: names } },
      include: { server: true },
      orderBy: { agentName: 'asc' },
    });
    let room = model.info.recommendedMaxTokens * WINDOW_SHARE;
    for (const row of rows.filter((one) => statusOf(one) === ServerToolStatus.ENABLED)) {
      const caller = callers.get(row.serverId) ?? createMcpCaller(context, row.server, run);
      callers.set(row.serverId, caller);
      const tool = toTool(context, row, caller);
      const tokens = model.countTokens(JSON.stringify(tool.definition));
      if (tokens > room) {
        run.log.warn({ tool: row.agentName }, 'left out a tool, because the definitions are too long');
        continue;
      }
      room -= tokens;
      tools.set(row.agentName, tool);
    }
  }
  return { tools, [Symbol.asyncDispose]: close };
}

function toTool({ db }: Pick<Context, 'db'>, row: Row, caller: McpCaller): Tool {
  const { agentName: name, description, version, server } = row;
  const inputSchema = object.parse(row.inputSchema);
  const check = (input: unknown) => inputProblem(input, { schema: inputSchema, version });
  return {
    name,
    definition: { name, description, inputSchema },
    ...(row.changes ? { approval: { version, check } } : {}),
    run: async (ctx, call, input) => {
      const problem = check(input);
      if (problem !== undefined) return toolError(`Invalid arguments: ${problem}.`);
      const params = object.parse(input);
      const inputBytes = Buffer.byteLength(JSON.stringify(params));
      try {
        const current = await db.serverTool.findUnique({
          where: { serverId_name: { serverId: row.serverId, name: row.name } },
        });
        if (current === null || current.version !== version || statusOf(current) !== ServerToolStatus.ENABLED) {
          return toolError('This tool was disabled. Continue without it.');
        }
        // It was marked as changing something since the run began.
        if (current.changes && !row.changes) return toolError('This tool now needs an approval. Start a new run.');
        const operation = operationSchema.safeParse(row.operation).data;
        const reply =
          operation === undefined
            ? await caller.call(row, params, call)
            : await callOperation(ctx, server, operation, params, call);
        return toOutcome(server, reply, inputBytes);
      } catch (error) {
        call.signal.throwIfAborted();
        if (!(error instanceof AppError)) call.log.error({ err: error, tool: name }, 'an outside tool failed');
        const message = error instanceof AppError ? error.message : 'The tool failed. Continue without it.';
        return { content: message, isError: true, summary: { server: server.name, inputBytes, error: message } };
      }
    },
  };
}

/** What a run stores about a reply: no text of it. */
function toOutcome(server: ToolServer, { text, isError, status }: ServerReply, inputBytes: number): ToolOutcome {
  const summary = {
    server: server.name,
    ...(status === undefined ? {} : { status }),
    inputBytes,
    outputBytes: Buffer.byteLength(text),
  };
  return { content: text === '' ? 'The tool returned no text.' : text, isError, summary };
}
