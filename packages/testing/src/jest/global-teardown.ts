import { stopEngines } from '#jest/global-setup';

/** Jest's globalTeardown. */
export default stopEngines;
