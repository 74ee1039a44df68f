import { fileURLToPath } from 'node:url';
import preset from '../../../jest.preset.mjs';

/** The faults: whole systems, one after the other, in one process. Not part of `npm test`: it takes minutes. */
export default {
  ...preset,
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testMatch: ['<rootDir>/faults/**/*.test.ts'],
  globalSetup: fileURLToPath(new URL('./support/begin-report.ts', import.meta.url)),
  globalTeardown: fileURLToPath(new URL('./support/end-report.ts', import.meta.url)),
  maxWorkers: 1,
  testTimeout: 300_000,
};
