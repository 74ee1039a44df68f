import preset from '../../jest.preset.mjs';

/** The build in dist has the same package name as the source. */
export default { ...preset, modulePathIgnorePatterns: ['<rootDir>/dist/'] };
