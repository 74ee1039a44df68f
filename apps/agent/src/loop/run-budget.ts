import type { TokenUsage } from '@lectern/llm';
import type { LimitName, RunLimits } from '#loop/run-limits';
import { cutOutput, outputBytes } from '#loop/tool-output';
import type { ToolOutcome } from '#tools/tool';

/** What a run has used of its caps. */
export interface RunBudget {
  /** The first cap that kept something from the run: the next step must be its last. */
  readonly reached: LimitName | undefined;
  spendTokens(usage: TokenUsage): void;
  /** Whether so many more tokens are within the cap. */
  hasTokens(more: number): boolean;
  /** How many of so many calls may be run. */
  takeCalls(wanted: number): number;
  /** The outcome, cut to what may still be read. */
  takeOutput(outcome: ToolOutcome): ToolOutcome;
}

/** Counts what a run uses against its caps. */
export function createRunBudget(limits: RunLimits): RunBudget {
  let tokens = 0;
  let calls = 0;
  let bytes = 0;
  let reached: LimitName | undefined;
  return {
    get reached() {
      return reached;
    },
    spendTokens({ promptTokens, completionTokens }) {
      tokens += promptTokens + completionTokens;
    },
    hasTokens: (more) => tokens + more < limits.tokens,
    takeCalls(wanted) {
      const taken = Math.min(wanted, limits.toolCalls - calls);
      calls += taken;
      if (taken < wanted) reached ??= 'tool_calls';
      return taken;
    },
    takeOutput(outcome) {
      const left = limits.totalOutputBytes - bytes;
      const cut = cutOutput(outcome, Math.min(limits.outputBytes, left));
      bytes += outputBytes(cut);
      if (bytes >= limits.totalOutputBytes) reached ??= 'tool_output';
      return cut;
    },
  };
}
