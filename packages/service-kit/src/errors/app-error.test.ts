import { describe, expect, it } from '@jest/globals';
import { ClientError, Metadata, Status } from 'nice-grpc-common';
import { AppError, invalidRequest, MAX_ISSUES } from '#errors/app-error';
import { fromClientError, toServerError } from '#errors/error-info';

describe('invalidRequest', () => {
  it('reports at most 20 issues of bounded length', () => {
    const issue = { path: 'x'.repeat(100_000), message: `${'🦊'.repeat(100_000)}` };
    const error = invalidRequest(Array.from({ length: 100_000 }, () => issue));
    expect(error.details?.issues).toHaveLength(MAX_ISSUES);
    expect(JSON.stringify(error.details).length).toBeLessThan(20_000);
    expect(error.message.length).toBeLessThanOrEqual(2_001);
    expect(error.message.isWellFormed()).toBe(true);
  });

  it.each(['x', 'é', '語', '🦊', '"'])('fits into gRPC trailers if it consists of %s', (unit) => {
    const text = unit.repeat(10_000);
    const error = invalidRequest(Array.from({ length: 700 }, (_, at) => ({ path: `${at}${text}`, message: text })));
    const trailer = new Metadata();
    const answer = toServerError(error, trailer);
    const bytes = trailer.get('lectern-error-bin');
    expect(encodeURIComponent(answer.details).length + ((bytes?.length ?? 0) * 4) / 3).toBeLessThan(60_000);
    const received = fromClientError(new ClientError('/x', Status.INVALID_ARGUMENT, answer.details), trailer);
    expect(received.code).toBe('invalid_request');
    expect(received.details?.issues).toContainEqual(expect.objectContaining({ path: expect.stringMatching(/^0/) }));
  });

  it('drops details that are too large for a trailer, but keeps the code', () => {
    const trailer = new Metadata();
    const answer = toServerError(new AppError('conflict', 'x', { details: { text: 'x'.repeat(100_000) } }), trailer);
    const received = fromClientError(new ClientError('/x', Status.ALREADY_EXISTS, answer.details), trailer);
    expect([received.code, received.details]).toEqual(['conflict', undefined]);
  });
});
