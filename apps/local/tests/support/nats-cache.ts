import { fileURLToPath } from 'node:url';

/** Shared with the other workspaces' tests, so that a run fetches nats-server once at most. */
export const NATS_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/lectern', import.meta.url));
