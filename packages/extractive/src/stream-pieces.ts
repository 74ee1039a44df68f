import { setImmediate as nextTick } from 'node:timers/promises';
import type { ChatEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import type { ReplyPiece } from '#compose/reply-writer';

/** Words a delta. Small, so that readers see the reply grow. */
const WORDS_PER_DELTA = 4;

export interface StreamLimits {
  readonly maxTokens: number;
  readonly promptTokens: number;
  readonly countTokens: (text: string) => number;
  readonly signal: AbortSignal;
}

/**
 * Turns a composed reply into events, giving way to other work between deltas. A reply longer than `maxTokens` is cut between words and never
 * inside a marker. Throws AppError `cancelled`, or `timeout` when the signal's reason is a timeout.
 */
export async function* streamPieces(pieces: readonly ReplyPiece[], limits: StreamLimits): AsyncGenerator<ChatEvent> {
  const { maxTokens, promptTokens, countTokens, signal } = limits;
  let said = '';
  // The parts of a text count at least as much as the whole: the whole is counted only when this bound gets near the limit.
  let atMost = 0;
  let cut = false;
  for (const delta of deltasOf(pieces)) {
    throwIfAborted(signal);
    if (delta.type === 'citation') {
      yield delta.citation;
      continue;
    }
    atMost += countTokens(delta.text);
    if (atMost > maxTokens && countTokens(said + delta.text) > maxTokens) {
      cut = true;
      const rest = delta.whole ? '' : fittingPart(said, delta.text, (text) => countTokens(text) <= maxTokens);
      said += rest;
      if (rest !== '') yield { type: 'text', delta: rest };
      break;
    }
    said += delta.text;
    yield { type: 'text', delta: delta.text };
    await nextTick();
  }
  const completionTokens = countTokens(said);
  throwIfAborted(signal);
  yield { type: 'end', stopReason: cut ? 'max_tokens' : 'end', usage: { promptTokens, completionTokens } };
}

/** The words of a text that still fit behind what was said; of the very first word as much as fits, so that no reply is empty. */
function fittingPart(said: string, text: string, fits: (text: string) => boolean): string {
  let part = '';
  for (const word of text.match(/\s*\S+/g) ?? []) {
    if (!fits(said + part + word)) break;
    part += word;
  }
  if (said + part !== '') return part;
  const letters = [...(text.match(/\S+/)?.[0] ?? '')];
  while (letters.length > 1 && !fits(letters.join(''))) letters.pop();
  return letters.join('');
}

function* deltasOf(pieces: readonly ReplyPiece[]): Generator<ReplyPiece> {
  for (const piece of pieces) {
    if (piece.type === 'citation' || piece.whole) {
      yield piece;
      continue;
    }
    const words = piece.text.match(/\s*\S+|\s+$/g) ?? [];
    for (let at = 0; at < words.length; at += WORDS_PER_DELTA) {
      yield { type: 'text', text: words.slice(at, at + WORDS_PER_DELTA).join(''), whole: false };
    }
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const cause: unknown = signal.reason;
  if (isTimeout(cause)) throw new AppError('timeout', 'The reply took too long.', { cause });
  throw new AppError('cancelled', 'The reply was cancelled.', { cause });
}

/** By name, as `AbortSignal.timeout` gives it: a DOMException is not an Error everywhere. */
function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
