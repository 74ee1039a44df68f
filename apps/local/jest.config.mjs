import preset from '../../jest.preset.mjs';

/** `npm test`: only the tests beside the source. Whole systems are in jest.systems.config.mjs. */
export default { ...preset, testMatch: ['<rootDir>/src/**/*.test.ts'] };
