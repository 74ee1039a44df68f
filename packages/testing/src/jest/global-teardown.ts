import { stopEngines } from './global-setup.ts';

/** Jest's globalTeardown: ends what globalSetup started. */
export default stopEngines;
