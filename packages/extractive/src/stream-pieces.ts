import { setImmediate as nextTick } from 'node:timers/promises';
import type { ChatEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import type { ReplyPiece } from '#compose/reply-writer';

/** Words per delta. A low number makes streaming visible. */
const WORDS_PER_DELTA = 4;

export interface StreamLimits {
  readonly maxTokens: number;
  readonly promptTokens: number;
  readonly countTokens: (text: string) => number;
  readonly signal: AbortSignal;
}

/**
 * Streams a composed reply, yielding to other work between deltas. A reply longer than `maxTokens`
 * is cut between words, never inside a marker. Throws AppError `cancelled`, or `timeout` if the
 * signal's reason is a timeout.
 */
export async function* streamPieces(pieces: readonly ReplyPiece[], limits: StreamLimits): AsyncGenerator<ChatEvent> {
  const { maxTokens, promptTokens, countTokens, signal } = limits;
  let sent = '';
  // The sum of the parts is an upper bound, so the whole is counted only near the limit.
  let upperBound = 0;
  let cut = false;
  for (const delta of deltasOf(pieces)) {
    throwIfAborted(signal);
    if (delta.type === 'citation') {
      yield delta.citation;
      continue;
    }
    upperBound += countTokens(delta.text);
    if (upperBound > maxTokens && countTokens(sent + delta.text) > maxTokens) {
      cut = true;
      const rest = delta.whole ? '' : fittingPart(sent, delta.text, (text) => countTokens(text) <= maxTokens);
      sent += rest;
      if (rest !== '') yield { type: 'text', delta: rest };
      break;
    }
    sent += delta.text;
    yield { type: 'text', delta: delta.text };
    await nextTick();
  }
  const completionTokens = countTokens(sent);
  throwIfAborted(signal);
  yield { type: 'end', stopReason: cut ? 'max_tokens' : 'end', usage: { promptTokens, completionTokens } };
}

/**
 * Returns the words of a text that still fit, or as much of the very first word as fits, so that no
 * reply is empty.
 */
function fittingPart(sent: string, text: string, fits: (text: string) => boolean): string {
  let part = '';
  for (const word of text.match(/\s*\S+/g) ?? []) {
    if (!fits(sent + part + word)) break;
    part += word;
  }
  if (sent + part !== '') return part;
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

/**
 * Returns true for a timeout. Compares names, because `AbortSignal.timeout` creates a DOMException,
 * which is not an Error in every environment.
 */
function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
