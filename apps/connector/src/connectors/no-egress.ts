import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type EgressGuard, SourceError } from '@lectern/connectors';

const refuse = async (): Promise<never> => {
  throw new SourceError('invalid', 'Connections to outside addresses are not open yet.');
};

/** A guard that lets nothing through. */
export const noEgress: EgressGuard = {
  fetch: refuse,
  httpAgent: new HttpAgent({ maxSockets: 0 }),
  httpsAgent: new HttpsAgent({ maxSockets: 0 }),
  connect: refuse,
  trusting: () => noEgress,
  close: async () => undefined,
};
