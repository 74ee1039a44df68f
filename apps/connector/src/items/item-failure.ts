import { SourceError } from '@lectern/connectors';
import { ParseError } from '@lectern/documents';
import { AppError, databaseErrorCode } from '@lectern/service-kit';
import { isCollectionGone, isDocumentGone } from '../clients/document-index.ts';
import { LeaseLost, WorkerStopping } from '../leases/hold-lease.ts';
import { RemovalUnderWay } from './may-index.ts';

/** Times that an item is taken up before it is failed. */
export const MAX_ATTEMPTS = 8;
/** Outages of a service that an item sits out, one every 30 s in the end: about 20 minutes. */
export const MAX_OUTAGES = 45;

/** What a failure of an item means for it. */
export type Failure =
  /** Its content or its source says so: nothing changes by trying again. */
  | { readonly kind: 'final'; readonly code: string; readonly message: string }
  /** May go better next time; counts as an attempt. */
  | { readonly kind: 'again'; readonly code: string; readonly message: string; readonly waitMs: number }
  /** Another service is away. That is no fault of the item. */
  | { readonly kind: 'outage'; readonly code: string; readonly message: string; readonly waitMs: number }
  /** The source asks to be left alone. That is no fault of the item either, and all others of the source wait with it. */
  | { readonly kind: 'throttled'; readonly error: SourceError }
  /** The source does not accept the connector any more: every other item would fail the same way. */
  | { readonly kind: 'unauthorised'; readonly message: string }
  | { readonly kind: 'document_gone' }
  | { readonly kind: 'item_gone' }
  | { readonly kind: 'collection_gone' }
  /** Not this worker's item any more. */
  | { readonly kind: 'lost' }
  /** The process ends, or rows cannot be written: the message goes back to the queue. */
  | { readonly kind: 'stop' };

const RETRY_MS = [1_000, 5_000, 15_000, 30_000, 60_000];
const OUTAGE_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

const nth = (waits: readonly number[], n: number): number => waits[Math.min(n, waits.length - 1)] ?? 0;

// A child that died or hung may have been the machine's fault; once more tells.
const PARSER_SECOND_CHANCE: ReadonlySet<string> = new Set(['parser_crashed', 'timeout']);

function ofSource(error: SourceError, attempts: number): Failure {
  if (error.kind === 'gone') return { kind: 'item_gone' };
  if (error.kind === 'rate') return { kind: 'throttled', error };
  if (error.kind === 'auth') return { kind: 'unauthorised', message: error.message };
  const { kind: code, message } = error;
  if (!error.retryable) return { kind: 'final', code, message };
  return { kind: 'again', code, message, waitMs: nth(RETRY_MS, attempts - 1) };
}

function ofApp(error: AppError, attempts: number, outages: number): Failure {
  const { code, message } = error;
  if (isCollectionGone(error)) return { kind: 'collection_gone' };
  if (isDocumentGone(error)) return { kind: 'document_gone' };
  // A service that goes down cancels the calls it has.
  if (code === 'unavailable' || code === 'cancelled')
    return { kind: 'outage', code, message, waitMs: nth(OUTAGE_MS, outages) };
  if (code === 'internal_error' || code === 'timeout' || code === 'upstream_error' || code === 'rate_limited') {
    return { kind: 'again', code, message, waitMs: nth(RETRY_MS, attempts - 1) };
  }
  return { kind: 'final', code, message };
}

/** Sorts whatever was thrown while an item was worked. `attempts` counts this one. */
export function failureOf(error: unknown, { attempts, outages }: { attempts: number; outages: number }): Failure {
  if (error instanceof LeaseLost) return { kind: 'lost' };
  if (error instanceof WorkerStopping) return { kind: 'stop' };
  if (error instanceof RemovalUnderWay) {
    return { kind: 'outage', code: 'unavailable', message: error.message, waitMs: nth(OUTAGE_MS, outages) };
  }
  if (error instanceof AppError) return ofApp(error, attempts, outages);
  if (error instanceof SourceError) return ofSource(error, attempts);
  if (error instanceof ParseError) {
    const { code, message } = error;
    if (attempts < 2 && PARSER_SECOND_CHANCE.has(code)) return { kind: 'again', code, message, waitMs: 1_000 };
    return { kind: 'final', code, message };
  }
  if (databaseErrorCode(error) !== undefined) return { kind: 'stop' };
  return {
    kind: 'again',
    code: 'internal_error',
    message: 'Something went wrong on our side while this file was read.',
    waitMs: nth(RETRY_MS, attempts - 1),
  };
}
