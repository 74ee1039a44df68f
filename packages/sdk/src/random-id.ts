import { hex } from './hex.ts';

/** A unique id of 32 hexadecimal digits. Pages served over plain http lack `crypto.randomUUID`. */
export const randomId = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
