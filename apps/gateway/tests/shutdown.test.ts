import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import { timeLimit } from '@lectern/testing';
import { parseEvents } from './support/events.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { job, KNOWN } from './support/records.ts';

const start: ChatEvent = { id: '', event: { $case: 'messageStart', value: { id: 'msg_1', conversationId: 'conv_1' } } };
const end: ChatEvent = {
  id: '',
  event: {
    $case: 'messageEnd',
    value: {
      usage: undefined,
      answerConfidence: undefined,
      model: 'builtin-extractive',
      stopReason: '',
      documents: [],
    },
  },
};

async function withGateway(work: (gateway: TestGateway) => Promise<void>, env: Record<string, string> = {}) {
  const gateway = await startTestGateway(env);
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** Opens a stream, waits for its first event and returns all its events. */
async function openStream(gateway: TestGateway, path: string, body?: object) {
  const response = await fetch(gateway.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Service-Key': gateway.keys.secretKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  const rest = async () => {
    let text = first.value ?? '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    return parseEvents(text);
  };
  return { allEvents: rest() };
}

const chatPath = (gateway: TestGateway) => `/api/v1/teams/${gateway.keys.teamId}/chat/stream`;

describe('a shutdown', () => {
  it('lets a reply in progress finish', () =>
    withGateway(async (gateway) => {
      const proceed = Promise.withResolvers<void>();
      gateway.services.chat = async function* () {
        yield start;
        await proceed.promise;
        yield end;
      };
      const { allEvents } = await openStream(gateway, chatPath(gateway), { message: 'x' });
      const stopped = gateway.stopGateway();
      proceed.resolve();
      expect((await allEvents).map(({ event }) => event)).toEqual(['message_start', 'message_end']);
      await stopped;
    }));

  it('serves requests while it drains, but closes connections and is not ready', () =>
    withGateway(
      async (gateway) => {
        const stopped = gateway.stopGateway();
        const response = await gateway.send('GET', '/api/v1/agents');
        expect(response.status).toBe(200);
        expect(response.headers.get('connection')).toBe('close');
        expect((await gateway.send('GET', '/readyz', { key: null })).status).toBe(503);
        await stopped;
        await expect(gateway.send('GET', '/healthz', { key: null })).rejects.toThrow('fetch failed');
      },
      { DRAIN_MS: '3000' },
    ));

  it('ends a reply that takes too long with an error event', () =>
    withGateway(
      async (gateway) => {
        gateway.services.chat = async function* (call) {
          yield start;
          await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        };
        const { allEvents } = await openStream(gateway, chatPath(gateway), { message: 'x' });
        await gateway.stopGateway();
        const events = await allEvents;
        expect(events.map(({ event }) => event)).toEqual(['message_start', 'error']);
        expect(events.at(-1)?.data).toMatchObject({ code: 'unavailable', retryable: true });
      },
      { SHUTDOWN_TIMEOUT_MS: '200' },
    ));

  it('ends the stream of a job immediately', () =>
    withGateway(
      async (gateway) => {
        gateway.services.jobs = async function* (call) {
          yield job;
          await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        };
        const path = `/api/v1/connectors/${KNOWN.connector}/sync/${KNOWN.job}/events`;
        const { allEvents } = await openStream(gateway, path);
        const started = performance.now();
        await gateway.stopGateway();
        expect(performance.now() - started).toBeLessThan(timeLimit(5_000));
        expect((await allEvents).map(({ event }) => event)).toEqual(['progress', 'error']);
      },
      { SHUTDOWN_TIMEOUT_MS: '110000' },
    ));

  it('does not wait for connections that are kept alive', () =>
    withGateway(
      async (gateway) => {
        const agent = new Agent({ keepAlive: true });
        const [response] = await once(get(`${gateway.url}/healthz`, { agent }), 'response');
        response.resume();
        await once(response, 'end');
        const started = performance.now();
        await gateway.stopGateway();
        expect(performance.now() - started).toBeLessThan(timeLimit(5_000));
        agent.destroy();
      },
      { SHUTDOWN_TIMEOUT_MS: '110000' },
    ));
});
