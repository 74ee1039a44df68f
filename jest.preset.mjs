import { fileURLToPath } from 'node:url';

// Node 20 can spin forever while it closes its handles at the natural end of a process. This does not hide open
// handles: Node emits `beforeExit` only when none are left.
process.once('beforeExit', () => process.exit());

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Shared by all workspaces: native ESM, types stripped by Node, tests next to the source and in `tests/`. */
export default {
  testEnvironment: path('./tools/jest-environment.mjs'),
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: [path('./packages/testing/src/jest/internal-keys.ts')],
  testSequencer: path('./tools/jest-longest-first.mjs'),
  reporters: ['default', path('./tools/jest-exit-deadline.mjs')],
  transform: { '\\.ts$': path('./tools/jest-strip-types.mjs') },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  // `npm run test:systems`: see jest.systems.mjs.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/systems/'],
  coverageProvider: 'v8',
  testTimeout: 60_000,
  // Most tests wait for engines most of the time. Jest's default is one worker on two cores.
  maxWorkers: 2,
};
