import { setImmediate as nextTick } from 'node:timers/promises';
import type { ChatEvent } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { estimateTokens } from '@lectern/text';
import type { ReplyPiece } from '#compose/reply-writer';
import { fitPieces } from '#fit-pieces';

/** Words per delta. A low number makes streaming visible. */
const WORDS_PER_DELTA = 4;

export interface StreamLimits {
  readonly maxTokens: number;
  readonly promptTokens: number;
  readonly signal: AbortSignal;
}

/**
 * Streams a composed reply, yielding to other work between deltas. A reply longer than `maxTokens`
 * is cut as `fitPieces` does. Throws AppError `cancelled`, or `timeout` if the signal's reason is a
 * timeout.
 */
export async function* streamPieces(pieces: readonly ReplyPiece[], limits: StreamLimits): AsyncGenerator<ChatEvent> {
  const { maxTokens, promptTokens, signal } = limits;
  const fitting = fitPieces(pieces, maxTokens);
  for (const delta of deltasOf(fitting)) {
    throwIfAborted(signal);
    if (delta.type === 'citation') {
      yield delta.citation;
      continue;
    }
    yield { type: 'text', delta: delta.text };
    await nextTick();
  }
  throwIfAborted(signal);
  const completionTokens = estimateTokens(fitting.map((piece) => (piece.type === 'text' ? piece.text : '')).join(''));
  const stopReason = fitting === pieces ? 'end' : 'max_tokens';
  yield { type: 'end', stopReason, usage: { promptTokens, completionTokens } };
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
