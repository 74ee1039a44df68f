import type { Right, UsageKind } from '@lectern/api-spec';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ResourceLink,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Context } from '#context';
import { requireRight } from '#keys/rights';
import { documentUri } from '#mcp/document-uri';
import { toolFailure } from '#mcp/tool-failure';
import type { KeyedCall } from '#pipeline/operation';

/** The result of a tool: text for the model, and the same content as data. */
interface ToolResult<T> {
  readonly text: string;
  readonly data: T;
  /** The documents of the result, as resources. */
  readonly links?: readonly ResourceLink[];
}

/** Reports the progress of a tool: a growing number, and what it does now. */
export type Progress = (progress: number, message: string) => Promise<void>;

/** Links a document as a resource. */
export const documentLink = ({ id, title }: { readonly id: string; readonly title: string }): ResourceLink => ({
  type: 'resource_link',
  uri: documentUri(id),
  name: title,
  title,
  mimeType: 'text/markdown',
});

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
  readonly run: (
    ctx: Context,
    input: z.output<I>,
    call: KeyedCall,
    progress: Progress | undefined,
  ) => Promise<ToolResult<z.output<O>>>;
}

/** A tool that can be registered for one caller. */
export interface Tool {
  readonly name: string;
  readonly right: Right;
  readonly offer: (server: McpServer, ctx: Context, call: KeyedCall) => void;
}

/** Undefined if the client does not want to know the progress. */
function progressOf({
  _meta,
  sendNotification,
}: RequestHandlerExtra<ServerRequest, ServerNotification>): Progress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/** Defines a tool. Errors become results that the assistant can read. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Definition<I, O>): Tool {
  const { name, title, description, input, output, annotations, right, usage = 'other', run } = tool;
  return {
    name,
    right,
    offer: (server, ctx, call) => {
      const config = { title, description, inputSchema: input, outputSchema: output, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (args, extra): Promise<CallToolResult> => {
        call.usage.kind = usage;
        try {
          if (call.key.person === undefined) requireRight(call.key, right);
          const { text, data, links = [] } = await run(ctx, input.parse(args), call, progressOf(extra));
          return { content: [{ type: 'text', text }, ...links], structuredContent: { ...data } };
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
