import preset from '../../jest.preset.mjs';

/** `npm test`: only the unit tests in src. Whole systems are in jest.systems.config.mjs. */
export default { ...preset, testMatch: ['<rootDir>/src/**/*.test.ts'] };
