import { fileURLToPath } from 'node:url';
import preset from './jest.preset.mjs';

const path = (file) => fileURLToPath(new URL(`./packages/testing/src/jest/${file}`, import.meta.url));

/**
 * The preset for workspaces whose tests need PostgreSQL or NATS. `npm test` starts one PostgreSQL for
 * all workspaces; a workspace that runs alone starts its own.
 */
export default {
  ...preset,
  globalSetup: path('global-setup.ts'),
  globalTeardown: path('global-teardown.ts'),
  testTimeout: 120_000,
  // Node keeps the modules of finished test files in memory. A worker that uses more is replaced after its file.
  workerIdleMemoryLimit: '1GB',
};
