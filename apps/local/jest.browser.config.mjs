import preset from './jest.config.mjs';

/** The suites that need Chromium (CONTRIBUTING.md), apart from `npm test`. */
export default { ...preset, testMatch: ['<rootDir>/tests/browser/*.browser.ts'] };
