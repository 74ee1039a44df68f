import type { SourceDocument } from '@lectern/grounding';
import type { ToolDefinition } from '@lectern/llm';
import { AppError, type Caller, type Logger } from '@lectern/service-kit';
import { z } from 'zod';
import type { AgentTool } from '#agents/tools';
import type { Context } from '#context';

/** On whose behalf a tool runs, and until when. */
export interface ToolCall {
  /** Its scope is key ∩ agent ∩ request, nothing where these have nothing in common. Tools hand it on: the services that own the data hold it. */
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What a tool answered. */
export interface ToolOutcome {
  /** For the model to read: data, never an instruction. */
  readonly content: string;
  /** True where the tool could not do what was asked; `content` then says why. */
  readonly isError: boolean;
  /** For the `tool_result` event of a chat, such as `{count: 3}`; no content of documents. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Documents with the passages that were found: the model reads them beside `content`, and may cite them. */
  readonly sources?: readonly SourceDocument[];
  /** Documents whose text `content` contains, in addition to the sources. */
  readonly documents?: readonly string[];
}

/** A tool that agents can be given. */
export interface Tool {
  readonly name: AgentTool;
  /** What a model is told of it: its name, what it does, and the JSON Schema of its input. */
  readonly definition: ToolDefinition;
  /** Runs it. What the input or the tool itself is wrong about is an outcome; only the end of the call's signal throws. */
  run(ctx: Context, call: ToolCall, input: unknown): Promise<ToolOutcome>;
}

/** An outcome that tells the model what went wrong, so that it can mend its call. */
export const toolError = (content: string): ToolOutcome => ({ content, isError: true, summary: { error: content } });

/** Declares a tool. `input` both checks what a model sends and is shown to it; describe every field. */
export function defineTool<Input>(given: {
  readonly name: AgentTool;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly run: (ctx: Context, call: ToolCall, input: Input) => Promise<ToolOutcome>;
}): Tool {
  return {
    name: given.name,
    definition: {
      name: given.name,
      description: given.description,
      inputSchema: z.toJSONSchema(given.input, { io: 'input' }),
    },
    run: async (ctx, call, input) => {
      const parsed = given.input.safeParse(input);
      if (!parsed.success) return toolError(`The arguments do not fit: ${z.prettifyError(parsed.error)}`);
      try {
        return await given.run(ctx, call, parsed.data);
      } catch (error) {
        call.signal.throwIfAborted();
        if (error instanceof AppError) return toolError(error.message);
        call.log.error({ err: error, tool: given.name }, 'a tool failed');
        return toolError('The tool failed for a reason of its own. Do without it.');
      }
    },
  };
}
