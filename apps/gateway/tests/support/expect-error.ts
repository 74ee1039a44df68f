import { expect } from '@jest/globals';
import type { TestResponse } from './gateway.ts';

const INTERNALS = /\bat .+:\d+:\d+|node_modules|\.ts\b|prisma|\bgrpc|127\.0\.0\.1|ECONN|SELECT /i;

/**
 * Checks the status, code, shape and headers of an error response, that it mentions the invalid
 * field, and that it exposes no internals.
 */
export function expectError(response: TestResponse, status: number, code: string, mention?: string): void {
  expect({ status: response.status, code: response.json?.error?.code }).toEqual({ status, code });
  const { error, meta } = response.json;
  expect(Object.keys(response.json).sort()).toEqual(['error', 'meta']);
  expect(error.message).toEqual(expect.any(String));
  expect(meta).toEqual({ requestId: response.headers.get('x-request-id'), timestamp: expect.any(String) });
  if (mention !== undefined) expect(error.message).toContain(mention);
  if (code === 'invalid_request') expectIssues(error.details?.issues, mention);
  expect(JSON.stringify(error)).not.toMatch(INTERNALS);
}

function expectIssues(issues: { path: string; message: string }[], mention: string | undefined): void {
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) expect(issue).toEqual({ path: expect.any(String), message: expect.any(String) });
  if (mention !== undefined) expect(issues.some(({ path }) => path.startsWith(mention))).toBe(true);
}
