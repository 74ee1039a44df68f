import { hex } from './hex.ts';

/** Creates a unique id of 32 hexadecimal digits. Pages on plain http lack `crypto.randomUUID`. */
export const randomId = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
