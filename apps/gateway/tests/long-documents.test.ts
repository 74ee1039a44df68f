import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';

const PATH = `/api/v1/documents/${KNOWN.document}/content`;
const CONTENT = 'A line with "quotes", a 🦊 and a tab\t.\n'.repeat(100_000);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.services.content = CONTENT;
});
afterAll(() => gateway.stop());

describe('a long document', () => {
  it('is returned like any other', async () => {
    const response = await gateway.send('GET', PATH, { key: gateway.keys.publishableKey });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.json.data.content === CONTENT).toBe(true);
    expect(response.json.data.id).toBe(KNOWN.document);
    expect(response.json.meta.requestId).toBe(response.headers.get('x-request-id'));
    const head = await gateway.send('HEAD', PATH);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('survives a client that disconnects', async () => {
    await new Promise<void>((resolve) => {
      const headers = { 'X-Service-Key': gateway.keys.secretKey };
      const sent = request(gateway.url + PATH, { headers }, (response) => {
        response.once('data', () => sent.destroy());
      });
      sent.on('error', () => undefined);
      sent.once('close', resolve);
      sent.end();
    });
    expect((await gateway.send('GET', PATH)).status).toBe(200);
  });
});
