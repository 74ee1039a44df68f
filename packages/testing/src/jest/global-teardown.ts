import { stopEngines } from './global-setup.ts';

/** Jest's globalTeardown. */
export default stopEngines;
