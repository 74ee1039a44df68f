import { describe, expect, it } from '@jest/globals';
import { SourceError } from '@lectern/connectors';
import { ParseError } from '@lectern/documents';
import { AppError, notFound } from '@lectern/service-kit';
import { LeaseLost, WorkerStopping } from '../leases/hold-lease.ts';
import { failureOf } from './item-failure.ts';

const first = { attempts: 1, outages: 0 };

describe('failureOf', () => {
  it.each([
    [
      'a broken file',
      new ParseError('corrupt_file', 'It is broken.'),
      { kind: 'final', code: 'corrupt_file', message: 'It is broken.' },
    ],
    ['a parser that died', new ParseError('parser_crashed', 'It died.'), { kind: 'again' }],
    ['a source that refuses', new SourceError('forbidden', 'No.'), { kind: 'final', code: 'forbidden' }],
    [
      'a source that lets nobody in',
      new SourceError('auth', 'Revoked.'),
      { kind: 'unauthorised', message: 'Revoked.' },
    ],
    ['a source that is away', new SourceError('transient', 'Later.'), { kind: 'again', waitMs: 1_000 }],
    ['an item that is gone', new SourceError('gone', 'Gone.'), { kind: 'item_gone' }],
    ['a service that is away', new AppError('unavailable', 'Away.'), { kind: 'outage', waitMs: 500 }],
    ['a service that went away in the call', new AppError('cancelled', 'Cut off.'), { kind: 'outage' }],
    ['a service that takes too long', new AppError('timeout', 'Slow.'), { kind: 'again' }],
    [
      'a document that is refused',
      new AppError('payload_too_large', 'Too long.'),
      { kind: 'final', code: 'payload_too_large' },
    ],
    ['a document that was deleted', notFound('document', 'doc_1'), { kind: 'document_gone' }],
    ['a collection that was deleted', notFound('collection', 'col_1'), { kind: 'collection_gone' }],
    ['a lost lease', new LeaseLost('Lost.'), { kind: 'lost' }],
    ['the end of the process', new WorkerStopping('Stopping.'), { kind: 'stop' }],
    ['a database that is away', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), { kind: 'stop' }],
    ['a fault of ours', new TypeError('x is undefined'), { kind: 'again', code: 'internal_error' }],
  ])('sorts %s', (_, error, failure) => {
    expect(failureOf(error, first)).toMatchObject(failure);
  });

  it('gives a parser one second chance', () => {
    const error = new ParseError('timeout', 'Too slow.');
    expect(failureOf(error, { attempts: 2, outages: 0 })).toMatchObject({ kind: 'final', code: 'timeout' });
  });

  it('holds nothing against an item whose source asks to wait', () => {
    const error = new SourceError('rate', 'Too many requests.', { retryAt: new Date(Date.now() + 600_000) });
    expect(failureOf(error, { attempts: 99, outages: 99 })).toEqual({ kind: 'throttled', error });
  });

  it('never shows the words of an inner error', () => {
    expect(JSON.stringify(failureOf(new Error('secret path /srv/x'), first))).not.toContain('secret');
  });
});
