import { fileURLToPath } from 'node:url';
import preset from '../../../jest.preset.mjs';

/** `npm run test:faults`: whole systems, one after the other, in one process. Takes minutes. */
export default {
  ...preset,
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testMatch: ['<rootDir>/faults/**/*.test.ts'],
  globalSetup: fileURLToPath(new URL('./support/begin-report.ts', import.meta.url)),
  globalTeardown: fileURLToPath(new URL('./support/end-report.ts', import.meta.url)),
  maxWorkers: 1,
  testTimeout: 300_000,
};
