import { stopSharedSystem } from './start-shared-system.ts';

/** Jest's globalTeardown. */
export default stopSharedSystem;
