import { fileURLToPath } from 'node:url';

/** The folder for downloaded engines and compiled code. Only `npm ci` removes it. */
export const CACHE_FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/lectern', import.meta.url));
