import { fileURLToPath } from 'node:url';

/** Where fetched engines are kept between runs; inside node_modules, so that no clean-up but `npm ci` takes it. */
export const CACHE_FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/lectern', import.meta.url));
