import preset from '../../jest.preset.mjs';

/** `npm run test:browser`: the suites that need Chromium or Firefox (see CONTRIBUTING.md). */
export default {
  ...preset,
  testMatch: ['<rootDir>/tests/browser/*.browser.ts'],
  maxWorkers: 2,
  testTimeout: 600_000,
};
