import preset from '../jest.preset.mjs';

/** `npm run test:images`: builds every image from scratch, so it is not part of `npm test`. */
export default { ...preset, testMatch: ['<rootDir>/images/**/*.test.ts'], maxWorkers: 1, testTimeout: 1_200_000 };
