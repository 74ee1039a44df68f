import preset from '../../jest.preset.mjs';

/** What is built here has the package's name too. */
export default { ...preset, modulePathIgnorePatterns: ['<rootDir>/dist/'] };
