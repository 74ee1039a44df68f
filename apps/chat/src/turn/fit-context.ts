import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { type ChatMessage, type ChatModel, CORRECTION_PROMPT_TOKENS, messageText } from '@lectern/llm';
import { invalidRequest } from '@lectern/service-kit';

/** Tokens that a message or a passage costs beside its text: roles, separators, numbering. */
const FRAME_TOKENS = 8;

/** The parts of a prompt that are always in it. */
export interface PromptParts {
  readonly model: ChatModel;
  /** Tokens kept free for the reply. */
  readonly maxTokens: number;
  readonly system: string;
  /** The user's message. */
  readonly message: string;
}

/** What a prompt is to be made of. */
export interface ContextParts extends PromptParts {
  /** Best first. */
  readonly sources: readonly SourceDocument[];
  /** Oldest first, without the message. */
  readonly history: readonly ChatMessage[];
  /** The most of the context that history may fill, 0 to 1. */
  readonly historyShare: number;
}

/** What of it fits. */
export interface FittedContext {
  readonly sources: readonly SourceDocument[];
  /** The newest of the history, oldest first; begins with a user's message. */
  readonly history: readonly ChatMessage[];
}

/** What is left of the model's recommended maximum for sources and history. Throws `invalid_request` where that is less than nothing. */
export function contextBudget({ model, maxTokens, system, message }: PromptParts): number {
  const repair = model.info.provider === 'builtin' ? 0 : CORRECTION_PROMPT_TOKENS;
  const fixed = maxTokens + repair + (model.promptOverhead ?? 0) + costOf(model, system) + costOf(model, message);
  const budget = model.info.recommendedMaxTokens - fixed;
  if (budget >= 0) return budget;
  throw invalidRequest([{ path: 'message', message: `is too long for the model ${model.id} beside its reply` }]);
}

/**
 * Fits sources and history into what the model's recommended maximum leaves beside reply, instructions and message. Sources come first
 * and take what they need, best passages before worse; history gets the rest up to its share, newest first: the oldest is dropped
 * first, and all of it before any source. Throws `invalid_request` for a message that does not fit by itself.
 */
export function fitContext(parts: ContextParts): FittedContext {
  const budget = contextBudget(parts);
  if (certainlyFits(parts, budget)) {
    return {
      sources: parts.sources.filter(({ passages }) => passages.length > 0),
      history: fromQuestion(parts.history),
    };
  }
  const cost = (text: string) => costOf(parts.model, text);
  const sources = fitSources(parts.sources, budget, cost);
  const left = sources.complete ? budget - sources.tokens : 0;
  const history = fitHistory(parts.history, Math.min(left, Math.floor(budget * parts.historyShare)), cost);
  return { sources: sources.kept, history };
}

/**
 * True where all of it fits even if each byte were a token of its own, which is the most that a text takes in any vocabulary. To count tokens exactly
 * takes milliseconds that the first word of the reply would wait for.
 */
function certainlyFits({ sources, history, historyShare }: ContextParts, budget: number): boolean {
  const most = (text: string) => Buffer.byteLength(text) + FRAME_TOKENS;
  const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0);
  const forPassage = ({ text, heading }: SourcePassage) => most(text) + (heading === undefined ? 0 : most(heading));
  const forSources = sum(sources, ({ title, passages }) => most(title) + sum(passages, forPassage));
  const forHistory = sum(history, (message) => most(messageText(message)));
  return forSources + forHistory <= budget && forHistory <= Math.floor(budget * historyShare);
}

type Cost = (text: string) => number;

function costOf(model: ChatModel, text: string): number {
  return model.countTokens(text) + FRAME_TOKENS;
}

/** Whole passages, the best of every document before the second of any; stops at the first that does not fit. */
function fitSources(sources: readonly SourceDocument[], budget: number, cost: Cost) {
  const kept = new Map<string, SourcePassage[]>();
  let tokens = 0;
  let complete = true;
  for (const { source, passage } of byRank(sources)) {
    const title = kept.has(source.id) ? 0 : cost(source.title);
    const next = tokens + title + cost(passage.text) + (passage.heading === undefined ? 0 : cost(passage.heading));
    if (next > budget) {
      complete = false;
      break;
    }
    tokens = next;
    kept.set(source.id, [...(kept.get(source.id) ?? []), passage]);
  }
  const documents = sources.flatMap((source) => {
    const passages = kept.get(source.id);
    return passages === undefined ? [] : [{ ...source, passages }];
  });
  return { kept: documents, tokens, complete };
}

function byRank(sources: readonly SourceDocument[]) {
  const all = sources.flatMap((source, document) =>
    source.passages.map((passage, rank) => ({ source, passage, document, rank })),
  );
  return all.sort((a, b) => a.rank - b.rank || a.document - b.document);
}

function fitHistory(history: readonly ChatMessage[], budget: number, cost: Cost): readonly ChatMessage[] {
  let tokens = 0;
  let first = history.length;
  for (const message of history.toReversed()) {
    tokens += cost(messageText(message));
    if (tokens > budget) break;
    first -= 1;
  }
  return fromQuestion(history.slice(first));
}

/** Without replies whose question is gone. */
function fromQuestion(history: readonly ChatMessage[]): readonly ChatMessage[] {
  const opening = history.findIndex(({ role }) => role === 'user');
  return opening === -1 ? [] : history.slice(opening);
}
