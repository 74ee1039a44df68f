import type { Right, UsageKind } from '@lectern/api-spec';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Context } from '#context';
import { requireRight } from '#keys/rights';
import { toolFailure } from '#mcp/tool-failure';
import type { KeyedCall } from '#pipeline/operation';

/** The result of a tool: text for the model, and the same content as data. */
interface ToolResult<T> {
  readonly text: string;
  readonly data: T;
}

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** The description that assistants use to choose a tool. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: ToolAnnotations;
  /** The right that a key needs. */
  readonly right: Right;
  /** What its calls count as; `other` if omitted. */
  readonly usage?: UsageKind;
  /** Throws `AppError`. */
  readonly run: (ctx: Context, input: z.output<I>, call: KeyedCall) => Promise<ToolResult<z.output<O>>>;
}

/** A tool that can be registered for one caller. */
export interface Tool {
  readonly offer: (server: McpServer, ctx: Context, call: KeyedCall) => void;
}

/** Defines a tool. Errors become results that the assistant can read. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Definition<I, O>): Tool {
  const { name, title, description, input, output, annotations, right, usage = 'other', run } = tool;
  return {
    offer: (server, ctx, call) => {
      const config = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (args): Promise<CallToolResult> => {
        call.usage.kind = usage;
        try {
          if (call.key.person === undefined) requireRight(call.key, right);
          const { text, data } = await run(ctx, input.parse(args), call);
          return { content: [{ type: 'text', text }], structuredContent: { ...data } };
        } catch (error) {
          return toolFailure(error, name, call);
        }
      });
    },
  };
}

/** Annotations of tools that only read. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
