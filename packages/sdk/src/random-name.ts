import { hex } from './hex.ts';

/** A name that nobody else makes, of 32 hexadecimal digits. Not `crypto.randomUUID`: pages have that at https addresses and localhost alone. */
export const randomName = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
