import { expect } from '@jest/globals';
import type { TestAnswer } from './gateway.ts';

const INSIDES = /\bat .+:\d+:\d+|node_modules|\.ts\b|prisma|grpc|127\.0\.0\.1|ECONN|SELECT /i;

/** Checks an error's status, code, shape and headers, that its message mentions what is at fault, and that no insides show. */
export function expectRefusal(answer: TestAnswer, status: number, code: string, mention?: string): void {
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
  const { error, meta } = answer.json;
  expect(Object.keys(answer.json).sort()).toEqual(['error', 'meta']);
  expect(error.message).toEqual(expect.any(String));
  expect(meta).toEqual({ requestId: answer.headers.get('x-request-id'), timestamp: expect.any(String) });
  if (mention !== undefined) expect(error.message).toContain(mention);
  if (code === 'invalid_request') expectIssues(error.details?.issues, mention);
  expect(JSON.stringify(error)).not.toMatch(INSIDES);
}

function expectIssues(issues: { path: string; message: string }[], mention: string | undefined): void {
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) expect(issue).toEqual({ path: expect.any(String), message: expect.any(String) });
  if (mention !== undefined) expect(issues.some(({ path }) => path.startsWith(mention))).toBe(true);
}
