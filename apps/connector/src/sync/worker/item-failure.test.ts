import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { ParseError } from '@lectern/documents';
import { LeaseLost, WorkerStopping } from '@lectern/resilience';
import { AppError, notFound } from '@lectern/service-kit';
import { classifyItemError } from '#sync/worker/item-failure';

const first = { attempts: 1, outages: 0 };

describe('classifyItemError', () => {
  it.each([
    [
      'a broken file',
      new ParseError('corrupt_file', 'It is broken.'),
      { kind: 'final', code: 'corrupt_file', message: 'It is broken.' },
    ],
    ['a parser that crashed', new ParseError('parser_crashed', 'It crashed.'), { kind: 'retry' }],
    ['an item that the source denies', new SourceError('forbidden', 'No.'), { kind: 'final', code: 'forbidden' }],
    ['rejected credentials', new SourceError('auth', 'Revoked.'), { kind: 'unauthorized', message: 'Revoked.' }],
    ['an unavailable source', new SourceError('transient', 'Later.'), { kind: 'retry', waitMs: 1_000 }],
    ['an item that is gone', new SourceError('gone', 'Gone.'), { kind: 'item_gone' }],
    ['an unavailable service', new AppError('unavailable', 'Down.'), { kind: 'outage', waitMs: 500 }],
    ['a service that stopped during the call', new AppError('cancelled', 'Cut off.'), { kind: 'outage' }],
    ['a slow service', new AppError('timeout', 'Slow.'), { kind: 'retry' }],
    [
      'a document that is too large',
      new AppError('payload_too_large', 'Too long.'),
      { kind: 'final', code: 'payload_too_large' },
    ],
    ['a deleted document', notFound('document', 'doc_1'), { kind: 'document_gone' }],
    ['a deleted collection', notFound('collection', 'col_1'), { kind: 'collection_gone' }],
    ['a lost lease', new LeaseLost('Lost.'), { kind: 'lost' }],
    ['a stopping process', new WorkerStopping('Stopping.'), { kind: 'stop' }],
    ['an unavailable database', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), { kind: 'stop' }],
    ['an internal error', new TypeError('x is undefined'), { kind: 'retry', code: 'internal_error' }],
  ])('classifies %s', (_, error, failure) => {
    expect(classifyItemError(error, first)).toMatchObject(failure);
  });

  it('retries a parser once', () => {
    const error = new ParseError('timeout', 'Too slow.');
    expect(classifyItemError(error, { attempts: 2, outages: 0 })).toMatchObject({ kind: 'final', code: 'timeout' });
  });

  it('never fails an item because its source asks Lectern to wait', () => {
    const error = new SourceError('rate', 'Too many requests.', { retryAt: new Date(Date.now() + 600_000) });
    expect(classifyItemError(error, { attempts: 99, outages: 99 })).toEqual({ kind: 'throttled', error });
  });

  it('does not show the message of an internal error', () => {
    expect(JSON.stringify(classifyItemError(new Error('secret path /srv/x'), first))).not.toContain('secret');
  });
});
