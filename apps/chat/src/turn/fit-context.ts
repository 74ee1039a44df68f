import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { type ChatMessage, type ChatModel, CORRECTION_PROMPT_TOKENS } from '@lectern/llm';
import { invalidRequest } from '@lectern/service-kit';

/** Tokens of a message or passage in addition to its text: role, separators, numbering. */
const OVERHEAD_TOKENS = 8;

/** The required parts of a prompt. */
export interface PromptParts {
  readonly model: ChatModel;
  /** Tokens reserved for the reply. */
  readonly maxTokens: number;
  readonly system: string;
  /** The user's message. */
  readonly message: string;
}

/** All candidates for a prompt. */
export interface ContextParts extends PromptParts {
  /** Best first. */
  readonly sources: readonly SourceDocument[];
  /** Oldest first, without the message. */
  readonly history: readonly ChatMessage[];
  /** The maximum share of the context for history, from 0 to 1. */
  readonly historyShare: number;
}

/** The sources and history that fit. */
export interface FittedContext {
  readonly sources: readonly SourceDocument[];
  /** The newest messages, oldest first. Starts with a user's message. */
  readonly history: readonly ChatMessage[];
}

/**
 * Returns the tokens available for sources and history. Throws `invalid_request` if the message
 * alone is too long.
 */
export function contextBudget({ model, maxTokens, system, message }: PromptParts): number {
  const repair = model.info.provider === 'builtin' ? 0 : CORRECTION_PROMPT_TOKENS;
  const fixed = maxTokens + repair + (model.promptOverhead ?? 0) + costOf(model, system) + costOf(model, message);
  const budget = model.info.recommendedMaxTokens - fixed;
  if (budget >= 0) return budget;
  throw invalidRequest([
    {
      path: 'message',
      message: `is too long for the model ${model.id}: it leaves no room for the reply. Shorten it or lower maxTokens`,
    },
  ]);
}

/**
 * Fits sources and history into the model's recommended maximum, after reply, instructions and
 * message. Sources take precedence, best passages first. History gets the rest up to its share,
 * newest first. Throws `invalid_request` for a message that is too long by itself.
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
  const remainingTokens = sources.complete ? budget - sources.tokens : 0;
  const history = fitHistory(parts.history, Math.min(remainingTokens, Math.floor(budget * parts.historyShare)), cost);
  return { sources: sources.fitting, history };
}

/**
 * Returns true if everything fits even at one token per byte, the maximum in any vocabulary. Saves
 * the milliseconds of an exact count before the first word of the reply.
 */
function certainlyFits({ sources, history, historyShare }: ContextParts, budget: number): boolean {
  const maxTokensOf = (text: string) => Buffer.byteLength(text) + OVERHEAD_TOKENS;
  const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0);
  const forPassage = ({ text, heading }: SourcePassage) =>
    maxTokensOf(text) + (heading === undefined ? 0 : maxTokensOf(heading));
  const forSources = sum(sources, ({ title, passages }) => maxTokensOf(title) + sum(passages, forPassage));
  const forHistory = sum(history, (message) => maxTokensOf(contentText(message)));
  return forSources + forHistory <= budget && forHistory <= Math.floor(budget * historyShare);
}

type Cost = (text: string) => number;

function costOf(model: ChatModel, text: string): number {
  return model.countTokens(text) + OVERHEAD_TOKENS;
}

/**
 * Picks complete passages, the best of every document before the second of any, until one does not
 * fit.
 */
function fitSources(sources: readonly SourceDocument[], budget: number, cost: Cost) {
  const passagesById = new Map<string, SourcePassage[]>();
  let tokens = 0;
  let complete = true;
  for (const { source, passage } of byRank(sources)) {
    const title = passagesById.has(source.id) ? 0 : cost(source.title);
    const next = tokens + title + cost(passage.text) + (passage.heading === undefined ? 0 : cost(passage.heading));
    if (next > budget) {
      complete = false;
      break;
    }
    tokens = next;
    passagesById.set(source.id, [...(passagesById.get(source.id) ?? []), passage]);
  }
  const documents = sources.flatMap((source) => {
    const passages = passagesById.get(source.id);
    return passages === undefined ? [] : [{ ...source, passages }];
  });
  return { fitting: documents, tokens, complete };
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
    tokens += cost(contentText(message));
    if (tokens > budget) break;
    first -= 1;
  }
  return fromQuestion(history.slice(first));
}

/** Returns what a message adds to a prompt, including tool calls and their results. */
export function contentText({ content }: ChatMessage): string {
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'tool_call') return `${part.name} ${JSON.stringify(part.input)}`;
    return part.type === 'tool_result' ? part.content : '';
  });
  return texts.join('\n\n');
}

/** Removes leading replies whose question was dropped. */
function fromQuestion(history: readonly ChatMessage[]): readonly ChatMessage[] {
  const opening = history.findIndex(({ role }) => role === 'user');
  return opening === -1 ? [] : history.slice(opening);
}
