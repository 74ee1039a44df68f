import { fileURLToPath } from 'node:url';

/** What every workspace's Jest shares: native ESM, types stripped by Node itself, tests beside the source and in `tests/`. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: [fileURLToPath(new URL('./packages/testing/src/jest/internal-keys.ts', import.meta.url))],
  transform: { '\\.ts$': fileURLToPath(new URL('./tools/jest-strip-types.mjs', import.meta.url)) },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  coverageProvider: 'v8',
  testTimeout: 60_000,
};
