import type { TokenUsage } from '@lectern/llm';
import type { LimitName, RunLimits } from '#loop/run-limits';
import { cutOutput, outputBytes } from '#loop/tool-output';
import type { ToolOutcome } from '#tools/tool';

/** Tracks a run's use of its limits. */
export interface RunBudget {
  /** The first limit that was reached. The next step must be the last. */
  readonly reached: LimitName | undefined;
  /** The tokens of all model calls so far. */
  readonly used: TokenUsage;
  spendTokens(usage: TokenUsage): void;
  /** Returns whether this many more tokens are within the limit. */
  hasTokens(more: number): boolean;
  /** Returns how many of the requested calls can be executed. */
  takeCalls(wanted: number): number;
  /** Returns the outcome, truncated to the remaining output limit. */
  takeOutput(outcome: ToolOutcome): ToolOutcome;
}

/** Creates the budget of a run. */
export function createRunBudget(limits: RunLimits): RunBudget {
  let used: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let calls = 0;
  let bytes = 0;
  let reached: LimitName | undefined;
  return {
    get reached() {
      return reached;
    },
    get used() {
      return used;
    },
    spendTokens({ promptTokens, completionTokens }) {
      used = {
        promptTokens: used.promptTokens + promptTokens,
        completionTokens: used.completionTokens + completionTokens,
      };
    },
    hasTokens: (more) => used.promptTokens + used.completionTokens + more < limits.tokens,
    takeCalls(wanted) {
      const taken = Math.min(wanted, limits.toolCalls - calls);
      calls += taken;
      if (taken < wanted) reached ??= 'tool_calls';
      return taken;
    },
    takeOutput(outcome) {
      const remainingBytes = limits.totalOutputBytes - bytes;
      const cut = cutOutput(outcome, Math.min(limits.outputBytes, remainingBytes));
      bytes += outputBytes(cut);
      if (bytes >= limits.totalOutputBytes) reached ??= 'tool_output';
      return cut;
    },
  };
}
