import { SourceError } from '@lectern/connectors';
import { ParseError } from '@lectern/documents';
import { LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import { isCollectionGone, isDocumentGone } from '#clients/document-index';
import { RemovalInProgress } from '#sync/worker/index-item';

/** Attempts before an item fails. */
export const MAX_ATTEMPTS = 8;
/** Outages of a service before an item fails: about 20 minutes. */
export const MAX_OUTAGES = 45;

/** What an error means for an item. */
export type ItemFailure =
  /** A retry cannot help. */
  | { readonly kind: 'final'; readonly code: string; readonly message: string }
  /** A retry may help. Counts as an attempt. */
  | { readonly kind: 'retry'; readonly code: string; readonly message: string; readonly waitMs: number }
  /** Another service is unavailable. This is not the item's fault. */
  | { readonly kind: 'outage'; readonly code: string; readonly message: string; readonly waitMs: number }
  /** The source asks Lectern to wait. All its items wait. */
  | { readonly kind: 'throttled'; readonly error: SourceError }
  /** The source rejects the connector's credentials: every other item would fail too. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'document_gone' }
  | { readonly kind: 'item_gone' }
  | { readonly kind: 'collection_gone' }
  /** Another worker has leased the item, or its job has ended. */
  | { readonly kind: 'lost' }
  /** The process stops, or the database is unavailable: the message is delivered again. */
  | { readonly kind: 'stop' };

const RETRY_MS = [1_000, 5_000, 15_000, 30_000, 60_000];
const OUTAGE_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

const nth = (waits: readonly number[], n: number): number => waits[Math.min(n, waits.length - 1)] ?? 0;

/** A parser that crashed or hung may have been short of memory or time: one retry. */
const PARSER_RETRY: ReadonlySet<string> = new Set(['parser_crashed', 'timeout']);

function classifySourceError(error: SourceError, attempts: number): ItemFailure {
  if (error.kind === 'gone') return { kind: 'item_gone' };
  if (error.kind === 'rate') return { kind: 'throttled', error };
  if (error.kind === 'auth') return { kind: 'unauthorized', message: error.message };
  const { kind: code, message } = error;
  if (!error.retryable) return { kind: 'final', code, message };
  return { kind: 'retry', code, message, waitMs: nth(RETRY_MS, attempts - 1) };
}

function classifyAppError(error: AppError, attempts: number, outages: number): ItemFailure {
  const { code, message } = error;
  if (isCollectionGone(error)) return { kind: 'collection_gone' };
  if (isDocumentGone(error)) return { kind: 'document_gone' };
  // A service that stops cancels its calls.
  if (code === 'unavailable' || code === 'cancelled') {
    return { kind: 'outage', code, message, waitMs: nth(OUTAGE_MS, outages) };
  }
  if (code === 'internal_error' || code === 'timeout' || code === 'upstream_error' || code === 'rate_limited') {
    return { kind: 'retry', code, message, waitMs: nth(RETRY_MS, attempts - 1) };
  }
  return { kind: 'final', code, message };
}

/** Classifies an error of an item's work. `attempts` includes this one. */
export function classifyItemError(
  error: unknown,
  { attempts, outages }: { attempts: number; outages: number },
): ItemFailure {
  if (error instanceof LeaseLost) return { kind: 'lost' };
  if (error instanceof WorkerStopping) return { kind: 'stop' };
  if (error instanceof RemovalInProgress) {
    return { kind: 'outage', code: 'unavailable', message: error.message, waitMs: nth(OUTAGE_MS, outages) };
  }
  if (error instanceof AppError) return classifyAppError(error, attempts, outages);
  if (error instanceof SourceError) return classifySourceError(error, attempts);
  if (error instanceof ParseError) {
    const { code, message } = error;
    if (attempts < 2 && PARSER_RETRY.has(code)) return { kind: 'retry', code, message, waitMs: 1_000 };
    return { kind: 'final', code, message };
  }
  if (databaseErrorCode(error) !== undefined) return { kind: 'stop' };
  return {
    kind: 'retry',
    code: 'internal_error',
    message: 'An internal error occurred while this file was read. Check the log of the connector service.',
    waitMs: nth(RETRY_MS, attempts - 1),
  };
}
