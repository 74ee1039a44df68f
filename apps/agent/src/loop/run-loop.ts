import { type CitationEvent, CORRECTION_DIVIDER, moveCitations } from '@lectern/grounding';
import { type ChatMessage, CORRECTION_PROMPT_TOKENS, type TokenUsage } from '@lectern/llm';
import type { Context } from '#context';
import { callModel, type ModelTurn } from '#loop/call-model';
import { correctAnswer } from '#loop/correct-answer';
import { createFitter, fitHistory } from '#loop/fit-messages';
import { forLastStep } from '#loop/instructions';
import { createRunLedger } from '#loop/ledger';
import type { LoopEvent, LoopOutcome } from '#loop/loop-event';
import type { LoopTask } from '#loop/loop-task';
import { createRunBudget } from '#loop/run-budget';
import { type LimitName, limitSentence } from '#loop/run-limits';
import { createSeenSources } from '#loop/seen-sources';
import { toolRound } from '#loop/tool-round';

/** Separates text before tool calls from text after them. */
const BREAK = '\n\n';

/**
 * Calls model and tools in turn until the model answers or a limit is reached. Limits apply
 * regardless of the model's output: in the last step it is instructed to answer, and further tool calls are
 * not executed. Throws what the model throws, and the signal's reason.
 */
export async function* runLoop(ctx: Context, task: LoopTask): AsyncGenerator<LoopEvent, LoopOutcome, undefined> {
  const { model, limits, run, maxTokens, instructions } = task;
  const ledger = createRunLedger();
  const fitter = createFitter(model);
  const budget = createRunBudget(limits);
  const seen = createSeenSources();
  seen.add(task.sources);
  const tools = [...task.tools.values()].map(({ definition }) => definition);
  const citations: CitationEvent[] = [];
  const material: string[] = [];
  let written = 0;

  const fixed = model.countTokens(forLastStep(instructions) + JSON.stringify(tools)) + maxTokens;
  const remainingTokens = model.info.recommendedMaxTokens - fixed;
  const userMessage: ChatMessage = { role: 'user', content: [{ type: 'text', text: task.message }] };
  let messages: readonly ChatMessage[] = [
    ...fitHistory(model, task.history, remainingTokens - fitter.cost([userMessage])),
    userMessage,
  ];

  for (let number = 1; ; number += 1) {
    messages = fitter.fit(messages, remainingTokens);
    if (number > 1 && !budget.hasTokens(fixed - maxTokens + fitter.cost(messages)))
      return yield* endAt('tokens', 'tool_calls');
    const isLast = number >= limits.iterations || budget.reached !== undefined;
    const startedAt = new Date();
    yield {
      type: 'iteration',
      number,
      status: 'planning',
      documents: number === 1 ? seen.list().map(({ id }) => id) : [],
      used: budget.used,
    };
    const { ledger: numbers, keep } = ledger.next();
    const request = {
      system: isLast && tools.length > 0 ? forLastStep(instructions) : instructions,
      messages,
      question: task.question,
      sources: task.sources,
      tools,
      maxTokens,
      ledger: numbers,
    };
    const turn: ModelTurn = yield* callModel(model, request, {
      separator: written > 0 ? BREAK : '',
      signal: run.signal,
    });
    budget.spendTokens(turn.usage);
    const cited = turn.citations.map((citation) => seen.place(citation));
    if (turn.content !== '') {
      keep();
      record(turn.content, cited, BREAK);
    }
    if (turn.thought !== '') yield { type: 'thinking', thought: turn.thought };

    const step = { number, thought: turn.thought, calls: [], usage: turn.usage, startedAt, completedAt: undefined };
    if (turn.calls.length === 0) {
      const { content, stopReason, usage } = turn;
      const answer = { content, citations: cited, stopReason, usage };
      const check = { model, request, seen, material: material.join('\n'), signal: run.signal, log: run.log };
      const again = fixed - maxTokens + fitter.cost(messages) + usage.completionTokens + CORRECTION_PROMPT_TOKENS;
      const isChecked = (content !== '' || written === 0) && budget.hasTokens(again);
      const correction = isChecked ? await correctAnswer(answer, check) : undefined;
      if (correction?.answer !== undefined) {
        keep();
        yield { type: 'content', delta: (written === 0 ? '' : CORRECTION_DIVIDER) + correction.answer.content };
        record(correction.answer.content, correction.answer.citations, CORRECTION_DIVIDER);
      }
      yield { type: 'step', step: { ...step, usage: sum(usage, correction?.usage), completedAt: new Date() } };
      if (written === 0) yield { type: 'content', delta: emptyAnswer(turn) };
      return outcome(budget.reached, turn.stopReason);
    }
    if (isLast || !budget.hasTokens(0)) {
      yield { type: 'step', step: { ...step, completedAt: new Date() } };
      return yield* endAt(isLast ? (budget.reached ?? 'iterations') : 'tokens', turn.stopReason);
    }
    const { results, isExpired } = yield* toolRound(ctx, task, turn.calls, { step, budget, seen });
    if (isExpired) return yield* endAt('approval', turn.stopReason);
    material.push(...results.flatMap(({ sources, content }) => (sources === undefined ? [content] : [])));
    messages = [...messages, turn.message, { role: 'tool', content: results }];
  }

  async function* endAt(limit: LimitName, stopReason: ModelTurn['stopReason']): AsyncGenerator<LoopEvent, LoopOutcome> {
    yield { type: 'content', delta: `${written > 0 ? BREAK : ''}${limitSentence(limit, limits)}` };
    return outcome(limit, stopReason);
  }

  /** Records emitted content and its citations. */
  function record(content: string, cited: readonly CitationEvent[], separator: string): void {
    const offset = written === 0 ? 0 : written + separator.length;
    citations.push(...moveCitations(cited, offset));
    written = offset + content.length;
  }

  function outcome(limit: LimitName | undefined, stopReason: ModelTurn['stopReason']): LoopOutcome {
    return { limit, stopReason, citations, sources: seen.list() };
  }
}

const sum = (one: TokenUsage, other: TokenUsage = { promptTokens: 0, completionTokens: 0 }): TokenUsage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
});

const emptyAnswer = ({ stopReason }: ModelTurn): string =>
  stopReason === 'refused' ? 'The model declined to answer this.' : 'The model ended without an answer.';
