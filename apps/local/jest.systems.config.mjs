import { fileURLToPath } from 'node:url';
import preset from '../../jest.preset.mjs';

const support = (file) => fileURLToPath(new URL(`./tests/support/${file}`, import.meta.url));

/** `npm run test:systems`: each file starts whole systems, or creates a team in the one the run shares. */
export default {
  ...preset,
  globalSetup: support('start-shared-system.ts'),
  globalTeardown: support('stop-shared-system.ts'),
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  maxWorkers: 2,
  testTimeout: 600_000,
};
