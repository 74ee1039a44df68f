import { fileURLToPath } from 'node:url';

/** The folder of nats-server, shared with the other workspaces, so that it is downloaded once. */
export const NATS_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/lectern', import.meta.url));
