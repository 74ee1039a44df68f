import type { UsageKind } from '@lectern/api-spec';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Context } from '#context';
import { toolFailure } from '#mcp/tool-failure';
import type { KeyedCall } from '#pipeline/operation';

/** What a tool answers: for the model to read, and the same as data. */
export interface ToolAnswer<T> {
  readonly text: string;
  readonly data: T;
}

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What an assistant goes by when it chooses among tools. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: ToolAnnotations;
  /** What its calls are counted as; `other` where it is left out. */
  readonly usage?: UsageKind;
  /** Throws `AppError`. */
  readonly run: (ctx: Context, input: z.output<I>, call: KeyedCall) => Promise<ToolAnswer<z.output<O>>>;
}

/** A tool, ready to be offered to one caller. */
export interface Tool {
  readonly offer: (server: McpServer, ctx: Context, call: KeyedCall) => void;
}

/** Defines a tool. Its failures are answers that the assistant can read and act on. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Definition<I, O>): Tool {
  const { name, title, description, input, output, annotations, usage = 'other', run } = tool;
  return {
    offer: (server, ctx, call) => {
      const config = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (args): Promise<CallToolResult> => {
        call.usage.kind = usage;
        try {
          const { text, data } = await run(ctx, input.parse(args), call);
          return { content: [{ type: 'text', text }], structuredContent: { ...data } };
        } catch (error) {
          return toolFailure(error, name, call);
        }
      });
    },
  };
}

/** Of tools that only read what belongs to this installation. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
