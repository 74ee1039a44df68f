import preset from './jest.engines.mjs';

/**
 * `npm run test:systems`: the tests in `tests/systems`, which start, kill and overload whole services, and the files of
 * `fullRuns`, whose property tests run only briefly in `npm test` (see `runCount` in packages/testing).
 */
export function systemsConfig({ fullRuns = [] } = {}) {
  process.env.LECTERN_FULL_RUNS = '1';
  return {
    ...preset,
    testMatch: ['tests/systems/**/*.test.ts', ...fullRuns].map((path) => `<rootDir>/${path}`),
    testPathIgnorePatterns: ['/node_modules/'],
    testTimeout: 600_000,
  };
}

/**
 * `npm test` of a workspace with `fullRuns`. `npm run test:all` without a time limit leaves them out: it also runs
 * `test:systems`.
 */
export function shortened(config, fullRuns) {
  if (process.env.LECTERN_SKIP_SHORT_RUNS !== '1') return config;
  return { ...config, testMatch: [...config.testMatch, ...fullRuns.map((path) => `!**/${path}`)] };
}
