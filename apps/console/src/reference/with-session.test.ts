import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { withSession } from '#reference/with-session.ts';

const OWN = 'https://lectern.example.com';
const sent = jest.fn<typeof fetch>();

beforeEach(() => {
  sent.mockReset().mockResolvedValue(new Response());
  Object.assign(globalThis, { location: new URL(`${OWN}/docs`) });
  jest.spyOn(globalThis, 'fetch').mockImplementation(sent);
});
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'location');
});

it.each([
  ['POST', `${OWN}/api/v1/search`, '1'],
  ['DELETE', `${OWN}/api/v1/documents/doc_1`, '1'],
  ['GET', `${OWN}/api/v1/collections`, null],
  ['HEAD', `${OWN}/api/v1/collections`, null],
  ['POST', 'https://elsewhere.example.com/api/v1/search', null],
  ['POST', 'https://lectern.example.com.evil.example/api/v1/search', null],
])('%s %s has the header %s', async (method, url, value) => {
  await withSession(url, { method });
  const request = sent.mock.calls[0]?.[0];
  if (!(request instanceof Request)) throw new TypeError('expected a request');
  expect(request.headers.get('X-Lectern-CSRF')).toBe(value);
  expect(request.credentials).toBe('same-origin');
});
