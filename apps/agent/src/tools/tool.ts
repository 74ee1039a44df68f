import type { AgentTool } from '@lectern/contracts';
import type { SourceDocument } from '@lectern/grounding';
import type { ToolDefinition } from '@lectern/llm';
import { AppError, type Caller, type Logger } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';

/** The call on whose behalf a tool runs. */
export interface ToolCall {
  /**
   * Its scope is key ∩ agent ∩ request, possibly empty. Tools pass it on; the services that own the
   * data enforce it.
   */
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** The outcome of a tool call. */
export interface ToolOutcome {
  /** Text for the model: data, never an instruction. */
  readonly content: string;
  /** True if the call failed. `content` then contains the reason. */
  readonly isError: boolean;
  /** For the `tool_result` event of a chat, for example `{count: 3}`. Contains no document text. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Documents with the passages found. The model reads them with `content` and can cite them. */
  readonly sources?: readonly SourceDocument[];
  /** Documents whose text `content` contains, in addition to the sources. */
  readonly documents?: readonly string[];
}

/** A tool that agents can use. */
export interface Tool {
  readonly name: string;
  /** Its name, description and input schema for the model. */
  readonly definition: ToolDefinition;
  /**
   * Executes the tool. Invalid input and failures are outcomes. Throws only the reason of the
   * call's signal.
   */
  run(ctx: Context, call: ToolCall, input: unknown): Promise<ToolOutcome>;
  /** Set if a person must approve each call. */
  readonly approval?: {
    /** Changes with the definition of the tool. */
    readonly version: string;
    /** Returns why arguments are invalid, before a person sees them. */
    check(input: unknown): string | undefined;
  };
}

/** Creates a failed outcome. The text helps the model to correct its call. */
export const toolError = (content: string): ToolOutcome => ({ content, isError: true, summary: { error: content } });

/**
 * Declares a tool. `input` validates the arguments and is part of the prompt: describe every field.
 */
export function defineTool<Input>(spec: {
  readonly name: AgentTool;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly run: (ctx: Context, call: ToolCall, input: Input) => Promise<ToolOutcome>;
}): Tool {
  return {
    name: spec.name,
    definition: {
      name: spec.name,
      description: spec.description,
      inputSchema: z.toJSONSchema(spec.input, { io: 'input' }),
    },
    run: async (ctx, call, input) => {
      const parsed = spec.input.safeParse(input);
      if (!parsed.success) return toolError(`Invalid arguments: ${z.prettifyError(parsed.error)}`);
      try {
        return await spec.run(ctx, call, parsed.data);
      } catch (error) {
        call.signal.throwIfAborted();
        if (error instanceof AppError) return toolError(error.message);
        call.log.error({ err: error, tool: spec.name }, 'the tool failed');
        return toolError('The tool failed with an internal error. Continue without it.');
      }
    },
  };
}
